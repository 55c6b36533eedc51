package a2a

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLooksLikeAddress(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("scribe", []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	abs, err := filepath.Abs("scribe")
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{
		"-", "http://task", "https://agent.example/a?b=c", "localhost", "LOCALHOST", "localhost:9999", "desk:9999", "desk:9999/a",
		"agent.example", "agent.example.", "agent.example/.well-known/agent-card.json", "agent.example?assistant=1", "bücher.example",
		"127.0.0.1", "127.0.0.1:80", "::1", "[::1]", "[::1]:8080", "[::1]:8080/x", "10.0.0.1/agents/a",
		"scribe", abs, "./nosuch.json", "card.json", "cards/card.json", "file:///tmp/card.json", " localhost ",
	} {
		if !LooksLikeAddress(ref) {
			t.Errorf("LooksLikeAddress(%q) = false, want true", ref)
		}
	}
	for _, ref := range []string{
		"", " ", "nonsense", "sned", "scirbe", "my agent", "what is this?", "Book a flight.", "hello.", "a..b", "task:", "task:x",
		"task:0", "task:99999", "server/agent", "pin header Authorization: Bearer x", "e.g. this", "hi!", "desk?", "#5", "?x.y",
	} {
		if LooksLikeAddress(ref) {
			t.Errorf("LooksLikeAddress(%q) = true, want false", ref)
		}
	}
}

// LooksLikeAddress panics for no input, ignores spaces around it and returns false for a bare
// word.
func FuzzLooksLikeAddress(f *testing.F) {
	for _, ref := range []string{"", "-", "word", "localhost:9999", "[::1]:80/x", "a.b", "http://h", "./f.json", "a:b:c", "[", "bücher.example", "\x00.\xff"} {
		f.Add(ref)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		looks := LooksLikeAddress(ref)
		if looks != LooksLikeAddress(" "+ref+"\n") {
			t.Errorf("LooksLikeAddress: got %t for %q with spaces around it, want %t", !looks, ref, looks)
		}
		bare := strings.Trim(ref, "abcdefghijklmnopqrstuvwxyz") == "" && ref != "localhost"
		if _, err := os.Stat(ref); bare && err != nil && looks {
			t.Errorf("LooksLikeAddress(%q) = true for a bare word, want false", ref)
		}
	})
}

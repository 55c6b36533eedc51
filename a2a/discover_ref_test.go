package a2a

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParseReference(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("agent.example", []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ in, url, file string }{
		{"https://Agents.example/x?a=1#f", "https://Agents.example/x?a=1", ""},
		{"HTTP://h", "http://h", ""},
		{"agents.example/x", "https://agents.example/x", ""},
		{"agents.example:8443", "https://agents.example:8443", ""},
		{"localhost:4100", "http://localhost:4100", ""},
		{"127.0.0.1:4100/x", "http://127.0.0.1:4100/x", ""},
		{"[::1]:4100", "http://[::1]:4100", ""},
		{"192.168.1.7", "http://192.168.1.7", ""},
		{"10.0.0.1:80", "http://10.0.0.1:80", ""},
		{"8.8.8.8", "https://8.8.8.8", ""},
		{"box:4100", "http://box:4100", ""},
		{"box:443", "https://box:443", ""},
		{"printer.local", "http://printer.local", ""},
		{"agents.example/card.json", "https://agents.example/card.json", ""},
		{" localhost:4100 ", "http://localhost:4100", ""},
		{"agent.example", "", "agent.example"}, // there is a file of that name
		{"missing.json", "", "missing.json"},
		{"cards/missing.json", "", "cards/missing.json"},
		{"./x", "", "./x"},
		{"/abs/card", "", "/abs/card"},
		{"file:///abs/a%20b.json", "", filepath.FromSlash("/abs/a b.json")},
	}
	for _, tt := range tests {
		r, problem := parseReference(tt.in)
		got := ""
		if r.url != nil {
			got = r.url.String()
		}
		if problem != "" || got != tt.url || r.file != tt.file {
			t.Errorf("parseReference(%q) = url %q, file %q, %q, want %q, %q", tt.in, got, r.file, problem, tt.url, tt.file)
		}
	}
	if r, problem := parseReference("-"); !r.stdin || problem != "" {
		t.Errorf("parseReference(%q) = %+v, %q, want standard input", "-", r, problem)
	}
}

func TestParseReferenceRefusesInOneSentence(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"", "solace:topic://x", "ws://h", "ftp://h/x", "https://", "http://%zz", "https://me:pw@h", "file://", "http://a b/"} {
		r, problem := parseReference(in)
		if problem == "" || strings.Contains(problem, "parse ") || strings.Contains(problem, "pw") {
			t.Errorf("parseReference(%q) = %+v, %q, want a problem without Go's words or the password", in, r, problem)
		}
	}
}

func TestLocations(t *testing.T) {
	t.Parallel()
	const (
		card = "/.well-known/agent-card.json"
		old  = "/.well-known/agent.json"
	)
	tests := []struct {
		in   string
		want []string // a ! marks those at the root of the host
	}{
		{"http://h", []string{card, old, "/v1/card", "/extendedAgentCard", "/api/v1/agentCards", ""}},
		{"http://h/", []string{card, old, "/v1/card", "/extendedAgentCard", "/api/v1/agentCards", "/"}},
		{"http://h/a/b/", []string{"/a/b" + card, "/a/b" + old, "!" + card, "!" + old,
			"/a/b/v1/card", "/a/b/extendedAgentCard", "/a/b/api/v1/agentCards", "/a/b/"}},
		{"http://h/a%2Fb", []string{"/a%2Fb" + card, "/a%2Fb" + old, "!" + card, "!" + old,
			"/a%2Fb/v1/card", "/a%2Fb/extendedAgentCard", "/a%2Fb/api/v1/agentCards", "/a%2Fb"}},
		{"http://h/x.json", []string{"/x.json", "!" + card, "!" + old}},
		{"http://h/v1/card", []string{"/v1/card", "!" + card, "!" + old}},
		{"http://h" + old, []string{old, card, "/v1/card", "/extendedAgentCard", "/api/v1/agentCards"}},
		{"http://h/a" + card, []string{"/a" + card, "/a" + old, "!" + card, "!" + old,
			"/a/v1/card", "/a/extendedAgentCard", "/a/api/v1/agentCards"}},
		{"http://h/a?id=1&x=%20", []string{"/a" + card + "?id=1&x=%20", "/a" + old + "?id=1&x=%20",
			"!" + card + "?id=1&x=%20", "!" + old + "?id=1&x=%20", "/a/v1/card?id=1&x=%20",
			"/a/extendedAgentCard?id=1&x=%20", "/a/api/v1/agentCards?id=1&x=%20", "/a?id=1&x=%20"}},
	}
	for _, tt := range tests {
		r, problem := parseReference(tt.in)
		if problem != "" {
			t.Fatalf("got problem %q, want none", problem)
		}
		var got []string
		for _, l := range locations(r.url) {
			s := strings.TrimPrefix(l.url, "http://h")
			if l.elsewhere {
				s = "!" + s
			}
			got = append(got, s)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", tt.in, got, tt.want)
		}
	}
}

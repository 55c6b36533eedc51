package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/a2a/a2atest/demo"
)

func TestTheDemoServerAnswersUntilItIsStopped(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	code := make(chan int)
	go func() {
		code <- Run(ctx, []string{"demo-server", "--fast", "-o", "json"}, nil, Streams{In: in, Out: in, Err: in})
	}()
	text, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var agents []struct{ Name, URL string }
	scripts, err := demo.Scripts()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), &agents); err != nil || len(agents) != len(scripts) {
		t.Fatalf("got %q (%v), want %d agents", text, err, len(scripts))
	}
	if r := parley(t, "send", "-a", agents[0].URL, "hello"); r.code != 0 {
		t.Errorf("got exit %d from %s, want 0\n%s", r.code, agents[0].Name, r.err)
	}
	stop()
	if got := <-code; got != 0 {
		t.Errorf("got exit %d, want 0", got)
	}
	in.Close()
}

// There is one skill, short, and it names only commands and flags that exist.
func TestTheSkillIsOneAndLean(t *testing.T) {
	t.Parallel()
	found, err := filepath.Glob("../../skills/*/SKILL.md")
	if err != nil || len(found) != 1 {
		t.Fatalf("got skills %v (%v), want one", found, err)
	}
	skill := file(t, found[0])
	for _, want := range []string{"---\nname: parley\n", "\ndescription: ", "\ncompatibility: ", "parley help", "--help", "-o json", "--context-id", "--task-id", "references/examples.md"} {
		if !strings.Contains(skill, want) {
			t.Errorf("got no %q in %s, want it", want, found[0])
		}
	}
	if len(skill) > 3000 || regexp.MustCompile(`\b(MUST|SHOULD|SHALL)\b`).MatchString(skill) {
		t.Errorf("got %d bytes, or a requirement of the specification: want a short guide", len(skill))
	}
	for _, text := range []string{skill, file(t, "../../skills/parley/references/examples.md")} {
		for _, m := range regexp.MustCompile("(?m)parley ((?:card|task) )?([a-z][a-z-]+)").FindAllStringSubmatch(text, -1) {
			args := append(strings.Fields(m[1]), m[2], "--help")
			if r := parley(t, args...); r.code != 0 && strings.Contains(text, "`"+m[0]) {
				t.Errorf("got exit %d for %q, want a command", r.code, m[0])
			}
		}
	}
}

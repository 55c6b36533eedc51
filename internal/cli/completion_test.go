package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if r := parley(t, "completion", shell); r.code != 0 || !strings.Contains(r.out, "parley") || len(r.out) < 1000 {
			t.Errorf("%s: got exit %d and %d bytes, want a script\n%s", shell, r.code, len(r.out), r.err)
		}
	}
	if r := parley(t, "completion", "ksh"); r.code == 0 {
		t.Error("got a script for a shell without one")
	}
}

func TestCompletionKnowsAgentsIdsAndFlags(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, pages)
	home := t.TempDir()
	folder := filepath.Join(home, "parley")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "config.toml"), []byte("[[agent]]\nname = \"Desk\"\nref = \""+s.URL+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	writeTo(t, "", folder, "sessions", "20261120-140208-1.jsonl")
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"send", "-a", "de"}, "Desk"},
		{[]string{"De"}, "Desk"},
		{[]string{"task", "get", "-a", s.URL, "t"}, "t1"},
		{[]string{"task", "get", "-a", s.URL, "--task-id", "t"}, "t1"},
		{[]string{"send", "-o", "an"}, "answer"},
		{[]string{"send", "--dialect", "v0.3-"}, "v0.3-rest"},
		{[]string{"export", "x", "--as", "a"}, "asciicast"},
		{[]string{"export", "x", "--theme", "solarized-"}, "solarized-light"},
		{[]string{"demo", "--theme", "au"}, "auto"},
		{[]string{"demo", "t"}, "parley"}, // the ending of a script
		{[]string{"check", "De"}, "Desk"},
		{[]string{"check", "2026"}, "20261120-140208-1"},
		{[]string{"serve", "2026"}, "20261120-140208-1"},
		{[]string{"send", "-o", "li"}, "live"},
		{[]string{"task", "sub"}, "subscribe"},
		{[]string{"send", "--con"}, "--context-id"},
	} {
		r := commandLine{args: append([]string{"__complete"}, c.words...), env: []string{"XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home}}.run(t)
		got := strings.Split(r.out, "\n")
		if !slices.ContainsFunc(got, func(l string) bool { return l == c.want || strings.HasPrefix(l, c.want+"\t") }) {
			t.Errorf("%q: got %q, want %q among them\n%s", c.words, r.out, c.want, r.err)
		}
	}
	if r := parley(t, "__complete", "task", "get", "-a", "http://127.0.0.1:1", ""); !strings.HasPrefix(r.out, ":4") {
		t.Errorf("got %q, want nothing where no agent answers", r.out)
	}
}

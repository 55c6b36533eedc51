package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAgentsAreSavedListedAndForgotten(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	config := filepath.Join(home, "config", "parley")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "config.toml"), []byte("[[agent]]\nname = \"Mine\"\nref = \"http://mine.example\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	card := filepath.Join(home, "card.json")
	if err := os.WriteFile(card, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) result {
		return commandLine{args: append([]string{"agents"}, args...), env: []string{"HOME=" + home, "XDG_STATE_HOME=" + home + "/state", "XDG_CONFIG_HOME=" + home + "/config"}}.run(t)
	}
	for _, c := range []struct {
		args      []string
		code      int
		want, not string
	}{
		{nil, 0, "Agent: Mine, http://mine.example, ", ""},
		{[]string{"save", "Desk staging", "https://desk.example"}, 0, "Desk staging is saved: parley 'Desk staging' opens it.", ""},
		{[]string{"save", "desk STAGING", "https://other.example"}, 2, "another agent has that name", ""},
		{[]string{"save", "mine", "https://other.example"}, 2, "your own file", ""},
		{[]string{"save", "Card", card}, 0, "Card is saved", ""},
		{[]string{"save", "x", "misspelled"}, 2, "is not the address of an agent", ""},
		{[]string{"save", "x", "-"}, 2, "is not the address of an agent", ""},
		{[]string{"save", "a\x1b[31m", "https://desk.example"}, 2, "control characters", "\x1b"},
		{[]string{"save", "x", "https://desk.example?key=s3cr3t-t0ken-0123456789"}, 2, "secret", "s3cr3t"},
		{[]string{"save", "x"}, 2, "takes a name and a reference", ""},
		{[]string{"rename", "Desk staging", "Desk"}, 0, "Desk staging is now called Desk.", ""},
		{[]string{"rename", "Nobody", "Desk"}, 2, "no agent of that name is saved", ""},
		{nil, 0, "Agent: Desk, https://desk.example, ", "Recent"},
		{[]string{"forget", "Desk"}, 0, "Desk is forgotten.", ""},
		{[]string{"forget", "Desk"}, 2, "no agent of that name is saved", ""},
		{nil, 0, "Recent: Desk, https://desk.example, opened 20", ""},
		{[]string{"-o", "json"}, 0, `"ref": "` + card + `"`, ""},
		{[]string{"-o", "xml"}, 2, "neither text nor json", ""},
		{[]string{"lst"}, 2, "lst", ""},
	} {
		r := run(c.args...)
		if out := r.out + r.err; r.code != c.code || !strings.Contains(out, c.want) || c.not != "" && strings.Contains(out, c.not) {
			t.Errorf("%q: got exit %d, want %d and %q\n%s", c.args, r.code, c.code, c.want, out)
		}
	}
}

func TestTheListOfAgentsIsEmptyAtFirst(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := commandLine{args: []string{"agents"}, env: []string{"HOME=" + home, "XDG_STATE_HOME=" + home}}.run(t)
	if r.code != 0 || r.out != "" || !strings.Contains(r.err, "parley agents save NAME REF saves one") {
		t.Errorf("got exit %d\n%s%s", r.code, r.out, r.err)
	}
	if r = (commandLine{args: []string{"agents", "save", "A", "http://a.example"}}).run(t); r.code != 1 || !strings.Contains(r.err, "set XDG_STATE_HOME or HOME") {
		t.Errorf("without a home: got exit %d\n%s%s", r.code, r.out, r.err)
	}
}

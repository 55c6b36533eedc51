package guide

import (
	"fmt"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/keys"
	"parley/ui/styles"
)

func open(w, h int) *Pane {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(w, h)
	disabled := keys.Bind("z", "zoom pane")
	disabled.SetEnabled(false)
	impossible := keys.Bind("/link", "Open the link")
	impossible.SetEnabled(false)
	p.Open([]Section{
		{Name: "wire", Keys: []key.Binding{keys.Bind("m", "mark record"), keys.Bind("space", "fold exchange"), keys.Bind("space", "fold exchange"), disabled}},
		{Name: "commands", Keys: []key.Binding{keys.Bind("/get [ID] [MESSAGES]", "Get a task from the agent, with messages of its history"), impossible}, Why: map[string]string{"Open the link": "no task waits."}},
		{Name: "moving in text", Keys: []key.Binding{keys.Bind("ctrl+a", "line start")}, Editing: true},
	})
	return p
}

func press(p *Pane, names ...string) (in Intent) {
	for _, name := range names {
		in = p.Key(panetest.Key(name))
	}
	return in
}

func TestTheHelpHasTwoPagesAndASearch(t *testing.T) {
	p := open(80, 24)
	panetest.Sees(t, panetest.Text(p.Lines()), "m     mark record", "space fold exchange", "/get [ID] [MESSAGES] Get a task from the agent", "◐ input-required")
	if s := panetest.Text(p.Lines()); strings.Contains(s, "line start") || strings.Contains(s, "zoom") || strings.Count(s, "fold exchange") != 1 {
		t.Errorf("got page\n%s\nwant neither editing nor disabled keys, and each key once", s)
	}
	panetest.Sees(t, panetest.Text(p.Lines()), "/link", "Open the link (no task waits)")
	press(p, "tab")
	panetest.Sees(t, panetest.Text(p.Lines()), "moving in text", "ctrl+a line start")
	press(p, "tab", "/", "l", "i", "n", "e")
	if s := panetest.Text(p.Lines()); !strings.Contains(s, "line start") || strings.Contains(s, "mark record") {
		t.Errorf("got\n%s\nwant only what matches, of both pages", s)
	}
	if press(p, "enter", "esc"); p.input.Value() != "" {
		t.Error("esc kept the search, want it cleared")
	}
	press(p, "/", "z", "z", "enter")
	panetest.Sees(t, panetest.Text(p.Lines()), "nothing in the help has these words")
	if press(p, "esc", "esc") != (Close{}) {
		t.Error("got no Close from the second esc, want the help closed")
	}
}

func TestTheHelpFitsEverySize(t *testing.T) {
	for w := range 130 {
		for _, h := range []int{0, 1, 2, 5, 40} {
			p := open(w, h)
			for _, name := range []string{"j", "pgdown", "G", "k", "tab", "/", "m", "enter"} {
				press(p, name)
				t.Run(fmt.Sprintf("%dx%d after %s", w, h, name), func(t *testing.T) { panetest.Exact(t, p.Lines(), w, h) })
			}
		}
	}
}

func TestNoWordStandsAlone(t *testing.T) {
	if got := wrap("Show how long the task was (there is no task here)", 46); len(got) != 2 || got[1] != "task here)" {
		t.Errorf("got %q, want two words in the last line", got)
	}
	if got := wrap("one", 2); strings.Join(got, "") != "one" {
		t.Errorf("got %q, want a long word broken", got)
	}
}

package guide

import (
	"fmt"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/action"
	"parley/ui/styles"
)

func open(w, h int) *Pane {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(w, h)
	disabled := action.Label("z", "zoom pane")
	disabled.SetEnabled(false)
	impossible := action.Label("/link", "Open the link")
	impossible.SetEnabled(false)
	p.Open(Help{
		Begin: []key.Binding{action.Label("enter", "send")}, Place: "in the wire",
		Here: []key.Binding{action.Label("m", "mark record")}, Everywhere: []key.Binding{action.Label("f2", "show card")},
		Topics: []Topic{
			{Name: "records", Sections: []Section{{Name: "wire", Keys: []key.Binding{action.Label("m", "mark record"), action.Label("space", "fold exchange"), action.Label("space", "fold exchange"), disabled}}}},
			{Name: "commands", Sections: []Section{{Name: "commands", Keys: []key.Binding{action.Label("/get [ID] [MESSAGES]", "Get a task from the agent, with messages of its history"), impossible}, Why: map[string]string{"Open the link": "no task waits."}}}},
			{Name: "writing", Sections: []Section{{Name: "moving in text", Keys: []key.Binding{action.Label("ctrl+a", "line start")}}}},
		},
	})
	return p
}

func press(p *Pane, names ...string) (in Intent) {
	for _, name := range names {
		in = p.Key(panetest.Key(name))
	}
	return in
}

func TestTheHelpHasAFirstPageTopicsAndASearch(t *testing.T) {
	p := open(80, 14)
	if got := p.Note(); got != "lines 1 to 14 of 32" {
		t.Errorf("got note %q, want the visible lines", got)
	}
	panetest.Sees(t, panetest.Text(p.Lines()), "To begin with", "enter send", "Now, in the wire", "m mark record", "Now, everywhere", "f2 show card",
		"Signs    ✓ done  ◐ waits for you  ✕ failed  ‖ stalled  ↯ cut  ⚑ finding", "Further  1 records  2 commands  3 writing")
	press(p, "2")
	panetest.Sees(t, panetest.Text(p.Lines()), "2  commands", "/get [ID] [MESSAGES] Get a task from the agent", "/link", "Open the link (no task waits)")
	press(p, "G")
	panetest.Sees(t, panetest.Text(p.Lines()), "3  writing", "ctrl+a line start", "◐ input-required")
	press(p, "6", "g")
	p.SetSize(80, 60)
	if s := panetest.Text(p.Lines()); strings.Contains(s, "zoom") || strings.Count(s, "fold exchange") != 1 || p.Note() != "" {
		t.Errorf("got\n%s\nwant no disabled key, each key of a section once, and no note where all is visible", s)
	}
	press(p, "/", "l", "i", "n", "e")
	if s := panetest.Text(p.Lines()); !strings.Contains(s, "line start") || strings.Contains(s, "mark record") {
		t.Errorf("got\n%s\nwant only what matches, of all topics", s)
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
			for _, name := range []string{"j", "pgdown", "G", "k", "3", "/", "m", "enter"} {
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

// The columns of all sections, whatever their words, begin where those of a grid do.
func TestAllSectionsHaveOneGrid(t *testing.T) {
	letters := "abcdefghijkl"
	section := func(name, sign string, does string) (out []key.Binding) {
		for _, c := range letters {
			out = append(out, action.Label(sign+string(c), name+" "+does))
		}
		return out
	}
	for w := 40; w < 220; w++ {
		p := New(styles.New(themes.Mono(), styles.Unicode()))
		p.SetSize(w, 400)
		p.Open(Help{
			Begin: section("one", "A", "begin with these words now"), Place: "here", Here: section("two", "BBBB", "new"), Everywhere: section("six", "C", "do"),
			Topics: []Topic{{Name: "x", Sections: []Section{{Name: "y", Keys: section("ten", "DD", "do what is said")}}}},
		})
		half, some := (w+gap)/2, 0
		for _, row := range strings.Split(panetest.Text(p.Lines()), "\n") {
			for _, sign := range []string{"A", "BBBB", "C", "DD"} {
				for _, c := range letters {
					if at := strings.Index(row, sign+string(c)+" "); at >= 0 {
						if some++; at != 0 && at != half/2 && at != half && at != half+half/2 {
							t.Errorf("%d cells: got %q at %d, want a column at a quarter of %d:\n%s", w, sign+string(c), at, w, row)
						}
					}
				}
			}
		}
		if some != 4*len(letters) {
			t.Fatalf("%d cells: got %d keys, want all", w, some)
		}
	}
}

package taps

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/styles"
)

func newPane(taps ...Tap) *Pane {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(90, 16)
	p.SetAbout(About{Taps: taps})
	return p
}

func press(p *Pane, names ...string) (last Intent) {
	for _, n := range names {
		last = p.Key(panetest.Key(n))
	}
	return last
}

var (
	planner = Tap{Name: "planner", URL: "http://127.0.0.1:4107", Target: "http://127.0.0.1:9999", Exchanges: 12, Open: 2, Fault: "cut:5"}
	desk    = Tap{Name: "desk", URL: "http://127.0.0.1:4108", Target: "https://desk.example", Problem: "The agent cannot be reached."}
)

func TestARowTellsTheWayAndWhatPasses(t *testing.T) {
	p := newPane(planner, desk)
	panetest.Sees(t, panetest.Text(p.Lines()), "planner", "127.0.0.1:4107 › 127.0.0.1:9999", "use http://127.0.0.1:4107 in place of http://127.0.0.1:9999", "12 exchanges, 2 open", "cut:5")
	if got := press(p, "enter"); got != (Show{planner}) {
		t.Errorf("enter: got %+v, want the first tap", got)
	}
	press(p, "j")
	panetest.Sees(t, panetest.Text(p.Lines()), "The agent cannot be reached.")
	for key, want := range map[string]Intent{"y": Copy{desk.URL, "the address of the tap"}, "!": Faults{desk}, "x": Stop{desk}, "c": Chain{}, "n": Begin{}, "q": Close{}} {
		if got := press(p, key); got != want {
			t.Errorf("%s: got %+v, want %+v", key, got, want)
		}
	}
	p.SetAbout(About{Taps: []Tap{desk, planner}})
	if got := press(p, "enter"); got != (Show{desk}) {
		t.Errorf("got %+v after the rows moved, want the tap on which the cursor was", got)
	}
	p.Select("planner")
	click := tea.MouseClickMsg{Button: tea.MouseLeft}
	if got := p.Mouse(click, 0, 1); got != (Show{planner}) {
		t.Errorf("click: got %+v, want the selected tap", got)
	}
}

func TestAnEmptyListSaysWhatATapIs(t *testing.T) {
	p := newPane()
	panetest.Sees(t, panetest.Text(p.Lines()), "No tap is open", "n starts one")
	for _, key := range []string{"enter", "y", "!", "x", "c"} {
		if got := press(p, key); got != nil {
			t.Errorf("%s: got %+v without a tap, want nothing", key, got)
		}
	}
	p.SetAbout(About{Why: "This is a recording."})
	panetest.Sees(t, panetest.Text(p.Lines()), "This is a recording.")
	if got := press(p, "n"); got != (Refused{"This is a recording."}) {
		t.Errorf("n: got %+v, want the reason", got)
	}
}

func TestHostileTapsAreDrawnInAnySize(t *testing.T) {
	evil := "\x1b[2J\x1b]0;x\a" + strings.Repeat("語\u202e", 60)
	for _, taps := range [][]Tap{nil, {{Name: evil, URL: evil, Target: evil, Fault: evil, Problem: evil, Open: 1 << 40}, planner}} {
		p := newPane(taps...)
		for w := range 14 {
			for h := range 20 {
				p.SetSize(9*w, h)
				panetest.Exact(t, p.Lines(), 9*w, h)
				panetest.Sanitized(t, p.Lines())
			}
		}
	}
}

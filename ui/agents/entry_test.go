package agents

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
)

func keeper(w, h int) *Pane {
	p := pane(w, h)
	p.agents[0].Given = "Desk"
	p.SetEntries([]Entry{{Name: "Saved one", Ref: "http://s", Saved: true}, {Name: "Old \x1b[2Jone", Ref: "http://o"}})
	return p
}

func TestWhatIsNotOpenStandsBelow(t *testing.T) {
	p := keeper(30, 20)
	panetest.Sees(t, panetest.Text(p.Lines()), "saved", "○ Saved one", "recent", "○ Old")
	for _, c := range []struct {
		keys string
		want Intent
	}{
		{"G\r", Open{Entry{Name: "Old \x1b[2Jone", Ref: "http://o"}}},
		{"Gk\r", Open{Entry{Name: "Saved one", Ref: "http://s", Saved: true}}}, // headings are not selectable
		{"Gs", Save{Entry: Entry{Name: "Old \x1b[2Jone", Ref: "http://o"}}},
		{"Gks", nil}, // is saved
		{"GkR", Rename{Name: "Saved one"}},
		{"GR", nil}, // has no name from the user
		{"Gd", Forget{Entry{Name: "Old \x1b[2Jone", Ref: "http://o"}}},
		{"Gkkd", nil}, // open and not saved
		{"Gkks", Save{Agent: 2}},
		{"gd", Forget{Entry{Name: "Desk", Ref: "http://a", Saved: true}}},
		{"gR", Rename{Name: "Desk"}},
		{"gjd", nil}, {"gjx", nil}, // a conversation
		{"gx", Close{Agent: 1}}, {"Gx", nil},
		{"Gc", nil}, {"Gn", nil}, {"Gr", nil},
	} {
		if got := press(keeper(30, 20), c.keys); got != c.want {
			t.Errorf("%q gave %#v, want %#v", c.keys, got, c.want)
		}
	}
	y := 0
	for i, l := range p.Lines() {
		if strings.Contains(l, "Saved one") {
			y = i
		}
	}
	if p.Mouse(tea.MouseClickMsg{}, 3, y) != nil {
		t.Error("one click on a closed agent returned an intent, want none")
	}
	if got := p.Mouse(tea.MouseClickMsg{}, 3, y); got != (Open{Entry{Name: "Saved one", Ref: "http://s", Saved: true}}) {
		t.Errorf("second click: got %#v, want Open", got)
	}
	for w := range 12 {
		for h := range 20 {
			p.SetSize(3*w, h)
			panetest.Exact(t, p.Lines(), 3*w, h)
		}
	}
}

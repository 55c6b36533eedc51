package composer

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
)

func TestAChipSaysThatTheAgentDoesNotTakeIt(t *testing.T) {
	c := open(100, newTask)
	c.SetInputModes([]string{"text/plain", "application/json"})
	c.Attach(report)
	c.Attach(dates)
	c.SetSize(100, c.Height())
	got := screen(c)
	if !strings.Contains(got, "not among the agent's input modes") || strings.Count(got, "input modes") != 1 {
		t.Errorf("got a screen that does not warn of exactly one part:\n%s", got)
	}
	if in, ok := press(c, "enter").(Send); !ok || len(in.Draft.Parts) != 2 {
		t.Errorf("got intent %v, want Send with 2 parts in spite of the warning", in)
	}
	c.SetInputModes(nil)
	c.Attach(report)
	if strings.Contains(screen(c), "input modes") {
		t.Errorf("got a warning without known input modes, want none:\n%s", screen(c))
	}
}

func TestTheKeysAboutPartsAsk(t *testing.T) {
	c := open(80, newTask)
	if in := press(c, "alt+a"); in != (Attach{}) {
		t.Errorf("got intent %v for alt+a, want Attach", in)
	}
	if in, ok := press(c, "alt+p").(Refused); !ok || !strings.Contains(in.Why, "alt+a attaches") {
		t.Errorf("got %v for alt+p without parts, want a refusal", in)
	}
	c.Attach(report)
	if in := press(c, "alt+p"); in != (Change{Index: 0}) {
		t.Errorf("got intent %v for alt+p with one part, want Change of part 0", in)
	}
	c.Attach(dates)
	if in := press(c, "alt+p"); in != (Change{Index: -1}) {
		t.Errorf("got intent %v for alt+p with two parts, want Change without a part", in)
	}
	c.SetSize(80, c.Height())
	if in := c.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 5, c.Height()-1); in != (Change{Index: 1}) {
		t.Errorf("got intent %v for a click on a part, want Change of part 1", in)
	}
	if in := c.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 79, c.Height()-1); in != nil {
		t.Errorf("got intent %v for a click beside a part, want none", in)
	}
	before := c.Draft()
	c.Replace(0, link)
	c.Replace(7, link)
	if c.Draft().Parts[0].Kind != a2a.PartURL || before.Parts[0].Kind != a2a.PartBytes {
		t.Error("got part 0 not replaced, or replaced in an earlier copy of the draft too")
	}
}

func TestADropIsOfferedBelowTheText(t *testing.T) {
	c := open(60, newTask)
	h := c.Height()
	c.SetDrop("a\x1b[2J.png, image/png, 3 B")
	c.SetSize(60, c.Height())
	if got := screen(c); c.Height() != h+1 || !strings.Contains(got, "alt+a attaches a⟨ESC⟩.png, image/png, 3 B") {
		t.Errorf("got height %d, want %d, and a screen that offers the file:\n%s", c.Height(), h+1, got)
	}
	for w := range 40 {
		c.SetSize(w, c.Height())
		exact(t, c, w, c.Height())
	}
	c.SetDrop("")
	if c.Height() != h {
		t.Errorf("got height %d without a pasted path, want %d", c.Height(), h)
	}
}

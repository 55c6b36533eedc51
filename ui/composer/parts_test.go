package composer

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
)

func TestAChipSaysThatTheAgentDoesNotTakeIt(t *testing.T) {
	c := open(100, newTask)
	c.SetTakes([]string{"text/plain", "application/json"})
	c.Attach(report)
	c.Attach(dates)
	c.SetSize(100, c.Height())
	got := screen(c)
	if !strings.Contains(got, "not among the agent's input modes") || strings.Count(got, "input modes") != 1 {
		t.Errorf("not said, or of all:\n%s", got)
	}
	if in, ok := press(c, "enter").(Send); !ok || len(in.Draft.Parts) != 2 {
		t.Errorf("it is not sent: %v", in)
	}
	c.SetTakes(nil)
	c.Attach(report)
	if strings.Contains(screen(c), "input modes") {
		t.Errorf("said without a card:\n%s", screen(c))
	}
}

func TestTheKeysAboutPartsAsk(t *testing.T) {
	c := open(80, newTask)
	if in := press(c, "alt+a"); in != (Attach{}) {
		t.Errorf("alt+a gives %v", in)
	}
	if in, ok := press(c, "alt+p").(Refused); !ok || !strings.Contains(in.Why, "alt+a attaches") {
		t.Errorf("with nothing alt+p gives %v", in)
	}
	c.Attach(report)
	if in := press(c, "alt+p"); in != (Change{Index: 0}) {
		t.Errorf("alt+p gives %v", in)
	}
	c.Attach(dates)
	if in := press(c, "alt+p"); in != (Change{Index: -1}) {
		t.Errorf("alt+p gives %v", in)
	}
	c.SetSize(80, c.Height())
	if in := c.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 5, c.Height()-1); in != (Change{Index: 1}) {
		t.Errorf("a click gives %v", in)
	}
	if in := c.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 79, c.Height()-1); in != nil {
		t.Errorf("a click beside it gives %v", in)
	}
	before := c.Draft()
	c.Replace(0, link)
	c.Replace(7, link)
	if c.Draft().Parts[0].Kind != a2a.PartURL || before.Parts[0].Kind != a2a.PartBytes {
		t.Error("a part was not replaced, or in a draft that was taken before")
	}
}

func TestADropIsOfferedBelowTheText(t *testing.T) {
	c := open(60, newTask)
	h := c.Height()
	c.SetDrop("a\x1b[2J.png, image/png, 3 B")
	c.SetSize(60, c.Height())
	if got := screen(c); c.Height() != h+1 || !strings.Contains(got, "alt+a attaches a⟨ESC⟩.png, image/png, 3 B") {
		t.Errorf("not offered:\n%s", got)
	}
	for w := range 40 {
		c.SetSize(w, c.Height())
		exact(t, c, w, c.Height())
	}
	c.SetDrop("")
	if c.Height() != h {
		t.Error("the row stays")
	}
}

package answers

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/session/model"
	"parley/themes"
	"parley/ui/control"
	"parley/ui/control/controltest"
	"parley/ui/palette"
	"parley/ui/styles"
)

func TestMain(m *testing.M) { panetest.Main(m) }

func newDesk() (*Controller, *controltest.Host) {
	h := controltest.NewHost(model.NewState())
	h.AddAgent(1, "http://one.example", "One", "")
	h.AddAgent(2, "http://two.example", "Two", "")
	return New(h, styles.New(themes.Mono(), styles.Unicode()), func(a control.Activity) tea.Cmd {
		take, err := a.Work(context.Background(), func(int, int) {})
		if err != nil {
			return h.Say(err.Error(), true)
		}
		return take()
	}), h
}

func TestWhatIsOnTheScreenIsCompared(t *testing.T) {
	c, h := newDesk()
	if why := controltest.Commands(c.Actions())[0].Why; !strings.Contains(why, "no conversation on the screen") {
		t.Errorf("got the reason %q", why)
	}
	one := control.Place{Agent: 1, Conversation: 1}
	h.AddTask(one, "task-a", "COMPLETED", "done")
	h.At = one
	if why := controltest.Commands(c.Actions())[0].Why; !strings.Contains(why, "nothing to compare it with") {
		t.Errorf("got the reason %q", why)
	}
	h.AddTask(control.Place{Agent: 2, Conversation: 2}, "task-b", "FAILED", "broken")
	if why := controltest.Commands(c.Actions())[0].Why; why != "" {
		t.Fatalf("got the reason %q, want none", why)
	}
	c.choose()
	groups := map[string]palette.Entry{}
	for _, e := range c.others() {
		groups[e.Group] = e
	}
	for _, group := range []string{"conversation", "task", "agent"} {
		e, ok := groups[group]
		if !ok {
			t.Fatalf("got no %s to compare with", group)
		}
		h.Shown = ""
		e.Value.(control.Action)()
		if h.Shown != SheetName {
			t.Errorf("%s: got sheet %q", group, h.Shown)
		}
		c.pane.SetSize(80, 24)
		panetest.Sees(t, panetest.Text(c.pane.Lines()), "Both sides differ in states", "- states: completed", "+ states: failed")
	}
	if s := c.Sheet(); s.Key(tea.KeyPressMsg{Code: tea.KeyEscape}) != nil || h.Shown != "" {
		t.Errorf("got sheet %q after esc, want none", h.Shown)
	}
}

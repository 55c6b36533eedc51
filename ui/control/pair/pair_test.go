package pair

import (
	"strings"
	"testing"
	"time"

	"parley/session/model"
	"parley/themes"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/control/controltest"
	"parley/ui/layout"
	"parley/ui/styles"
)

// A desk is a controller on a screen of some width, with three agents: the third has no
// conversation.
type desk struct {
	*Controller
	host  *controltest.Host
	width int
	zoom  bool
}

func (d *desk) Columns() int { return d.width }
func (d *desk) Unzoom()      { d.zoom = false }
func (d *desk) Both() bool {
	return d.width >= layout.SecondWidth && !d.zoom && d.Wanted() != layout.NoPair
}

var (
	first  = control.Place{Agent: 1, Conversation: 1}
	second = control.Place{Agent: 1, Conversation: 2}
	third  = control.Place{Agent: 2, Conversation: 3}
	begun  = control.Place{Agent: 3}
)

func newDesk(t *testing.T) *desk {
	t.Helper()
	h := controltest.NewHost(model.NewState())
	h.AddAgent(1, "http://one.example", "One", "")
	h.AddAgent(2, "http://two.example", "Two", "")
	h.AddAgent(3, "http://three.example", "Three", "")
	h.AddTask(first, "a", "COMPLETED", "done")
	h.AddTask(second, "b", "COMPLETED", "done")
	h.AddTask(third, "c", "COMPLETED", "done")
	h.At, h.FocusOn = first, control.OnComposer
	st := styles.New(themes.Dark(), styles.Unicode())
	d := &desk{host: h, width: 200}
	d.Controller = New(h, chat.New(st, time.Now), d)
	return d
}

// visit goes to a place as the workbench does.
func (d *desk) visit(p control.Place) {
	d.OnPlace(d.host.At, p)
	d.host.At = p
	d.Refresh()
}

func TestTheMostLikelyConversationIsChosen(t *testing.T) {
	for _, c := range []struct {
		name string
		play func(d *desk)
		want control.Place
	}{
		{"the next one", func(*desk) {}, second},
		{"round to the first", func(d *desk) { d.host.At = begun }, first},
		{"one that waits", func(d *desk) { d.host.AddTask(third, "c", "INPUT_REQUIRED", "?") }, third},
		{"the one before", func(d *desk) {
			d.host.AddTask(second, "b", "INPUT_REQUIRED", "?")
			d.visit(third)
			d.visit(first)
		}, third},
		{"an agent without a conversation", func(d *desk) {
			d.host.Session.Agents = d.host.Session.Agents[2:]
		}, begun},
	} {
		d := newDesk(t)
		c.play(d)
		if got, ok := d.choose(); !ok || got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestTheTwoChangeTheirRolesAndStay(t *testing.T) {
	d := newDesk(t)
	d.Show(third)
	if d.Wanted() != layout.AtLeft || d.Other() != third.Conversation {
		t.Fatalf("got pair %d with conversation %d, want the first at the left of %d", d.Wanted(), d.Other(), third.Conversation)
	}
	d.visit(third)
	if d.Wanted() != layout.AtRight || d.Other() != first.Conversation {
		t.Errorf("got pair %d with conversation %d, want the first to stay at the left", d.Wanted(), d.Other())
	}
	d.visit(second)
	if d.Wanted() != layout.AtRight || d.Other() != first.Conversation {
		t.Errorf("got pair %d with conversation %d, want another conversation at the right", d.Wanted(), d.Other())
	}
	d.width = 120
	if d.Other() != 0 || d.Wanted() != layout.AtRight || len(d.Shown()) != 1 {
		t.Errorf("got conversation %d and pair %d on a narrow screen, want the choice kept and nothing shown", d.Other(), d.Wanted())
	}
}

func TestAConversationStandsBesideAnotherOneOnly(t *testing.T) {
	d := newDesk(t)
	d.Show(first)
	if d.Wanted() != layout.NoPair || !strings.Contains(d.host.LastNotice().Text, "on the screen already") {
		t.Errorf("got pair %d and notice %q, want none and the reason", d.Wanted(), d.host.LastNotice().Text)
	}
	d.Show(third)
	d.host.Session.Agent(third.Agent).Closed = true
	d.Refresh()
	if d.Wanted() != layout.NoPair {
		t.Error("got a conversation of a closed agent beside, want none")
	}
	d.find()
	if l := d.host.Lists; len(l) != 1 || len(l[0].Entries) != 3 {
		t.Errorf("got lists %+v, want one with each place but the present one", l)
	}
}

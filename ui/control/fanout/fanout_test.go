package fanout

import (
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/themes"
	"parley/ui/action"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/controltest"
	"parley/ui/styles"
)

func TestMain(m *testing.M) { panetest.Main(m) }

// A desk is a controller with two agents. What is sent is noted.
type desk struct {
	*Controller
	host     *controltest.Host
	sentTo   []a2a.AgentID
	text     string
	offered  composer.Draft
	why      string
	compared [2]*model.Turn
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	h := controltest.NewHost(model.NewState())
	h.AddAgent(1, "http://one.example", "One", "")
	h.AddAgent(2, "http://two.example", "Two", "")
	d := &desk{host: h}
	d.Controller = New(h, styles.New(themes.Mono(), styles.Unicode()), Options{
		Now:     time.Now,
		Sends:   func() key.Binding { return action.Label("enter", "send") },
		Offered: func() (composer.Draft, string) { return d.offered, d.why },
		Send: func(draft composer.Draft, agents []a2a.AgentID) (all []control.SentTurn, _ tea.Cmd) {
			d.sentTo, d.text = agents, draft.Text
			for i, a := range agents {
				all = append(all, control.SentTurn{Place: control.Place{Agent: a, Conversation: a2a.ConversationID(i + 1)}, Turn: a2a.TurnID(i + 1)})
			}
			return all, nil
		},
		Compare: func(back control.SheetName, first, second *model.Turn) tea.Cmd {
			if back != SheetName {
				t.Errorf("got %q to come back to", back)
			}
			d.compared = [2]*model.Turn{first, second}
			return nil
		},
	})
	return d
}

// choose chooses an item of the newest menu by its key.
func (d *desk) choose(key string) {
	for _, item := range d.host.Menus[len(d.host.Menus)-1].Items {
		if item.Key == key {
			item.Value.(control.Action)()
			return
		}
	}
}

func TestAllAgentsAreChosenAtFirst(t *testing.T) {
	d := newDesk(t)
	if d.Open(); !strings.Contains(d.host.LastNotice().Text, "/fanout sends one") {
		t.Errorf("got %q", d.host.LastNotice().Text)
	}
	controltest.Commands(d.Actions())[0].With("hello both")
	if items := d.host.Menus[0].Items; len(items) != 3 || items[0].Name != "send to 2 agents" || !strings.HasPrefix(items[1].Name, "[x] ") {
		t.Fatalf("got the menu %+v", items)
	}
	d.choose("2")
	if items := d.host.Menus[1].Items; items[0].Name != "send to 1 agent" || !strings.HasPrefix(items[2].Name, "[ ] ") {
		t.Errorf("got the menu %+v, want the second agent left out", items)
	}
	d.choose("1")
	if items := d.host.Menus[2].Items; items[0].Why == "" {
		t.Errorf("got no reason although no agent is chosen: %+v", items)
	}
	d.choose("1")
	d.choose("2")
	d.choose("s")
	if len(d.sentTo) != 2 || d.text != "hello both" || d.host.Shown != SheetName {
		t.Errorf("got %q sent to %v and sheet %q", d.text, d.sentTo, d.host.Shown)
	}
}

func TestTheDraftIsSentIfThereIsNoText(t *testing.T) {
	d := newDesk(t)
	d.why = "write the message first"
	if controltest.Commands(d.Actions())[0].Run(); d.host.LastNotice().Text != d.why || len(d.host.Menus) > 0 {
		t.Errorf("got %q, want the reason", d.host.LastNotice().Text)
	}
	d.offered, d.why = composer.Draft{Text: "a draft"}, ""
	controltest.Commands(d.Actions())[0].Run()
	d.choose("s")
	if d.text != "a draft" {
		t.Errorf("got %q sent, want the draft", d.text)
	}
}

func TestAnswersStandSideBySide(t *testing.T) {
	d := newDesk(t)
	d.Begin("hello")
	d.choose("s")
	see := func(want ...string) {
		t.Helper()
		d.refresh()
		d.pane.SetSize(100, 24)
		panetest.Sees(t, panetest.Text(d.pane.Lines()), append(want, "> hello", "One", "Two")...)
	}
	see("sending")
	d.onIntent(d.pane.Key(panetest.Key("d")))
	if !strings.Contains(d.host.LastNotice().Text, "has not begun yet") {
		t.Errorf("got %q", d.host.LastNotice().Text)
	}
	first := d.host.AddTask(control.Place{Agent: 1, Conversation: 1}, "task-a", "COMPLETED", "done")
	second := d.host.AddTask(control.Place{Agent: 2, Conversation: 2}, "task-b", "FAILED", "broken")
	d.sent[0].Turn, d.sent[1].Turn = first.Conversation.Turns[0].ID, second.Conversation.Turns[0].ID
	see("completed", "failed", "done", "broken")
	for _, column := range []string{"", "right"} {
		if column != "" {
			d.pane.Key(panetest.Key(column))
		}
		d.compared = [2]*model.Turn{}
		d.onIntent(d.pane.Key(panetest.Key("d")))
		if d.compared[0] != first.Conversation.Turns[0] || d.compared[1] != second.Conversation.Turns[0] {
			t.Errorf("got %v compared", d.compared)
		}
	}
	d.onIntent(d.pane.Key(panetest.Key("enter")))
	if d.host.At.Agent != 2 || d.host.Shown != "" {
		t.Errorf("got place %v and sheet %q, want the second agent's conversation", d.host.At, d.host.Shown)
	}
	if d.Open(); d.host.Shown != SheetName {
		t.Error("the answers did not come back")
	}
}

// A narrow column cuts the end of the figures, so what matters more stands first.
func TestFiguresBeginWithTheWholeTime(t *testing.T) {
	for want, got := range map[string]string{
		"2 s, 3 events, ttfb 40 ms": timed(40*time.Millisecond, 3, 2*time.Second),
		"2 s, 1 event":              timed(-1, 1, 2*time.Second),
		"2 s":                       timed(-1, 0, 2*time.Second),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

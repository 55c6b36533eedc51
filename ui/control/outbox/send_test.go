package outbox

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/themes"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/controltest"
	"parley/ui/control/target"
	"parley/ui/styles"
)

// panes count what the outbox asks of the conversation and of the wire.
type panes struct{ ends, follows int }

func (p *panes) Selected() a2a.RecordID { return 0 }
func (p *panes) TextAtCursor() string   { return "" }
func (p *panes) End()                   { p.ends++ }
func (p *panes) Follow()                { p.follows++ }

// newOutbox returns the controller of a host with one agent on the screen.
func newOutbox() (*Controller, *controltest.Host, *panes) {
	h, p := controltest.NewHost(model.NewState()), &panes{}
	h.AddAgent(1, "http://one.example", "One", "")
	h.At.Agent = 1
	return New(h, composer.New(styles.New(themes.Mono(), styles.Unicode())), p, p, Links{
		Options:  func(a2a.AgentID) model.SendOptions { return model.SendOptions{} },
		Webhook:  func(_, _ control.Place) bool { return false },
		Remember: func(a2a.AgentID, composer.Draft) {},
		Keep:     func(composer.Draft, model.Target) tea.Cmd { return nil },
	}), h, p
}

// Who sends a message sees it and what becomes of it, wherever the panes were scrolled to.
func TestSendingShowsTheMessageAndItsRequest(t *testing.T) {
	t.Parallel()
	c, h, p := newOutbox()
	c.OnComposerIntent(composer.Send{Draft: composer.Draft{Text: "hello"}, Target: model.Target{Agent: 1}})
	if *p != (panes{1, 1}) {
		t.Errorf("got %d calls of End and %d of Follow after a message, want one of each", p.ends, p.follows)
	}
	if want := (control.Place{Agent: 1, Conversation: 1}); h.At != want {
		t.Errorf("got place %+v after the first message, want its conversation, %+v", h.At, want)
	}
	c.Send(composer.Draft{Text: "hello again"}, model.Target{Agent: 1, Conversation: 1})
	if *p != (panes{2, 2}) {
		t.Errorf("got %d calls of End and %d of Follow after a second message, want two of each", p.ends, p.follows)
	}
	h.Refuses = "This is a recording."
	c.Send(composer.Draft{Text: "never"}, model.Target{Agent: 1, Conversation: 1})
	if *p != (panes{2, 2}) {
		t.Errorf("got %d calls of End and %d of Follow after a message that was not sent, want no more", p.ends, p.follows)
	}
}

// How a message was sent is remembered, so that it can be sent again in the same way. Its secrets are not: the
// engine has them, and nothing else keeps them until the end of the run.
func TestOptionsAreRememberedWithoutSecrets(t *testing.T) {
	t.Parallel()
	c, h, _ := newOutbox()
	to := model.Target{Agent: 1, Conversation: 1}
	c.Send(composer.Draft{Text: "the pin is 4711", Options: model.SendOptions{Stream: a2a.False}, Secrets: []string{"4711"}}, to)
	if got := h.Fake.Last().Options; !slices.Equal(got.Secrets, []string{"4711"}) {
		t.Errorf("got secrets %q for the engine, want those of the message", got.Secrets)
	}
	first := &model.Turn{ID: c.Newest(), Target: to, Message: h.Fake.Last().Message, Conversation: &model.Conversation{ID: 1, Agent: h.Session.Agent(1)}}
	if got := c.again.options[first.ID]; got.Stream != a2a.False || got.Secrets != nil {
		t.Errorf("got remembered options %+v, want those of the message without its secrets", got)
	}
	if _, why := c.Repeat(first); why != "" || len(h.Fake.Sent) != 2 {
		t.Fatalf("got %d messages (%s), want the message sent once more", len(h.Fake.Sent), why)
	}
	if got := h.Fake.Last().Options; got.Stream != a2a.False || got.Secrets != nil {
		t.Errorf("got options %+v for the message that was sent again, want those of the first one without secrets", got)
	}
}

// A message of which a part is masked in its record cannot be sent again: what stands for its secret would be sent.
func TestAMaskedMessageIsNotSentAgain(t *testing.T) {
	t.Parallel()
	for _, masked := range []bool{false, true} {
		c, h, _ := newOutbox()
		h.At.Conversation = 1
		items := controltest.TaskItems(a2a.RecordID(h.Session.Log.Len()+1), controltest.Noon, h.At, "t", "COMPLETED", "done")
		request := &items[0].Record
		if masked {
			request.Redactions = []a2a.Redaction{{Offset: bytes.Index(request.Raw, []byte("help me")), Length: len("help me")}}
		}
		for _, it := range items {
			h.Session.Apply(it)
		}
		card := h.Agent().Card
		card.Interfaces = append(card.Interfaces, a2a.Interface{URL: "http://one.example/rest", Binding: a2a.BindingREST, BindingWord: "HTTP+JSON", Version: "1.0"})
		turn := h.Conversation().Turns[0]
		if again := controltest.Commands(c.againActions())[0]; strings.Contains(again.Why, "contained a secret") != masked {
			t.Errorf("masked %v: got reason %q against sending over another binding", masked, again.Why)
		}
		if c.chooseBinding(); (len(h.Fake.Sent) == 0) != masked {
			t.Errorf("masked %v: got %d messages over another binding (%s)", masked, len(h.Fake.Sent), h.Notice())
		}
		if _, why := c.Repeat(turn); strings.Contains(why, "had a secret") != masked {
			t.Errorf("masked %v: got reason %q against sending once more", masked, why)
		}
		if c.EditAgain(); strings.Contains(h.Notice(), "contained a secret") != masked || c.composer.Empty() != masked {
			t.Errorf("masked %v: got notice %q and text %q after editing again", masked, h.Notice(), c.composer.Value())
		}
	}
}

// While one of two questions has an answer without a word of the agent, the other is answered next; then
// messages are queued.
func TestTheQuestionWithoutAnAnswerIsAnsweredNext(t *testing.T) {
	t.Parallel()
	c, h, _ := newOutbox()
	h.At.Conversation = 1
	for _, id := range []string{"older", "newer"} {
		for _, it := range controltest.TaskItems(a2a.RecordID(h.Session.Log.Len()+1), controltest.Noon, h.At, id, "INPUT_REQUIRED", "which city?") {
			h.Session.Apply(it)
		}
	}
	order := func() (names []string) {
		for _, choice := range c.addQueue(target.Choices(h.Agent(), h.Conversation(), nil))[:3] {
			name := choice.Target.TaskID
			if choice.Kind == composer.TargetQueue {
				name = "queue"
			}
			names = append(names, name)
		}
		return names
	}
	answer := func(id string) {
		c.Send(composer.Draft{Text: "Oslo"}, model.Target{Agent: 1, Conversation: 1, TaskID: id})
	}
	for _, step := range []struct {
		answers string
		want    []string
	}{{"newer", []string{"older", "queue", "newer"}}, {"older", []string{"queue", "newer", "older"}}} {
		if answer(step.answers); !slices.Equal(order(), step.want) {
			t.Errorf("after an answer to the %s one: got targets %q, want %q", step.answers, order(), step.want)
		}
	}
}

package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/attachments"
	"parley/ui/control/forms"
	"parley/ui/control/history"
	"parley/ui/control/jsonsheet"
	"parley/ui/control/outbox"
	"parley/ui/control/sendoptions"
)

// controllers own the topics of the workbench, see parley/ui/control. Each is made in
// [newControllers], with what it needs from the others.
type controllers struct {
	attachments *attachments.Controller
	forms       *forms.Controller
	history     *history.Controller
	json        *jsonsheet.Controller
	outbox      *outbox.Controller
	sendOptions *sendoptions.Controller
}

// newControllers makes the controllers of a model that has its panes.
func newControllers(m *Model) (c controllers) {
	h, message := host{m}, m.panes.composer
	c.history = history.New(h, message, history.Options{File: m.opts.History, Problem: m.opts.HistoryProblem, Now: m.opts.Now, Closed: m.closedAgents})
	c.outbox = outbox.New(h, message, m.panes.chat, m.keys.Turn, outboxLinks(m, c.history))
	c.json = jsonsheet.New(h, m.st)
	c.attachments = attachments.New(h, m.st, attachments.Options{
		Composer: message, ChangeDraft: c.outbox.ChangeDraft, WriteJSON: c.json.Write,
		Dir: m.opts.Dir, Home: m.opts.Getenv("HOME"),
	})
	c.sendOptions = sendoptions.New(h, m.st, sendoptions.Options{Composer: message, WriteJSON: c.json.Write})
	c.forms = forms.New(h, m.st, forms.Options{Open: m.keys.Form, Composer: message, Outbox: c.outbox, SendOptions: c.sendOptions.Of})
	return c
}

// update gives a message to the controller whose it is.
func (c *controllers) update(msg tea.Msg) tea.Cmd {
	for _, update := range []func(tea.Msg) (tea.Cmd, bool){c.attachments.Update, c.history.Update} {
		if cmd, taken := update(msg); taken {
			return cmd
		}
	}
	return nil
}

// outboxLinks are what the outbox needs of other topics.
func outboxLinks(m *Model, written *history.Controller) outbox.Links {
	return outbox.Links{
		Options: func(agent a2a.AgentID) model.SendOptions { return m.sendOptions.Of(agent) },
		Webhook: func(from, to control.Place) bool { return m.writing.hooks(from, to) },
		Annotate: func(choices []composer.TargetChoice) []composer.TargetChoice {
			choices = m.requiring(choices)
			m.forms.Offer(choices)
			return choices
		},
		Remember: written.Remember, Keep: written.Keep,
	}
}

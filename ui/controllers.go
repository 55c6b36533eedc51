package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/outbox"
)

// controllers own the topics of the workbench, see parley/ui/control. Each is made in
// [newControllers], with what it needs from the others.
type controllers struct {
	outbox *outbox.Controller
}

// newControllers makes the controllers of a model that has its panes.
func newControllers(m *Model) controllers {
	h := host{m}
	return controllers{
		outbox: outbox.New(h, m.panes.composer, m.panes.chat, m.keys.Turn, outboxLinks(m)),
	}
}

// outboxLinks are what the outbox needs of other topics.
func outboxLinks(m *Model) outbox.Links {
	return outbox.Links{
		Options: func(agent a2a.AgentID) model.SendOptions { return m.writing.options[agent] },
		Webhook: func(from, to control.Place) bool { return m.writing.hooks(from, to) },
		Annotate: func(choices []composer.TargetChoice) []composer.TargetChoice {
			choices = m.requiring(choices)
			m.offerForms(choices)
			return choices
		},
		Written: func(d composer.Draft, to model.Target, queued bool) tea.Cmd {
			if !queued { // else it was written before others
				m.writing.history(to.Agent).Add(composer.Written(d))
			}
			return m.keepForLater(d, to)
		},
	}
}

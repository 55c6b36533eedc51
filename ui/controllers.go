package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/agents"
	"parley/ui/control/attachments"
	"parley/ui/control/cards"
	"parley/ui/control/credentials"
	"parley/ui/control/extensions"
	"parley/ui/control/files"
	"parley/ui/control/findings"
	"parley/ui/control/forms"
	"parley/ui/control/history"
	"parley/ui/control/inbox"
	"parley/ui/control/jsonsheet"
	"parley/ui/control/lanes"
	"parley/ui/control/links"
	"parley/ui/control/outbox"
	"parley/ui/control/pins"
	"parley/ui/control/prompts"
	"parley/ui/control/records"
	"parley/ui/control/sendoptions"
	"parley/ui/control/tasks"
	"parley/ui/control/webhooks"
	"parley/ui/styles"
	"parley/ui/wire"
)

// SavedAgents says which agents are remembered between runs.
type SavedAgents = agents.Saved

// controllers are the controllers of all topics, see parley/ui/control. [newControllers] makes
// each with what it needs from the others.
type controllers struct {
	agents      *agents.Controller
	attachments *attachments.Controller
	cards       *cards.Controller
	credentials *credentials.Controller
	extensions  *extensions.Controller
	files       *files.Controller
	findings    *findings.Controller
	forms       *forms.Controller
	history     *history.Controller
	json        *jsonsheet.Controller
	lanes       *lanes.Controller
	links       *links.Controller
	outbox      *outbox.Controller
	pins        *pins.Controller
	prompts     *prompts.Controller
	records     *records.Controller
	sendOptions *sendoptions.Controller
	inbox       *inbox.Controller
	tasks       *tasks.Controller
	webhooks    *webhooks.Controller
}

// newControllers makes the controllers of a model that has its panes.
func newControllers(m *Model) (c controllers) {
	h, message := host{m}, m.panes.composer
	c.history = history.New(h, message, history.Options{File: m.opts.History, Problem: m.opts.HistoryProblem, Now: m.opts.Now, Closed: func() []a2a.AgentID { return m.agents.Closed() }})
	c.outbox = outbox.New(h, message, m.panes.chat, m.keys.Turn, outboxLinks(m, c.history))
	c.json = jsonsheet.New(h, m.st)
	c.attachments = attachments.New(h, m.st, attachments.Options{
		Composer: message, ChangeDraft: c.outbox.ChangeDraft, WriteJSON: c.json.Write,
		Dir: m.opts.Dir, Home: m.opts.Getenv("HOME"),
	})
	c.sendOptions = sendoptions.New(h, m.st, sendoptions.Options{Composer: message, WriteJSON: c.json.Write})
	c.forms = forms.New(h, m.st, forms.Options{Open: m.keys.Form, Composer: message, Outbox: c.outbox, SendOptions: c.sendOptions.Of})
	c.records = records.New(h, m.st, m.keys.Acting, records.Panes{Wire: m.panes.wire, Chat: m.panes.chat, Arrange: m.arrange})
	c.findings = findings.New(h, m.st, m.keys.Findings, m.panes.wire, c.records)
	c.lanes = lanes.New(h, m.st, lanes.Options{Key: m.keys.Lanes, Now: m.opts.Now, Wire: m.panes.wire, Filter: c.records.Filter})
	c.links = links.New(h, links.Options{Browse: m.opts.Browse, Remote: m.remote(), Ellipsis: m.st.G[styles.Ellipsis], Open: m.keys.Link})
	c.files = files.New(h, m.st, files.Options{
		Dir: m.opts.Dir, Home: m.opts.Getenv("HOME"), Limits: m.opts.Limits, Open: m.opts.Browse, Now: m.opts.Now,
		Keys: func() int { return m.keysPressed },
	}, files.Panes{Chat: m.panes.chat, Wire: m.panes.wire}, c.links)
	c.inbox = inbox.New(h, m.st, inbox.Options{
		Key: m.keys.Waiting, Now: m.opts.Now, Silent: m.opts.Silent, OpenLink: c.links.Ask,
		Aim: func(t *model.Task) {
			if m.panes.composer.Empty() { // else it has a target already
				c.outbox.AimAt(t)
			}
		},
	})
	c.tasks = tasks.New(h, m.st, tasks.Options{
		Keys: tasks.Keys{Open: m.keys.Tasks, Cancel: m.keys.Cancel}, Now: m.opts.Now, GoTo: c.inbox.GoTo, Underway: c.outbox.Underway,
		Separator:      func() string { return m.st.G[styles.Separator] },
		EndsWithParley: func(agent a2a.AgentID) bool { return m.agents.Temporary(agent) },
		Timeline: func(t *model.Task) bool {
			m.panes.chat.Show(t.Conversation.Agent, t.Conversation)
			return m.panes.chat.ShowTimeline(t)
		},
	})
	c.webhooks = webhooks.New(h, m.st, m.keys.Push, func(taskID string) tea.Cmd {
		return c.records.Filter("kind:delivery " + wire.Term("task", taskID))
	})
	c.credentials = credentials.New(h, m.st, credentials.Keys{Open: m.keys.Credentials, EditAgain: m.keys.Turn.Again}, message, c.outbox)
	c.extensions = extensions.New(h, m.st, message)
	c.prompts = prompts.New(h, message, c.outbox.SendFirst)
	c.agents = agents.New(h, m.panes.agents, agents.Options{
		Saved: m.opts.Saved, Demo: m.opts.Demo, Now: m.opts.Now, Home: m.opts.Getenv("HOME"),
	}, agents.Actions{
		ShowCard: func(id a2a.AgentID) tea.Cmd { return m.cards.Open(id) }, Begin: c.outbox.Begin, Find: m.openPalette,
		Offer: m.panes.chat.SetOffers, Reoffer: message.UpdateOffers,
	})
	c.cards = cards.New(h, m.st, m.keys.Card, cards.Actions{SendExample: c.prompts.Send, Reopen: c.agents.Reopen, Extensions: c.extensions.Open})
	c.pins = pins.New(h, pins.Actions{
		Header: c.credentials.OpenHeader, HeaderKey: m.keys.Credentials.Help().Key, Find: m.openPaletteWith, WriteRequest: c.records.WriteRequest,
	})
	return c
}

// outboxLinks returns what the outbox needs from other topics.
func outboxLinks(m *Model, written *history.Controller) outbox.Links {
	return outbox.Links{
		Options: func(agent a2a.AgentID) model.SendOptions { return m.sendOptions.Of(agent) },
		Webhook: func(from, to control.Place) bool { return m.webhooks.Attached(from, to) },
		Annotate: func(choices []composer.TargetChoice) []composer.TargetChoice {
			choices = m.extensions.Warn(choices)
			m.forms.Offer(choices)
			return choices
		},
		Remember: written.Remember, Keep: written.Keep,
	}
}

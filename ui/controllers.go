package ui

import (
	"context"
	"os/exec"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/catalog"
	"parley/session/model"
	"parley/ui/chat"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/activities"
	"parley/ui/control/agents"
	"parley/ui/control/annotations"
	"parley/ui/control/answers"
	"parley/ui/control/approvals"
	"parley/ui/control/attachments"
	"parley/ui/control/cards"
	"parley/ui/control/catalogs"
	"parley/ui/control/chain"
	"parley/ui/control/credentials"
	"parley/ui/control/doctor"
	"parley/ui/control/extensions"
	"parley/ui/control/fanout"
	"parley/ui/control/files"
	"parley/ui/control/findings"
	"parley/ui/control/forms"
	"parley/ui/control/history"
	"parley/ui/control/inbox"
	"parley/ui/control/jsonsheet"
	"parley/ui/control/lanes"
	"parley/ui/control/links"
	"parley/ui/control/outbox"
	"parley/ui/control/pair"
	"parley/ui/control/pins"
	"parley/ui/control/play"
	"parley/ui/control/present"
	"parley/ui/control/prompts"
	"parley/ui/control/records"
	"parley/ui/control/resume"
	"parley/ui/control/screenshot"
	"parley/ui/control/sendoptions"
	"parley/ui/control/sessions"
	"parley/ui/control/settings"
	"parley/ui/control/signin"
	startscreen "parley/ui/control/start"
	"parley/ui/control/taps"
	"parley/ui/control/tasks"
	"parley/ui/control/theme"
	"parley/ui/control/webhooks"
	"parley/ui/shot"
	"parley/ui/styles"
	"parley/ui/terminal"
	"parley/ui/wire"
)

// SavedAgents says which agents are remembered between runs.
type SavedAgents = agents.Saved

// RecordedSessions says which recorded sessions can be browsed.
type RecordedSessions struct {
	// Catalog lists them; nil if there is no folder for them.
	Catalog *catalog.Catalog
	// Own is the file of this session, empty if it is not recorded.
	Own string
	// Show returns the program that shows a recording on the terminal; nil if none can.
	Show func(path string) *exec.Cmd
}

// Settings say what is set, and where.
type Settings = settings.Source

// A Setting is one of them.
type Setting = settings.Setting

// Start says what the start screen shows.
type Start = startscreen.Options

// Theme says which theme is used.
type Theme = theme.Options

// SignIn signs in to agents, and keeps who the user is.
type SignIn = signin.Service

// Taps are the taps of the session.
type Taps = taps.Set

// A Tap is one of them.
type Tap = taps.Tap

// Play says which script is played.
type Play = play.Options

// PlayResult is what became of a script.
type PlayResult = play.Result

// Resume says how a recorded session can go on, and which one is offered.
type Resume = resume.Options

// Live is a recorded session that goes on.
type Live = resume.Live

// controllers are the controllers of all topics, see parley/ui/control. [newControllers] makes
// each with what it needs from the others.
type controllers struct {
	agents      *agents.Controller
	annotations *annotations.Controller
	approvals   *approvals.Controller
	answers     *answers.Controller
	attachments *attachments.Controller
	cards       *cards.Controller
	catalogs    *catalogs.Controller
	credentials *credentials.Controller
	doctor      *doctor.Controller
	extensions  *extensions.Controller
	fanout      *fanout.Controller
	files       *files.Controller
	findings    *findings.Controller
	forms       *forms.Controller
	history     *history.Controller
	activities  *activities.Controller
	json        *jsonsheet.Controller
	lanes       *lanes.Controller
	links       *links.Controller
	outbox      *outbox.Controller
	pair        *pair.Controller
	pins        *pins.Controller
	play        *play.Controller
	present     *present.Controller
	prompts     *prompts.Controller
	records     *records.Controller
	resume      *resume.Controller
	screenshot  *screenshot.Controller
	sendOptions *sendoptions.Controller
	sessions    *sessions.Controller
	settings    *settings.Controller
	signIn      *signin.Controller
	start       *startscreen.Controller
	inbox       *inbox.Controller
	chain       *chain.Controller
	taps        *taps.Controller
	tasks       *tasks.Controller
	theme       *theme.Controller
	webhooks    *webhooks.Controller
}

// newControllers makes the controllers of a model that has its panes, each after those that it needs.
func newControllers(ctx context.Context, m *Model) (c controllers) {
	c.addMessages(ctx, m)
	c.addWire(m)
	c.addTasks(m)
	c.addSessions(m)
	c.addAgents(ctx, m)
	c.addTaps(m)
	c.addScripts(m)
	c.start = startscreen.New(host{m}, m.st, m.opts.Start, startActions(ctx, m, &c))
	return c
}

// addMessages adds what is about writing and sending messages.
func (c *controllers) addMessages(ctx context.Context, m *Model) {
	h, message := host{m}, m.panes.composer
	c.present = present.New(h, h, m.opts.Getenv("HOME"), m.opts.Secrets)
	c.history = history.New(h, message, history.Options{File: m.opts.History, Problem: m.opts.HistoryProblem, Now: m.opts.Now, Closed: func() []a2a.AgentID { return m.agents.Closed() }})
	c.annotations = annotations.New(h, m.opts.Annotations, m.panes.wire)
	c.activities = activities.New(ctx, h, m.st, m.opts.Now)
	c.answers = answers.New(h, m.st, c.activities.Start)
	c.outbox = outbox.New(h, message, m.panes.chat, m.panes.wire, outboxLinks(m, c.history))
	c.pair = pair.New(h, m.panes.chat, h)
	c.fanout = fanout.New(h, m.st, fanout.Options{Now: m.opts.Session, Offered: c.outbox.Offered, Send: c.outbox.SendToEach, Compare: c.answers.ShowOver, NewChunk: m.motion.isNewChunk, Sends: func() key.Binding { return message.Of(composer.SendMessage) }})
	c.json = jsonsheet.New(h, m.st)
	c.attachments = attachments.New(h, m.st, attachments.Options{
		Composer: message, ChangeDraft: c.outbox.ChangeDraft, WriteJSON: c.json.Write,
		Dir: m.opts.Dir, Home: m.opts.Getenv("HOME"),
	})
	c.sendOptions = sendoptions.New(h, m.st, sendoptions.Options{Composer: message, WriteJSON: c.json.Write})
	c.forms = forms.New(h, m.st, forms.Options{Composer: message, Outbox: c.outbox, SendOptions: c.sendOptions.Of})
}

// addWire adds what is about records and files.
func (c *controllers) addWire(m *Model) {
	h := host{m}
	c.records = records.New(h, m.st, records.Panes{Wire: m.panes.wire, Chat: m.panes.chat, Arrange: m.arrange})
	c.findings = findings.New(h, m.st, m.panes.wire, c.records)
	c.lanes = lanes.New(h, m.st, lanes.Options{Now: m.opts.Session, Wire: m.panes.wire, Filter: c.records.Filter})
	c.links = links.New(h, links.Options{Browse: m.opts.Browse, Remote: m.remote(), Ellipsis: m.st.G[styles.Ellipsis]})
	c.files = files.New(h, m.st, files.Options{
		Dir: m.opts.Dir, Home: m.opts.Getenv("HOME"), Limits: m.opts.Limits, Secrets: m.opts.Secrets, Formats: m.opts.Formats, Name: m.opts.Name, Open: m.opts.Browse, Now: m.opts.Now,
		Keys: func() int { return m.keysPressed }, Start: c.activities.Start,
	}, files.Panes{Chat: m.panes.chat, Wire: m.panes.wire}, c.links)
	c.webhooks = webhooks.New(h, m.st, func(taskID string) tea.Cmd {
		return c.records.Filter("kind:delivery " + wire.Term("task", taskID))
	})
}

// addTasks adds what is about tasks.
func (c *controllers) addTasks(m *Model) {
	h := host{m}
	c.inbox = inbox.New(h, m.st, inbox.Options{
		Now: m.opts.Session, Silent: m.opts.Silent, Quiet: c.present.On, OpenLink: c.links.Ask,
		Aim: func(t *model.Task) {
			if m.panes.composer.Empty() { // else it has a target already
				c.outbox.AimAt(t)
			}
		},
	})
	c.tasks = tasks.New(h, m.st, tasks.Options{
		Now: m.opts.Session, GoTo: c.inbox.GoTo, Underway: c.outbox.Underway,
		Separator:      func() string { return m.st.G[styles.Separator] },
		EndsWithParley: func(agent a2a.AgentID) bool { return m.agents.Temporary(agent) },
		Timeline: func(t *model.Task) bool {
			m.panes.chat.Show(t.Conversation.Agent, t.Conversation)
			return m.panes.chat.ShowTimeline(t)
		},
	})
}

// addSessions adds what is about recorded sessions.
func (c *controllers) addSessions(m *Model) {
	h := host{m}
	offer := m.panes.chat.SetRecorded
	if m.refusal() != "" {
		offer = nil // a recording has no start screen
	}
	c.resume = resume.New(h, m.st, m.opts.Resume, resume.Actions{Live: func(l *resume.Live) { goLive(m, l) }, Quit: m.leave})
	var chooses func(string) tea.Cmd
	if c.resume.CanChoose() {
		chooses = c.resume.Choose
	}
	c.sessions = sessions.New(h, m.st, sessions.Options{
		Catalog: m.opts.Sessions.Catalog, Own: m.opts.Sessions.Own, Show: m.opts.Sessions.Show, Resume: chooses, Ends: func() (bool, string) { return len(m.state.Agents) > 0, leftBehind(m) }, Home: m.opts.Getenv("HOME"),
		Lend:   func(cmd *exec.Cmd, done func(error) tea.Msg) tea.Cmd { return h.handOver(terminal.Lend(cmd, done)) },
		Regain: func() { m.probe.Regain(); m.touch() }, Now: m.opts.Now, Offer: offer, Start: func(r sessions.Recorded) { m.start.SetRecordings(startscreen.Recordings(r)) },
	})
}

// addAgents adds what is about agents, their cards, and how they are spoken to.
func (c *controllers) addAgents(ctx context.Context, m *Model) {
	h, message := host{m}, m.panes.composer
	c.credentials = credentials.New(h, m.st, message, c.outbox)
	c.signIn = signin.New(ctx, h, m.st, signin.Options{
		Service: m.opts.SignIn, Secrets: m.opts.Secrets, Now: m.opts.Now, Browse: m.localBrowser(), Free: func() bool { return message.Empty() || c.outbox.Returned() }, Keys: func() int { return m.keysPressed },
		ByHand: c.credentials.Open, Repeat: c.outbox.Repeat,
	})
	c.extensions = extensions.New(h, m.st, message)
	c.theme = theme.New(h, m.st, m.opts.Theme, m.setTheme)
	c.settings = settings.New(h, m.opts.Settings, func(path string, done func(before, after []byte, err error) tea.Msg) tea.Cmd {
		return h.handOver(editFile(editor(m.opts.Getenv), path, done))
	})
	c.screenshot = screenshot.New(h, screenshot.Options{Dir: m.opts.Dir, Home: m.opts.Getenv("HOME"), Now: m.opts.Now, Screen: func() screenshot.Screen { return shown(m) }})
	c.prompts = prompts.New(h, message, c.outbox.Begin)
	c.agents = agents.New(h, m.panes.agents, agents.Options{
		Saved: m.opts.Saved, Demo: m.opts.Demo, Tour: h.tour(), Now: m.opts.Now, Home: m.opts.Getenv("HOME"),
	}, agents.Actions{
		ShowCard: func(id a2a.AgentID) tea.Cmd { return m.cards.Open(id) }, Begin: c.outbox.Begin, Find: m.openPalette, Beside: c.pair.Show,
		Offer: func(list []chat.Offer) { m.panes.chat.SetOffers(list); m.start.SetAgents(list) }, Reoffer: message.UpdateOffers,
	})
	c.cards = cards.New(h, m.st, cards.Actions{
		UseExample: c.prompts.Begin, Reopen: c.agents.Reopen, Extensions: c.extensions.Open, Trust: m.opts.TrustKeys,
		Approval: func(agent a2a.AgentID) (words string, bad bool) { return m.approvals.Words(agent) },
		Differs:  func(ref string, index int, of *a2a.Card) string { return m.approvals.FirstDifference(ref, index, of) },
	}, c.links, m.panes.wire, m.opts.CardKeys)
	c.approvals = approvals.New(h, m.st, approvals.Options{File: m.opts.Approved, Free: message.Empty, Signature: c.cards.Signature, Keys: c.cards.Keys, Reopen: c.agents.Reopen})
	c.catalogs = catalogs.New(ctx, h, m.st, catalogs.Options{
		Saved: m.opts.SavedCards, Free: message.Empty, Open: c.agents.OpenTyped, Save: c.agents.AskSave, Dismiss: c.agents.Discard,
	})
	c.doctor = doctor.New(ctx, h, m.st, doctor.Options{Doctor: m.opts.Doctor, Now: m.opts.Now})
}

// addTaps adds what is about other clients.
func (c *controllers) addTaps(m *Model) {
	h := host{m}
	c.chain = chain.New(h, m.st, chain.Options{Now: m.opts.Session, Wire: m.panes.wire})
	c.taps = taps.New(h, m.st, taps.Options{Set: m.opts.Taps, ShowChain: c.chain.Open})
}

// addScripts adds what plays a script, and the pins.
func (c *controllers) addScripts(m *Model) {
	h, message := host{m}, m.panes.composer
	c.play = play.New(h, m.st, m.opts.Play, play.Links{
		Now: m.opts.Now, Composer: message, Open: c.agents.Show, ShowCard: c.cards.Open, ShowFindings: c.findings.Open, UseTheme: c.theme.Use, Press: m.key,
		Send: func(d composer.Draft, to model.Target) (a2a.TurnID, tea.Cmd) {
			before := c.outbox.Newest()
			cmd := c.outbox.Send(d, to)
			if turn := c.outbox.Newest(); turn != before {
				return turn, cmd
			}
			return 0, cmd
		},
		Present: func(on bool) {
			if on {
				m.present.Begin()
			} else {
				m.present.End()
			}
		},
		Presents: func() bool { return m.present.On() },
		Screen:   func() shot.Frame { return shown(m).Frame() },
		Drawing:  m.drawing,
	})
	c.pins = pins.New(h, pins.Actions{
		Header: c.credentials.OpenHeader, Find: m.openPaletteWith, WriteRequest: c.records.WriteRequest,
	})
}

// shown returns what is on the screen, with the lines that others draw around the model.
func shown(m *Model) screenshot.Screen {
	s := screenshot.Screen{View: m.View(), W: m.screen.w, H: m.screen.h, Theme: m.st.Theme}
	if m.opts.whole != nil {
		s.View, s.W, s.H = m.opts.whole()
	}
	return s
}

// startActions returns what the start screen needs from other topics.
func startActions(ctx context.Context, m *Model, c *controllers) startscreen.Actions {
	do := startscreen.Actions{
		Context: ctx, Now: m.opts.Now, IsAddress: agents.IsAddress, OpenAddress: c.agents.OpenTyped, OpenAgent: c.agents.OpenStart, OpenDemo: c.agents.OpenDemo, HasDemo: c.agents.HasDemo,
		GoOn: c.sessions.GoOn, Show: c.sessions.Show, Browse: c.sessions.Open, PlayTour: host{m}.tour(), Records: m.opts.Sessions.Own != "",
		Chord: func(msg tea.KeyPressMsg) (tea.Cmd, bool) {
			if key.Matches(msg, m.keys.Key(nextPane), m.keys.Key(previousPane)) { // there is one pane
				return nil, true
			}
			return m.keys.everywhere.Press(msg)
		},
	}
	if m.opts.Doctor != nil {
		do.Examine = c.doctor.Ask
	}
	if m.opts.Taps != nil {
		do.Tap = c.taps.Ask
	}
	return do
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
		Compare: func(first, second *model.Turn) tea.Cmd { return m.answers.Show(first, second) },
	}
}

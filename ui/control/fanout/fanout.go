// Package fanout is the controller of messages that are sent to several agents at once. The
// user chooses the agents in a menu, and sees their answers side by side while they arrive.
package fanout

import (
	"cmp"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/chat"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/fanout"
	"parley/ui/looks"
	"parley/ui/menu"
	"parley/ui/styles"
)

// SheetName is the name of the sheet of answers side by side.
const SheetName control.SheetName = "fanout"

// Options are what the controller needs from outside.
type Options struct {
	Now func() time.Time // the clock of the session
	// Offered returns the message to send if the command has no text, or says why there is none.
	Offered func() (d composer.Draft, why string)
	Send    func(d composer.Draft, agents []a2a.AgentID) ([]control.SentTurn, tea.Cmd)
	// Compare shows the differences between the answers of two turns, and comes back to a sheet.
	Compare func(back control.SheetName, first, second *model.Turn) tea.Cmd
	// NewChunk reports whether a record brought the newest chunk of a stream just now.
	NewChunk func(a2a.RecordID) bool
	// Sends is the key that sends a message, for texts.
	Sends func() key.Binding
}

// A Controller sends a message to several agents and shows their answers.
type Controller struct {
	host   control.Host
	opts   Options
	pane   *fanout.Pane
	draft  composer.Draft
	chosen map[a2a.AgentID]bool // in the menu
	prompt string
	sent   []control.SentTurn
	chats  []*chat.Pane // one for each agent
	ended  map[a2a.TurnID]figures
}

// figures are those of an answer that is over.
type figures struct {
	version uint64
	text    string
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, o Options) *Controller {
	return &Controller{host: host, opts: o, pane: fanout.New(st)}
}

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	return control.NewSheet(c.pane, c.onIntent, control.Sheet{Name: SheetName, Help: "answers side by side", Page: true, Refresh: c.refresh})
}

// Actions returns the actions that the finder names.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{
		{
			Row: action.Row{Slash: "fanout", Takes: "[TEXT]", Name: "Send one message to several agents", Now: action.Unless(
				c.host.Refusal, action.If("there is only one agent to send to: open another one", func() bool { return len(c.ready()) < 2 }),
			)},
			Run: func() tea.Cmd { return c.Begin("") }, With: c.Begin,
		},
		{
			Row: action.Row{Slash: "answers", Name: "Show the answers of several agents side by side", Now: action.Unless(action.If("no message was sent to several agents yet", func() bool { return len(c.sent) == 0 }))},
			Run: c.Open,
		},
	}
}

// ready returns the agents to which a message can be sent.
func (c *Controller) ready() (all []*model.Agent) {
	for _, a := range c.host.State().Agents {
		if !a.Closed && control.Unready(a) == "" {
			all = append(all, a)
		}
	}
	return all
}

// Begin asks which agents get a message.
func (c *Controller) Begin(text string) tea.Cmd {
	c.draft = composer.Draft{Text: text}
	if strings.TrimSpace(text) == "" {
		d, why := c.opts.Offered()
		if why != "" {
			return c.host.Say(why, true)
		}
		c.draft = d
	}
	c.chosen = map[a2a.AgentID]bool{}
	for _, a := range c.ready() {
		c.chosen[a.ID] = len(c.chosen) < maxAgents
	}
	c.menu()
	return nil
}

// keysOfAgents are the keys of the agents in the menu; s sends.
const keysOfAgents = "123456789abcdefghijklmnopqr"

// maxAgents is how many agents the menu lists.
const maxAgents = len(keysOfAgents)

// menu shows the agents with their marks.
func (c *Controller) menu() {
	n := len(c.selected())
	why := ""
	if n == 0 {
		why = "choose an agent first"
	}
	items := []menu.Item{{Key: "s", Name: "send to " + units.Plural(n, "agent"), Why: why, Value: control.Action(c.send)}}
	for _, a := range c.host.State().Agents {
		if a.Closed || len(items) > maxAgents {
			continue
		}
		mark := "[ ] "
		if c.chosen[a.ID] {
			mark = "[x] "
		}
		items = append(items, menu.Item{
			Key: keysOfAgents[len(items)-1 : len(items)], Name: mark + canvas.SanitizeLine(a.Name()), Note: canvas.SanitizeLine(a2a.MaskReference(a.Ref)), Why: control.Unready(a),
			Value: control.Action(func() tea.Cmd {
				c.chosen[a.ID] = !c.chosen[a.ID]
				c.menu()
				return nil
			}),
		})
	}
	c.host.Menu("send to several agents", firstLine(c.draft.Text), items)
}

// firstLine returns the beginning of a message.
func firstLine(text string) string {
	const most = 60
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(text[:min(len(text), 4*most)]); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return canvas.SanitizeLine(text)
}

// selected returns the chosen agents that can still be reached, in their order.
func (c *Controller) selected() (all []a2a.AgentID) {
	for _, a := range c.ready() {
		if c.chosen[a.ID] {
			all = append(all, a.ID)
		}
	}
	return all
}

// send sends the message and shows the answers.
func (c *Controller) send() tea.Cmd {
	agents := c.selected()
	if len(agents) == 0 {
		return c.host.Say("none of the chosen agents can be reached any more: open another one", true)
	}
	sent, cmd := c.opts.Send(c.draft, agents)
	c.sent, c.ended, c.chats = sent, map[a2a.TurnID]figures{}, nil
	c.prompt = cmp.Or(c.draft.Text, units.Plural(len(c.draft.Parts), "part"))
	c.draft = composer.Draft{}
	c.pane.Select(0)
	return tea.Batch(cmd, c.Open())
}

// Open shows the answers to the message that was sent last.
func (c *Controller) Open() tea.Cmd {
	if len(c.sent) == 0 {
		return c.host.Say("no message was sent to several agents yet: /fanout sends one", true)
	}
	c.refresh()
	c.host.Open(SheetName)
	return nil
}

// Shown returns the panes of the answers that are on the screen.
func (c *Controller) Shown() []*chat.Pane {
	if len(c.chats) == 0 || !c.host.Shows(SheetName) {
		return nil
	}
	from, to := c.pane.Window()
	return c.chats[from:to]
}

// Redraw draws the answers again after a job for one of them is done.
func (c *Controller) Redraw() {
	if len(c.chats) > 0 {
		c.chats[0].Redraw()
	}
}

// Tick passes the clock on.
func (c *Controller) Tick() {
	for _, p := range c.Shown() {
		p.Tick()
	}
}

// refresh gives the pane what has come.
func (c *Controller) refresh() {
	if len(c.chats) != len(c.sent) {
		c.chats = nil
		for i := range c.sent {
			if i == 0 {
				p := chat.New(c.pane.St, c.opts.Now)
				p.NameKeys(c.host.Key, c.opts.Sends())
				p.SetNewChunk(c.opts.NewChunk)
				c.chats = append(c.chats, p)
			} else {
				c.chats = append(c.chats, c.chats[0].Beside())
			}
		}
	}
	columns := make([]fanout.Column, len(c.sent))
	for i, s := range c.sent {
		columns[i] = c.column(i, s)
	}
	c.pane.SetColumns(firstLine(c.prompt), columns)
	for i, p := range c.chats {
		if selected := i == c.pane.At(); selected != p.Focused() {
			if p.Blur(); selected {
				p.Focus()
			}
		}
	}
}

// column describes the answer of one agent.
func (c *Controller) column(i int, s control.SentTurn) fanout.Column {
	state := c.host.State()
	agent, conv, turn := state.Agent(s.Agent), state.Conversation(s.Conversation), state.Turn(s.Turn)
	col := fanout.Column{Agent: s.Agent, Name: c.host.AgentName(s.Agent), Tag: c.host.AgentTag(s.Agent), Sign: styles.Idle, Paint: c.pane.St.Dim, State: "sending"}
	if agent == nil || conv == nil || turn == nil {
		return col
	}
	c.chats[i].Show(agent, conv)
	col.Body = c.chats[i]
	col.Scroll = func(msg tea.KeyPressMsg) { c.chats[i].Key(msg) }
	col.Sign, col.Paint, col.State = c.state(agent, turn)
	col.Figures = c.figures(turn, conv)
	return col
}

// state returns how an answer is going.
func (c *Controller) state(agent *model.Agent, turn *model.Turn) (styles.Glyph, styles.Paint, string) {
	st := c.pane.St
	if n := len(turn.Blocks); n > 0 {
		b := turn.Blocks[n-1]
		if b.Task != nil {
			sign, paint, word := looks.TaskOf(st, agent.Away(), &b.Task.Lifecycle)
			if e := len(b.Entries) - 1; !turn.Pending && e >= 0 && b.Entries[e].Kind == model.EntryProblem {
				return styles.Failed, st.Failed, word + ", broken off"
			}
			return sign, paint, word
		}
		if e := len(b.Entries) - 1; e >= 0 && b.Entries[e].Kind == model.EntryProblem {
			return styles.Failed, st.Failed, "error"
		}
		return styles.Done, st.OK, "answered"
	}
	if turn.Pending {
		return styles.Idle, st.Dim, "waiting for the answer"
	}
	return styles.Unknown, st.Dim, "no answer"
}

// figures returns how fast an answer came: the first byte and the time from the request to the
// end, or up to now.
func (c *Controller) figures(turn *model.Turn, conv *model.Conversation) string {
	if turn.Pending {
		words := units.Duration(max(0, c.opts.Now().Sub(turn.Time)))
		if x := c.host.State().Log.Stream(conv.Stream); x != nil && x.Call != nil && x.Call.Turn == turn.ID {
			words = timed(x.FirstByte, x.Events, max(0, c.opts.Now().Sub(turn.Time)))
		}
		return words
	}
	if f, known := c.ended[turn.ID]; known && f.version == turn.Version {
		return f.text
	}
	text := c.ofTurn(turn)
	c.ended[turn.ID] = figures{turn.Version, text}
	return text
}

// ofTurn adds up the exchanges of a turn that is over.
func (c *Controller) ofTurn(turn *model.Turn) string {
	var first, last *log.Stream
	events := 0
	for _, x := range c.host.State().Log.Streams() {
		if x.Call == nil || x.Call.Turn != turn.ID || x.Call.Check {
			continue
		}
		if first == nil {
			first = x
		}
		if last == nil || x.Last.After(last.Last) {
			last = x
		}
		events += x.Events
	}
	if first == nil {
		return ""
	}
	return timed(first.FirstByte, events, max(0, last.Last.Sub(first.Start)))
}

// timed writes the figures of an answer.
func timed(first time.Duration, events int, total time.Duration) string {
	words := []string{units.Duration(total)}
	if events > 0 {
		words = append(words, units.Plural(events, "event"))
	}
	if first >= 0 { // last, because a narrow column cuts it
		words = append(words, "ttfb "+units.Duration(first))
	}
	return strings.Join(words, ", ")
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in fanout.Intent) tea.Cmd {
	switch in := in.(type) {
	case fanout.Close:
		c.host.Close()
	case fanout.Open:
		at := c.sent[in.Column].Place
		if c.host.State().Conversation(at.Conversation) == nil {
			return c.host.Say("the message is not sent yet", true)
		}
		c.host.Close()
		c.host.GoTo(at)
	case fanout.Compare:
		return c.compare(in.Column)
	}
	return nil
}

// compare shows the differences between the answer of a column and the first one; of the first
// column and the second one.
func (c *Controller) compare(column int) tea.Cmd {
	other := 0
	if column == 0 {
		column = 1
	}
	state := c.host.State()
	first, second := state.Turn(c.sent[other].Turn), state.Turn(c.sent[column].Turn)
	if first == nil || second == nil {
		return c.host.Say("one of the answers has not begun yet", true)
	}
	return c.opts.Compare(SheetName, first, second)
}

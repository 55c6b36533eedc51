// Package agents is the pane that lists the open agents and their conversations, and
// below them those that can be opened: saved ones and those of earlier runs.
//
//	▌Travel Desk TD    1.0     a bar in the agent's colour
//	▌Book me a …    ◐ asks     a conversation and its state
//	▌▃▆▇▇▅▂          40 ev     its newest stream
//
//	──────────────────────
//	session
//	recorded 464 · 245 kB
//	findings ⚑ 2 W  2 i
//	tasks    ◐ 1  ✓ 2
//
//	lanes, newest 30 s
//	       ▃▂◐      ▂▃▄▂✓
//
// A [Pane] draws the session's state; its own state is a selection and a scroll position. Keys
// move the selection, and the user's requests come back as an [Intent].
package agents

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/styles"
)

// An Intent is what the user asked for. It is one of [Select], [OpenCard],
// [Retry], [Add], [Begin], [Beside], [Open], [Save], [Rename], [RenameConversation], [Forget], [Close] and
// [Undo].
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Select shows a conversation; 0 means the agent's newest or a new one.
	Select struct {
		Agent        a2a.AgentID
		Conversation a2a.ConversationID
		// Enter is set when the user wants to continue typing there.
		Enter bool
	}
	// OpenCard shows the agent's card.
	OpenCard struct{ Agent a2a.AgentID }
	// Retry gets the agent's card again.
	Retry struct{ Agent a2a.AgentID }
	// Begin begins a conversation with the agent.
	Begin struct{ Agent a2a.AgentID }
	// Beside shows a conversation beside the one on the screen; 0 means as in [Select].
	Beside struct {
		Agent        a2a.AgentID
		Conversation a2a.ConversationID
	}
	// RenameConversation gives a conversation another name, which the user will be asked for.
	RenameConversation struct{ Conversation a2a.ConversationID }
	// Add asks for the reference of another agent.
	Add struct{}
)

func (Select) intent()   {}
func (OpenCard) intent() {}
func (Retry) intent()    {}
func (Begin) intent()    {}
func (Add) intent()      {}
func (Beside) intent()   {}

func (RenameConversation) intent() {}

// Pane lists agents and conversations.
type Pane struct {
	*action.Table[Intent]
	st      *styles.Styles
	agents  []*model.Agent
	several bool // there were several, which tags tell apart
	entries []Entry
	rows    []row
	shapes  []shape // of the agents, as the rows were made
	lines   []line  // as rows were drawn
	cursor  list.Cursor
	w, h    int
	focused bool
	// recording is set if no agent can be reached, because this is a recording.
	recording bool
	spin      string
	unread    map[a2a.ConversationID]map[a2a.TurnID]bool // with the turns that have something new
	news      int                                        // turns in unread
	names     map[a2a.ConversationID]name
	shown     a2a.ConversationID // the conversation on the screen
	beside    a2a.ConversationID // the one beside it, 0 if there is none
	agent     a2a.AgentID        // closed agents that can be reopened
	closed    int                // agents that can be brought back
	spare     int                // rows that stay free, also if each agent streams
	traffic   traffic
	about     About
	facts     facts // as they were drawn
	waiting   int   // tasks that wait for the user
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{st: st, spin: st.G.Spinner()[0], unread: map[a2a.ConversationID]map[a2a.TurnID]bool{}}
	p.Table = p.actions()
	return p
}

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *styles.Styles) { p.st = st }

// SetSize gives the pane w columns and h rows.
func (p *Pane) SetSize(w, h int) {
	if w, h = max(0, w), max(0, h); w == p.w && h == p.h {
		return
	}
	p.w, p.h = w, h
	p.rebuild()
}

// Focus gives the pane the keys.
func (p *Pane) Focus() { p.focused = true }

// Blur takes the keys away.
func (p *Pane) Blur() { p.focused = false }

// Focused reports whether the pane has the keys.
func (p *Pane) Focused() bool { return p.focused }

// SetAgents shows the current state. The selection stays with its agent or conversation. While
// no row is added or removed, the cost does not depend on the number of rows.
func (p *Pane) SetAgents(list []*model.Agent) {
	p.agents, p.several = list, p.several || len(list) > 1
	p.traffic.take(p.about.log())
	if !slices.EqualFunc(list, p.shapes, func(a *model.Agent, s shape) bool { return p.shape(a) == s }) {
		p.rebuild()
	}
}

// SetSpinner sets the frame shown for work in progress.
func (p *Pane) SetSpinner(frame string) { p.spin = frame }

// SetShown sets the conversation on the screen: it counts as read, and the selection goes
// there.
func (p *Pane) SetShown(agent a2a.AgentID, conv a2a.ConversationID) {
	p.agent, p.shown = agent, conv
	p.news -= len(p.unread[conv])
	delete(p.unread, conv)
	p.rebuild()
	for i, r := range p.rows {
		if r.agent != nil && r.agent.ID == agent && (r.conv == nil) == (conv == 0) && (r.conv == nil || r.conv.ID == conv) {
			p.cursor.At = i
		}
	}
	p.reveal()
}

// SetBeside sets the conversation beside the one on the screen, 0 if there is none: it counts as
// read.
func (p *Pane) SetBeside(conv a2a.ConversationID) {
	if conv == p.beside {
		return
	}
	p.beside = conv
	p.news -= len(p.unread[conv])
	delete(p.unread, conv)
}

// MarkUnread marks a turn of a conversation as unread, unless the conversation is shown.
func (p *Pane) MarkUnread(conv a2a.ConversationID, turn a2a.TurnID) {
	if conv == 0 || conv == p.shown || conv == p.beside {
		return
	}
	if p.unread[conv] == nil {
		p.unread[conv] = map[a2a.TurnID]bool{}
	}
	if !p.unread[conv][turn] {
		p.unread[conv][turn] = true
		p.news++
	}
}

// SetWaiting sets how many tasks wait for the user.
func (p *Pane) SetWaiting(n int) { p.waiting = n }

// Title is the title of the frame.
func (p *Pane) Title() string { return "agents" }

// Note is the text at the right of the frame's top edge: how many agents, unread answers and
// waiting tasks there are, the latter as signs where words have no room.
func (p *Pane) Note() string {
	if len(p.agents) == 0 {
		return ""
	}
	words, signs := []string{strconv.Itoa(len(p.agents))}, []string{strconv.Itoa(len(p.agents))}
	for _, of := range []struct {
		n    int
		sign styles.Glyph
		word string
	}{{p.news, styles.Bullet, " unread"}, {p.waiting, styles.Waiting, " waiting"}} {
		if of.n > 0 {
			words, signs = append(words, strconv.Itoa(of.n)+of.word), append(signs, p.st.G[of.sign]+strconv.Itoa(of.n))
		}
	}
	sep := " " + p.st.G[styles.Separator] + " "
	const title = 11 // cells of the frame's edge that the title needs
	fits := func(of []string) bool { return canvas.Width(strings.Join(of, sep)) <= p.w-title }
	for len(words) > 1 && !fits(words) {
		words = words[1:] // what waits for the user matters most
	}
	if !fits(words) {
		words = signs[len(signs)-1:]
	}
	return strings.Join(words, sep)
}

// SetClosed sets how many closed agents can be reopened.
func (p *Pane) SetClosed(n int) { p.closed = n }

// Mouse handles a click or a turn of the wheel at column x, row y of the pane.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		p.cursor.Scroll(3*keys.Wheel(msg), len(p.rows), p.h)
	case tea.MouseClickMsg:
		i := p.cursor.Top + y
		if i < 0 || i >= len(p.rows) || p.rows[i].agent == nil && !p.rows[i].selectable() {
			return nil
		}
		if p.rows[i].problem || p.rows[i].stream {
			i, _ = p.block(i)
		}
		twice := p.cursor.At == i
		if p.cursor.At = i; p.rows[i].agent != nil || twice { // so that nothing is opened by mistake
			return p.rows[i].open(false)
		}
	}
	return nil
}

// move steps over the rows that can be selected.
func (p *Pane) move(n int) {
	step := 1
	if n < 0 {
		step, n = -1, -n
	}
	for at := p.cursor.At + step; n > 0 && at >= 0 && at < len(p.rows); at += step {
		if p.rows[at].selectable() {
			p.cursor.At = at
			n--
		}
	}
	p.reveal()
}

func (p *Pane) selected() row {
	if p.cursor.At < len(p.rows) {
		return p.rows[p.cursor.At]
	}
	return row{}
}

// Scrolls returns what part of the list is in the window.
func (p *Pane) Scrolls() canvas.Scrolls {
	return canvas.ScrollOf(canvas.Scroll{H: p.h, Top: p.cursor.Top, Shown: min(p.h, len(p.rows)), All: len(p.rows)})
}

// Lines draws the pane.
func (p *Pane) Lines() []string {
	out := make([]string, 0, p.h)
	for i := p.cursor.Top; i < len(p.rows) && len(out) < p.h; i++ {
		out = append(out, p.line(i))
	}
	if len(p.rows) == 0 && p.h > 0 {
		words := "Agents that you open appear here: " + keys.Name(p.Of(addAgent)) + " opens one by its address."
		out = canvas.Block(canvas.Paragraph(words, p.w, p.st.Faint), p.w, p.h)
	}
	facts := p.factRows()
	return append(append(out, canvas.Blank(p.w, p.h-len(out)-len(facts))...), facts...)
}

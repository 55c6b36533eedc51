package ui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session"
	"parley/ui/composer"
	"parley/ui/control"
)

// A queue holds the messages of a conversation that wait for the turn before them. They
// are nowhere else: an agent hears of a message when it is its turn.
type queue struct {
	waiting []composer.Draft
	held    string     // why the next one waits for the user, empty if it goes by itself
	behind  a2a.TurnID // the turn that did not end well, if that is why
	gap     int        // where the one belongs that is being edited, -1 if none is
}

// queueAt returns the queue of a place, nil if nothing waits there.
func (m *Model) queueAt(at control.Place) *queue { return m.writing.queues[at] }

// queue returns the queue of a place, which it makes if need be.
func (m *Model) queue(at control.Place) *queue {
	q := m.queueAt(at)
	if q == nil {
		q = &queue{gap: -1}
		m.writing.queues[at] = q
	}
	return q
}

// putBack puts a message before all that wait.
func (q *queue) putBack(d composer.Draft) {
	q.waiting = slices.Insert(q.waiting, 0, d)
	if q.gap >= 0 {
		q.gap++
	}
}

// enqueue puts a message behind those that wait, or back where it was taken from.
func (m *Model) enqueue(d composer.Draft, at control.Place) tea.Cmd {
	q := m.queue(at)
	i := len(q.waiting)
	if q.gap >= 0 {
		i = min(q.gap, i)
	}
	q.waiting, q.gap = slices.Insert(q.waiting, i, d), -1
	m.aimed = false
	m.touch()
	return m.advance(at) // the turn may have ended at this moment
}

// engaged reports whether a turn is under way in a conversation, also one of which
// nothing was seen yet.
func (m *Model) engaged(at control.Place) bool {
	conv := m.state.Conversation(at.Conversation)
	for id, s := range m.writing.sent {
		if s.at == at && turnOf(conv, id) == nil {
			return true
		}
	}
	return conv != nil && m.writing.busy.of(conv)
}

// underway remembers what is under way in a conversation, of whose turns there may be ten
// thousand, until the conversation changes.
type underway struct {
	conv    *session.Conversation
	version uint64
	pending bool // a turn
	alive   bool // a task, which may as well wait for the user
}

func (u *underway) look(conv *session.Conversation) {
	if u.conv == conv && u.version == conv.Version {
		return
	}
	pending := slices.ContainsFunc(conv.Turns, func(t *session.Turn) bool { return t.Pending && !tasksOver(t) })
	*u = underway{conv, conv.Version, pending, slices.ContainsFunc(conv.Tasks, endable)}
}

// of reports whether a turn is under way.
func (u *underway) of(conv *session.Conversation) bool {
	u.look(conv)
	return u.pending
}

// task reports whether there is a task that can be ended.
func (u *underway) task(conv *session.Conversation) bool {
	u.look(conv)
	return u.alive
}

func turnOf(conv *session.Conversation, id a2a.TurnID) *session.Turn {
	if conv == nil {
		return nil
	}
	for _, t := range slices.Backward(conv.Turns) {
		if t.ID == id {
			return t
		}
	}
	return nil
}

// queueing puts the choice to wait before the others while a turn is under way, but
// behind what the agents ask: an answer does not wait.
func (m *Model) queueing(choices []composer.TargetChoice) []composer.TargetChoice {
	q := m.queueAt(m.cur)
	if m.readOnly() || m.cur.Conversation == 0 || !m.engaged(m.cur) && (q == nil || q.held != "") {
		return choices
	}
	wait := composer.TargetChoice{
		Kind: composer.TargetQueue, Target: session.Target{Agent: m.cur.Agent, Conversation: m.cur.Conversation},
		Label: "queue", Note: "sent when the agent is done", Short: "queue",
	}
	if a := m.agent(); a != nil && a.Phase == session.Unreachable {
		wait.Note = "kept; the agent is not reachable"
	}
	at := 0
	for at < len(choices) && choices[at].Kind == composer.TargetAnswer {
		at++
	}
	return slices.Insert(choices, at, wait)
}

// tasksOver reports whether a turn had tasks and all of them have ended: some agents keep
// the stream open then, and nothing more is waited for.
func tasksOver(t *session.Turn) bool {
	return len(t.Blocks) > 0 && !slices.ContainsFunc(t.Blocks, func(b *session.Block) bool {
		return b.Task == nil || !b.Task.Over()
	})
}

// turnEnded sends what waits behind a turn that is over, or holds it if that did not end
// well.
func (m *Model) turnEnded(s *session.Signal) tea.Cmd {
	if s == nil || s.Kind != session.SignalTurnOver {
		return nil
	}
	at := control.Place{Agent: s.Agent, Conversation: s.Conversation}
	was := m.writing.sent[s.Turn]
	delete(m.writing.sent, s.Turn)
	if was.again { // nothing of it was accepted
		m.queue(at).putBack(was.draft)
	}
	q := m.queueAt(at)
	if q == nil {
		return nil
	}
	turn := turnOf(m.state.Conversation(at.Conversation), s.Turn)
	why := unwell(turn, s)
	if was.again {
		why = cmp.Or(why, "the message was turned away")
	}
	if q.held != "" && q.behind == s.Turn && forgotten(turn) {
		q.held = "" // what it waited for is gone
	}
	if why == "" || q.held != "" {
		return m.advance(at)
	}
	q.held, q.behind = why, s.Turn
	m.touch()
	return m.say(units.Plural(len(q.waiting), "queued message")+" held: "+why, true)
}

// unwell says why what was written before a turn ended should not be sent unasked, empty
// if it may: whoever wrote it expected the turn to end well.
func unwell(t *session.Turn, s *session.Signal) string {
	switch {
	case forgotten(t):
		return ""
	case s.Sentence != "":
		return "the turn failed"
	case t == nil:
		return ""
	case len(t.Blocks) == 0:
		return "the turn brought no answer"
	}
	for _, b := range t.Blocks {
		if b.Task != nil && b.Task.Forgotten {
			continue // the message went on as a new task
		}
		if b.Task != nil {
			switch state := b.Task.State; {
			case state == a2a.StateCompleted:
			case state == a2a.StateCanceled:
				return "the task was cancelled"
			case state.Interrupted():
				return "the agent asks something"
			case state.Terminal():
				return "the task failed"
			case b.Task.Lost:
				return "the agent does not know the task's state"
			default:
				return "the task has not ended"
			}
		}
		if n := len(b.Entries); n > 0 && b.Entries[n-1].Kind == session.EntryProblem && b.Entries[n-1].Problem.Resumed == 0 {
			return "something went wrong"
		}
	}
	return ""
}

// forgotten reports whether the agent does not know the newest task of a turn any more, so
// that there is nothing left to wait for. Who tried to cancel it wants to decide anew.
func forgotten(t *session.Turn) bool {
	if t == nil {
		return false
	}
	for _, b := range slices.Backward(t.Blocks) {
		if b.Task != nil {
			return b.Task.Forgotten && b.Task.Asked.Op != a2a.OpCancel
		}
	}
	return false
}

// advance sends the next message that waits at a place, unless a turn is under way, they
// are held, or the user has taken it back to edit it.
func (m *Model) advance(at control.Place) tea.Cmd {
	q := m.queueAt(at)
	if q == nil || q.held != "" || m.engaged(at) {
		return nil
	}
	if q.gap == 0 && !m.draftAt(at).Empty() {
		return nil
	}
	if len(q.waiting) == 0 {
		if q.gap < 0 {
			delete(m.writing.queues, at)
		}
		return nil
	}
	a, conv := m.state.Agent(at.Agent), m.state.Conversation(at.Conversation)
	if a == nil || conv == nil {
		return nil
	}
	if why := unready(a); why != "" {
		q.held = why
		return nil
	}
	d := q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1)
	q.gap = max(q.gap-1, -1)
	if len(q.waiting) == 0 && q.gap < 0 {
		delete(m.writing.queues, at)
	}
	m.touch()
	to := session.Target{Agent: at.Agent, Conversation: at.Conversation, ContextID: conv.ContextID}
	return m.deliver(d, to, true)
}

// draftAt returns what is being written for a place.
func (m *Model) draftAt(at control.Place) *composer.Draft {
	d := m.writing.drafts[at]
	if at == m.cur {
		d = m.panes.composer.Draft()
	}
	return &d
}

// resume sends what is held.
func (m *Model) resume() tea.Cmd {
	q := m.queueAt(m.cur)
	if q == nil || len(q.waiting) == 0 {
		return m.say("Nothing is queued here.", true)
	}
	if m.engaged(m.cur) {
		return m.say("The agent is at work: what is queued goes when it is done.", true)
	}
	q.held, q.gap = "", -1
	cmd := m.advance(m.cur)
	if q.held != "" {
		return m.say(q.held, true)
	}
	return cmd
}

// unqueue brings a message that waits back into the composer, or drops it: the history
// has it since it was written.
func (m *Model) unqueue(in composer.Unqueue) tea.Cmd {
	q := m.queueAt(m.cur)
	if q == nil || in.Index < 0 || in.Index >= len(q.waiting) {
		return m.say("Nothing is queued here.", true)
	}
	c := m.panes.composer
	if !in.Drop && !c.Empty() {
		return m.say("Something is written already: send or clear it before a queued message is edited.", true)
	}
	d := q.waiting[in.Index]
	q.waiting = slices.Delete(q.waiting, in.Index, in.Index+1)
	m.touch()
	if !in.Drop {
		q.gap = in.Index
		c.SetDraft(composer.Written(d))
		return nil
	}
	if len(q.waiting) == 0 {
		delete(m.writing.queues, m.cur)
	}
	if d.Confidential() {
		return m.say("dropped, and kept nowhere", false)
	}
	return m.say("dropped; up brings it back", false)
}

// unqueueLast brings back what was queued last.
func (m *Model) unqueueLast() tea.Cmd {
	m.focusComposer()
	last := -1
	if q := m.queueAt(m.cur); q != nil {
		last = len(q.waiting) - 1
	}
	return m.unqueue(composer.Unqueue{Index: last})
}

// unqueueAll drops what waits.
func (m *Model) unqueueAll() tea.Cmd {
	q := m.queueAt(m.cur)
	if q == nil {
		return m.say("Nothing is queued here.", true)
	}
	delete(m.writing.queues, m.cur)
	m.touch()
	return m.say(units.Plural(len(q.waiting), "queued message")+" dropped; up brings them back", false)
}

// showQueue gives the composer what waits at the place on the screen. A message that was
// taken back to be edited, and is gone, no longer holds up the others.
func (m *Model) showQueue() tea.Cmd {
	var shown composer.Queue
	var cmd tea.Cmd
	if q := m.queueAt(m.cur); q != nil {
		if q.gap >= 0 && m.panes.composer.Empty() {
			q.gap = -1
			cmd = m.advance(m.cur)
		}
		shown = composer.Queue{Waiting: q.waiting, Held: q.held}
	}
	m.panes.composer.SetQueue(shown)
	return cmd
}

// queued counts the messages that wait anywhere.
func (m *Model) queued() int {
	n := 0
	for _, q := range m.writing.queues {
		n += len(q.waiting)
	}
	return n
}

// queues are the commands about what waits to be sent.
func (m *Model) queues() []control.Command {
	none, early := "nothing is queued here", ""
	if q := m.queueAt(m.cur); q != nil && len(q.waiting) > 0 {
		if none = ""; m.engaged(m.cur) {
			early = "the agent is at work: what is queued goes when it is done"
		}
	}
	return []control.Command{
		{Slash: "resume", Name: "Send what is queued", Why: cmp.Or(none, early), Do: m.resume},
		{Slash: "unqueue", Name: "Edit the message that was queued last", Why: none, Do: m.unqueueLast},
		{Slash: "drop", Name: "Drop what is queued", Why: none, Do: m.unqueueAll},
	}
}

package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session"
)

const (
	// maxBatch is how many items one frame brings at most.
	maxBatch = 2000
	// maxSlice is how many of them are applied before the keys have their turn, which
	// takes about a millisecond.
	maxSlice = 250
)

// batch applies items in order, a slice at a time, and asks for a frame and for the
// next batch when all are applied.
func (m *Model) batch(msg batchMsg) tea.Cmd {
	if msg.began.IsZero() {
		msg.began = m.opts.Now()
	}
	var cmds []tea.Cmd
	n := min(len(msg.Items), maxSlice)
	for i := range n {
		it := &msg.Items[i]
		cmds = append(cmds, m.changed(m.state.Apply(*it), it)...)
	}
	m.panes.wire.Added(a2a.RecordID(m.state.Log.Len()))
	if msg.Items = msg.Items[n:]; len(msg.Items) > 0 {
		// What waits to be taken goes first, so a key never waits for more than this.
		return tea.Batch(append(cmds, func() tea.Msg { return msg })...)
	}
	m.touch()
	wait := frame
	if m.remote() {
		wait = remoteFrame
	}
	wait -= m.opts.Now().Sub(msg.began)
	return tea.Batch(append(cmds, nextBatch(m.ctx, m.opts.Feed, wait))...)
}

// changed passes on what one item changed and returns what is to be done about it,
// most often nothing.
func (m *Model) changed(ch session.Change, it *session.Item) (cmds []tea.Cmd) {
	if ch.Conversation != 0 {
		m.panes.agents.Touched(ch.Conversation)
	}
	if m.cur.agent == 0 && ch.Agent != 0 {
		m.goTo(place{agent: ch.Agent})
	}
	if m.hand != 0 && m.hand == ch.Turn && ch.Conversation != 0 {
		m.hand = 0
		m.goTo(place{agent: ch.Agent, conv: ch.Conversation})
	}
	if m.opts.Engine == nil && m.cur.conv == 0 && ch.Conversation != 0 {
		m.goTo(place{agent: ch.Agent, conv: ch.Conversation})
	}
	for _, cmd := range [...]tea.Cmd{m.refused(ch.Refused), m.signal(it.Signal), m.fetched(it), m.verdict(it)} {
		if cmd != nil {
			cmds = append(cmds, cmd)
		}
	}
	return cmds
}

package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/control"
)

const (
	// maxBatch is how many items a batch has at most.
	maxBatch = 2000
	// Lead is how many items the engine, or the reader of a recording, may be ahead of the
	// screen: two batches, so that one is ready while the other is applied. With a longer lead,
	// a stream that is faster than the screen would be shown with a growing delay.
	Lead = 2 * maxBatch
	// maxSlice is how many items are applied before keys are handled, which takes about a
	// millisecond.
	maxSlice = journal.ReplayBlock
	// skimFrame is the least time between two frames while a recording is being read.
	skimFrame = 200 * time.Millisecond
)

// A skimState is the state of the frames while a recording is being read.
type skimState uint8

const (
	skimIdle  skimState = iota // the next records are painted at once
	skimShown                  // a skimmedMsg is pending, and everything is painted
	skimMore                   // a skimmedMsg is pending, and more was read
)

// skim paints what was read of a recording at most every [skimFrame]: nobody can read a hundred
// thousand records a second, and painting them would take longer than reading.
func (m *Model) skim() tea.Cmd {
	before := m.screen.skim
	m.touchSoon()
	if before != skimIdle {
		return nil
	}
	m.screen.skim = skimShown
	return tea.Tick(skimFrame, func(time.Time) tea.Msg { return skimmedMsg{} })
}

// onSkimmed paints what was read since the last frame.
func (m *Model) onSkimmed() tea.Cmd {
	more := m.screen.skim == skimMore
	m.screen.skim = skimIdle
	if !more {
		return nil
	}
	return m.skim()
}

// batch applies items in order, a slice at a time. When all are applied it asks for a frame and
// for the next batch.
func (m *Model) batch(msg batchMsg) tea.Cmd {
	if rest := m.pace.answerWait(); rest > 0 {
		return m.pace.answer.then(msg, rest)
	}
	if msg.began.IsZero() {
		msg.began = m.opts.Now()
	}
	var cmds []tea.Cmd
	n := min(len(msg.Items), maxSlice)
	m.pace.countItems(n)
	for i := range n {
		it := &msg.Items[i]
		cmds = append(cmds, m.onChange(m.state.Apply(*it), it)...)
	}
	cmds = append(cmds, m.inbox.EndBatch())
	m.panes.wire.AddRecords(a2a.RecordID(m.state.Log.Len()))
	if msg.Items = msg.Items[n:]; len(msg.Items) > 0 {
		// Messages that wait are handled first, so that a key never waits longer than this.
		return tea.Batch(append(cmds, func() tea.Msg { return msg })...)
	}
	if m.opts.Player != nil {
		setNow(m)
	}
	if m.readOnly() && (m.opts.Paced == nil || !m.opts.Paced()) {
		return tea.Batch(append(cmds, m.skim(), m.pace.afterStart(m.ctx, nextBlock(m.ctx, &m.opts)))...)
	}
	m.touch()
	wait := frame
	if m.remote() {
		wait = remoteFrame
	}
	wait, most := m.pace.nextBatch(wait, m.opts.Now().Sub(msg.began))
	return tea.Batch(append(cmds, nextBatch(m.ctx, &m.opts, wait, most))...)
}

// onChange tells the panes and controllers what an item changed. It returns their commands, most
// often none.
func (m *Model) onChange(ch model.Change, it *log.Item) (cmds []tea.Cmd) {
	if ch.Conversation != 0 {
		m.panes.agents.MarkUnread(ch.Conversation, ch.Turn)
	}
	if a := m.state.Agent(ch.Agent); m.cur.Agent == 0 && a != nil && !a.Closed {
		m.goTo(control.Place{Agent: ch.Agent})
		m.screen.led = m.cur
	}
	m.records.OnChange(ch)
	if m.readOnly() && ch.Conversation != 0 && (m.cur.Conversation == 0 || m.opts.Player != nil && m.cur == m.screen.led && sends(it)) {
		m.goTo(control.Place{Agent: ch.Agent, Conversation: ch.Conversation})
		m.screen.led = m.cur
	}
	if a := m.state.Agent(ch.Agent); a != nil && a.Tap != "" && ch.Conversation != 0 && m.cur == (control.Place{Agent: ch.Agent}) {
		m.goTo(control.Place{Agent: ch.Agent, Conversation: ch.Conversation}) // the first one of another client
	}
	if ch.Waiting != nil {
		m.inbox.Began(ch.Waiting)
	}
	m.play.OnSignal(it.Signal)
	m.chain.OnItem(it)
	m.signIn.OnItem(it)
	for _, cmd := range [...]tea.Cmd{m.outbox.OnOver(ch.Over), m.signal(it.Signal), m.agents.OnSignal(it.Signal), m.approvals.OnSignal(it.Signal), m.catalogs.OnSignal(it.Signal), m.signIn.OnSignal(it.Signal), m.records.OnItem(it), m.cards.OnItem(it, ch.Agent), m.outbox.OnSignal(it.Signal), m.inbox.OnSignal(it.Signal), m.files.OnItem(it), m.resume.OnSignal(it.Signal)} {
		if cmd != nil {
			cmds = append(cmds, cmd)
		}
	}
	return cmds
}

// sends reports whether an item is a message of the user, where a replay shows its conversation.
func sends(it *log.Item) bool {
	c := it.Record.Call
	return it.Record.Kind == a2a.KindRequest && c != nil && (c.Op == a2a.OpSend || c.Op == a2a.OpStream)
}

package ui

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/agents"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/styles"
	"parley/ui/terminal"
)

// Update handles a message. It does no I/O; commands do.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.dispatch(msg)
	if m.screen.dirty {
		cmd = tea.Batch(cmd, m.settle())
	}
	if m.pace.behind() && !m.screen.late {
		m.screen.late = true
		cmd = tea.Batch(cmd, catchUp())
	}
	return m, cmd
}

func (m *Model) dispatch(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case batchMsg:
		return m.batch(msg)
	case renderedMsg:
		m.screen.jobs--
		m.rendered(msg.Done)
		return nil
	case workedMsg:
		m.screen.jobs--
		if msg.Arrive() {
			m.touch()
			return nil
		}
		return m.jobs() // a job that changed nothing may have a successor
	case tea.KeyPressMsg:
		m.pace.onKey(msg)
		m.touch()
		return m.key(msg)
	case tea.PasteMsg:
		m.touch()
		return m.paste(msg)
	case tea.MouseClickMsg:
		m.notices.press()
		return tea.Batch(m.mouse(msg), m.notices.turn())
	case tea.MouseMsg:
		return m.mouse(msg)
	case tea.WindowSizeMsg:
		m.screen.w, m.screen.h = msg.Width, msg.Height
		m.touch()
		return nil
	case noticeTimeMsg:
		changed, cmd := m.notices.onTime(msg)
		if changed {
			m.touch()
		}
		return cmd
	case spinner.TickMsg:
		m.touch()
		return m.motion.tick(msg, m.tasks.Busy())
	default:
		return m.surroundings(msg)
	}
}

// surroundings handles messages of the terminal and the clock.
func (m *Model) surroundings(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		m.theme.SetBackground(msg.IsDark())
	case tea.ColorProfileMsg:
		m.theme.SetDepth(terminal.DepthOf(msg.Profile))
	case terminal.FirstFrameMsg:
		return m.probe.Ask(m.pace.drawn())
	case tea.CursorPositionMsg:
		if terminal.Wide(msg) && !m.opts.ASCII {
			m.opts.ASCII = true
			m.st = m.st.In(m.st.Theme, styles.ASCII())
			m.restyle()
		}
		return m.probe.Done()
	case tea.FocusMsg:
		m.opts.Engine.HurryAuthPolls()
		m.touch()
		m.opts.Engine.SetShownAgent(m.cur.Agent)
		return m.agents.Load() // another Parley may have saved agents
	case tea.ResumeMsg:
		m.probe.Regain()
		m.touch()
	case clockMsg:
		if m.ticks.rings(msg) {
			setNow(m)
			m.touch()
		}
	case dueMsg:
		m.screen.due = false
		return m.jobs() // the frame changes only when they are done
	case terminal.ProbeOverMsg:
		return m.probe.Done()
	case terminal.SuspendMsg:
		return host{m}.handOver(tea.Suspend)
	case terminal.ContinueMsg:
		return host{m}.handOver(terminal.TakeBack())
	case terminal.EndMsg:
		m.probe.Forget()
		return m.leave()
	case terminal.ResizedMsg:
		m.screen.resized = true
	case catchUpMsg:
		return m.onCatchUp()
	case skimmedMsg:
		return m.onSkimmed()
	case feedClosedMsg:
		m.feedClosed()
	case terminal.NoShellMsg:
		m.probe.Regain()
		m.touch()
		return m.say("there is no shell to return to: none started this program", true)
	case control.DoneMsg:
		return msg()
	case control.EditedMsg:
		m.probe.Regain()
		m.touch()
		return m.onEdited(msg)
	}
	return nil
}

// feedClosed handles the end of a recording: its last frame is painted at once.
func (m *Model) feedClosed() {
	if m.screen.skim == skimMore {
		m.touch()
	}
	m.screen.skim = skimIdle
}

// onCatchUp checks whether a terminal that was behind has caught up.
func (m *Model) onCatchUp() tea.Cmd {
	m.screen.late = false
	m.touch()
	if m.pace.behind() || !m.screen.resized {
		return nil
	}
	m.screen.resized = false
	return tea.RequestWindowSize
}

// setNow gives everything that shows a running time the time of the session.
func setNow(m *Model) {
	m.ticks.now = m.opts.Session()
	m.pair.Tick()
	m.fanout.Tick()
	m.panes.wire.SetNow(m.ticks.now)
}

// rendered shows what a job has rendered.
func (m *Model) rendered(r chat.Result) {
	m.panes.chat.Apply(r)
	m.fanout.Redraw()
	m.touchSoon()
}

// touch asks for a new frame.
func (m *Model) touch() { m.screen.dirty = true }

// touchSoon asks for a new frame, but not at once while a recording is being read.
func (m *Model) touchSoon() {
	if m.screen.skim != skimIdle {
		m.screen.skim = skimMore
		return
	}
	m.touch()
}

// signal reports what the user should know at once, whatever is on the screen.
func (m *Model) signal(s *log.Signal) tea.Cmd {
	if s == nil {
		return nil
	}
	switch s.Kind {
	case log.SignalJournal:
		switch s.Class {
		case journal.JournalStopped:
			m.opts.Unrecorded = true
		case journal.JournalDropped: // the header keeps it
			m.opts.Dropped = s.Sentence
			m.touch()
			return nil
		}
		return m.say(s.Sentence, s.Class != journal.JournalCaughtUp)
	case log.SignalWatch:
		return m.say(s.Sentence, true)
	case log.SignalAuthPollEnded:
		return m.tasks.OnAuthPollOver(s)
	case log.SignalTurnOver:
		if s.Conversation == 0 && s.Sentence != "" { // there is no conversation to show it in
			return m.say(s.Sentence, true)
		}
	}
	return nil
}

// settle updates the panes before a frame and starts what runs beside it: markdown jobs, the
// clock, the spinner.
func (m *Model) settle() tea.Cmd {
	cmds := append(prepare(m), m.jobs())
	var in []time.Duration
	if busy := m.tasks.Busy() && m.opts.Player == nil; m.ticks.begin(busy) {
		in = append(in, time.Second)
		cmds = append(cmds, m.motion.start())
	} else if _, left := m.motion.newChunk(a2a.RecordID(m.state.Log.Len())); !m.readOnly() { // the spinner draws frames
		in = append(in, left)
		if m.screen.layout.Wire.W > 0 {
			in = append(in, m.panes.wire.Next())
		}
	}
	if about := m.aboutHeader(); !m.readOnly() {
		in = append(in, about.Next())
	}
	if s := m.sheet(); s != nil && s.Next != nil {
		in = append(in, s.Next())
	}
	for _, p := range slices.Concat(m.pair.Shown(), m.fanout.Shown()) {
		in = append(in, p.Next())
	}
	return tea.Batch(append(cmds, m.ticks.wake(m.ctx, m.opts.Now(), soonest(in...)))...)
}

// prepare updates the panes before a frame.
func prepare(m *Model) []tea.Cmd {
	a, conv := m.agent(), m.conversation()
	m.history.Recall(a)
	m.start.Refresh()
	m.arrange()
	now := m.ticks.now
	if m.readOnly() && m.opts.Paced == nil { // time stands still
		now = time.Time{}
	}
	about := agents.About{State: m.state, Now: now}
	switch {
	case m.readOnly():
		about.File = agents.Opened
	case m.opts.Unrecorded || m.opts.Size == nil:
		about.File = agents.Unrecorded
	default:
		about.File, about.Size = agents.Recorded, m.opts.Size()
	}
	m.panes.agents.SetAbout(about)
	m.panes.agents.SetAgents(m.state.Agents)
	m.panes.agents.SetWaiting(len(m.state.Waiting()))
	m.agents.Refresh()
	m.pair.Refresh()
	m.panes.agents.SetBeside(m.pair.Other())
	verify := m.cards.SetAgent(a)
	m.panes.chat.SetHeld(a != nil && m.approvals.Held(a.ID))
	s := m.sheet()
	if s != nil && s.Refresh != nil {
		s.Refresh()
	}
	m.theme.Refresh()
	m.present.Refresh()
	chats := slices.Concat(m.pair.Shown(), m.fanout.Shown())
	if m.readOnly() {
		chats = nil // nothing works
	}
	m.motion.show(m.panes.agents, chats, m.ticks.now)
	cmds := []tea.Cmd{verify, m.notices.check(), m.attachments.Refresh(), m.annotations.Save(), m.updateComposer(a, conv)}
	m.arrange() // the composer's height may have changed
	return cmds
}

// jobs starts rendering and indexing in the background.
func (m *Model) jobs() tea.Cmd {
	var cmds []tea.Cmd
	start := func(job tea.Cmd) {
		m.screen.jobs++
		cmds = append(cmds, job)
	}
	for _, p := range slices.Concat(m.pair.Shown(), m.fanout.Shown()) {
		for _, job := range p.Jobs() {
			start(m.pace.afterStart(m.ctx, render(job)))
		}
		if at, held := p.Due(); held && !m.screen.due {
			m.screen.due = true
			cmds = append(cmds, renderAt(at.Sub(m.opts.Now())))
		}
	}
	for _, job := range m.panes.wire.Jobs() {
		start(work(job))
	}
	if job := m.files.PreviewJob(); job != nil {
		start(work(job))
	}
	return tea.Batch(cmds...)
}

// drawing reports whether jobs will change the frame soon. While a task works there is always
// another one, which does not count.
func (m *Model) drawing() bool { return m.screen.jobs > 0 || m.screen.due && !m.tasks.Busy() }

// updateComposer gives the composer what it shows about the next message.
func (m *Model) updateComposer(a *model.Agent, conv *model.Conversation) tea.Cmd {
	c, cmd := m.panes.composer, m.outbox.Aim()
	c.SetGhost(m.outbox.Suggest(a, conv))
	c.SetInputModes(m.attachments.InputModes(m.cur.Agent))
	c.SetUnsupported(m.sendOptions.Unsupported())
	return cmd
}

// remote reports whether the terminal is at the other end of an ssh connection.
func (m *Model) remote() bool { return m.opts.Getenv("SSH_CONNECTION") != "" }

// localBrowser opens a URL in a browser beside the terminal, nil if there is none.
func (m *Model) localBrowser() func(url string) error {
	if m.remote() {
		return nil
	}
	return m.opts.Browse
}

func (m *Model) agentName(id a2a.AgentID) string {
	if a := m.state.Agent(id); a != nil {
		return a.Name()
	}
	return "The agent"
}

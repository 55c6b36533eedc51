package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/header"
	"parley/ui/layout"
	drawn "parley/ui/present"
	"parley/ui/styles"
)

// View returns the frame. Bubble Tea calls it after every message, so the frame is composed
// only when something changed, and not while the terminal is behind.
func (m *Model) View() tea.View {
	s := &m.screen
	if !s.dirty || m.pace.behind() {
		return s.frame
	}
	s.dirty = false
	s.frame = tea.View{
		Content:     m.ground(m.compose()),
		AltScreen:   true,
		ReportFocus: true,
		WindowTitle: m.windowTitle(),
		Cursor:      m.cursor(),
	}
	if !s.noMouse {
		s.frame.MouseMode = tea.MouseModeCellMotion
	}
	if tooSmall(s.w, s.h) {
		smallView(&s.frame)
	}
	return s.frame
}

// ground joins the rows on the theme's background.
func (m *Model) ground(rows []string) string {
	on := m.st.Ground.On
	if on == "" {
		return strings.Join(rows, "\n")
	}
	put := func(parts *canvas.Parts) string { return onBackground(parts[1], on) }
	for y, row := range rows {
		rows[y] = m.screen.memo.ground.Row(y, put, canvas.Parts{on, row})
	}
	return strings.Join(rows, "\n")
}

// onBackground returns a row on a background, which is set at the beginning and again after every
// reset.
func onBackground(row, on string) string {
	var b strings.Builder
	b.Grow(len(row) + 16*len(on)) // more than nearly all rows need
	b.WriteString(on)
	for {
		part, rest, more := strings.Cut(row, styles.Reset)
		b.WriteString(part)
		b.WriteString(styles.Reset)
		if !more {
			return b.String()
		}
		b.WriteString(on)
		row = rest
	}
}

// windowTitle names the agent, after the sign of how the conversation stands.
func (m *Model) windowTitle() string {
	a := m.agent()
	if a == nil {
		return "parley"
	}
	about := m.aboutHeader()
	words := m.present.Line(canvas.Ellipsize(canvas.SanitizeLine(a.Name()), 60, "…")) + " · parley"
	return strings.TrimPrefix(about.Sign(m.st)+" "+words, " ")
}

// arrange computes the layout and sets the size of every pane.
func (m *Model) arrange() {
	s, p := &m.screen, &m.panes
	p.composer.SetSize(max(0, s.layout.Composer.W), max(1, s.layout.Composer.H))
	s.layout = layout.Arrange(s.w, s.h, layout.Wish{Focus: s.at, Zoom: s.zoom, Split: s.split, Composer: m.composerHeight(), Pair: m.pair.Wanted(), Stage: m.present.Stage()})
	l := s.layout
	p.agents.SetSize(l.AgentsBody.W, l.AgentsBody.H)
	p.chat.SetSize(l.Chat.W, l.Chat.H)
	m.pair.Pane().SetSize(l.SecondBody.W, l.SecondBody.H)
	p.composer.SetSize(l.Composer.W, l.Composer.H)
	p.wire.SetSize(l.WireBody.W, l.WireBody.H)
	sheet := m.sheet()
	box := m.overlayBox()
	content := within(box, sheet)
	p.palette.SetSize(content.W, content.H)
	if sheet != nil {
		sheet.Pane.SetSize(m.screen.placed(sheet).size(box.W))
	}
}

// composerHeight returns the height that the composer wants: 0 in a recording.
func (m *Model) composerHeight() int {
	if m.readOnly() {
		return 0
	}
	return m.panes.composer.Height()
}

// compose draws the screen as rows of exactly its width.
func (m *Model) compose() []string {
	s, l := &m.screen, m.screen.layout
	if s.w <= 0 || s.h <= 0 {
		return nil
	}
	m.header.Hide()
	if tooSmall(s.w, s.h) {
		return small(m.st, s.w, s.h)
	}
	rows := make([]string, 0, s.h)
	if l.Header.H > 0 {
		rows = append(rows, m.present.Masked(drawn.Header, []string{alongside(m, func(w int) string { return m.header.Draw(m.aboutHeader(), w) })})...)
	}
	if l.Tabs.H > 0 {
		rows = append(rows, m.tabs(s.w))
	}
	body := m.body()
	top := s.h - l.Footer.H - len(body)
	for len(rows) < top {
		rows = append(rows, strings.Repeat(" ", s.w))
	}
	rows = append(rows, body...)
	if l.Footer.H > 0 {
		rows = append(rows, m.present.Masked(drawn.Footer, []string{alongside(m, m.footer)})...)
	}
	if s.over != noOverlay {
		if sheet := m.sheet(); sheet == nil || !sheet.Clear {
			m.backdrop(rows[l.Header.H : len(rows)-l.Footer.H])
		}
		rows = m.drawOverlay(rows)
	}
	return drawStrokes(m, m.drawNotice(rows))
}

// aboutHeader returns what the header shows.
func (m *Model) aboutHeader() header.About {
	about := header.About{
		Agent: m.agent(), Conversation: m.conversation(), Recording: m.opts.Name, Dropped: m.opts.Dropped, Unrecorded: m.opts.Unrecorded,
		Findings: m.state.Log.Findings(), Waiting: len(m.state.Waiting()), Now: m.ticks.now, Calm: m.present.On(),
		Still: m.readOnly() && m.opts.Paced == nil,
	}
	if !m.readOnly() && !m.ticks.busy { // then nothing runs but ages, which are the same up to their next step
		about.Now = m.opts.Session()
	}
	if l, all := &m.screen.layout, m.state.Agents; l.Agents.W == 0 && len(all) > 1 {
		about.Nth, about.Agents = 1+slices.Index(all, about.Agent), len(all)
	}
	if m.ticks.busy || about.Agent != nil && about.Agent.Phase == model.Discovering {
		about.Spinner = m.motion.spinner()
	}
	if conv := about.Conversation; conv != nil {
		about.Stream = m.state.Log.Stream(conv.Stream)
		about.Paused = about.Stream != nil && about.Stream.Open() && m.opts.Engine.ReadingPaused(conv.Stream)
	}
	return about
}

// body draws the visible panes side by side.
func (m *Model) body() []string {
	l, memo, dim := m.screen.layout, &m.screen.memo, m.st.Faint
	var agents []string
	if p := m.panes.agents; l.Agents.W > 0 {
		agents = m.frame(p, dim.S(p.Note()), &memo.agents, l.Agents, m.focused(control.OnAgents), drawn.Agents, nil)
	}
	var cols [][]string
	if l.Agents.W > 0 && !l.AgentsOver {
		cols = append(cols, agents)
	}
	if l.Talk.W > 0 {
		cols = append(cols, m.talkFrame())
	}
	last := len(cols) - 1
	if p := m.panes.wire; l.Wire.W > 0 {
		records := m.frame(p, p.Note(), &memo.wire, l.Wire, m.focused(control.OnWire), drawn.Wire, p.UnderCursor)
		if l.Talk.W > 0 && l.Wire.Y > l.Talk.Y { // below it
			n, right := len(records), m.screen.w-l.Wire.X-l.Wire.W
			return append(memo.body.Columns(cols...), canvas.Columns(canvas.Blank(l.Wire.X, n), records, canvas.Blank(right, n))...)
		}
		cols = append(cols, records)
	}
	if p := m.pair.Pane(); l.Second.W > 0 {
		cols = append(cols, m.frame(p, dim.S(p.Note()), &memo.second, l.Second, false, drawn.Second, nil))
	}
	if last >= 0 && l.Talk.X > max(l.Wire.X, l.Second.X) && last < len(cols)-1 {
		cols[last], cols[last+1] = cols[last+1], cols[last]
	}
	rows := memo.body.Columns(cols...)
	if l.AgentsOver {
		rows = canvas.Overlay(rows, agents, 0, 0)
	}
	return rows
}

// focused reports whether the focus is on one of these panes and no overlay has the keys, so that
// one frame at a time has the accent.
func (m *Model) focused(at ...control.Focus) bool {
	return m.screen.over == noOverlay && slices.Contains(at, m.screen.at)
}

// framed is a pane in a frame.
type framed interface {
	Title() string
	Lines() []string
	scrolled
}

// scrolled is a pane that says what part of its content its lines show.
type scrolled interface{ Scrolls() canvas.Scrolls }

// frame draws a pane in its frame. An audience sees it as an area of which the spotlight is on the
// bright rows.
func (m *Model) frame(p framed, note string, memo *canvas.Memo, r canvas.Rect, focused bool, of drawn.Area, bright func(y int) bool) []string {
	lines := presentable(m, of, p.Lines(), bright)
	f := canvas.Frame{Title: m.present.Line(p.Title()), Note: m.present.Line(note), Focused: focused, Scroll: p.Scrolls()}
	return memo.Box(m.st, f, r.W, r.H, lines)
}

// talkFrame draws the conversation and, below it, the composer.
func (m *Model) talkFrame() []string {
	l := m.screen.layout
	lines := presentable(m, drawn.Talk, m.panes.chat.Lines(), m.panes.chat.UnderCursor)
	if popup := m.popup(); len(popup) > 0 {
		lines = canvas.Overlay(lines, m.present.Masked(drawn.Popup, popup), 0, len(lines)-len(popup))
	}
	if l.Composer.H > 0 {
		lines = append(lines[:len(lines):len(lines)], presentable(m, drawn.Text, m.panes.composer.Lines(), nil)...)
	}
	if l.Bare {
		return m.present.Page(lines, l.Talk, l.Chat, m.panes.chat.UnderCursor)
	}
	f := canvas.Frame{
		Title: m.panes.chat.Title(), Note: m.st.Faint.S(m.panes.chat.Note()),
		Focused: m.focused(control.OnChat, control.OnComposer), Scroll: m.panes.chat.Scrolls(),
	}
	return m.screen.memo.talk.Box(m.st, f, l.Talk.W, l.Talk.H, lines)
}

// popup returns the list above the composer, nil if there is none.
func (m *Model) popup() []string {
	if m.screen.at != control.OnComposer {
		return nil
	}
	return m.panes.composer.Popup(m.screen.layout.Chat.H)
}

// tabs names the panes on a screen that is too narrow for two.
func (m *Model) tabs(w int) string {
	names := []struct {
		name string
		on   bool
	}{
		{"conversation", m.screen.at == control.OnChat || m.screen.at == control.OnComposer},
		{"wire", m.screen.at == control.OnWire},
		{"agents", m.screen.at == control.OnAgents},
	}
	var parts []string
	for _, n := range names {
		if n.on {
			parts = append(parts, m.st.Accent.Bold().S(n.name))
		} else {
			parts = append(parts, m.st.Faint.S(n.name))
		}
	}
	return canvas.Fit(" "+strings.Join(parts, "  "), w)
}

// cursor puts the terminal's cursor at the input, so that input methods compose there.
func (m *Model) cursor() *tea.Cursor {
	l := m.screen.layout
	var c *tea.Cursor
	x, y := 0, 0
	switch {
	case m.screen.over == overPalette:
		content := within(m.overlayBox(), nil)
		c, x, y = m.panes.palette.Cursor(), content.X, content.Y
	case m.sheet() != nil:
		content := within(m.overlayBox(), m.sheet())
		c, x, y = m.screen.placed(m.sheet()).cursor(), content.X, content.Y
	case m.screen.over != noOverlay:
	case m.screen.at == control.OnComposer && l.Composer.H > 0:
		c, x, y = m.panes.composer.Cursor(), l.Composer.X, l.Composer.Y
	case m.screen.at == control.OnWire && m.panes.wire.Typing():
		c, x, y = m.panes.wire.Cursor(), l.WireBody.X, l.WireBody.Y
	case m.screen.at == control.OnChat && m.panes.chat.Typing():
		c, x, y = m.panes.chat.Cursor(), l.Chat.X, l.Chat.Y
	}
	if c == nil {
		return nil
	}
	moved := *c
	moved.X += x
	moved.Y += y
	if moved.X < 0 || moved.Y < 0 || moved.X >= m.screen.w || moved.Y >= m.screen.h {
		return nil
	}
	return &moved
}

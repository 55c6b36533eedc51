package ui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
	"parley/ui/control/screenshot"
	"parley/ui/shot"
	"parley/ui/terminal"
)

// A playScreen is the root model while a script is played: a [Model], and above its footer the
// rows of the script. When the script has ended, only the model is left.
type playScreen struct {
	m    *Model
	w, h int
	rows int // of the script

	content string // of the last frame
	joined  string
	lines   []string
}

// newPlayScreen returns the screen of a script.
func newPlayScreen(ctx context.Context, o Options) *playScreen {
	s := &playScreen{}
	o.whole = func() (tea.View, int, int) { return s.View(), s.w, s.h }
	s.m = New(ctx, o)
	return s
}

// Init starts the model.
func (s *playScreen) Init() tea.Cmd { return s.m.Init() }

// Update handles a message. What arrived may be what the script waits for.
func (s *playScreen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmds []tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.w, s.h = msg.Width, msg.Height
		cmds = append(cmds, s.m.play.Begin(), s.resize())
		return s, tea.Batch(cmds...)
	case tea.KeyPressMsg:
		cmd, done, quit := s.m.play.Key(msg)
		if quit {
			return s, s.m.leave()
		}
		if done {
			return s, tea.Batch(cmd, s.resize(), s.pass(nil))
		}
	case tea.PasteMsg:
		if s.m.play.Busy() {
			return s, nil
		}
	case tea.MouseMsg:
		moved, ok := footRows{s.m, s.rows}.mouse(msg)
		if !ok {
			return s, nil
		}
		return s, s.pass(moved)
	}
	cmds = append(cmds, s.pass(msg))
	if _, items := msg.(batchMsg); items {
		cmds = append(cmds, s.m.play.Advance(), s.pass(nil))
	}
	return s, tea.Batch(append(cmds, s.resize())...)
}

// pass gives a message to the model.
func (s *playScreen) pass(msg tea.Msg) tea.Cmd {
	_, cmd := s.m.Update(msg)
	return cmd
}

// resize gives the model the screen without the rows of the script, if these changed.
func (s *playScreen) resize() tea.Cmd {
	s.rows = s.m.play.Rows(s.w, s.h)
	if size := (tea.WindowSizeMsg{Width: s.w, Height: s.h - s.rows}); size.Width != s.m.screen.w || size.Height != s.m.screen.h {
		return s.pass(size)
	}
	return nil
}

// footRows are rows of a screen that are no part of its model: those of a script or of a replay.
type footRows struct {
	m *Model
	n int
}

// at returns the row of the screen where they begin: above the footer, unless something lies over it.
func (f footRows) at() int {
	m := f.m
	if m.screen.layout.Footer.H == 0 {
		return m.screen.h
	}
	if box := m.overlayBox(); m.screen.over != noOverlay && box.Y+box.H >= m.screen.h {
		return m.screen.h
	}
	return m.screen.h - m.screen.layout.Footer.H
}

// mouse returns an event of the mouse as the model sees it, and reports false for one on these rows.
func (f footRows) mouse(msg tea.MouseMsg) (tea.MouseMsg, bool) {
	at, y := f.at(), msg.Mouse().Y
	switch {
	case y < at:
		return msg, true
	case y < at+f.n:
		return nil, false
	}
	up := func(m tea.Mouse) tea.Mouse { m.Y -= f.n; return m }
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		return tea.MouseClickMsg(up(tea.Mouse(msg))), true
	case tea.MouseReleaseMsg:
		return tea.MouseReleaseMsg(up(tea.Mouse(msg))), true
	case tea.MouseWheelMsg:
		return tea.MouseWheelMsg(up(tea.Mouse(msg))), true
	case tea.MouseMotionMsg:
		return tea.MouseMotionMsg(up(tea.Mouse(msg))), true
	}
	return msg, true
}

// View returns the frame: that of the model, with the rows of the script. It becomes a part of the
// script's film.
func (s *playScreen) View() tea.View {
	v := s.m.View()
	if s.rows > 0 {
		lines, foot := s.m.play.Lines(s.w, s.rows), footRows{s.m, s.rows}
		if v.Content != s.content || !slices.Equal(lines, s.lines) {
			s.content, s.lines = v.Content, lines
			s.joined = foot.join(v.Content, lines...)
		}
		v.Content, v.Cursor = s.joined, foot.cursor(v.Cursor)
	}
	if s.m.play.Films() && s.w > 0 {
		s.m.play.Film(v.Content, func() shot.Frame { return screenshot.Screen{View: v, W: s.w, H: s.h, Theme: s.m.st.Theme}.Frame() })
	}
	return v
}

// cursor returns the model's cursor where it is on the screen.
func (f footRows) cursor(c *tea.Cursor) *tea.Cursor {
	if c == nil || c.Y < f.at() {
		return c
	}
	moved := *c
	moved.Y += f.n
	return &moved
}

// join puts the rows into a frame of the model.
func (f footRows) join(content string, lines ...string) string {
	lines = slices.Clone(lines)
	if on := f.m.st.Ground.On; on != "" {
		for i, line := range lines {
			lines[i] = onBackground(line, on)
		}
	}
	rows := strings.Split(content, "\n")
	return strings.Join(slices.Insert(rows, min(f.at(), len(rows)), lines...), "\n")
}

// tour returns what plays the tour: another Parley, which has the terminal until the user leaves it.
// It returns nil if there is none.
func (h host) tour() func() tea.Cmd {
	m := h.m
	if m.opts.Tour == nil {
		return nil
	}
	return func() tea.Cmd {
		return h.handOver(terminal.Lend(m.opts.Tour(), func(err error) tea.Msg {
			return control.DoneMsg(func() tea.Cmd {
				m.probe.Regain()
				m.touch()
				if err != nil {
					return m.say("The tour ended early; parley demo tour says more.", true)
				}
				return nil
			})
		}))
	}
}

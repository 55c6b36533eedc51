package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
)

// A sheet is a pane that lies over the others while it is used.
type sheet interface {
	SetSize(w, h int)
	Title() string
	Note() string
	Lines() []string
	ShortHelp() []key.Binding
	Cursor() *tea.Cursor // nil where nothing is typed
}

// sheet returns the sheet that lies on top, nil if there is none. The card, the
// finder and the help are drawn by themselves.
func (m *Model) sheet() sheet {
	switch m.screen.over {
	case overFindings:
		return m.panes.findings
	case overRequest:
		return m.panes.request
	case overMenu:
		return m.panes.menu
	case overPush:
		return m.panes.push
	case overInbox:
		return m.panes.inbox
	default:
		return nil
	}
}

// sheetBox is the frame of a sheet.
func (m *Model) sheetBox(box canvas.Rect) canvas.Rect {
	w, h := m.screen.w, m.screen.h
	if m.screen.over == overMenu {
		box.W, box.H = min(w, max(64, min(m.panes.menu.Width()+4, 110))), min(h, m.panes.menu.Height()+2)
		box.X, box.Y = (w-box.W)/2, max(0, (h-box.H)/3)
		return box
	}
	switch m.screen.over {
	case overPush:
		box.H = min(box.H, m.panes.push.Height()+2)
	case overInbox:
		box.H = min(box.H, m.panes.inbox.Height()+2)
	}
	if box.W = min(w, 100); w-box.W < 8 { // a stripe of what lies below tells nothing
		box.W = w
	}
	box.X = (w - box.W) / 2
	return box
}

func (m *Model) sheetLines(s sheet, box canvas.Rect) []string {
	f := canvas.Frame{Title: s.Title(), Note: m.st.Faint.S(s.Note()), Focused: true}
	return canvas.Box(m.st, f, box.W, box.H, s.Lines())
}

// sheetKey gives a key to the sheet on top.
func (m *Model) sheetKey(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case m.screen.over == overRequest:
		if key.Matches(msg, m.keys.Quit) {
			m.closeOverlay() // the draft stays
			return nil
		}
		return m.requested(m.panes.request.Key(msg))
	case m.screen.over == overMenu:
		return m.chosen(m.panes.menu.Key(msg))
	case m.screen.over == overPush:
		if key.Matches(msg, m.keys.Push) || key.Matches(msg, m.keys.Quit) && !m.panes.push.Typing() {
			m.closeOverlay()
			return nil
		}
		return m.notified(m.panes.push.Key(msg))
	case m.screen.over == overInbox:
		return m.inboxKey(msg)
	case key.Matches(msg, m.keys.Quit) && !m.panes.findings.Typing():
		m.closeOverlay()
		return nil
	}
	return m.foundWrong(m.panes.findings.Key(msg))
}

// sheetMouse gives a click or a turn of the wheel to the sheet on top.
func (m *Model) sheetMouse(msg tea.MouseMsg, x, y int) tea.Cmd {
	switch m.screen.over {
	case overRequest:
		return m.requested(m.panes.request.Mouse(msg, x, y))
	case overMenu:
		return m.chosen(m.panes.menu.Mouse(msg, x, y))
	case overPush:
		return m.notified(m.panes.push.Mouse(msg, x, y))
	case overInbox:
		return m.waited(m.panes.inbox.Mouse(msg, x, y))
	default:
		return m.foundWrong(m.panes.findings.Mouse(msg, x, y))
	}
}

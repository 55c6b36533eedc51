package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
)

// A sheetPane is a pane that can lie over the others.
type sheetPane interface {
	SetSize(w, h int)
	Title() string
	Note() string
	Lines() []string
	ShortHelp() []key.Binding
	Cursor() *tea.Cursor // nil where nothing is typed
}

// A sheet is a pane that lies over the others while it is used, and what becomes of its
// keys. Each topic describes its own, as it is now.
type sheet struct {
	sheetPane
	over  overlay
	key   func(tea.KeyPressMsg) tea.Cmd
	mouse func(msg tea.MouseMsg, x, y int) tea.Cmd
	paste func(tea.PasteMsg) // nil while nothing is typed
	leave []key.Binding      // put it away, besides what it knows itself

	help   string                 // above its keys in the help
	keys   func() [][]key.Binding // nil if they need no help
	width  int                    // columns it wants; 0 for a page
	height int                    // rows it wants; 0 for all there are
	wide   bool                   // it takes all columns there are

	fresh func() // brings it up to date before a frame; nil if that happens elsewhere
	ticks bool   // it tells since when something is so
}

// sheets lists all that can lie over the panes. The card, the finder and the help are
// drawn by themselves.
func (m *Model) sheets() []sheet {
	return []sheet{m.requestSheet(), m.findingsSheet(), m.pushSheet(), m.credentialsSheet(), m.inboxSheet(), m.tasksSheet(), m.pickerSheet(), m.previewSheet(), m.extensionsSheet(), m.sendingSheet(), m.formSheet(), m.jsonSheet(), m.menuSheet()}
}

// sheet returns the sheet that lies on top, nil if there is none.
func (m *Model) sheet() *sheet {
	if m.screen.over == noOverlay {
		return nil
	}
	for _, s := range m.sheets() {
		if s.over == m.screen.over {
			return &s
		}
	}
	return nil
}

// leaving are the keys that put a sheet away: ctrl+c, unless it means what is being
// typed, and those that opened it.
func (m *Model) leaving(typing bool, opened ...key.Binding) []key.Binding {
	if typing {
		return opened
	}
	return append(opened, m.keys.Quit)
}

// sheetBox is the frame of a sheet.
func (m *Model) sheetBox(s *sheet, box canvas.Rect) canvas.Rect {
	w, h := m.screen.w, m.screen.h
	if s.width > 0 {
		box.W, box.H = min(w, s.width+4), min(h, s.height+2)
		box.X, box.Y = (w-box.W)/2, max(0, (h-box.H)/3)
		return box
	}
	if s.height > 0 {
		box.H = min(box.H, s.height+2)
	}
	if box.W = min(w, 100); w-box.W < 8 || s.wide { // a stripe of what lies below tells nothing
		box.W = w
	}
	box.X = (w - box.W) / 2
	return box
}

func (m *Model) sheetLines(s *sheet, box canvas.Rect) []string {
	f := canvas.Frame{Title: s.Title(), Note: m.st.Faint.S(s.Note()), Focused: true}
	return canvas.Box(m.st, f, box.W, box.H, s.Lines())
}

// sheetKey gives a key to the sheet on top.
func (m *Model) sheetKey(s *sheet, msg tea.KeyPressMsg) tea.Cmd {
	if key.Matches(msg, s.leave...) {
		m.closeOverlay()
		return nil
	}
	return s.key(msg)
}

package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/control"
)

// These overlays are not sheets.
const (
	noOverlay   control.SheetName = ""
	overPalette control.SheetName = "finder"
)

// allSheets returns all sheets, in the order of the help.
func (m *Model) allSheets() []control.Sheet {
	return []control.Sheet{
		m.records.Sheet(), m.findings.Sheet(), m.webhooks.Sheet(), m.credentials.Sheet(), m.inbox.Sheet(), m.tasks.Sheet(), m.attachments.Sheet(),
		m.files.Sheet(), m.extensions.Sheet(), m.sendOptions.Sheet(), m.forms.Sheet(), m.json.Sheet(), m.menuSheet(), m.cards.Sheet(), m.lanes.Sheet(), m.helpSheet(),
	}
}

// sheet returns the open sheet, nil if there is none.
func (m *Model) sheet() *control.Sheet {
	for i := range m.sheets {
		if s := &m.sheets[i]; s.Name == m.screen.over {
			return s
		}
	}
	return nil
}

// sheetBox is the frame of a sheet.
func (m *Model) sheetBox(s *control.Sheet, box canvas.Rect) canvas.Rect {
	w, h := m.screen.w, m.screen.h
	if s.Width != nil {
		box.W, box.H = min(w, s.Width()+4), min(h, s.Height()+2)
		box.X, box.Y = (w-box.W)/2, max(0, (h-box.H)/3)
		return box
	}
	if s.Height != nil {
		box.H = min(box.H, s.Height()+2)
	}
	if s.Narrow {
		return center(box, w)
	}
	if box.W = min(w, 100); w-box.W < 8 || s.Wide { // a narrow stripe of the panes below shows nothing
		box.W = w
	}
	return center(box, w)
}

// center centers a frame in w columns.
func center(box canvas.Rect, w int) canvas.Rect {
	box.X = (w - box.W) / 2
	return box
}

func (m *Model) sheetLines(s *control.Sheet, box canvas.Rect) []string {
	f := canvas.Frame{Title: s.Pane.Title(), Note: m.st.Faint.S(s.Pane.Note()), Focused: true}
	return canvas.Box(m.st, f, box.W, box.H, s.Pane.Lines())
}

// sheetKey passes a key to the open sheet.
func (m *Model) sheetKey(s *control.Sheet, msg tea.KeyPressMsg) tea.Cmd {
	if s.Closes(msg, m.keys.Quit) {
		m.closeOverlay()
		return nil
	}
	return s.Key(msg)
}

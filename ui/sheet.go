package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/control/attachments"
	"parley/ui/control/cards"
	"parley/ui/control/credentials"
	"parley/ui/control/extensions"
	"parley/ui/control/files"
	"parley/ui/control/findings"
	"parley/ui/control/forms"
	"parley/ui/control/inbox"
	"parley/ui/control/jsonsheet"
	"parley/ui/control/records"
	"parley/ui/control/sendoptions"
	"parley/ui/control/tasks"
	"parley/ui/control/webhooks"
)

// These overlays are not sheets.
const (
	noOverlay   control.SheetName = ""
	overPalette control.SheetName = "finder"
	overHelp    control.SheetName = "help"
)

// A sheetEntry registers a sheet: its name, and its controller's description of it.
type sheetEntry struct {
	name     control.SheetName
	describe func() control.Sheet
}

// sheets is the table of all sheets, in the order of the help.
func (m *Model) sheets() []sheetEntry {
	return []sheetEntry{
		{records.RequestSheet, m.records.Sheet},
		{findings.SheetName, m.findings.Sheet},
		{webhooks.SheetName, m.webhooks.Sheet},
		{credentials.SheetName, m.credentials.Sheet},
		{inbox.SheetName, m.inbox.Sheet},
		{tasks.SheetName, m.tasks.Sheet},
		{attachments.SheetName, m.attachments.Sheet},
		{files.PreviewSheet, m.files.Sheet},
		{extensions.SheetName, m.extensions.Sheet},
		{sendoptions.SheetName, m.sendOptions.Sheet},
		{forms.SheetName, m.forms.Sheet},
		{jsonsheet.SheetName, m.json.Sheet},
		{overMenu, m.menuSheet},
		{cards.SheetName, m.cards.Sheet},
	}
}

// sheet returns the sheet that lies on top, nil if there is none.
func (m *Model) sheet() *control.Sheet {
	if m.screen.over == noOverlay { // so that a frame without one makes no table
		return nil
	}
	for _, e := range m.sheets() {
		if e.name == m.screen.over {
			s := e.describe()
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
func (m *Model) sheetBox(s *control.Sheet, box canvas.Rect) canvas.Rect {
	w, h := m.screen.w, m.screen.h
	if s.Width > 0 {
		box.W, box.H = min(w, s.Width+4), min(h, s.Height+2)
		box.X, box.Y = (w-box.W)/2, max(0, (h-box.H)/3)
		return box
	}
	if s.Height > 0 {
		box.H = min(box.H, s.Height+2)
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
	if key.Matches(msg, s.Leave...) {
		m.closeOverlay()
		return nil
	}
	return s.Key(msg)
}

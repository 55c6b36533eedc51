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
		m.records.Sheet(), m.findings.Sheet(), m.webhooks.Sheet(), m.signIn.Sheet(), m.credentials.Sheet(), m.inbox.Sheet(), m.tasks.Sheet(), m.attachments.Sheet(),
		m.files.Sheet(), m.extensions.Sheet(), m.sendOptions.Sheet(), m.forms.Sheet(), m.json.Sheet(), m.menuSheet(), m.cards.Sheet(), m.approvals.Sheet(), m.catalogs.Sheet(), m.doctor.Sheet(), m.taps.Sheet(), m.chain.Sheet(), m.lanes.Sheet(), m.answers.Sheet(), m.resume.Sheet(), m.fanout.Sheet(), m.activities.Sheet(), m.sessions.Sheet(), m.theme.Sheet(), m.start.Sheet(), m.helpSheet(),
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

// sheetLines draws the open sheet in its frame.
func (m *Model) sheetLines(s *control.Sheet) []string {
	p := m.screen.placed(s)
	lines := overlaid(m, p.lines(m.overlayBox().W), p.cursor())
	at := m.overlayBox()
	if s.Whole {
		return canvas.Overlay(canvas.Blank(at.W, at.H), lines, within(at, s).X-at.X, 0)
	}
	f := canvas.Frame{Title: m.present.Line(s.Pane.Title()), Note: m.present.Line(m.st.Faint.S(s.Pane.Note())), Focused: true}
	if pane, ok := s.Pane.(scrolled); ok {
		f.Scroll = pane.Scrolls()
	}
	return canvas.Box(m.st, f, at.W, at.H, lines)
}

// sheetKey passes a key to the open sheet.
func (m *Model) sheetKey(s *control.Sheet, msg tea.KeyPressMsg) tea.Cmd {
	if s.Closes(msg, m.keys.Key(clearOrQuit)) {
		m.closeOverlay()
		return nil
	}
	return s.Key(msg)
}

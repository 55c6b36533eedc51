package ui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/media"
	"parley/ui/preview"
)

// preview shows a file of a conversation whole, with those that it replaced.
func (m *Model) preview(f chat.File) tea.Cmd {
	all := []chat.File{f}
	if f.Past != nil {
		all = append(f.Past(), f)
	}
	files := make([]preview.File, len(all))
	for i, f := range all {
		form, language := media.Of(f.Media, f.Name)
		files[i] = preview.File{Name: f.Name, About: f.About, Form: form, Language: language, Data: f.Data, Value: f}
		if len(files) > 1 {
			files[i].Version = "version " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(files))
		}
	}
	m.panes.preview.Show(files, len(files)-1)
	m.show(overPreview)
	return nil
}

// lookOn does what the preview wants done off the screen's goroutine.
func (m *Model) lookOn() tea.Cmd {
	job, ok := m.panes.preview.Job()
	if !ok {
		return nil
	}
	return work(func() func() bool {
		done := job.Run()
		return func() bool { return m.panes.preview.Apply(done) }
	})
}

const overPreview control.SheetName = "preview"

// previewSheet lies over the panes while a file is looked at.
func (m *Model) previewSheet() control.Sheet {
	p := m.panes.preview
	s := control.Sheet{
		Pane: p, Help: "preview", Keys: p.FullHelp, Leave: m.leaving(p.Typing()), Wide: true,
		Key:   func(msg tea.KeyPressMsg) tea.Cmd { return m.looked(p.Key(msg)) },
		Mouse: func(msg tea.MouseMsg, x, y int) tea.Cmd { return m.looked(p.Mouse(msg, x, y)) },
	}
	if p.Typing() {
		s.Paste = func(msg tea.PasteMsg) { p.Paste(msg.Content) }
	}
	return s
}

// looked carries out what the preview asks for.
func (m *Model) looked(in preview.Intent) tea.Cmd {
	switch in := in.(type) {
	case preview.Close:
		m.panes.preview.Clear()
		m.closeOverlay()
	case preview.Copy:
		return m.copy(in.Text)
	case preview.Refused:
		return m.say(in.Why, true)
	case preview.Save:
		if f, ok := in.File.Value.(chat.File); ok {
			return m.keep(keeping{files: []chat.File{f}, open: in.Open})
		}
	}
	return nil
}

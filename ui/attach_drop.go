package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/attach"
	"parley/internal/units"
	"parley/ui/composer"
	"parley/ui/control"
)

// A drop is a text that was pasted and is nothing but the names of files: a terminal
// pastes them when files are dropped on it. It stays text unless the user asks.
type drop struct {
	text  string // as it was pasted
	at    control.Place
	paths []string
	words string // which files these are
}

// droppedMsg is sent when a pasted text turned out to name files.
type droppedMsg drop

// look asks the file system whether a pasted text names files.
func (m *Model) look(pasted string) tea.Cmd {
	paths := attach.Paths(pasted, m.opts.Getenv("HOME"))
	if len(paths) == 0 || m.readOnly() || m.panes.composer.Secret() {
		return nil
	}
	d := drop{text: strings.TrimSpace(pasted), at: m.cur, paths: paths}
	return func() tea.Msg {
		var size int64
		for _, path := range paths {
			f, err := attach.Look(path)
			if err != nil {
				return nil
			}
			size += f.Size
			d.words = f.Name() + ", " + f.Type.Media + ", " + units.Bytes(f.Size)
		}
		if len(paths) > 1 {
			d.words = units.Plural(len(paths), "file") + ", " + units.Bytes(size)
		}
		return droppedMsg(d)
	}
}

// took offers to attach the files, if their names still stand there.
func (msg droppedMsg) took(m *Model) tea.Cmd {
	m.writing.attaching.drop = drop(msg)
	m.touch()
	return nil
}

// showDrop shows the offer as long as the names stand in the text.
func (m *Model) showDrop() {
	d := &m.writing.attaching.drop
	if d.words == "" {
		return
	}
	if _, stands := d.without(m.panes.composer.Value()); !stands || d.at != m.cur {
		*d = drop{}
	}
	m.panes.composer.SetDrop(d.words)
}

// without returns a text without the names of the files, if they stand in it.
func (d *drop) without(text string) (rest string, stands bool) {
	names := composer.Normal(d.text)
	if strings.HasPrefix(text, "/"+names) { // the slash keeps a path from being a command
		text = text[1:]
	}
	before, after, stands := strings.Cut(text, names)
	if rest = before + after; strings.TrimSpace(rest) == "" {
		rest = ""
	}
	return rest, stands
}

// takeDrop attaches the files whose names were pasted, in the place of these. It reports
// false if there are none.
func (m *Model) takeDrop() (tea.Cmd, bool) {
	m.showDrop()
	d := m.writing.attaching.drop
	if d.words == "" {
		return nil, false
	}
	m.writing.attaching.drop = drop{}
	rest, _ := d.without(m.panes.composer.Value())
	m.panes.composer.SetValue(rest)
	m.panes.composer.SetDrop("")
	return m.attachFiles(d.paths), true
}

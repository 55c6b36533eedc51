package ui

import (
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/transcript"
)

// exporting are the commands that write down what is on the screen.
func (m *Model) exporting() []command {
	none := ""
	if m.conversation() == nil {
		none = "nothing was said here yet"
	}
	return []command{{
		slash: "export", takes: "[FILE]", name: "Export the conversation as Markdown", why: none,
		do: func() tea.Cmd { return m.export("") }, with: m.export,
	}}
}

// export writes the conversation on the screen to a new file: of that name, or in the
// directory of that name, or of a name made of its title. A file that is there stays as
// it is.
func (m *Model) export(path string) tea.Cmd {
	conv := m.conversation()
	if conv == nil {
		return m.say("Nothing was said here yet.", true)
	}
	if home := m.opts.Getenv("HOME"); home != "" && strings.HasPrefix(path, "~/") {
		path = filepath.Join(home, path[2:])
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(m.opts.Dir, path)
	}
	own, data := transcript.Name(conv), transcript.Markdown(conv)
	return func() tea.Msg {
		dir, name := filepath.Split(path)
		if info, err := os.Stat(path); path == "" || err == nil && info.IsDir() {
			dir, name = path, own
		}
		path, err := writeNew(dir, name, data)
		return savedMsg{What: "the conversation", Path: path, Size: len(data), Err: err}
	}
}

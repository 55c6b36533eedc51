package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/outlet"
	"parley/ui/control"
	"parley/ui/terminal"
)

// editor returns the command line of the user's editor.
func editor(getenv func(string) string) []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(getenv(name)); len(words) > 0 {
			return words
		}
	}
	return []string{"vi"}
}

// edit opens text in the user's editor, a command line that is not empty, as a file in dir, and
// brings back what was saved, as a message like back: a request but for the line end that
// editors add, others without any at their end.
func edit(editor []string, dir, text string, back control.EditedMsg) tea.Cmd {
	return func() tea.Msg {
		name, err := draft(dir, text, back)
		if err != nil {
			back.Err = err
			return back
		}
		cmd := outlet.Program(context.Background(), append(editor[:len(editor):len(editor)], name)...)
		return terminal.Lend(cmd, func(err error) tea.Msg {
			defer os.Remove(name)
			if back.Err = err; err != nil {
				return back
			}
			data, err := os.ReadFile(name)
			back.Text, back.Err = string(data), err
			if !back.Request {
				back.Text = strings.TrimRight(back.Text, "\n")
			} else if !strings.HasSuffix(text, "\n") {
				back.Text = strings.TrimSuffix(back.Text, "\n")
			}
			return back
		})()
	}
}

// editFile opens a file in the user's editor and sends the message that done returns for what the file
// had before and has after. The file need not exist, and only the editor creates it; a folder that
// was made for it is removed again if nothing is in it.
func editFile(editor []string, path string, done func(before, after []byte, err error) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		dir := filepath.Dir(path)
		_, missing := os.Stat(dir)
		if err := outlet.PrivateFolder(dir); err != nil {
			return done(nil, nil, err)
		}
		before, _ := os.ReadFile(path)
		cmd := outlet.Program(context.Background(), append(editor[:len(editor):len(editor)], path)...)
		return terminal.Lend(cmd, func(err error) tea.Msg {
			after, _ := os.ReadFile(path)
			if missing != nil {
				_ = os.Remove(dir) // it stays if something is in it
			}
			return done(before, after, err)
		})()
	}
}

// draft writes text to a temporary file in dir. The file's extension tells the editor what it is.
func draft(dir, text string, is control.EditedMsg) (name string, err error) {
	pattern := "parley-*.md"
	switch {
	case is.Request:
		pattern = "parley-*.http"
	case is.JSON:
		pattern = "parley-*.json"
	}
	return outlet.Temporary(dir, pattern, text)
}

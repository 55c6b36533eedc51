package ui

import (
	"errors"
	"os"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"

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
		cmd := exec.Command(editor[0], append(editor[1:len(editor):len(editor)], name)...)
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

// draft writes text to a new file in dir, or in the system's folder for temporary files if that
// is empty. The file's extension tells the editor what it is. It leaves no file behind if it fails.
func draft(dir, text string, is control.EditedMsg) (name string, err error) {
	pattern := "parley-*.md"
	switch {
	case is.Request:
		pattern = "parley-*.http"
	case is.JSON:
		pattern = "parley-*.json"
	}
	file, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return "", err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}

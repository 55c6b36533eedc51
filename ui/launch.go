package ui

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// launchedMsg is sent when a file was given to the program for it, or was not.
type launchedMsg struct {
	path string
	err  error
}

// launch opens a file that was saved with the program that the system has for it.
func (m *Model) launch(path string) tea.Cmd {
	open := m.opts.Browse
	return func() tea.Msg {
		if open == nil {
			return launchedMsg{path: path, err: errors.New("nothing here opens files")}
		}
		return launchedMsg{path: path, err: open(path)}
	}
}

// launched tells if a file could not be opened; if it could the person sees that.
func (m *Model) launched(msg launchedMsg) tea.Cmd {
	if msg.err == nil {
		return nil
	}
	return m.say("Could not open "+filepath.Base(msg.path)+": "+msg.err.Error()+". It is saved in "+m.homely(filepath.Dir(msg.path))+".", true)
}

// active says why opening a file may do more than show it, empty if nothing hints at
// that: its name decides on most systems, its first bytes on some.
func active(name string, head []byte) string {
	end := strings.ToLower(filepath.Ext(name))
	switch {
	case slices.Contains([]string{
		".app", ".appimage", ".bat", ".bin", ".cmd", ".com", ".command", ".cpl", ".deb", ".desktop", ".dmg", ".exe", ".hta", ".jar", ".js", ".jse",
		".lnk", ".msc", ".msi", ".pif", ".pkg", ".pl", ".ps1", ".py", ".rb", ".reg", ".rpm", ".run", ".scf", ".scr", ".sh", ".terminal", ".url",
		".vb", ".vbe", ".vbs", ".webloc", ".wsf", ".wsh",
	}, end), bytes.HasPrefix(head, []byte("#!")), bytes.HasPrefix(head, []byte("MZ")), bytes.HasPrefix(head, []byte("\x7fELF")),
		bytes.HasPrefix(head, []byte("\xcf\xfa\xed\xfe")), bytes.HasPrefix(head, []byte("\xca\xfe\xba\xbe")):
		return "it may run as a program"
	case slices.Contains([]string{".htm", ".html", ".mht", ".mhtml", ".shtml", ".svg", ".xhtml", ".xml", ".xsl"}, end):
		return "a browser runs what it says"
	case slices.Contains([]string{".docm", ".dotm", ".odb", ".pptm", ".xlam", ".xlsm"}, end):
		return "it may hold macros"
	default:
		return ""
	}
}

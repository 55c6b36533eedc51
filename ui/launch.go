package ui

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
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
	open := m.opts.Launch
	if open == nil {
		getenv := m.opts.Getenv
		open = func(path string) error { return launch(path, runtime.GOOS, getenv) }
	}
	return func() tea.Msg { return launchedMsg{path: path, err: open(path)} }
}

// launched tells if a file could not be opened; if it could the person sees that.
func (m *Model) launched(msg launchedMsg) tea.Cmd {
	if msg.err == nil {
		return nil
	}
	return m.say("Could not open "+filepath.Base(msg.path)+": "+msg.err.Error()+". It is saved in "+m.homely(filepath.Dir(msg.path))+".", true)
}

// launch gives a file, whose path is absolute, to the system's opener and waits for that.
// The error is a clause.
func launch(path, system string, getenv func(string) string) error {
	var line []string
	switch system {
	case "darwin":
		line = []string{"open", path}
	case "windows":
		line = []string{"rundll32", "url.dll,FileProtocolHandler", path}
	default:
		if getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" {
			return errors.New("there is no desktop here to open it on")
		}
		line = []string{"xdg-open", path}
	}
	cmd := exec.Command(line[0], line[1:]...)
	apart(cmd) // from the terminal: what it starts must not write on this screen
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit):
		return errors.New(line[0] + " has found no program for it")
	default:
		return errors.New("this system has no " + line[0])
	}
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

package attachments

import (
	"errors"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/attach"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/menu"
)

// filesMsg brings files for the message of a place, and why others cannot be attached.
type filesMsg struct {
	at    control.Place
	parts []a2a.Part
	files []attach.File // as the parts
	paths []string      // of what could not be read
	errs  []error       // as the paths
}

// AttachFiles reads files and attaches them to the message on the screen.
func (c *Controller) AttachFiles(paths []string) tea.Cmd {
	at := c.host.Place()
	return func() tea.Msg {
		out := filesMsg{at: at}
		for _, path := range paths {
			p, f, err := attach.Read(path)
			if err != nil {
				out.paths, out.errs = append(out.paths, path), append(out.errs, err)
				continue
			}
			out.parts, out.files = append(out.parts, p), append(out.files, f)
		}
		return out
	}
}

// attachAddress attaches only the address of a file.
func (c *Controller) attachAddress(path string, at control.Place) tea.Cmd {
	return func() tea.Msg {
		f, err := attach.Look(path)
		if err != nil {
			return filesMsg{at: at, paths: []string{path}, errs: []error{err}}
		}
		return filesMsg{at: at, parts: []a2a.Part{f.Part()}, files: []attach.File{f}}
	}
}

// deliver attaches the files and says what the user should know of them.
func (msg filesMsg) deliver(c *Controller) tea.Cmd {
	for _, p := range msg.parts {
		c.put(msg.at, p)
	}
	if len(msg.errs) > 0 {
		return c.refuse(msg)
	}
	return c.host.Say(c.describe(msg), false)
}

// describe says what was attached, and warns of what the agent may not accept.
func (c *Controller) describe(msg filesMsg) string {
	if len(msg.parts) == 1 {
		p, f := &msg.parts[0], &msg.files[0]
		about := composer.Describe(p)
		words := about[0] + " is attached: " + strings.Join(about[1:], ", ")
		if f.Type.Doubt != "" {
			words += "; " + f.Type.Doubt
		}
		if why := c.unsupported(msg.at, p); why != "" {
			words += "; " + why
		}
		return words
	}
	size, odd := int64(0), false
	for i := range msg.parts {
		size += msg.parts[i].Size()
		odd = odd || c.unsupported(msg.at, &msg.parts[i]) != ""
	}
	words := units.Plural(len(msg.parts), "file") + ", " + units.Bytes(size) + ", are attached"
	if odd {
		words += "; not all have types that " + c.host.AgentName(msg.at.Agent) + " accepts"
	}
	return words
}

// refuse reports why files cannot be attached. It opens the picker on a folder, and offers to
// send the address of a file that is too large.
func (c *Controller) refuse(msg filesMsg) tea.Cmd {
	path, err := msg.paths[0], msg.errs[0]
	words := canvas.SanitizeLine(err.Error())
	switch {
	case len(msg.parts) > 0:
		return c.host.Say(units.Plural(len(msg.parts), "file")+" attached, but: "+words, true)
	case attach.IsFolder(err) && len(msg.paths) == 1 && !c.host.Covered():
		return c.openPicker(path)
	case errors.Is(err, attach.ErrTooLarge) && !c.host.Covered() && msg.at == c.host.Place():
		send := func() tea.Cmd { return c.attachAddress(path, msg.at) }
		c.host.Menu("attach "+canvas.SanitizeLine(filepath.Base(path)), words, []menu.Item{{
			Key: "u", Name: "attach its address", Note: attach.FileURL(path), Value: control.Action(send),
		}})
		return nil
	}
	return c.host.Say(words, true)
}

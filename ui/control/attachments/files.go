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

// A readResult has files for the message of a place, and why others cannot be attached.
type readResult struct {
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
		out := readResult{at: at}
		for _, path := range paths {
			p, f, err := attach.Read(path)
			if err != nil {
				out.paths, out.errs = append(out.paths, path), append(out.errs, err)
				continue
			}
			out.parts, out.files = append(out.parts, p), append(out.files, f)
		}
		return control.DoneMsg(func() tea.Cmd { return c.onRead(out) })
	}
}

// attachAddress attaches only the address of a file.
func (c *Controller) attachAddress(path string, at control.Place) tea.Cmd {
	return func() tea.Msg {
		out := readResult{at: at}
		if f, err := attach.Look(path); err != nil {
			out.paths, out.errs = []string{path}, []error{err}
		} else {
			out.parts, out.files = []a2a.Part{f.Part()}, []attach.File{f}
		}
		return control.DoneMsg(func() tea.Cmd { return c.onRead(out) })
	}
}

// onRead attaches the files and says what the user should know of them.
func (c *Controller) onRead(r readResult) tea.Cmd {
	for _, p := range r.parts {
		c.put(r.at, p)
	}
	if len(r.errs) > 0 {
		return c.refuse(r)
	}
	return c.host.Say(c.describe(r), false)
}

// describe says what was attached, and warns of what the agent may not accept.
func (c *Controller) describe(r readResult) string {
	if len(r.parts) == 1 {
		p, f := &r.parts[0], &r.files[0]
		about := composer.Describe(p)
		words := about[0] + " is attached: " + strings.Join(about[1:], ", ")
		if f.Type.Doubt != "" {
			words += "; " + f.Type.Doubt
		}
		if why := c.unsupported(r.at, p); why != "" {
			words += "; " + why
		}
		return words
	}
	size, odd := int64(0), false
	for i := range r.parts {
		size += r.parts[i].Size()
		odd = odd || c.unsupported(r.at, &r.parts[i]) != ""
	}
	words := units.Plural(len(r.parts), "file") + ", " + units.Bytes(size) + ", are attached"
	if odd {
		words += "; not all have types that " + c.host.AgentName(r.at.Agent) + " accepts"
	}
	return words
}

// refuse reports why files cannot be attached. It opens the picker on a folder, and offers to
// send the address of a file that is too large.
func (c *Controller) refuse(r readResult) tea.Cmd {
	path, err := r.paths[0], r.errs[0]
	words := canvas.SanitizeLine(err.Error())
	switch {
	case len(r.parts) > 0:
		return c.host.Say(units.Plural(len(r.parts), "file")+" attached, but: "+words, true)
	case attach.IsFolder(err) && len(r.paths) == 1 && !c.host.Covered():
		return c.openPicker(path)
	case errors.Is(err, attach.ErrTooLarge) && !c.host.Covered() && r.at == c.host.Place():
		send := func() tea.Cmd { return c.attachAddress(path, r.at) }
		c.host.Menu("attach "+canvas.SanitizeLine(filepath.Base(path)), words, []menu.Item{{
			Key: "u", Name: "attach its address", Note: attach.FileURL(path), Value: control.Action(send),
		}})
		return nil
	}
	return c.host.Say(words, true)
}

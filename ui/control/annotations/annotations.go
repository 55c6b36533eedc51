// Package annotations is the controller of the marks and comments on records. It reads those
// of earlier runs, and saves what the user changes in the file beside the session.
package annotations

import (
	"errors"
	"fmt"
	"io/fs"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/annotation"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/wire"
)

// A Wire shows the marks and comments.
type Wire interface {
	SetRemarks(c *annotation.Content)
	OnMark(tell func(id a2a.RecordID, marked bool))
}

var _ Wire = (*wire.Pane)(nil)

// A Controller keeps the annotations of the session.
type Controller struct {
	host control.Host
	file *annotation.File
	wire Wire

	unsaved []func(*annotation.Content) error
	saving  bool
}

// New returns a controller. Without a file, the annotations last as long as the program.
func New(host control.Host, file *annotation.File, pane Wire) *Controller {
	if file == nil {
		file = annotation.Open("")
	}
	c := &Controller{host: host, file: file, wire: pane}
	if known := file.Known(); known != nil {
		pane.SetRemarks(known)
	}
	pane.OnMark(func(id a2a.RecordID, marked bool) {
		c.unsaved = append(c.unsaved, annotation.SetMark(id, marked))
	})
	return c
}

// SetFile sets the file of the session that goes on, in which earlier annotations stand already; nil
// saves none.
func (c *Controller) SetFile(file *annotation.File) {
	if file == nil {
		file = annotation.Open("")
	}
	c.file = file
}

// Load reads the annotations of earlier runs.
func (c *Controller) Load() tea.Cmd {
	if c.file.Known() != nil {
		return nil
	}
	return func() tea.Msg {
		content, err := c.file.Load()
		return control.DoneMsg(func() tea.Cmd {
			if len(c.unsaved) == 0 && !c.saving {
				c.wire.SetRemarks(&content)
				c.host.Touch()
			}
			switch {
			case err != nil:
				return c.host.Say("The marks and comments of this session are not used: "+reason(err)+".", true)
			case len(content.Mistakes) > 0:
				return c.host.Say("The file of the marks and comments has a mistake: "+canvas.SanitizeLine(content.Mistakes[0]), true)
			}
			return nil
		})
	}
}

// Save saves what has changed, in order; nil if nothing has or something is being saved.
func (c *Controller) Save() tea.Cmd {
	if c.saving || len(c.unsaved) == 0 {
		return nil
	}
	changes := c.unsaved
	c.unsaved, c.saving = nil, true
	return func() tea.Msg {
		content, err := c.file.Update(func(content *annotation.Content) error {
			for _, change := range changes {
				if err := change(content); err != nil {
					return err
				}
			}
			return nil
		})
		return control.DoneMsg(func() tea.Cmd {
			c.saving = false
			c.host.Touch()
			if err != nil { // the marks stay on the screen
				return c.host.Say("The mark or comment is not saved: "+reason(err)+".", true)
			}
			if len(c.unsaved) == 0 {
				c.wire.SetRemarks(&content)
			}
			return nil
		})
	}
}

// Ask asks for a comment on a record.
func (c *Controller) Ask(id a2a.RecordID) tea.Cmd {
	takes := "comment"
	if known := c.file.Known(); known != nil && known.Remarks[id].Comment != "" {
		takes = "another comment, or nothing to remove it"
	}
	return c.host.Ask(control.Command{Name: fmt.Sprintf("comment on record %d", id), Takes: "[" + takes + "]", With: func(text string) tea.Cmd {
		return c.comment(id, text)
	}})
}

func (c *Controller) comment(id a2a.RecordID, text string) tea.Cmd {
	c.unsaved = append(c.unsaved, annotation.SetComment(id, text))
	return c.Save()
}

// reason returns what went wrong with the file, without the operation and the path.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return canvas.SanitizeLine(err.Error())
}

package files

import (
	tea "charm.land/bubbletea/v2"

	"parley/internal/filename"
	"parley/internal/units"
	"parley/ui/control"
)

// Save writes data to a new file in the directory for files; what describes it.
func (c *Controller) Save(what, name string, data []byte) tea.Cmd {
	return c.write(what, c.opts.Dir, name, data)
}

// write writes data to a new file in dir and reports it.
func (c *Controller) write(what, dir, name string, data []byte) tea.Cmd {
	return func() tea.Msg {
		path, err := filename.WriteNew(dir, name, data)
		return control.DoneMsg(func() tea.Cmd {
			if err != nil {
				return c.host.Say("Could not save "+what+" in this directory: "+units.FileError(err)+".", true)
			}
			return c.host.Say("saved "+units.Bytes(int64(len(data)))+" to "+path, false)
		})
	}
}

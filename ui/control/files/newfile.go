package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

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
		path, err := writeNew(dir, name, data)
		return control.DoneMsg(func() tea.Cmd {
			if err != nil {
				return c.host.Say("Could not save "+what+" in this directory: "+units.FileError(err)+".", true)
			}
			return c.host.Say("saved "+units.Bytes(int64(len(data)))+" to "+path, false)
		})
	}
}

// maxSameName is how many files with one name are written to a directory at most.
const maxSameName = 1000

// writeNew writes data to a new file in dir, with a number in brackets before its extension if
// name is taken. Only the user can read it, since it may have secrets. An incomplete file is
// removed.
func writeNew(dir, name string, data []byte) (path string, err error) {
	for n := 1; n <= maxSameName; n++ {
		path = filepath.Join(dir, filename.Twin(name, n))
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(data)
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(path)
			return "", err
		}
		return path, nil
	}
	return "", fs.ErrExist
}

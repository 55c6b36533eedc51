package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"parley/internal/filename"
	"parley/internal/units"
)

// writtenMsg is sent when data of another pane was written to a file, or was not.
type writtenMsg struct {
	what, path string
	size       int
	err        error
}

// Save writes data to a new file in the directory for files; what describes it.
func (c *Controller) Save(what, name string, data []byte) tea.Cmd {
	return func() tea.Msg { return write(what, c.opts.Dir, name, data) }
}

func write(what, dir, name string, data []byte) writtenMsg {
	path, err := writeNew(dir, name, data)
	return writtenMsg{what: what, path: path, size: len(data), err: err}
}

// onWritten says where data is.
func (c *Controller) onWritten(msg writtenMsg) tea.Cmd {
	if msg.err != nil {
		return c.host.Say("Could not save "+msg.what+" in this directory: "+units.FileError(msg.err)+".", true)
	}
	return c.host.Say("saved "+units.Bytes(int64(msg.size))+" to "+msg.path, false)
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

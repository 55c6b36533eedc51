package ui

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"parley/internal/filename"
	"parley/internal/units"
	"parley/ui/wire"
)

// savedMsg is sent when something was written to a file, or was not.
type savedMsg struct {
	What, Path string
	Size       int
	Err        error
}

// save writes what the user asked for to a new file in dir.
func save(dir string, in wire.Save) tea.Cmd {
	return func() tea.Msg {
		path, err := writeNew(dir, in.Name, in.Data)
		return savedMsg{What: in.What, Path: path, Size: len(in.Data), Err: err}
	}
}

// saved tells how that went.
func (m *Model) saved(msg savedMsg) tea.Cmd {
	if msg.Err != nil {
		return m.say("Could not save "+msg.What+" in this directory: "+units.FileError(msg.Err)+".", true)
	}
	return m.say("saved "+units.Bytes(int64(msg.Size))+" to "+msg.Path, false)
}

// mostTwins is how many files of one name are made in a directory.
const mostTwins = 1000

// writeNew writes data to a file in dir that did not exist: called name, or with a
// number in brackets before its extension. Nobody else may read it, since it may hold secrets. A
// file that could not be written whole does not stay.
func writeNew(dir, name string, data []byte) (path string, err error) {
	for n := 1; n <= mostTwins; n++ {
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

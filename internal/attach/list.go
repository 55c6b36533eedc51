package attach

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// MaxEntries is how many entries of a folder are read.
const MaxEntries = 5000

// An Entry is something in a folder that can be entered or attached.
type Entry struct {
	Name     string // as the file system has it; it may be any bytes
	Folder   bool
	Size     int64
	Modified time.Time
	Media    string // by the name alone, empty if unknown
}

// Hidden reports whether the entry is hidden by default.
func (e *Entry) Hidden() bool { return strings.HasPrefix(e.Name, ".") }

// List reads a folder: folders and regular files, also behind links, folders first. More
// reports that there are more than [MaxEntries]. The error is a sentence.
func List(dir string) (entries []Entry, more bool, err error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, false, unlistable(dir, err)
	}
	defer d.Close()
	found, err := d.ReadDir(MaxEntries + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, unlistable(dir, err)
	}
	if more = len(found) > MaxEntries; more {
		found = found[:MaxEntries]
	}
	for _, f := range found {
		info, err := f.Info()
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			info, err = os.Stat(filepath.Join(dir, f.Name()))
		}
		if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
			continue // gone meanwhile, or not attachable
		}
		e := Entry{Name: f.Name(), Folder: info.IsDir(), Modified: info.ModTime()}
		if !e.Folder {
			e.Size, e.Media = info.Size(), byName(e.Name)
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		switch {
		case a.Folder && !b.Folder:
			return -1
		case b.Folder && !a.Folder:
			return 1
		}
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Name, b.Name))
	})
	return entries, more, nil
}

func unlistable(dir string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNotDir):
		return &sentence{"There is no folder " + dir + ".", fs.ErrNotExist}
	case errors.Is(err, fs.ErrPermission):
		return &sentence{dir + " cannot be listed: permission denied.", fs.ErrPermission}
	default:
		return &sentence{dir + " cannot be listed.", err}
	}
}

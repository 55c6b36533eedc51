package filename

import (
	"errors"
	"io/fs"
	"path/filepath"

	"parley/internal/outlet"
)

// maxSameName is how many files with one name are written to a directory at most.
const maxSameName = 1000

// WriteNew writes data to a new file in dir, with a number in brackets before its extension if
// name is taken. Only the user can read it, since it may have secrets. It has its name when it is
// complete.
func WriteNew(dir, name string, data []byte) (path string, err error) {
	f, err := outlet.NewDraft(dir, 0o600)
	if err != nil {
		return "", err
	}
	defer f.Discard()
	if _, err := f.Write(data); err != nil {
		return "", err
	}
	for n := 1; n <= maxSameName; n++ {
		path = filepath.Join(dir, Twin(name, n))
		if err := f.Name(path); err == nil {
			return path, nil
		} else if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	return "", fs.ErrExist
}

package filename

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// maxSameName is how many files with one name are written to a directory at most.
const maxSameName = 1000

// WriteNew writes data to a new file in dir, with a number in brackets before its extension if
// name is taken. Only the user can read it, since it may have secrets. An incomplete file is
// removed.
func WriteNew(dir, name string, data []byte) (path string, err error) {
	for n := 1; n <= maxSameName; n++ {
		path = filepath.Join(dir, Twin(name, n))
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

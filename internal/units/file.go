package units

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
)

// Path returns a path as screens show it: with a tilde for the user's home directory, which
// may be empty if it is not known.
func Path(path, home string) string {
	rest, ok := strings.CutPrefix(path, home)
	if home == "" || home == "/" || !ok || rest != "" && rest[0] != filepath.Separator {
		return path
	}
	return "~" + rest
}

// FileError says why a file could not be written or read, as a clause without its full
// stop.
func FileError(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "there is no permission to write to it"
	case errors.Is(err, fs.ErrExist):
		return "there are too many files of that name"
	}
	if cause, ok := errors.AsType[*fs.PathError](err); ok {
		return cause.Err.Error()
	}
	return err.Error()
}

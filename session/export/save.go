package export

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"parley/internal/outlet"
	"parley/internal/visible"
)

// A NameError is a sentence: why a file cannot have the name that it was given.
type NameError struct{ sentence string }

// Error returns the sentence, without its full stop.
func (e *NameError) Error() string { return e.sentence }

// misnamed makes a NameError.
func misnamed(format string, args ...any) error { return &NameError{fmt.Sprintf(format, args...)} }

// Save writes a new file, readable only by its owner. It replaces an existing file only with
// force. An error leaves no incomplete file behind, and an existing file as it was; it is a
// sentence unless it is that of write, and a [NameError] if another name helps.
func Save(path string, force bool, write func(io.Writer) error) error {
	shown := visible.Line(path)
	if info, err := os.Stat(path); err == nil {
		switch {
		case info.IsDir():
			return misnamed("%s is a folder: name a file", shown)
		case !force:
			return misnamed("%s already exists and was not changed: name another file, or use --force to replace it", shown)
		case !info.Mode().IsRegular(): // a device or a pipe
			return device(path, write)
		}
	}
	f, err := outlet.NewDraft(filepath.Dir(path), 0o600)
	if err != nil {
		return unwritable(path, err)
	}
	defer f.Discard()
	if err = write(&disk{w: f}); err != nil {
		return because(path, err)
	}
	if force {
		err = f.Replace(path)
	} else if err = f.Name(path); errors.Is(err, fs.ErrExist) {
		return misnamed("%s was created meanwhile and was not changed: name another file, or use --force to replace it", shown)
	}
	if err != nil {
		return unwritable(path, err)
	}
	return nil
}

// device writes to something that is no regular file and stays.
func device(path string, write func(io.Writer) error) error {
	f, err := outlet.Overwrite(path)
	if err != nil {
		return unwritable(path, err)
	}
	return because(path, errors.Join(write(&disk{w: f}), f.Close()))
}

// A disk is a file whose errors are told from those of a format.
type disk struct{ w io.Writer }

// A diskError is why a file could not be written.
type diskError struct{ error }

func (e diskError) Unwrap() error { return e.error }

func (d *disk) Write(b []byte) (int, error) {
	n, err := d.w.Write(b)
	if err != nil {
		err = diskError{err}
	}
	return n, err
}

// because turns the error of a file into a sentence.
func because(path string, err error) error {
	var file diskError
	if errors.As(err, &file) {
		return unwritable(path, file.error)
	}
	return err
}

// unwritable says that a file cannot be written, and what to do.
func unwritable(path string, err error) error {
	shown := visible.Line(path)
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%s was not written: the disk is full; free some space or choose a file on another disk", shown)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return misnamed("%s was not written: there is no permission to write to its folder; choose another one", shown)
	case errors.Is(err, fs.ErrNotExist):
		return misnamed("%s was not written: its folder does not exist; create it or choose another one", shown)
	case errors.Is(err, syscall.ENOTDIR):
		return misnamed("%s was not written: a part of its path is no folder; choose another file", shown)
	case errors.Is(err, syscall.ENAMETOOLONG):
		return misnamed("%s was not written: the name is too long; choose another one", shown)
	}
	if cause, ok := errors.AsType[*fs.PathError](err); ok {
		err = cause.Err
	}
	return fmt.Errorf("%s was not written: %s; choose another file", shown, visible.Line(err.Error()))
}

package outlet

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// mode is the mode of files that only their owner reads.
const mode fs.FileMode = 0o600

// draftPrefix begins the names of files that are not complete.
const draftPrefix = ".parley-"

// A Draft is a file that is not complete: it has a temporary name until [Draft.Name] or [Draft.Replace]
// gives it its own, in the same folder. An error of these is an [fs.PathError] with the file's own name.
type Draft struct {
	file *os.File
	gone bool // there is no file of the temporary name
}

// NewDraft begins a file in a folder. The caller ends it with [Draft.Discard] in any case.
func NewDraft(folder string, mode fs.FileMode) (*Draft, error) {
	return begin(filepath.Join(folder, draftPrefix+rand.Text()), mode)
}

// begin begins a file with a temporary name of the caller.
func begin(name string, mode fs.FileMode) (*Draft, error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	return &Draft{file: file}, nil
}

// Write writes at the end of the file.
func (d *Draft) Write(b []byte) (int, error) { return d.file.Write(b) }

// Name gives the file its name, if no file has it: the error is [fs.ErrExist] otherwise, after which it
// can get another one. Nothing can be written after the first try.
func (d *Draft) Name(path string) error {
	if err := d.close(); err != nil {
		return err
	}
	err := os.Link(d.file.Name(), path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return of(path, err)
	}
	place, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode) // a file system without links
	if err != nil {
		return err
	}
	_ = place.Close() // it is empty
	if err := d.rename(path); err != nil {
		_ = os.Remove(path)
		return err
	}
	return nil
}

// Replace gives the file its name, in the place of a file that has it. Whatever stops the machine then,
// one of the two is there as a whole.
func (d *Draft) Replace(path string) error {
	if err := d.sync(); err != nil {
		return of(path, errors.Join(err, d.close()))
	}
	if err := d.close(); err != nil {
		return of(path, err)
	}
	return d.rename(path)
}

// sync waits until the disk has the file. Some file systems cannot say so.
func (d *Draft) sync() error {
	err := d.file.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}

// close closes the file if it is open.
func (d *Draft) close() error {
	if err := d.file.Close(); !errors.Is(err, fs.ErrClosed) {
		return err
	}
	return nil
}

func (d *Draft) rename(path string) error {
	if err := os.Rename(d.file.Name(), path); err != nil {
		return of(path, err)
	}
	d.gone = true
	return nil
}

// Discard removes the file of the temporary name. A file that got its own name stays.
func (d *Draft) Discard() {
	_ = d.close() // what was written is not needed
	if !d.gone {
		_ = os.Remove(d.file.Name())
	}
}

// of returns an error of a temporary file as one of the file that it was to become.
func of(path string, err error) error {
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return &fs.PathError{Op: link.Op, Path: path, Err: link.Err}
	}
	if file, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: file.Op, Path: path, Err: file.Err}
	}
	return err
}

// Replace writes a file in the place of one that has its name, or of none: at every moment it is there as
// a whole, or the one before it is. Others may do the same at the same time. A link is replaced, not
// what it leads to.
func Replace(path string, data []byte) error {
	d, err := NewDraft(filepath.Dir(path), mode)
	if err != nil {
		return of(path, err)
	}
	return d.all(path, data)
}

// ReplaceAlone is [Replace] for a caller who keeps others from writing the file. Its temporary file has the
// same name in each run, so that a run that is killed leaves none for longer than until the next: it may have
// secrets that were removed since.
func ReplaceAlone(path string, data []byte) error {
	temp := path + ".tmp"
	_ = os.Remove(temp) // left from a killed run
	d, err := begin(temp, mode)
	if err != nil {
		return of(path, err)
	}
	return d.all(path, data)
}

// all writes the whole file in the place of another one.
func (d *Draft) all(path string, data []byte) error {
	defer d.Discard()
	if _, err := d.Write(data); err != nil {
		return of(path, err)
	}
	return d.Replace(path)
}

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package sharedfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// unlock ends the lock of an open file.
func unlock(file *os.File) { _ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

// tryLock takes the lock if it is free; [Release] ends it.
func tryLock(path string) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "lock", Path: path, Err: errors.New("it is not a regular file")}
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := flock(file, syscall.LOCK_EX); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// flock takes the lock of an open file if it is free: syscall.LOCK_EX alone, syscall.LOCK_SH with others.
func flock(file *os.File, how int) error {
	for {
		err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err == nil, errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.ENOSYS):
			return nil // such file systems have no locks
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrBusy
		default:
			return &os.PathError{Op: "lock", Path: file.Name(), Err: err}
		}
	}
}

// Hold says that this process writes an open file, until its [Release]. It returns [ErrBusy] if
// another process says so.
func Hold(file *os.File) error {
	for end := time.Now().Add(time.Second); ; time.Sleep(pause) { // Held has the lock for a moment
		if err := flock(file, syscall.LOCK_EX); !errors.Is(err, ErrBusy) || time.Now().After(end) {
			return err
		}
	}
}

// Held reports whether another process writes a file. Processes that ask this at the same time do not
// take each other for the writer.
func Held(path string) bool {
	file, err := openRegular(path)
	if err != nil {
		return false
	}
	defer file.Close()
	return errors.Is(flock(file, syscall.LOCK_SH), ErrBusy)
}

// RemoveUnheld removes a file. It returns [ErrBusy] if another process writes it.
func RemoveUnheld(path string) error {
	file, err := openRegular(path)
	switch {
	case errors.Is(err, fs.ErrPermission): // who cannot read it can still remove it
	case err != nil:
		return err
	default:
		defer file.Close()
		if err := flock(file, syscall.LOCK_EX); errors.Is(err, ErrBusy) {
			return err
		}
	}
	return os.Remove(path)
}

// openRegular opens a file to read. It refuses what is none, such as a pipe, which would block.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "open", Path: path, Err: errors.New("it is not a regular file")}
	}
	return os.Open(path)
}

package sharedfile

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes the lock if it is free: an unshared file can be opened once. It ends when the
// file is closed.
func tryLock(path string) (*os.File, error) {
	const sharingViolation syscall.Errno = 32
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	const shared = 0
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, shared, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	switch {
	case errors.Is(err, sharingViolation):
		return nil, ErrBusy
	case err != nil:
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}

// unlock does nothing: closing the file is enough.
func unlock(*os.File) {}

// Hold does nothing: Windows knows who has a file open.
func Hold(*os.File) error { return nil }

// Held reports whether another process has a file open.
func Held(path string) bool {
	const sharingViolation syscall.Errno = 32
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return false
	}
	const shared = 0
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ, shared, nil, syscall.OPEN_EXISTING, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err == nil {
		_ = syscall.CloseHandle(handle)
	}
	return errors.Is(err, sharingViolation)
}

// RemoveUnheld removes a file. It returns [ErrBusy] while another process has it open.
func RemoveUnheld(path string) error {
	const sharingViolation syscall.Errno = 32
	err := os.Remove(path)
	if errors.Is(err, sharingViolation) {
		return ErrBusy
	}
	return err
}

package roster

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
		return nil, errBusy
	case err != nil:
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package roster

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes the lock if it is free; it ends when the file is closed.
func tryLock(path string) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "lock", Path: path, Err: errors.New("it is not a regular file")}
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err == nil || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.ENOSYS) {
		return file, nil // such file systems have no locks
	}
	file.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errBusy
	}
	return nil, &os.PathError{Op: "lock", Path: path, Err: err}
}

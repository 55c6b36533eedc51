// Package sharedfile shares files with other Parleys that run at the same time. [Lock] is
// for those who change a file, [Replace] changes a file at once and as a whole, [PutAside]
// keeps a damaged one, and [Hold] is for who writes one file for as long as it runs, which
// [Held] tells the others. Every lock ends with its process.
package sharedfile

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"parley/internal/outlet"
)

const (
	// patience is how long to wait for a lock: its holder writes a small file.
	patience = 30 * time.Second
	// pause is the time between two attempts.
	pause = 5 * time.Millisecond
)

// ErrBusy means that another process holds the lock.
var ErrBusy = errors.New("another Parley is writing to it")

// Lock takes the lock of a file, which its process loses when it ends. The file stays: deleting
// it would let two processes hold the lock.
func Lock(path string) (unlock func(), err error) {
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		file, err := tryLock(path)
		if err == nil {
			return func() { _ = Release(file) }, nil
		}
		if !errors.Is(err, ErrBusy) || time.Now().After(end) {
			return nil, err
		}
	}
}

// Release closes a file and ends its lock, also where a program that is just being started has the file open
// for a moment, as every one has between fork and exec.
func Release(file *os.File) error {
	unlock(file)
	return file.Close()
}

// Replace replaces a file by a new one, readable only by its owner: at every moment one of the
// two is there as a whole. The caller holds a lock that excludes other writers.
func Replace(path string, data []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // a link remains one
	}
	return outlet.ReplaceAlone(path, data)
}

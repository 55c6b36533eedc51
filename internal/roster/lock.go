package roster

import (
	"errors"
	"time"
)

const (
	// patience is how long to wait for a lock: its holder writes a small file.
	patience = 30 * time.Second
	// pause is the time between two attempts.
	pause = 5 * time.Millisecond
)

// errBusy means that another process holds the lock.
var errBusy = errors.New("another Parley is writing to it")

// lock takes the lock of a file, which its process loses when it ends. The file stays: deleting
// it would let two processes hold the lock.
func lock(path string) (unlock func(), err error) {
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		file, err := tryLock(path)
		if err == nil {
			return func() { file.Close() }, nil
		}
		if !errors.Is(err, errBusy) || time.Now().After(end) {
			return nil, err
		}
	}
}

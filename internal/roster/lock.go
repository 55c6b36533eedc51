package roster

import (
	"errors"
	"time"
)

const (
	// patience is how long a lock is waited for: whoever holds it writes a small file.
	patience = 30 * time.Second
	// pause is how long to wait between two looks at it.
	pause = 5 * time.Millisecond
)

// errBusy is a lock that is held by somebody else.
var errBusy = errors.New("another Parley is writing to it")

// lock takes the lock that a file stands for, which its process loses when it ends. The
// file stays: to delete it would let two hold the lock.
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

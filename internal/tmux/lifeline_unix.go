//go:build unix

package tmux

import (
	"io"
	"os"
	"syscall"
	"time"
)

// A lifeline is a pipe that the program, and each one that it starts, has open for writing. It ends
// with the last of them.
type lifeline struct{ pipe *os.File }

// newLifeline makes the pipe at a path.
func newLifeline(path string) (*lifeline, error) {
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		return nil, err
	}
	pipe, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // without waiting for a writer
	return &lifeline{pipe}, err
}

// waitForEnd waits until nobody has the pipe open for writing.
func (l *lifeline) waitForEnd(patience time.Duration) error {
	defer l.pipe.Close()
	if err := l.pipe.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, l.pipe)
	return err
}

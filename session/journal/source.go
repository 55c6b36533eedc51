package journal

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"parley/internal/sharedfile"
	"parley/session/check"
)

// source returns what a replay reads.
func (j *Recording) source(ctx context.Context) io.Reader {
	text := j.text(ctx)
	if j.ready == nil {
		return text
	}
	return io.MultiReader(io.LimitReader(text, firstBytes), &heldReader{text, ctx, j.ready})
}

// firstBytes is how much of a held recording is read: the records of the first frame.
const firstBytes = 128 << 10

// Hold makes a replay wait behind the first records until ready is closed, so that it leaves the processor to
// whoever shows them.
func (j *Recording) Hold(ready <-chan struct{}) { j.ready = ready }

// A heldReader waits before it reads.
type heldReader struct {
	io.Reader
	ctx   context.Context // of the only replay that uses it
	ready <-chan struct{}
}

func (r *heldReader) Read(p []byte) (int, error) {
	select {
	case <-r.ready:
		return r.Reader.Read(p)
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	}
}

// text returns the bytes of the recording.
func (j *Recording) text(ctx context.Context) io.Reader {
	switch {
	case j.part != nil:
		return j.part
	case j.pause != nil && j.regular:
		return &tail{ctx: ctx, file: j.file, path: j.path, pause: j.pause}
	default:
		return j.file
	}
}

// Again returns the recording for one more replay of the bytes that the file had when it was opened:
// it may grow, be renamed or be removed meanwhile. The stage prepares the items, see [Recording.Prepare]; nil
// leaves them as they are. The file is open until [Recording.Close].
func (j *Recording) Again(stage *check.Stage) *Recording {
	return &Recording{
		file: j.file, part: io.NewSectionReader(j.file, 0, j.size), path: j.path, size: j.size, regular: j.regular,
		stage: stage, formats: j.formats, mask: j.mask,
	}
}

// Close closes the file of a recording that is replayed by [Recording.Again].
func (j *Recording) Close() error { return j.file.Close() }

// Follow makes a replay wait at the end of the file for records that are appended there, until
// its context ends, the Parley that wrote the file ends, or the file is removed, replaced or cut. It
// looks for them after each pause.
func (j *Recording) Follow(pause func() <-chan time.Time) { j.pause = pause }

// OpenGrowing is [Open] for a file that is still written: it may be empty.
func OpenGrowing(path string, pause func() <-chan time.Time) (*Recording, error) {
	j, err := Open(path)
	if errors.Is(err, errEmpty) {
		f, openErr := os.Open(path)
		if openErr != nil {
			return nil, openErr
		}
		j, err = &Recording{file: f, path: path, regular: true}, nil
	}
	if err == nil {
		j.Follow(pause)
	}
	return j, err
}

// A lostError says that a file that was followed is no longer what it was.
type lostError struct{ path, what string }

func (e *lostError) Error() string {
	return e.path + " was " + e.what + ": the records up to then are shown. Open it again to follow what is there now."
}

// A tail reads a file that grows. At its end it waits.
type tail struct {
	ctx   context.Context // of the only replay that uses it
	file  *os.File
	path  string
	at    int64
	pause func() <-chan time.Time
	held  bool // a Parley wrote the file when it was looked at
}

func (t *tail) Read(p []byte) (int, error) {
	for {
		lost, over := t.lost(), t.over() // before the read, so that nothing that was written before is missed
		n, err := t.file.Read(p)
		t.at += int64(n)
		switch {
		case n > 0:
			return n, nil
		case err != nil && err != io.EOF:
			return 0, err
		case lost != nil:
			return 0, lost
		case over:
			return 0, io.EOF
		}
		select {
		case <-t.pause():
		case <-t.ctx.Done():
			return 0, t.ctx.Err()
		}
	}
}

// over reports whether the Parley that wrote the file does so no more, because it ended or was
// killed: no other one appends to a session.
func (t *tail) over() bool {
	held := sharedfile.Held(t.path)
	t.held = t.held || held
	return t.held && !held
}

// lost says why nothing more will be appended to the file, nil if something may.
func (t *tail) lost() error {
	own, err := t.file.Stat()
	if err != nil {
		return err
	}
	named, err := os.Stat(t.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &lostError{t.path, "removed"}
	case err == nil && !os.SameFile(own, named):
		return &lostError{t.path, "replaced by another file"}
	case own.Size() < t.at:
		return &lostError{t.path, "cut short"}
	}
	return nil
}

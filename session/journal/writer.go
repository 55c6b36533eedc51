package journal

import (
	"io"
	"time"

	"parley/a2a"
)

// A Writer writes records as a session file to any writer, in the goroutine of its caller. It
// numbers nothing: see [Journal] for the session that is being recorded.
type Writer struct {
	w     io.Writer
	lines lineWriter
	buf   []byte
}

// NewWriter returns a writer, after line 1, which names when the session began.
func NewWriter(w io.Writer, created time.Time) (*Writer, error) {
	_, err := w.Write(appendHeader(nil, created))
	return &Writer{w: w}, err
}

// Write writes the line of a record.
func (w *Writer) Write(r *a2a.Record) error {
	if len(r.Raw) > journalGiant {
		return writeGiant(w.w, r)
	}
	w.buf = w.lines.append(w.buf[:0], r)
	_, err := w.w.Write(w.buf)
	return err
}

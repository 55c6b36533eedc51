package a2a

import (
	"io"

	"parley/internal/distinct"
)

// Hooks show a call to its caller while it runs, and let the caller interfere. Each field may
// be nil. The functions are called from the goroutine that reads the answer, and block it.
type Hooks struct {
	// Bytes is called whenever bytes of an answer's body arrive, with their number as they
	// crossed the wire, including comments of a stream: a connection may be alive long before
	// an event is complete.
	Bytes func(n int)
	// Decoded is called with the meaning of a body or frame before its record is put to the
	// trace, so that the caller knows it before any reader of the trace.
	Decoded func(Update)
	// Recorded is called with the same update after the record was put, and before more is
	// read.
	Recorded func(Update)
	// Control cuts the connection or stops reading. It serves one call at a time.
	Control *Control
	// Items counts what streams begin: those that go on with one another share it. Nil counts a stream alone.
	Items *Items
}

// Items are what streams began, see [LimitItems].
type Items = distinct.Counter

func (h *Hooks) decoded(u Update) {
	if h.Decoded != nil {
		h.Decoded(u)
	}
}

func (h *Hooks) recorded(u Update) {
	if h.Recorded != nil {
		h.Recorded(u)
	}
}

// count returns a body that reports the bytes read from it to Bytes.
func (h *Hooks) count(body io.ReadCloser) io.ReadCloser {
	if h.Bytes == nil {
		return body
	}
	return &countingBody{ReadCloser: body, report: h.Bytes}
}

type countingBody struct {
	io.ReadCloser
	report func(n int)
}

// Read reads from the body and reports how many bytes came.
func (b *countingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.report(n)
	}
	return n, err
}

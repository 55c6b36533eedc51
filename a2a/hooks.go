package a2a

import "io"

// Hooks are what a caller sees of a call while it runs, and how it interferes. Each field may
// be nil. The functions are called from the goroutine that reads the answer, and hold it up.
type Hooks struct {
	// Bytes is called whenever bytes of an answer's body came, with their number as they
	// crossed the wire, comments of a stream included: a connection may be alive long before
	// an event is complete.
	Bytes func(n int)
	// Decoded is called with what a body or a frame of a stream meant before its record is
	// put to the trace, so that its caller knows it before any reader of the trace.
	Decoded func(Update)
	// Recorded is called with the same after the record was put, and before more is read.
	Recorded func(Update)
	// Control cuts the connection or stops reading. It serves one call at a time.
	Control *Control
}

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
	return &countedBody{ReadCloser: body, report: h.Bytes}
}

type countedBody struct {
	io.ReadCloser
	report func(n int)
}

// Read reads from the body and reports how much came.
func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.report(n)
	}
	return n, err
}

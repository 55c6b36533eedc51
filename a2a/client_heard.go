package a2a

import (
	"context"
	"io"
)

type (
	heardKey   struct{}
	decodedKey struct{}
)

// WithHeard returns a context with which [Client.Do] and [Discover] call heard whenever
// bytes of an answer's body came, with their number as they crossed the wire, comments of a
// stream included: a connection may be alive long before an event is complete. It is
// called from the goroutine that reads.
func WithHeard(ctx context.Context, heard func(n int)) context.Context {
	return context.WithValue(ctx, heardKey{}, heard)
}

// listened tells the context's function of what is read.
func listened(ctx context.Context, body io.ReadCloser) io.ReadCloser {
	heard, ok := ctx.Value(heardKey{}).(func(int))
	if !ok {
		return body
	}
	return &listener{ReadCloser: body, heard: heard}
}

type listener struct {
	io.ReadCloser
	heard func(n int)
}

func (l *listener) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	if n > 0 {
		l.heard(n)
	}
	return n, err
}

// WithDecoded returns a context with which [Client.Do] calls decoded with what a body or
// a frame of a stream meant before its record is put: whoever reads the trace meets
// somebody who knows already. It is called from the goroutine that reads.
func WithDecoded(ctx context.Context, decoded func(Update)) context.Context {
	return context.WithValue(ctx, decodedKey{}, decoded)
}

// resume adds the id of the newest frame of the stream that is resumed, as browsers
// do. An id that HTTP cannot carry is left out.
func (o *outgoing) resume(id string) {
	for i := range len(id) {
		if c := id[i]; c < ' ' && c != '\t' || c == 0x7f {
			return
		}
	}
	if id != "" {
		o.header.Set("Last-Event-ID", id)
	}
}

package relay

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"parley/a2a/httphead"
)

// prepareFault reports whether a fault acts on the stream of a response, and returns its head, which
// must not tell a length that is no longer so.
func (l *leg) prepareFault(head *Head) ([]byte, bool) {
	if l.state != readsBody || l.framing.Over() || !l.x.plan.Fault.acts(head.Header) {
		return head.Wire, false
	}
	l.chunked = l.framing.Chunked()
	if l.framing.Length() < 0 {
		return head.Wire, true
	}
	if l.x.request.Proto != "HTTP/1.1" {
		return head.Wire, false
	}
	l.chunked = true
	return changeFields(head.Wire, func(f *httphead.Field) []byte {
		if f.Key() == "Content-Length" {
			return []byte("Transfer-Encoding: chunked\r\n")
		}
		return f.Line
	}), true
}

// passFaulty passes on a stream with the faults of its plan, and returns the bytes behind it.
func (l *leg) passFaulty(b []byte) ([]byte, error) {
	body := &pulledBody{l: l, data: b, buf: make([]byte, bufferSize)}
	fault := &l.x.plan.Fault
	if err := l.flush(); err != nil {
		return nil, err
	}
	err := fault.play(l.c.ctx, divide(l.faulty, body), l.putEvent)
	l.faulty = nil
	switch {
	case l.agentErr == nil && !l.framing.Over():
		why := End{Cause: Injected, Err: err, Reset: l.framing.UntilEnd()}
		if !errors.Is(err, errCut) {
			why = End{Cause: ClientBroke, Err: err, Reset: wasReset(err)}
		}
		l.c.fail(why)
		return nil, err
	case errors.Is(err, errCut): // behind the last event
		l.c.fail(End{Cause: Injected, Err: err, Reset: !l.chunked})
		return nil, err
	case !errors.Is(err, io.EOF) && l.agentErr == nil:
		return nil, err
	case l.framing.Over() && l.chunked:
		end := l.framing.Trailer()
		if len(end) == 0 {
			end = []byte("\r\n")
		}
		l.put(slices.Concat([]byte("0\r\n"), end))
	}
	return slices.Clone(body.data), nil
}

// putEvent sends an event to the client at once.
func (l *leg) putEvent(event []byte) error {
	l.passing += len(event)
	if l.chunked {
		event = slices.Concat(fmt.Appendf(nil, "%x\r\n", len(event)), event, []byte("\r\n"))
	}
	l.put(event)
	return l.flush()
}

// A pulledBody is the body of a response for a reader.
type pulledBody struct {
	l    *leg
	data []byte // was read behind what the reader has
	buf  []byte
}

// Read returns bytes of the body as they come.
func (b *pulledBody) Read(p []byte) (int, error) {
	l := b.l
	for !l.framing.Over() && len(p) > 0 {
		if len(b.data) == 0 {
			n, err := l.conn.Read(b.buf)
			if b.data = b.buf[:n]; n == 0 && err != nil {
				l.agentErr = err
				return 0, io.EOF
			}
		}
		n, piece := l.framing.Next(b.data[:min(len(b.data), len(p))])
		b.data = b.data[n:]
		if len(piece) > 0 {
			l.x.responseBody(time.Now(), piece)
			return copy(p, piece), nil
		}
	}
	return 0, io.EOF
}

package relay

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"parley/a2a/sse"
)

// errCut is why a fault ends a stream.
var errCut = errors.New("the tap broke the stream on purpose")

// isStream reports whether a response brings its events or messages one after the other.
func isStream(h http.Header) bool {
	media, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return media == "text/event-stream" || strings.HasPrefix(media, "application/grpc")
}

// acts reports whether a fault changes the stream of a response. Events in a content coding are not
// seen.
func (f *Fault) acts(h http.Header) bool {
	wanted := f.CutAfter > 0 || f.StallFor > 0 || f.Duplicate || f.Reorder
	coding := h.Get("Content-Encoding")
	return wanted && isStream(h) && (coding == "" || strings.EqualFold(coding, "identity"))
}

// events divides a stream into its events or messages.
type events struct {
	next func() ([]byte, error) // the last bytes may come with an error
}

func divide(h http.Header, body io.Reader) events {
	if isGRPC(h) {
		return events{func() ([]byte, error) { return nextMessage(body) }}
	}
	d := sse.NewDecoder(body)
	return events{func() ([]byte, error) {
		frame, err := d.Next()
		if err != nil {
			return d.Tail(), err
		}
		if frame.Omitted > 0 {
			return frame.Bytes(), errors.New("an event is too long for a fault")
		}
		return frame.Bytes(), nil
	}}
}

// maxMessage is the longest message of gRPC on which a fault acts.
const maxMessage = 96 << 20

// nextMessage reads one message of gRPC with its prefix.
func nextMessage(body io.Reader) ([]byte, error) {
	const prefix = 5
	b := make([]byte, prefix)
	if n, err := io.ReadFull(body, b); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = io.EOF // as it came
		}
		return b[:n], err
	}
	size := binary.BigEndian.Uint32(b[1:])
	if size > maxMessage {
		return b, errors.New("a message is too long for a fault")
	}
	n, err := io.Copy(sliceWriter{&b}, io.LimitReader(body, int64(size)))
	if err == nil && n < int64(size) {
		err = io.EOF
	}
	return b, err
}

// A sliceWriter appends to a slice.
type sliceWriter struct{ to *[]byte }

func (w sliceWriter) Write(p []byte) (int, error) {
	*w.to = append(*w.to, p...)
	return len(p), nil
}

// play passes on events with the faults. It returns why it stopped: io.EOF at the end of the stream,
// errCut, or an error of either side.
func (f *Fault) play(ctx context.Context, from events, pass func([]byte) error) error {
	var held []byte // waits for the event after it
	give := func(event []byte) error {
		if len(event) == 0 {
			return nil
		}
		if err := pass(event); err != nil || !f.Duplicate {
			return err
		}
		return pass(event)
	}
	for count := 0; ; count++ {
		if f.CutAfter > 0 && count >= f.CutAfter {
			return errors.Join(give(held), errCut)
		}
		if f.StallFor > 0 && count == f.StallAfter && !sleep(ctx, f.StallFor) {
			return ctx.Err()
		}
		event, err := from.next()
		if err != nil {
			failed := give(held)
			if len(event) > 0 {
				failed = errors.Join(failed, pass(event))
			}
			return errors.Join(failed, err)
		}
		if f.Reorder && held == nil {
			held = event
			continue
		}
		if err := give(event); err != nil {
			return err
		}
		if err := give(held); err != nil {
			return err
		}
		held = nil
	}
}

// sleep waits, and reports whether the context is still wanted.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

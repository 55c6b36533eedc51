package a2a

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"parley/a2a/gather"
	"parley/a2a/sse"
	"parley/internal/units"
)

// framing is how a body is divided.
type framing uint8

const (
	asBody  framing = iota // one JSON document, or whatever it is
	asSSE                  // text/event-stream
	asLines                // one JSON document per line
)

// read detects the framing of a body: agents label streams as JSON and JSON as text, and answer
// streaming calls with plain bodies and the reverse. The tail is what followed the last event.
func (x *exchange) read(ctx context.Context, resp *http.Response) (end End, tail []byte) {
	if x.call.Op == OpArtifact || x.call.Op == OpCatalog {
		return x.artifact(ctx, resp), nil
	}
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if media == "text/event-stream" {
		return x.events(ctx, resp.Body)
	}
	r := bufio.NewReaderSize(resp.Body, 4<<10)
	switch x.sniff(r, media) {
	case asSSE:
		return x.events(ctx, r)
	case asLines:
		return x.lines(ctx, r, resp.ContentLength)
	default:
		return x.whole(ctx, nil, r), nil
	}
}

// sniff chooses the framing of a body that is not labelled as an event stream by its first
// bytes.
func (x *exchange) sniff(r *bufio.Reader, media string) framing {
	for n := 1; n <= 512; n++ {
		start, err := r.Peek(n)
		start = bytes.TrimLeft(start, " \t\r\n\xEF\xBB\xBF")
		if err != nil && len(start) == 0 {
			return asBody
		}
		if len(start) == 0 {
			continue
		}
		if start[0] == '{' {
			if x.call.Op == OpStream || x.call.Op == OpSubscribe || strings.Contains(media, "ndjson") {
				return asLines
			}
			return asBody
		}
		start, _ = r.Peek(n + len("retry"))
		if isEventStream(start) {
			return asSSE
		}
		return asBody
	}
	return asBody
}

// isEventStream reports whether a body begins like an event stream.
func isEventStream(start []byte) bool {
	start = bytes.TrimLeft(start, " \t\r\n\xEF\xBB\xBF")
	fields := []string{"data:", "event:", "id:", "retry:", ":"}
	return slices.ContainsFunc(fields, func(field string) bool { return bytes.HasPrefix(start, []byte(field)) })
}

// events reads an event stream until it ends.
func (x *exchange) events(ctx context.Context, r io.Reader) (End, []byte) {
	x.tally.Streamed = true
	limit := x.wire.limits.at(LimitEvent)
	endless := &endlessReader{r: r, limit: limit}
	d := sse.NewDecoder(endless, sse.MaxFrame(int(min(limit.bytes, math.MaxInt32))))
	idle := int64(0) // bytes of comments since the last event
	for {
		f, err := d.Next()
		switch {
		case err != nil:
			return x.streamEnd(ctx, err, d.Tail())
		case f.Torn && !complete(f.Data):
			_, err = d.Next() // says what cut it
			return x.streamEnd(ctx, err, f.Bytes())
		}
		if ctx.Err() != nil {
			f.Torn = false // no time was spent waiting for the missing line
		}
		x.bodyBytes += int64(f.Size())
		endless.read = 0
		stop := x.frame(&f, x.hooks.Control.event())
		if idle += int64(len(f.Raw)); f.HasData || f.Unprefixed {
			idle = 0
		}
		if stop == nil && idle > limit.bytes {
			stop = limit
		}
		if stop == nil {
			stop = x.hooks.Control.afterEvent(ctx)
		}
		if stop != nil {
			return x.broken(ctx, stop), nil
		}
	}
}

// An endlessReader fails when a frame of a stream exceeds twice the limit: up to the limit it
// is recorded, the rest is discarded, and a frame without end is not read further.
type endlessReader struct {
	r     io.Reader
	limit *limitError
	read  int64 // since the last frame
}

func (e *endlessReader) Read(p []byte) (int, error) {
	if e.read > 2*e.limit.bytes {
		return 0, e.limit
	}
	n, err := e.r.Read(p)
	e.read += int64(n)
	return n, err
}

// complete reports whether an event whose blank line is missing is whole.
func complete(data []byte) bool {
	return json.Valid(data) || string(data) == "[DONE]"
}

// frame puts one frame of an event stream, or one line of a stream without such framing; held is
// how long its bytes waited. It fails when the limit of the stream is reached.
func (x *exchange) frame(f *sse.Frame, held time.Duration) error {
	if f.Data == nil {
		f.Data = []byte{} // nothing to decode, which is not the same as Raw
	}
	raw, data, gone := x.mask.frame(x.call.Op, f.Raw, f.Data, &x.echo)
	x.hidden = x.hidden || len(gone) > 0
	in := x.input(data)
	in.Stream, in.Torn, in.Unprefixed, in.Omitted, in.Event = true, f.Torn, f.Unprefixed, f.Omitted, f.Event
	u := x.decoder.Decode(x.call, in)
	r := Record{Kind: KindEvent, Dir: In, Raw: raw, Data: data, Torn: f.Torn, Omitted: f.Omitted, PauseTime: held, Redactions: gone}
	if f.ID != "" {
		x.tally.LastEventID = f.ID
	}
	if f.ID != "" || f.Event != "" || f.Retry != "" || f.LateLF {
		id, _ := x.mask.identity(f.ID, "") // raw has the redaction
		r.SSE = &SSEFields{ID: id, Event: x.mask.text(f.Event), Retry: f.Retry, LateLF: f.LateLF}
	}
	x.deliver(r, u)
	return x.countRecord(len(raw), &u)
}

// deliver puts an event and passes it on.
func (x *exchange) deliver(r Record, u Update) {
	x.hooks.decoded(u)
	x.tally.record = x.put(r, u)
	x.tally.add(u)
	x.heard = x.heard || x.wire.heard.take(x.call, &u)
	x.hooks.recorded(u)
}

// streamEnd returns the end of a stream that has a tail: comments, or an incomplete event,
// which does not count as one.
func (x *exchange) streamEnd(ctx context.Context, err error, tail []byte) (End, []byte) {
	if x.bodyBytes == 0 && len(bytes.TrimSpace(tail)) > 0 && !isEventStream(tail) {
		x.tally.Streamed = false
		x.body(tail, err != io.EOF, 0)
		tail = nil
	}
	x.bodyBytes += int64(len(tail))
	switch {
	case err != io.EOF:
		return x.broken(ctx, err), tail
	case torn(tail):
		return x.tornEnd(len(tail)), tail
	default:
		return x.tally.verdict(x), tail
	}
}

// torn reports whether the tail of a stream is the beginning of another event: an incomplete
// line, or data without a blank line. A comment does not count.
func torn(tail []byte) bool {
	if len(tail) == 0 {
		return false
	}
	lines := bytes.FieldsFunc(tail, func(r rune) bool { return r == '\n' || r == '\r' })
	for i, line := range lines {
		last := i == len(lines)-1 && !bytes.HasSuffix(tail, []byte("\n")) && !bytes.HasSuffix(tail, []byte("\r"))
		if bytes.HasPrefix(line, []byte("data")) || last && line[0] != ':' {
			return true
		}
	}
	return false
}

// tornEnd is the end of a stream that was closed regularly, but inside an event.
func (x *exchange) tornEnd(torn int) End {
	return End{
		Reason: Cut, Class: ClassCut, Sentence: "The stream broke inside an event.",
		Detail: fmt.Sprintf("%s closed the stream regularly, but %s into an event", hostPort(x.target), units.InBytes(int64(torn))),
	}
}

// lines reads a body that begins with a brace in answer to a streaming call: one
// document, or one per line, which some agents send instead of an event stream.
func (x *exchange) lines(ctx context.Context, r *bufio.Reader, length int64) (End, []byte) {
	limit := x.wire.limits.at(LimitEvent)
	first, err := readLine(r, limit)
	alone := err != nil || int64(len(first)) == length
	if alone || !json.Valid(first) {
		if err != nil && err != io.EOF {
			return x.whole(ctx, first, &failed{err}), nil
		}
		return x.whole(ctx, first, r), nil
	}
	x.tally.Streamed = true
	var blank []byte // empty lines belong to the event that follows
	for line := first; ; line, err = readLine(r, limit) {
		x.bodyBytes += int64(len(line))
		line = append(blank, line...)
		blank = nil
		data := bytes.TrimSpace(line)
		switch {
		case len(data) == 0:
			blank = line
		case err != nil && !json.Valid(data):
			if err == io.EOF {
				return x.tornEnd(len(line)), line
			}
			return x.broken(ctx, err), line
		default:
			stop := x.frame(&sse.Frame{Raw: line, Data: data}, x.hooks.Control.event())
			if stop == nil {
				stop = x.hooks.Control.afterEvent(ctx)
			}
			if stop != nil {
				return x.broken(ctx, stop), nil
			}
		}
		switch {
		case err == io.EOF:
			return x.tally.verdict(x), blank
		case err != nil:
			return x.broken(ctx, err), blank
		}
	}
}

// readLine returns the next line with its end, in memory of its own.
func readLine(r *bufio.Reader, limit *limitError) ([]byte, error) {
	var line gather.Body
	for {
		part, err := r.ReadSlice('\n')
		line.Add(part)
		switch {
		case err != bufio.ErrBufferFull:
			return line.Take(), err
		case int64(line.Len()) > limit.bytes:
			return line.Take(), limit
		}
	}
}

// failed is a reader that has already failed.
type failed struct{ err error }

func (f *failed) Read([]byte) (int, error) { return 0, f.err }

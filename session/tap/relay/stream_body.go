package relay

import (
	"errors"
	"io"
	"time"
)

// body returns the body of the request, changed as the plan says.
func (s *stream) body() (io.Reader, *End) {
	plan := &s.x.plan
	shown := &shownBody{s: s, from: s.r.Body, length: s.r.ContentLength}
	if !plan.waits() {
		return shown, nil
	}
	b := &heldBody{s: s, from: shown, held: holdRequest(plan, s.c.relay.limits.Edit)}
	if !plan.headWaits(s.r.ContentLength >= 0) {
		return b, nil
	}
	if err := b.hold(); err != nil {
		return nil, &End{Cause: ClientBroke, Err: err}
	}
	if plan.ChooseFault != nil && b.held.usable() {
		plan.Fault = plan.ChooseFault(b.held.message)
	}
	b.release()
	return b, nil
}

// shownBody is the body of a request as the observer sees it.
type shownBody struct {
	s            *stream
	from         io.Reader
	read, length int64
}

func (b *shownBody) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	at := time.Now()
	b.s.x.requestBody(at, p[:n])
	if b.read += int64(n); errors.Is(err, io.EOF) || b.read == b.length {
		b.s.x.requestEnd(at)
	}
	return n, err
}

// A heldBody is the body of a request whose message waits until it is whole, to be changed.
type heldBody struct {
	s    *stream
	from io.Reader
	held *held  // nil once it waits no longer
	rest []byte // to be read before what follows
}

// hold reads until nothing more is waited for.
func (b *heldBody) hold() error {
	for !b.held.ready() {
		err := b.held.read(b.from, b.s.r.ContentLength)
		if errors.Is(err, io.EOF) {
			b.held.end(nil)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// release changes the message, and lets the body go on.
func (b *heldBody) release() {
	message, edit := b.held.message, b.s.x.plan.EditRequest
	if b.held.usable() && edit != nil {
		before := len(message)
		if message = edit(message); b.s.r.ContentLength >= 0 {
			b.s.r.ContentLength += int64(len(message) - before)
		}
	}
	b.rest, b.held = append(message, b.held.behind...), nil
}

func (b *heldBody) Read(p []byte) (int, error) {
	if b.held != nil {
		err := b.hold()
		b.release() // what came of a message without an end passes too
		if err != nil && len(b.rest) == 0 {
			return 0, err
		}
	}
	if len(b.rest) > 0 {
		n := copy(p, b.rest)
		b.rest = b.rest[n:]
		return n, nil
	}
	return b.from.Read(p)
}

// An openBody ends with the body that the client sends, which wakes up whoever reads it.
type openBody struct {
	io.Reader
	io.Closer
}

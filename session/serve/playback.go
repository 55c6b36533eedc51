package serve

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parley/a2a"
)

// A sink takes the parts of an answer. An error means that the client has gone.
type sink interface {
	head(x *exchange, size int64) error // size is -1 if it is not declared
	write(b []byte) error
	// raw writes bytes in place of a head and ends.
	raw(b []byte)
	// sever breaks the connection.
	sever(reset bool)
	// end completes the answer.
	end(trailer http.Header, failure *a2a.Binary)
}

// A playback sends a recorded answer.
type playback struct {
	ctx    context.Context // of the client
	x      *exchange
	swap   *swap
	placer *placer // for a card in the answer, nil without
	made   []byte  // in place of the recorded body
	kept   *answered
	task   *answered // which may be canceled here, nil if none can be
	last   func(stream bool) (a2a.Record, bool)
	faults Faults
	speed  float64 // 0 does not wait
	began  time.Time
	clock  clock
	paused time.Duration // what the recording user had paused
	log    func(string)

	failure *a2a.Binary // the description of an error, nil without
	headed  bool        // the head was sent
	left    bool        // nobody waits for the rest
}

// play sends the answer with its pauses, and ends it as it ended, or when its task is canceled here.
func (p *playback) play(to sink) {
	if p.kept != nil { // an agent works on when its client has left, or a fault cut the stream
		defer func() { p.kept.leave(0, p.began) }()
	}
	if p.task != nil {
		ctx, done := p.task.watch(p.ctx)
		defer done()
		p.ctx = ctx
	}
	if p.run(to); p.left && p.last != nil && errors.Is(context.Cause(p.ctx), errCanceled) {
		p.sayCanceled(to)
	}
}

// sayCanceled ends the answer with the canceled task.
func (p *playback) sayCanceled(to sink) {
	stream, size := p.x.streams(), int64(-1)
	r, ok := p.last(stream)
	if !ok {
		to.sever(false)
		return
	}
	body := p.part(&r, p.x.asLines())
	if !stream {
		size = int64(len(body))
	}
	if !p.headed && to.head(p.x, size) != nil {
		return
	}
	_ = to.write(body) // nothing follows
	to.end(nil, nil)
}

// run sends the answer with its pauses, and ends it as it ended.
func (p *playback) run(to sink) {
	x := p.x
	if x.head != nil {
		if p.wait(x.head) != nil {
			return
		}
		if wire := x.brokenHead(); wire != nil {
			to.raw(wire)
			return
		}
	}
	lines, stream := x.asLines(), x.streams()
	size := p.size(lines)
	if x.head == nil && len(x.parts) == 0 {
		p.finish(to)
		return
	}
	if p.headed = true; to.head(x, size) != nil {
		return
	}
	if p.made != nil {
		_ = to.write(p.made) // nothing follows
		to.end(nil, p.failure)
		return
	}
	for n, s := range p.faults.steps(len(x.parts), stream) {
		if !p.step(to, n, s, lines, stream) {
			return
		}
	}
	p.finish(to)
}

// step sends one part. It reports false if nothing may follow.
func (p *playback) step(to sink, n int, s step, lines, stream bool) bool {
	x := p.x
	if stream && p.faults.Cut > 0 && n == p.faults.Cut {
		p.log("the fault cut the stream after " + strconv.Itoa(n) + " events")
		if p.kept != nil { // before the client notices
			p.kept.leave(0, p.began)
		}
		to.sever(false)
		return false
	}
	if p.wait(&x.parts[s.slot]) != nil {
		return false
	}
	if stream && p.faults.Stall > 0 && (n == 1 || len(x.parts) == 1) {
		p.began = p.began.Add(p.faults.Stall) // later events keep their distance
		if p.sleep(p.faults.Stall) != nil {
			return false
		}
	}
	r := &x.parts[s.part]
	if r.Binary != nil && r.Binary.Kind == a2a.KindStatus { // it is part of the end
		p.failure = r.Binary
		return true
	}
	if p.kept != nil { // before the client has it and asks for the task
		p.kept.reach(s.slot + 1)
	}
	if to.write(p.bytes(r, s.part, lines)) != nil {
		return false
	}
	if r.Omitted > 0 {
		p.log("the recording lacks " + strconv.Itoa(r.Omitted) + " bytes here; the connection is cut")
		to.sever(false)
		return false
	}
	return true
}

// bytes returns the bytes of a part as they are sent.
func (p *playback) bytes(r *a2a.Record, i int, lines bool) []byte {
	b := p.part(r, lines)
	if r.Kind != a2a.KindEvent {
		return b
	}
	// The LF of a CRLF that came late is in no record.
	if next := i + 1; next < len(p.x.parts) && p.x.parts[next].SSE != nil && p.x.parts[next].SSE.LateLF ||
		next == len(p.x.parts) && bytes.HasSuffix(b, []byte("\r\n\r")) {
		b = append(bytes.Clone(b), '\n')
	}
	return b
}

// part returns the bytes of a record with the ids and addresses of this run.
func (p *playback) part(r *a2a.Record, lines bool) []byte {
	b := p.swap.part(p.x, r, lines)
	if p.placer != nil {
		b = p.placed(r, b)
	}
	return b
}

// placed puts own addresses into a card.
func (p *playback) placed(r *a2a.Record, b []byte) []byte {
	if r.Binary == nil {
		return p.placer.Rewrite(b)
	}
	if p.x.format == nil {
		return b
	}
	text, _ := p.x.format.Render(&a2a.Binary{Kind: r.Binary.Kind, Bytes: b})
	built, err := p.x.format.Rebuild(r.Binary.Kind, p.placer.Rewrite(text))
	if err != nil {
		return b
	}
	return built.Bytes
}

// size returns the declared length of the answer, moved by what ids changed; -1 if none was
// declared.
func (p *playback) size(lines bool) int64 {
	if p.made != nil {
		return int64(len(p.made))
	}
	if p.x.head == nil || p.x.head.Head == nil {
		return -1
	}
	h := p.x.head.Head.Header
	declared, err := strconv.ParseInt(h.Get("Content-Length"), 10, 64)
	if err != nil || declared < 0 || h.Get("Content-Encoding") != "" || p.faults.Duplicate && p.x.streams() {
		return -1
	}
	for i := range p.x.parts {
		r := &p.x.parts[i]
		declared += int64(len(p.part(r, lines)) - len(r.Raw))
	}
	return declared
}

// finish ends the answer as it ended when it was recorded.
func (p *playback) finish(to sink) {
	x := p.x
	var e a2a.End
	if x.end != nil && x.end.End != nil {
		e = *x.end.End
		if len(x.end.Raw) > 0 && to.write(x.end.Raw) != nil {
			return
		}
	} else {
		e.Reason = a2a.Cancelled
	}
	switch {
	case e.Reason == a2a.Cut, e.Break != "":
		if p.wait(x.end) == nil {
			to.sever(strings.Contains(strings.ToLower(e.Detail), "reset"))
		}
	case e.Reason == a2a.TimedOut: // nothing more came
		<-p.ctx.Done()
		p.left = true
	case e.Reason == a2a.Cancelled:
		if x.settled || !x.streams() && len(x.parts) > 0 {
			to.end(nil, p.failure)
			return
		}
		p.log("the recording does not know how this answer went on; the connection is cut")
		to.sever(false)
	default:
		var trailer http.Header
		if e.Trailer != nil {
			trailer = e.Trailer.Header
		}
		if x.end != nil && x.streams() && p.wait(x.end) != nil {
			return
		}
		to.end(trailer, p.failure)
	}
}

// brokenHead returns the bytes of a head that HTTP does not allow, nil for any other.
func (x *exchange) brokenHead() []byte {
	h := x.head.Head
	if h == nil || h.Wire == "" {
		return nil
	}
	cutThere := x.end != nil && x.end.End != nil && x.end.End.Reason == a2a.Cut && x.end.End.Class == a2a.ClassBody && len(x.parts) == 0 && h.Header.Get("Content-Length") != "0"
	if h.Status < 200 || h.Status > 999 || x.head.Torn || cutThere {
		return []byte(h.Wire)
	}
	return nil
}

// wait waits until the time at which a record came. The error is that of the client's context.
func (p *playback) wait(r *a2a.Record) error {
	p.paused += r.PauseTime
	return p.sleep(scaled(r.Time.Sub(p.x.sent)-p.paused, p.speed) - p.clock.now().Sub(p.began))
}

// sleep waits, or fails when the client has gone or the task was canceled.
func (p *playback) sleep(d time.Duration) error {
	err := p.ctx.Err()
	if d > 0 {
		err = p.clock.sleep(p.ctx, d)
	}
	p.left = p.left || err != nil
	return err
}

// A clock is the time; tests have their own.
type clock struct {
	now   func() time.Time
	sleep func(ctx context.Context, d time.Duration) error
}

// realClock is the time of the machine.
var realClock = clock{time.Now, func(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
	return ctx.Err()
}}

package mesh

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"parley/a2a"
)

// A flow is what is published about one task, from a request or an attachment on.
type flow struct {
	g   *gateway
	ctx context.Context
	id  string

	mu     sync.Mutex
	queue  []a2a.Frame
	size   int // bytes in the queue
	head   *a2a.FlowHead
	err    error // why it ended, after the queue; io.EOF if the last message came
	end    a2a.FlowEnd
	closed bool
	came   bool          // a message came
	listed bool          // the broker knows a subscriber of the request
	change chan struct{} // closed when any of these changes
	cancel bool          // nothing but the end of another task answers it
	since  time.Time     // when something happened last
	noted  bool          // that nothing has happened for long
}

// maxQueue is how many bytes wait for a reader before the broker has to wait, too.
const maxQueue = 64 << 20

func newFlow(ctx context.Context, g *gateway, id string) *flow {
	return &flow{g: g, ctx: ctx, id: id, listed: true, since: time.Now()}
}

// changed wakes all who wait. The caller holds the lock.
func (f *flow) changed() {
	if f.change != nil {
		close(f.change)
		f.change = nil
	}
}

// await returns a channel that is closed at the next change. The caller holds the lock.
func (f *flow) await() <-chan struct{} {
	if f.change == nil {
		f.change = make(chan struct{})
	}
	return f.change
}

// push adds a message, and reports false if the flow is over. It waits while too much is unread;
// a notice never waits.
func (f *flow) push(fr a2a.Frame, last bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.size > maxQueue && f.err == nil && !f.closed && fr.Notice == "" {
		wait := f.await()
		f.mu.Unlock()
		select {
		case <-wait:
		case <-f.g.ctx.Done():
		}
		f.mu.Lock()
		if f.g.ctx.Err() != nil {
			return false
		}
	}
	if f.err != nil || f.closed {
		return false
	}
	f.queue, f.size, f.since, f.noted = append(f.queue, fr), f.size+len(fr.Bytes), time.Now(), false
	f.came = f.came || fr.Notice == ""
	if last {
		f.err, f.end = io.EOF, a2a.FlowEnd{Sent: true, Status: http.StatusOK}
	}
	f.changed()
	return true
}

// fail ends the flow with an error, after what is unread.
func (f *flow) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
		f.changed()
	}
}

// confirmed ends the flow of a cancel: its task is over.
func (f *flow) confirmed() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err, f.end = io.EOF, a2a.FlowEnd{Sent: true, Empty: true, Status: http.StatusOK, Word: "the task is over"}
		f.changed()
	}
}

// begun sets the head.
func (f *flow) begun(head *a2a.FlowHead) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.head == nil {
		f.head, f.since = head, time.Now()
		f.changed()
	}
}

// ended reports whether no more messages are taken.
func (f *flow) ended() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err != nil || f.closed
}

// unread returns the messages that nobody read.
func (f *flow) unread() []a2a.Frame {
	f.mu.Lock()
	defer f.mu.Unlock()
	var rest []a2a.Frame
	for _, fr := range f.queue {
		if fr.Notice == "" {
			rest = append(rest, fr)
		}
	}
	f.queue, f.size = nil, 0
	return rest
}

// Head waits for the confirmation of the broker, or for a message that overtook it.
func (f *flow) Head() (*a2a.FlowHead, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		switch {
		case f.head != nil:
			return f.head, nil
		case f.closed:
			return nil, context.Canceled
		case f.came:
			return &a2a.FlowHead{Status: http.StatusOK, Proto: f.g.proto()}, nil
		case f.err != nil:
			return nil, f.err
		}
		wait := f.await()
		f.mu.Unlock()
		select {
		case <-wait:
		case <-f.ctx.Done():
		}
		f.mu.Lock()
		if f.ctx.Err() != nil {
			return nil, context.Cause(f.ctx)
		}
	}
}

// Next waits for the next message.
func (f *flow) Next() (a2a.Frame, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		switch {
		case f.closed:
			return a2a.Frame{}, context.Canceled
		case len(f.queue) > 0:
			fr := f.queue[0]
			f.queue[0] = a2a.Frame{}
			f.queue, f.size = f.queue[1:], f.size-len(fr.Bytes)
			if f.size <= maxQueue {
				f.changed()
			}
			return fr, nil
		case f.err != nil:
			return a2a.Frame{}, f.err
		}
		if fr, err, over := f.idle(); over {
			return fr, err
		}
		limit := f.limit()
		wait := f.await()
		f.mu.Unlock()
		timer := time.NewTimer(limit)
		select {
		case <-wait:
		case <-timer.C:
		case <-f.ctx.Done():
		}
		timer.Stop()
		f.mu.Lock()
		if f.ctx.Err() != nil {
			return a2a.Frame{}, context.Cause(f.ctx)
		}
	}
}

// limit returns how long to wait before [flow.idle] is asked again.
func (f *flow) limit() time.Duration {
	t, gone := &f.g.hub.times, time.Since(f.since)
	next := min(t.Note, t.Unanswered) - gone
	switch {
	case f.cancel:
		next = t.Cancel - gone
	case !f.listed && !f.came:
		next = t.Absent - gone
	case f.noted:
		next = t.Unanswered - gone
	}
	return max(next, time.Millisecond)
}

// idle ends a flow on which nothing happens for too long, and says so before that.
func (f *flow) idle() (a2a.Frame, error, bool) {
	t, gone := &f.g.hub.times, time.Since(f.since)
	late := func(class, format string, args ...any) (a2a.Frame, error, bool) {
		f.err = &a2a.FlowError{Class: class, Sentence: fmt.Sprintf(format, args...)}
		return a2a.Frame{}, f.err, true
	}
	switch {
	case f.cancel && gone >= t.Cancel:
		return late(a2a.ClassTimeout, "The cancel was sent, but the task did not end within %s: it may be over already, or its agent gone.", t.Cancel)
	case f.cancel:
	case !f.listed && !f.came && gone >= t.Absent:
		return late(a2a.ClassRefused, "Nobody receives what is sent to this agent: it does not run, or has another name in this namespace.")
	case gone >= t.Unanswered:
		return late(a2a.ClassTimeout, "Nothing came for %s: the agent is gone, refused the request, or does not understand the dialect; a mesh has no way to ask.", t.Unanswered)
	case gone >= t.Note && !f.noted:
		f.noted = true
		return a2a.Frame{Notice: fmt.Sprintf("Nothing came for %s. Parley waits until %s.", t.Note, t.Unanswered)}, nil, true
	}
	return a2a.Frame{}, nil, false
}

// End describes the end.
func (f *flow) End() a2a.FlowEnd {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.end
}

// Close abandons the flow. What comes about its task is kept for a while.
func (f *flow) Close() error {
	f.mu.Lock()
	f.closed = true
	f.changed()
	f.mu.Unlock()
	f.g.detach(f)
	return nil
}

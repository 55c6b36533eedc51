package serve

import (
	"context"
	"errors"
	"sync"
	"time"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// An answered is an exchange that is being sent to a client, or was. Its agent works on when the client has
// left, or never saw the stream: the recorded times say how far it is.
type answered struct {
	x     *exchange
	limit int // of parts that come without a further message

	mu       sync.Mutex
	sent     int       // parts
	began    time.Time // when the request came
	alone    bool      // time says how far it is, because no client reads it
	over     bool      // the task was canceled here
	watchers map[*watcher]bool
}

// A watcher is an answer that ends when the task is canceled.
type watcher struct{ end context.CancelCauseFunc }

// errCanceled ends the answers about a task that was canceled here.
var errCanceled = errors.New("the task was canceled")

// newAnswered returns an exchange that begins to be sent. Alone it goes on up to the part with which the
// task waits for an answer.
func newAnswered(x *exchange, began time.Time) *answered {
	s := &answered{x: x, limit: len(x.parts), began: began}
	for i := range x.meaning {
		if x.meaning[i].state == a2a.StateInputRequired {
			s.limit = i + 1
			break
		}
	}
	return s
}

// reach notes that the client has so many parts.
func (s *answered) reach(sent int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over && !s.alone {
		s.sent = sent
	}
}

// leave notes that the agent goes on without a client, after so many parts at least.
func (s *answered) leave(sent int, began time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.alone {
		s.alone, s.began, s.sent = true, began, max(sent, s.sent)
	}
}

// position returns how many parts the agent has sent by now.
func (s *answered) position(now time.Time, speed float64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at(now, speed)
}

func (s *answered) at(now time.Time, speed float64) int {
	if s.over || !s.alone {
		return s.sent
	}
	var paused time.Duration
	if s.x.head != nil {
		paused = s.x.head.PauseTime
	}
	n := 0
	for i := range s.x.parts[:s.limit] {
		r := &s.x.parts[i]
		paused += r.PauseTime
		if scaled(r.Time.Sub(s.x.sent)-paused, speed) > now.Sub(s.began) {
			break
		}
		n = i + 1
	}
	return max(n, s.sent)
}

// start returns when the request came.
func (s *answered) start() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.began
}

// scaled returns a recorded time at a speed.
func scaled(d time.Duration, speed float64) time.Duration {
	if speed <= 0 {
		return 0
	}
	return time.Duration(float64(d) / speed)
}

// watch ends a context when the task is canceled here, until done is called.
func (s *answered) watch(ctx context.Context) (watched context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watcher{cancel}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		cancel(errCanceled)
	}
	if s.watchers == nil {
		s.watchers = map[*watcher]bool{}
	}
	s.watchers[w] = true
	return ctx, func() {
		cancel(nil)
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, w)
	}
}

// cancel ends the exchange where it is.
func (s *answered) cancel(now time.Time, speed float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent, s.over = s.at(now, speed), true
	for w := range s.watchers {
		w.end(errCanceled)
	}
}

// farewell returns the last event of a stream about a task that was canceled, or its task as the answer to
// a plain send; ok is false if the dialect cannot say it.
func (x *exchange) farewell(t *taskPieces, f *facts, stream bool) (r a2a.Record, ok bool) {
	if !stream {
		return x.part(f, t.result(), false, time.Time{})
	}
	id, context := jsontok.Quote(t.id), jsontok.Quote(t.context)
	update := append(append([]byte(`{"taskId":`), id...), `,"contextId":`...)
	update = append(append(append(update, context...), `,"status":`...), t.status...)
	if x.call.Dialect.Number() != a2a.V10.Number() {
		update = append(update, `,"final":true`...)
	}
	switch {
	case x.call.Dialect == a2a.V01:
		update = append(append(append([]byte(`{"id":`), id...), `,"status":`...), t.status...)
		update = append(update, `,"final":true}`...)
	case t.wrapped:
		update = append(append([]byte(`{"statusUpdate":`), update...), `}}`...)
	default:
		update = append(update, `,"kind":"status-update"}`...)
	}
	return x.part(f, update, true, time.Time{})
}

package a2a_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/a2a"
)

// readControlled streams from url with a Control until the stream ends.
func readControlled(ctx context.Context, t *testing.T, tp *tape, url string, c *a2a.Control, each func(a2a.Update)) a2a.Answer {
	t.Helper()
	client := a2a.NewClient(profile(a2a.V10, url), nil, options(tp, url))
	defer client.Close()
	out := client.Do(ctx, request(a2a.OpStream), a2a.Hooks{Recorded: each, Control: c})
	tp.check(t)
	if id, _ := c.Exchange(); id != 0 {
		t.Errorf("got current exchange %d after the stream, want 0", id)
	}
	return out
}

func TestAConnectionIsCutAfterSoManyEvents(t *testing.T) {
	t.Parallel()
	all := strings.Repeat(status("WORKING"), 9)
	lines := strings.ReplaceAll(strings.ReplaceAll(all, "data: ", ""), "\n\n", "\n")
	for _, framed := range []struct{ name, media, body string }{{"events", "text/event-stream", all}, {"lines", "application/x-ndjson", lines}} {
		for _, after := range []int{-1, 0, 1, 4, 9, 20} {
			t.Run(fmt.Sprint(framed.name, after), func(t *testing.T) {
				agent := serve(t, answer(200, framed.media, framed.body))
				tp := newTape()
				var c a2a.Control
				c.Cut(after) // called before the answer begins, and valid for it
				out := readControlled(t.Context(), t, tp, agent.URL, &c, nil)
				want := max(after, 0)
				if want > 9 {
					if out.End.Reason != a2a.Ended || out.Events != 9 {
						t.Errorf("got %d events and end %+v, want 9 and %q", out.Events, out.End, a2a.Ended)
					}
					return
				}
				if out.Events != want || out.End.Reason != a2a.Cut {
					t.Errorf("got %d events and end %+v, want %d and %q", out.Events, out.End, want, a2a.Cut)
				}
				sentence(t, out.End.Sentence, "You cut this stream")
			})
		}
	}
}

// Events of one answer do not count for the next one.
func TestACutBetweenTwoAnswersIsOfTheNext(t *testing.T) {
	t.Parallel()
	agent := serve(t, answer(200, "text/event-stream", strings.Repeat(status("WORKING"), 9)))
	var c a2a.Control
	readControlled(t.Context(), t, newTape(), agent.URL, &c, nil)
	c.Cut(2)
	if out := readControlled(t.Context(), t, newTape(), agent.URL, &c, nil); out.Events != 2 || out.End.Reason != a2a.Cut {
		t.Errorf("got %d events and end %+v, want 2 and %q", out.Events, out.End, a2a.Cut)
	}
}

func TestAConnectionIsCutWhileItIsSilent(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, status("WORKING")+"data: {")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(gone)
	})
	tp := newTape()
	var c a2a.Control
	out := readControlled(t.Context(), t, tp, agent.URL, &c, func(a2a.Update) {
		if id, n := c.Exchange(); id != 1 || n != 1 {
			t.Errorf("got exchange %d with %d events, want 1 with 1", id, n)
		}
		go c.Cut(0)
	})
	if out.Events != 1 || out.End.Reason != a2a.Cut || tp.records[len(tp.records)-1].End.Class != a2a.ClassSevered {
		t.Errorf("got %d events and end %+v, want 1 and %q", out.Events, out.End, a2a.Cut)
	}
	<-gone // the agent sees the closed connection
}

func TestReadingStopsAndGoesOn(t *testing.T) {
	t.Parallel()
	const events = 50
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range events {
			_, _ = io.WriteString(w, status("WORKING"))
		}
	})
	tp := newTape()
	var c a2a.Control
	waits := make(chan struct{})
	said := sync.OnceFunc(func() { close(waits) })
	tp.now = func() time.Time {
		if c.Paused() {
			said() // from here on bytes wait
		}
		return time.Now()
	}
	got := 0
	go func() {
		<-waits
		tp.mu.Lock()
		n := len(tp.of(a2a.KindEvent))
		tp.mu.Unlock()
		if n != 5 || !c.Paused() {
			t.Errorf("got %d events and Paused %v during the pause, want 5 and true", n, c.Paused())
		}
		c.Resume()
	}()
	out := readControlled(t.Context(), t, tp, agent.URL, &c, func(a2a.Update) {
		if got++; got == 5 {
			c.Pause()
			c.Pause()
		}
	})
	if out.Events != events || out.End.Reason != a2a.Ended || c.Paused() {
		t.Errorf("got %d events and end %+v, want %d and %q", out.Events, out.End, events, a2a.Ended)
	}
	for i, r := range tp.of(a2a.KindEvent) {
		if held := r.PauseTime > 0; held != (i == 5) {
			t.Errorf("event %d has Held %v, want a time for event 5 only", i, r.PauseTime)
		}
	}
}

// While reading is paused, the agent cannot write.
func TestAnAgentFeelsThatNobodyReads(t *testing.T) {
	t.Parallel()
	sent := make(chan int, 1)
	frame := "data: " + strings.Repeat("x", 64<<10) + "\n\n"
	const frames = 2000 // 128 MB, more than the network buffers
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		n := 0
		for ; n < frames; n++ {
			if _, err := io.WriteString(w, frame); err != nil {
				break
			}
		}
		sent <- n
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var c a2a.Control
	tp := newTape()
	tp.before = func(r a2a.Record) {
		if r.Kind == a2a.KindHead {
			c.Pause()
			cancel() // the buffers of the connection are full now
		}
	}
	out := readControlled(ctx, t, tp, agent.URL, &c, nil)
	if n := <-sent; n == frames || out.End.Reason != a2a.Cancelled {
		t.Errorf("agent sent %d frames of %d, end %+v; want fewer and %q", n, frames, out.End, a2a.Cancelled)
	}
}

func TestACutWinsOverAStop(t *testing.T) {
	t.Parallel()
	agent := serve(t, answer(200, "text/event-stream", strings.Repeat(status("WORKING"), 3)))
	var c a2a.Control
	first := true
	out := readControlled(t.Context(), t, newTape(), agent.URL, &c, func(a2a.Update) {
		if first {
			first = false
			c.Pause()
			go c.Cut(0)
		}
	})
	if out.End.Reason != a2a.Cut || out.Events != 1 {
		t.Errorf("got %d events and end %+v, want 1 and %q", out.Events, out.End, a2a.Cut)
	}
}

package engine

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

func TestAStreamWithoutBytesIsToldOfUntilBytesCome(t *testing.T) {
	t.Parallel()
	const idle = 8 * time.Second
	ticks := make(chan time.Time)
	armed := make(chan struct{}, 100) // the engine waits for a tick
	began := time.Now()
	var late atomic.Int64 // the time that the clock shows as passed
	d := newHarness(t, func(o *options) {
		after := o.After
		o.Idle = 0
		o.Now = func() time.Time { return began.Add(time.Duration(late.Load())) }
		o.After = func(wait time.Duration) <-chan time.Time {
			if wait > idle/2 && wait <= idle {
				armed <- struct{}{}
				return ticks
			}
			return after(wait)
		}
	})
	more := make(chan string)
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprintf(w, `{"name":"Mute","version":"1","supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
				"capabilities":{"streaming":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[]}`, s.URL)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for text := range more {
			fmt.Fprint(w, text)
			w.(http.Flusher).Flush()
		}
	}))
	defer s.Close()
	stop := sync.OnceFunc(func() { close(more) })
	defer stop()
	event := func(state string) string {
		return fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"result\":{\"statusUpdate\":{\"taskId\":\"t\",\"contextId\":\"c\",\"status\":{\"state\":\"TASK_STATE_%s\"}}}}\n\n", state)
	}
	agent := d.openAgent(s.URL)
	id := d.Send(model.Target{Agent: agent}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("go")}}, model.SendOptions{})
	more <- event("WORKING")
	d.until("the event", func(it log.Item) bool { return it.Record.Kind == a2a.KindEvent })
	tick := func() {
		await(t, armed, "the engine to look for silence")
		ticks <- time.Time{}
	}
	tick() // too soon
	await(t, armed, "the engine to look for silence")
	late.Add(int64(9 * time.Second))
	ticks <- time.Time{}
	if sig := d.waitForSignal(log.SignalStall); sig.Turn != id || sig.After < 9*time.Second || sig.TaskID != "t" {
		t.Errorf("got signal %+v, want the turn, the task and at least 9 s", sig)
	}
	turn := d.state.Turn(id)
	stream := d.state.Log.Stream(turn.Record)
	now := func() time.Time { return began.Add(time.Duration(late.Load())) }
	if turn.Stalled == nil || !turn.Pending || stream.Stall(now()) < 9*time.Second {
		t.Errorf("got turn %+v, stream %+v; want both stalled, the turn pending", turn, stream)
	}
	more <- ": still here\n"
	d.waitForSignal(log.SignalStallEnded)
	if turn.Stalled != nil || stream.Stall(now()) != 0 {
		t.Error("turn or stream is stalled after bytes came, want neither stalled")
	}
	tick()
	await(t, armed, "the engine to look for silence")
	late.Add(int64(idle))
	ticks <- time.Time{}
	d.waitForSignal(log.SignalStall)
	more <- event("COMPLETED")
	stop()
	if sig := d.waitForTurnEnd(id); sig.Sentence != "" || turn.Stalled != nil {
		t.Errorf("got turn end %+v, stalled %v; want no failure, not stalled", sig, turn.Stalled)
	}
	d.finish()
}

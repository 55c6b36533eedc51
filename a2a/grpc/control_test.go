package grpc_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/grpc/grpctest"
)

// endless answers with chunks until the call ends, and counts them.
func endless(sent *atomic.Int64) func(*grpctest.Call) error {
	return func(c *grpctest.Call) error {
		if err := c.Answer(working); err != nil {
			return err
		}
		for {
			if err := c.Answer(`{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":true,"artifact":{"artifactId":"a","parts":[{"text":"` + strings.Repeat("x", 1000) + `"}]}}}`); err != nil {
				return err
			}
			sent.Add(1)
		}
	}
}

func TestACutEndsAStreamAfterSoManyEvents(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	server := grpctest.Start(t, endless(&sent))
	client, tape := newClient(t, "grpc://"+server.Address, a2a.V10)
	control := &a2a.Control{}
	control.Cut(5)
	out := do(t, client, request(a2a.OpStream), a2a.Hooks{Control: control})
	if out.End.Reason != a2a.Cut || out.End.Class != a2a.ClassSevered || len(tape.of(a2a.KindEvent)) != 5 {
		t.Errorf("got %+v after %d events", out.End, len(tape.of(a2a.KindEvent)))
	}
	if id, _ := control.Exchange(); id != 0 {
		t.Error("got an answer under control after its end")
	}
}

func TestAPauseHoldsTheAgentBack(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	server := grpctest.Start(t, endless(&sent))
	client, tape := newClient(t, "grpc://"+server.Address, a2a.V10)
	control := &a2a.Control{}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	paused := make(chan struct{})
	count := 0
	over := make(chan a2a.Outcome)
	go func() {
		over <- client.Do(ctx, request(a2a.OpStream), a2a.Hooks{Control: control, Recorded: func(a2a.Update) {
			if count++; count == 10 {
				control.Pause()
				close(paused)
			}
		}})
	}()
	<-paused
	held := sent.Load()
	for still := 0; still < 5; { // until the agent waits
		time.Sleep(20 * time.Millisecond)
		if now := sent.Load(); now == held {
			still++
		} else {
			held, still = now, 0
		}
	}
	if n := len(tape.of(a2a.KindEvent)); n != 10 {
		t.Errorf("got %d events while reading was paused, want 10", n)
	}
	control.Resume()
	for sent.Load() < held+100 {
		time.Sleep(time.Millisecond)
	}
	control.Cut(0)
	if out := <-over; out.End.Class != a2a.ClassSevered {
		t.Errorf("got %+v", out.End)
	}
	late := time.Duration(0)
	for _, r := range tape.of(a2a.KindEvent) {
		late = max(late, r.PauseTime)
	}
	if late < 50*time.Millisecond {
		t.Errorf("got a pause of %s in the records", late)
	}
}

func TestACallEndsWithItsContextAndWithItsTime(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{}, 2)
	server := grpctest.Start(t, func(c *grpctest.Call) error {
		<-c.Stream.Context().Done()
		ended <- struct{}{}
		return c.Stream.Context().Err()
	})
	client, _ := newClient(t, "grpc://"+server.Address, a2a.V10, func(o *a2a.Options) { o.AnswerTimeout = 300 * time.Millisecond })
	out := do(t, client, request(a2a.OpGet), a2a.Hooks{})
	if out.End.Reason != a2a.TimedOut || !strings.Contains(out.End.Sentence, "did not answer within 300ms") {
		t.Errorf("got %+v, want a timeout", out.End)
	}
	<-ended
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	out = client.Do(ctx, request(a2a.OpStream), a2a.Hooks{})
	if out.End.Reason != a2a.Cancelled {
		t.Errorf("got %+v, want the end by Parley", out.End)
	}
	<-ended
}

func TestACloseDisturbsNoCall(t *testing.T) {
	t.Parallel()
	begun, go_on := make(chan struct{}), make(chan struct{})
	server := grpctest.Start(t, func(c *grpctest.Call) error {
		close(begun)
		<-go_on
		return c.Answer(task1)
	})
	client, _ := newClient(t, "grpc://"+server.Address, a2a.V10)
	over := make(chan a2a.Outcome)
	go func() { over <- do(t, client, request(a2a.OpGet), a2a.Hooks{}) }()
	<-begun
	client.Close()
	close(go_on)
	if out := <-over; out.Err != nil {
		t.Errorf("got %v", out.Err)
	}
}

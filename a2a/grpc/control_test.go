package grpc_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"parley/a2a"
	"parley/a2a/grpc/grpctest"
	"parley/internal/pipetest"
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

// newClientOnPipes returns a client for a test in a bubble, and its agent answers by a script. The agent is
// not on this machine, where a client tries TLS first: its handshake with a server without TLS, both of
// which write first, would not end on a pipe.
func newClientOnPipes(t *testing.T, script func(*grpctest.Call) error, set ...func(*a2a.Options)) (*a2a.Client, *tape) {
	t.Helper()
	pipes := pipetest.New()
	grpctest.Serve(t, pipes, script)
	return newClient(t, "grpc://agent.example:1", a2a.V10, append(set, func(o *a2a.Options) { o.Dial = pipes.Dial })...)
}

func TestAPauseHoldsTheAgentBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sent atomic.Int64
		client, tape := newClientOnPipes(t, endless(&sent))
		control := &a2a.Control{}
		const events = 1000
		count := 0
		over := make(chan a2a.Answer)
		go func() {
			over <- client.Do(t.Context(), request(a2a.OpStream), a2a.Hooks{Control: control, Recorded: func(a2a.Update) {
				switch count++; count {
				case 10:
					control.Pause()
				case events:
					control.Cut(0)
				}
			}})
		}()
		synctest.Wait() // until the agent waits as well
		if n := len(tape.of(a2a.KindEvent)); n != 10 {
			t.Errorf("got %d events while reading was paused, want 10", n)
		}
		if n := sent.Load(); n >= events {
			t.Errorf("got %d events sent while reading was paused, want fewer than %d", n, events)
		}
		const pause = time.Minute
		time.Sleep(pause)
		control.Resume()
		if out := <-over; out.End.Class != a2a.ClassSevered {
			t.Errorf("got %+v", out.End)
		}
		if n := sent.Load(); n < events {
			t.Errorf("got %d events sent after reading went on, want at least %d", n, events)
		}
		late := time.Duration(0)
		for _, r := range tape.of(a2a.KindEvent) {
			late = max(late, r.PauseTime)
		}
		if late != pause {
			t.Errorf("got a pause of %s in the records, want %s", late, pause)
		}
	})
}

// On a socket reading stops and goes on as well.
func TestReadingGoesOnAfterAPause(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	server := grpctest.Start(t, endless(&sent))
	client, tape := newClient(t, "grpc://"+server.Address, a2a.V10)
	control := &a2a.Control{}
	count, paused := 0, make(chan struct{})
	over := make(chan a2a.Answer, 1)
	go func() {
		over <- do(t, client, request(a2a.OpStream), a2a.Hooks{Control: control, Recorded: func(a2a.Update) {
			switch count++; count {
			case 10:
				control.Pause()
				close(paused)
			case 1000:
				control.Cut(0)
			}
		}})
	}()
	await(t, paused, "ten events")
	if n := len(tape.of(a2a.KindEvent)); n != 10 || !control.Paused() {
		t.Errorf("got %d events and paused %v, want 10 and a pause", n, control.Paused())
	}
	control.Resume()
	if out := await(t, over, "the end of the stream"); out.End.Class != a2a.ClassSevered || count != 1000 {
		t.Errorf("got %+v after %d events, want a cut after 1000", out.End, count)
	}
}

func TestACallEndsWithItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{}, 1)
		client, _ := newClientOnPipes(t, func(c *grpctest.Call) error {
			<-c.Stream.Context().Done()
			ended <- struct{}{}
			return c.Stream.Context().Err()
		}, func(o *a2a.Options) { o.AnswerTimeout = 300 * time.Millisecond })
		out := do(t, client, request(a2a.OpGet), a2a.Hooks{})
		if out.End.Reason != a2a.TimedOut || !strings.Contains(out.End.Sentence, "did not answer within 300ms") {
			t.Errorf("got %+v, want a timeout", out.End)
		}
		await(t, ended, "the end of the call")
	})
}

func TestACallEndsWithItsContext(t *testing.T) {
	t.Parallel()
	begun, ended := make(chan struct{}), make(chan struct{}, 1)
	server := grpctest.Start(t, func(c *grpctest.Call) error {
		close(begun)
		<-c.Stream.Context().Done()
		ended <- struct{}{}
		return c.Stream.Context().Err()
	})
	client, _ := newClient(t, "grpc://"+server.Address, a2a.V10)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	go func() {
		<-begun
		cancel()
	}()
	out := client.Do(ctx, request(a2a.OpStream), a2a.Hooks{})
	if out.End.Reason != a2a.Cancelled {
		t.Errorf("got %+v, want the end by Parley", out.End)
	}
	await(t, ended, "the end of the call")
}

// await returns what comes on a channel; what it waits for is in the failure after a minute.
func await[T any](t *testing.T, c <-chan T, what string) T {
	t.Helper()
	select {
	case got := <-c:
		return got
	case <-time.After(time.Minute):
		t.Fatalf("after a minute: got nothing, want %s", what)
		panic("unreachable")
	}
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
	over := make(chan a2a.Answer)
	go func() { over <- do(t, client, request(a2a.OpGet), a2a.Hooks{}) }()
	await(t, begun, "the call")
	client.Close()
	close(go_on)
	if out := <-over; out.Err != nil {
		t.Errorf("got %v", out.Err)
	}
}

//go:build unix

package cli

import (
	"context"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A command that a signal ends names the signal and the next command, whichever signal it was
// and however far the command had come.
func TestASignalIsNamedWithTheWayToGoOn(t *testing.T) { // not parallel: it sends signals to the process
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		name := signalName(sig)
		busy := make(chan struct{}, 1)
		s := newStub(t, plainCard, func(q *asked, _ http.ResponseWriter) { busy <- struct{}{}; <-q.req.Context().Done() })
		ctx, stop := NotifyContext(t.Context())
		go func() {
			<-busy
			_ = syscall.Kill(os.Getpid(), sig)
		}()
		r := commandLine{args: []string{"send", "-a", s.URL, "x", "--dialect", "v0.1"}, ctx: ctx}.run(t)
		stop()
		if r.code != 1 || !strings.Contains(r.err, "Error: Stopped by "+name+"; task ") || !strings.Contains(r.err, "Hint: parley task get ") {
			t.Errorf("%s while sending: got exit %d, want 1 with the signal and the way back\n%s", name, r.code, r.err)
		}

		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(signalError(name))
		r = commandLine{args: []string{"card", "get", s.URL}, ctx: ctx}.run(t)
		if r.code != 1 || !strings.Contains(r.err, "Error: Stopped by "+name+".") || !strings.Contains(r.err, "Hint: Run the command again") {
			t.Errorf("%s before the card: got exit %d, want 1 with the signal\n%s", name, r.code, r.err)
		}
	}
}

// A blocked terminal does not keep the program from ending.
func TestAStoppedTerminalIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	late, ended := make(chan time.Time), make(chan struct{})
	go func() {
		writeLast(w, strings.Repeat("x", 1<<20), late) // more than a pipe holds
		close(ended)
	}()
	minute := time.After(time.Minute)
	select {
	case late <- time.Time{}: // it waits for the terminal
		select {
		case <-ended:
		case <-minute:
			t.Error("after a minute: got no end, want one without the terminal")
		}
	case <-minute:
		t.Error("after a minute: nobody waits for the terminal")
	}
	r.Close()
	w.Close()
}

//go:build unix

package cli

import (
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// Ctrl+c on a terminal offers to cancel the task or to leave it.
func TestAnInterruptOffersToCancelOrToLeave(t *testing.T) { // not parallel: it sends a signal to the process
	for _, c := range []struct {
		keys, want string
		code       int
	}{
		{"c\n", "State: canceled", 0},
		{"\n", "You left task t1", 1},
	} {
		ctx, stop := NotifyContext(t.Context())
		user, terminal, err := pty.Open()
		if err != nil {
			t.Skip(err)
		}
		all := make(chan string)
		go func() {
			var screen strings.Builder
			var interrupt, answer sync.Once
			for b := make([]byte, 1024); ; {
				n, err := user.Read(b)
				screen.Write(b[:n])
				if strings.Contains(screen.String(), "waiting for task t1") {
					interrupt.Do(func() { _ = syscall.Kill(os.Getpid(), syscall.SIGINT) })
				}
				if strings.Contains(screen.String(), "to cancel it, w and enter") {
					answer.Do(func() { _, _ = user.WriteString(c.keys) })
				}
				if err != nil {
					all <- screen.String()
					return
				}
			}
		}()
		canceled := make(chan struct{})
		s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
			if q.Method == "CancelTask" {
				q.result(w, strings.Replace(working, "WORKING", "CANCELED", 1))
				close(canceled)
				return
			}
			q.event(w, task(working))
			select {
			case <-canceled:
				q.event(w, status("CANCELED"))
			case <-q.req.Context().Done():
			}
		})
		code := Run(ctx, []string{"send", "-a", s.URL, "x"}, nil, Streams{In: terminal, Out: terminal, Err: terminal})
		stop()
		terminal.Close()
		if screen := <-all; code != c.code || !strings.Contains(screen, c.want) {
			t.Errorf("%q: got exit %d and %q, want %d and %q", c.keys, code, screen, c.code, c.want)
		}
		user.Close()
	}
}

// A chat goes on after a task that the user left.
func TestAChatGoesOnAfterATaskThatWasLeft(t *testing.T) { // not parallel: it sends a signal to the process
	ctx, stop := NotifyContext(t.Context())
	defer stop()
	user, terminal, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer user.Close()
	all := make(chan string)
	steps := []struct {
		sees string
		do   func()
	}{
		{"lists the commands", func() { _, _ = user.WriteString("first\r") }},
		{"part of it", func() { _ = syscall.Kill(os.Getpid(), syscall.SIGINT) }},
		{"enter leaves it, ctrl+c ends the chat", func() { _, _ = user.WriteString("\n") }},
		{"you left task t1", func() { _, _ = user.WriteString("second\r") }},
		{"State: completed", func() { _, _ = user.WriteString("/quit\r") }},
	}
	go func() {
		var screen strings.Builder
		for b := make([]byte, 1024); ; {
			n, err := user.Read(b)
			screen.Write(b[:n])
			for len(steps) > 0 && strings.Contains(screen.String(), steps[0].sees) {
				steps[0].do()
				steps = steps[1:]
			}
			if err != nil {
				all <- screen.String()
				return
			}
		}
	}()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		if at(q.Params, "message", "parts", 0, "text") == "second" {
			q.event(w, task(completed))
			return
		}
		q.event(w, task(working))
		q.event(w, growth("a", false, `{"text":"part of it"}`))
		<-q.req.Context().Done()
	})
	code := Run(ctx, []string{"chat", "--plain", s.URL}, nil, Streams{In: terminal, Out: terminal, Err: terminal})
	terminal.Close()
	if screen := <-all; code != 0 || strings.Contains(screen, "Error") {
		t.Errorf("got exit %d and %q, want 0 and two turns", code, screen)
	}
}

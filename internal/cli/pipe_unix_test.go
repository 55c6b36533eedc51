//go:build unix

package cli

import (
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// The reader of a pipe that has gone ends the command at once, without a sentence.
func TestAClosedPipeEndsTheCommandQuietly(t *testing.T) {
	t.Parallel()
	ctx, stop := NotifyContext(t.Context()) // or a closed pipe would end the tests
	defer stop()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		if q.Method != "SendStreamingMessage" {
			q.fail(w, -32601, "no")
			return
		}
		q.event(w, task(working))
		for q.req.Context().Err() == nil {
			q.event(w, growth("a", true, `{"text":"more\n"}`))
		}
	})
	for _, format := range []string{"text", "json", "answer"} {
		out, in, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		errFile, err := os.CreateTemp(t.TempDir(), "err")
		if err != nil {
			t.Fatal(err)
		}
		defer errFile.Close()
		go func() {
			_, _ = out.Read(make([]byte, 1))
			out.Close()
		}()
		code := Run(ctx, []string{"send", "-a", s.URL, "x", "--stream", "-o", format}, nil, Streams{In: errFile, Out: in, Err: errFile})
		in.Close()
		if told := content(t, errFile); code != int(statusPipe) || strings.Contains(told, "Error") {
			t.Errorf("%s: got exit %d and %q, want %d without an error", format, code, told, statusPipe)
		}
	}
}

func TestRawBytesAreNotForATerminal(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, done)
	code, screen := onTerminal(t, t.Context(), "", "send", "-a", s.URL, "x", "-o", "answer", "--raw")
	if code != 2 || !strings.Contains(screen, "can control the terminal") {
		t.Errorf("got exit %d and %q, want a refusal", code, screen)
	}
}

// onTerminal runs a command line on a terminal and returns everything that the terminal got.
func onTerminal(t *testing.T, ctx context.Context, keys string, args ...string) (code int, screen string) {
	t.Helper()
	user, terminal, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer user.Close()
	read := make(chan string)
	go func() {
		b, _ := io.ReadAll(user)
		read <- string(b)
	}()
	if keys != "" {
		_, _ = user.WriteString(keys)
	}
	code = Run(ctx, args, nil, Streams{In: terminal, Out: terminal, Err: terminal})
	terminal.Close()
	select {
	case screen = <-read:
	case <-time.After(time.Minute):
		t.Fatal("the terminal stays open")
	}
	return code, screen
}

// While nothing comes, a line on the terminal says so; it is erased before the answer.
func TestATerminalShowsThatNothingComes(t *testing.T) {
	t.Parallel()
	user, terminal, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer user.Close()
	shown, all := make(chan struct{}), make(chan string)
	go func() {
		var screen strings.Builder
		var once sync.Once
		for b := make([]byte, 1024); ; {
			n, err := user.Read(b)
			screen.Write(b[:n])
			if strings.Contains(screen.String(), "/ waiting for the agent, 1s") {
				once.Do(func() { close(shown) })
			}
			if err != nil {
				all <- screen.String()
				return
			}
		}
	}()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		select {
		case <-shown:
		case <-q.req.Context().Done():
		}
		done(q, w)
	})
	code := Run(t.Context(), []string{"send", "-a", s.URL, "x"}, nil, Streams{In: terminal, Out: terminal, Err: terminal})
	terminal.Close()
	if screen := <-all; code != 0 || !strings.Contains(screen, "\r   ") || !strings.Contains(screen, "\rArtifact: report") {
		t.Errorf("got exit %d and %q, want the line erased before the answer", code, screen)
	}
}

// What standard error says does not run into a line of the answer on the same terminal.
func TestNotesOnATerminalBeginALine(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		q.event(w, task(working))
		q.event(w, growth("a", false, `{"text":"a line"}`))
		q.event(w, `{"nothing":"known"}`)
		q.event(w, growth("a", true, `{"text":" goes on"}`))
		q.event(w, status("COMPLETED"))
	})
	for _, format := range []string{"text", "answer"} {
		code, screen := onTerminal(t, t.Context(), "", "send", "-a", s.URL, "x", "--stream", "-o", format)
		if i := strings.Index(screen, "Warning: record"); code != 0 || i < 1 || screen[i-1] != '\n' && screen[i-1] != '\r' || !strings.Contains(screen, "a line\r\n") {
			t.Errorf("%s: got exit %d and %q, want the warning on a line of its own", format, code, screen)
		}
	}
}

//go:build unix

package cli

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// onScreen runs a command on a terminal of 100×40, and returns what the screen shows and everything
// that was written to it.
func onScreen(t *testing.T, args ...string) (screen, all string, code int) {
	t.Helper()
	return played(t, func(string) string { return "" }, args)
}

// played runs a command on a terminal of 100×40. After each output, types returns what the user
// types, given everything that was written.
func played(t *testing.T, types func(all string) string, args []string) (screen, all string, code int) {
	t.Helper()
	user, terminal, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer user.Close()
	if err := pty.Setsize(terminal, &pty.Winsize{Rows: 40, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	type shown struct{ screen, all string }
	done := make(chan shown)
	go func() {
		emulator := vt.NewEmulator(100, 40)
		go func() {
			for b := make([]byte, 1024); ; {
				n, err := emulator.Read(b) // its answers
				if err != nil {
					return
				}
				_, _ = user.Write(b[:n])
			}
		}()
		var all strings.Builder
		for b := make([]byte, 4096); ; {
			n, err := user.Read(b)
			all.Write(b[:n])
			_, _ = emulator.Write(b[:n])
			_, _ = user.WriteString(types(all.String()))
			if err != nil {
				if pipe, ok := emulator.InputPipe().(io.Closer); ok { // to close the emulator would race with Read
					_ = pipe.Close()
				}
				done <- shown{emulator.String(), all.String()}
				return
			}
		}
	}()
	code = Run(t.Context(), args, []string{"TERM=xterm-256color", "COLORTERM=truecolor", "XDG_STATE_HOME=" + t.TempDir()}, Streams{In: terminal, Out: terminal, Err: terminal})
	terminal.Close()
	s := <-done
	var rows []string
	for row := range strings.Lines(s.screen) {
		rows = append(rows, strings.TrimRight(row, " \n"))
	}
	return strings.TrimRight(strings.Join(rows, "\n"), "\n") + "\n", s.all, code
}

// An exchanged text is what the user types after something new is on the terminal. Without keys the
// user waits for what the next one names: ctrl+d counts only while a text field is there.
type exchanged struct{ after, keys string }

// converse runs a command on a terminal whose user waits for texts before typing.
func converse(t *testing.T, args []string, script []exchanged) (screen, all string, code int) {
	t.Helper()
	next, from := 0, 0
	return played(t, func(all string) string {
		for next < len(script) {
			x := script[next]
			i := strings.Index(all[from:], x.after)
			if i < 0 {
				return ""
			}
			next++
			if x.keys != "" {
				from = len(all)
				return x.keys
			}
			from += i + len(x.after)
		}
		return ""
	}, args)
}

func TestAnAnswerIsDrawnAsItComes(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		q.event(w, task(working))
		q.event(w, growth("a", false, `{"text":"# Ti"}`))
		q.event(w, status("WORKING"))
		q.event(w, growth("a", true, `{"text":"tle\n\n* **on"}`))
		q.event(w, growth("a", true, `{"text":"e**\n* \u001b[2Jtwo\n"}`))
		q.event(w, growth("b", false, fmt.Sprintf(`{"raw":%q,"mediaType":"image/png","filename":"dot.png"}`, base64.StdEncoding.EncodeToString(dot))))
		q.event(w, status("COMPLETED"))
	})
	screen, all, code := onScreen(t, "send", "-a", s.URL, "x", "-o", "live")
	want := "Task: t1\nContext: c1\nState: working\nArtifact: a\n  # Title\n\n  • one\n  • ⟨ESC⟩two\n\nArtifact: b\nFile: dot.png, image/png, " + fmt.Sprint(len(dot)) + " bytes\n  ▀\n\nState: completed\nResume: "
	if code != 0 || !strings.Contains(screen, want) {
		t.Errorf("got exit %d and screen\n%s\nwant\n%s", code, screen, want)
	}
	if strings.Contains(all, "\x1b[2J") {
		t.Errorf("got a sequence of the agent on the terminal:\n%q", all)
	}
}

// Without a terminal, the answer is text.
func TestNothingIsDrawnWithoutATerminal(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		q.event(w, task(working))
		q.event(w, growth("a", false, `{"text":"**bold**"}`))
		q.event(w, status("COMPLETED"))
	})
	r := parley(t, "send", "-a", s.URL, "x", "-o", "live")
	if r.code != 0 || !strings.Contains(r.out, "Text:\n  **bold**\n") || strings.Contains(r.out, "\x1b") {
		t.Errorf("got exit %d and %q, want text", r.code, r.out)
	}
	if r = parley(t, "task", "get", "-a", s.URL, "t1", "-o", "live"); r.code != 2 || !strings.Contains(r.err, "The value of --output is none of text, json and answer.") {
		t.Errorf("got exit %d and %q, want 2", r.code, r.err)
	}
}

// On a terminal a chat has a text field with history, which the next run knows too, and a task that
// waits is named. What a task in auth-required gets is a secret.
func TestAChatOnATerminal(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		state := []string{"COMPLETED", "INPUT_REQUIRED", "AUTH_REQUIRED", "COMPLETED"}[min(q.nth, 4)-1]
		q.result(w, fmt.Sprintf(`{"task":{"id":"t%d","contextId":"c1","status":{"state":"TASK_STATE_%s"}}}`, q.nth, state))
	})
	screen, all, code := converse(t, []string{"chat", s.URL}, []exchanged{
		{"start a task", "first\r"}, {"start a task in the same context", "\x1b[A\r"}, {"answer task t2 (input-required)", "yes\r"},
		{"answer task t3 (auth-required)", "hunter2\r"}, {"start a task in the same context", "/history\r"}, {"You: yes", ""}, {"start a task in the same context", "\x04"},
	})
	var sent []string
	for _, q := range s.asked("SendMessage") {
		sent = append(sent, fmt.Sprint(at(q.Params, "message", "parts", 0, "text")))
	}
	if got := strings.Join(sent, ","); code != 0 || got != "first,first,yes,hunter2" {
		t.Errorf("got exit %d and messages %q, want 0 and four\n%s", code, got, screen)
	}
	if strings.Contains(all, "hunter2") {
		t.Errorf("got the secret on the terminal\n%s", screen)
	}
}

// Artifacts that grow at the same time are drawn one after the other, each whole.
func TestArtifactsAreDrawnOneAfterTheOther(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		q.event(w, task(working))
		q.event(w, growth("a", false, `{"text":"one "}`))
		q.event(w, growth("b", false, `{"text":"three "}`))
		q.event(w, growth("a", true, `{"text":"two"}`))
		q.event(w, growth("c", false, `{"text":"five"}`))
		q.event(w, growth("b", true, `{"text":"four"}`))
		q.event(w, status("COMPLETED"))
	})
	screen, _, code := onScreen(t, "send", "-a", s.URL, "x", "-o", "live")
	if want := "Artifact: a\n  one two\n\nArtifact: b\n  three four\n\nArtifact: c\n  five\n\nState: completed\n"; code != 0 || !strings.Contains(screen, want) {
		t.Errorf("got exit %d and screen\n%s\nwant\n%s", code, screen, want)
	}
}

// A text that comes in status messages grows on the screen as that of an artifact does.
func TestATextInStatusMessagesIsDrawnAsItComes(t *testing.T) {
	t.Parallel()
	screen, _, code := onScreen(t, "send", "-a", speaker(t).URL, "x", "-o", "live")
	want := "State: working\nMessage: agent\n  Looking at it\n\nMessage: agent\n  Asking\n\nMessage: agent\n  Hello! It\n  goes on.\n\nMessage: agent\n  Two words\n\nMessage: agent\n  ⟨ESC⟩\n\nState: completed\n"
	if code != 0 || !strings.Contains(screen, want) {
		t.Errorf("got exit %d and screen\n%s\nwant\n%s", code, screen, want)
	}
}

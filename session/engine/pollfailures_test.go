package engine

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// newFaltering starts an agent that begins a task and answers each get with the next word of answers: a state, or
// "down" for a page of a proxy, "502" for one with that status, "503" for one that says when to ask again. It returns its URL and how many gets it has answered.
func newFaltering(t *testing.T, answers ...string) (url string, gets *atomic.Int32) {
	gets = &atomic.Int32{}
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		state := "WORKING"
		switch {
		case r.Method == http.MethodGet:
			fmt.Fprintf(w, `{"name":"Faltering","description":"d","version":"1","capabilities":{},"skills":[],
				"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
				"supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, s.URL)
			return
		case strings.Contains(string(body), "GetTask"):
			state = answers[min(int(gets.Add(1)), len(answers))-1]
		}
		switch state {
		case "502":
			w.WriteHeader(http.StatusBadGateway)
		case "503":
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		if state == "down" || state == "502" || state == "503" {
			_, _ = io.WriteString(w, "<html>Be right back.</html>")
			return
		}
		task := `{"id":"t","contextId":"c","status":{"state":"TASK_STATE_` + state + `"}}`
		if state == "WORKING" && !strings.Contains(string(body), "GetTask") {
			task = `{"task":` + task + `}`
		}
		_, after, _ := strings.Cut(string(body), `"id":"`)
		id, _, _ := strings.Cut(after, `"`)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%q,"result":%s}`, id, task)
	}))
	t.Cleanup(s.Close)
	return s.URL, gets
}

// Polling ends with the third failure in a row. A poll that was answered ends a row.
func TestPollingEndsWithTheThirdFailureInARow(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []string
		gets    int32
		state   a2a.State
		fails   bool
	}{
		{"three in a row", []string{"down", "down", "down", "COMPLETED"}, 3, a2a.StateWorking, true},
		{"a gateway failed twice", []string{"502", "502", "WORKING", "502", "COMPLETED"}, 5, a2a.StateCompleted, false},
		{"a gateway failed three times", []string{"502", "502", "502", "COMPLETED"}, 3, a2a.StateWorking, true},
		{"four apart", []string{"down", "down", "WORKING", "down", "down", "COMPLETED"}, 6, a2a.StateCompleted, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newHarness(t, nil)
			url, gets := newFaltering(t, c.answers...)
			turn, end := d.sendText(model.Target{Agent: d.openAgent(url)}, "hello", model.SendOptions{})
			if got := gets.Load(); got != c.gets || (end.Sentence != "") != c.fails || turn.Blocks[0].Task.State != c.state {
				t.Errorf("got %d gets, end %q and state %v; want %d gets, a failure: %v, and state %v\n%s", got, end.Sentence, turn.Blocks[0].Task.State, c.gets, c.fails, c.state, d.log())
			}
		})
	}
}

// announced returns the waits that were announced by a kind of signal.
func (d *harness) announced(kind log.SignalKind) (all []time.Duration) {
	for _, it := range d.items {
		if it.Signal != nil && it.Signal.Kind == kind && it.Signal.After > 0 {
			all = append(all, it.Signal.After)
		}
	}
	return all
}

// Whoever is asked to wait waits before the next request about the task, whatever that is.
func TestATaskIsAskedForAgainWhenTheAnswerSays(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	url, _ := newFaltering(t, "503", "WORKING", "503", "COMPLETED")
	turn, _ := d.sendText(model.Target{Agent: d.openAgent(url)}, "hello", model.SendOptions{})
	if got := d.announced(log.SignalPoll); len(got) != 4 || got[1] != 7*time.Second || got[2] >= 7*time.Second || got[3] < 7*time.Second || turn.Blocks[0].Task.State != a2a.StateCompleted {
		t.Errorf("got waits %v, want 7 s after the first and the third get\n%s", got, d.log())
	}
	for _, again := range []string{"503", "429"} { // after which no second subscription is tried
		d := newHarness(t, func(o *options) { o.Resubscribe = 2 })
		b := newBreaker(t, &breaker{chunks: words, again: again, pause: "7", cuts: []int{3}})
		turn, _ := d.sendText(model.Target{Agent: d.openAgent(b.URL)}, "go", model.SendOptions{})
		if got := d.announced(log.SignalPoll); len(got) != 1 || got[0] != 7*time.Second || turn.Blocks[0].Task.State != a2a.StateCompleted {
			t.Errorf("%s: got waits %v, want 7 s after the refusal\n%s", again, got, d.log())
		}
	}
}

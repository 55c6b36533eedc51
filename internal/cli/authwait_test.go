package cli

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A task that waits for credentials twice is followed to its end, and says each time what it asks for.
func TestACommandWaitsUntilTheUserHasSignedIn(t *testing.T) {
	t.Parallel()
	asks := func(state, text string) string {
		return `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_` + state + `","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"` + text + `"}]}}}`
	}
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		if q.Method != "GetTask" {
			q.event(w, `{"task":`+asks("AUTH_REQUIRED", "Open https://bank.example/a \\u001b[2J")+`}`)
			return
		}
		states := []string{"AUTH_REQUIRED", "AUTH_REQUIRED", "WORKING", "AUTH_REQUIRED", "AUTH_REQUIRED", "COMPLETED"}
		q.result(w, asks(states[min(q.nth, len(states))-1], "And https://bank.example/b"))
	})
	r := parley(t, "send", "-a", s.URL, "x", "--wait-for-auth", "--poll-interval", "1ms")
	if r.code != 0 || !strings.Contains(r.out, "completed") {
		t.Errorf("got exit %d, want the end of the task:\n%s%s", r.code, r.out, r.err)
	}
	if !strings.Contains(r.err, "Waiting: The task waits for credentials: Open https://bank.example/a") || strings.Contains(r.err, "\x1b") {
		t.Errorf("got %q, want what the agent asks for", r.err)
	}
	if n := strings.Count(r.err, "Waiting: "); n != 2 {
		t.Errorf("got %d demands, want 2:\n%s", n, r.err)
	}
	s.only(t, "SendStreamingMessage")
	if n := len(s.asked("GetTask")); n != 7 {
		t.Errorf("got %d gets, want one for each state and one for the result: nothing asks beside the command", n)
	}
}

// An agent that will never go on ends the waiting with a sentence, and the state is still the result.
func TestWaitingForASignInEndsWhereTheTaskIsGone(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		if q.Method == "GetTask" && q.nth > 3 { // one beside the polls compares the stream
			q.fail(w, -32001, "no such task")
			return
		}
		answer := `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_AUTH_REQUIRED"}}`
		if q.Method == "GetTask" {
			q.result(w, answer)
			return
		}
		q.event(w, `{"task":`+answer+`}`)
	})
	r := parley(t, "send", "-a", s.URL, "x", "--wait-for-auth", "--poll-interval", "20ms")
	if r.code != 0 || !strings.Contains(r.err, "Stopped checking task t1") || !strings.Contains(r.out, "auth-required") {
		t.Errorf("got exit %d:\n%s%s", r.code, r.out, r.err)
	}
	if r := parley(t, "send", "-a", s.URL, "x", "--wait-for-auth", "--async"); r.code != 2 {
		t.Errorf("got exit %d for flags that contradict each other, want 2", r.code)
	}
}

// A task that asked for credentials is taken up again: by polling it while they are given elsewhere, or
// by an answer that is a secret. Neither names one on a command line.
func TestATaskThatWaitsForCredentialsIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	const password = "pass-0f-mine"
	given := false
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		state := "AUTH_REQUIRED"
		if q.Method == "SendMessage" && strings.Contains(fmt.Sprint(q.Params), password) || q.Method == "GetTask" && q.nth > 3 {
			given = true
		}
		if given {
			state = "COMPLETED"
		}
		asks := `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_` + state + `","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"The password of ` + password + `?"}]}}}`
		if q.Method == "SendMessage" {
			asks = `{"task":` + asks + `}`
		}
		q.result(w, asks)
	})
	r := parley(t, "send", "-a", s.URL, "x")
	again := "parley task get --agent-card " + s.URL + " --wait-for-auth t1"
	if r.code != 0 || !strings.Contains(r.out, "Resume: "+again+"\n") || !strings.Contains(r.err, "parley send --agent-card "+s.URL+" --task-id t1 --secret - answers") {
		t.Errorf("got exit %d, want both ways to go on:\n%s%s", r.code, r.out, r.err)
	}
	if r = parley(t, append(strings.Fields(again)[1:], "--poll-interval", "20ms")...); r.code != 0 || !strings.Contains(r.out, "State: completed") || !strings.Contains(r.err, "The task waits for credentials: The password") {
		t.Errorf("got exit %d, want the end of the task:\n%s%s", r.code, r.out, r.err)
	}
	given = false
	r = commandLine{args: []string{"send", "-a", s.URL, "--task-id", "t1", "--secret", "-"}, stdin: password}.run(t)
	if r.code != 0 || !strings.Contains(r.out, "State: completed") || strings.Contains(r.out+r.err, password) {
		t.Errorf("got exit %d, want the end of the task without the secret:\n%s%s", r.code, r.out, r.err)
	}
}

package cli

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// done answers every send with a completed task.
func done(q *asked, w http.ResponseWriter) { q.result(w, task(completed)) }

func TestSendPrintsTheResultAsFieldsAndBlocks(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, done)
	r := parley(t, "send", "-a", s.URL, "hello")
	want := `Artifact: report
Text:
  one
  
  two

Data:
  {
    "n": 1.50
  }

File: f.bin, application/octet-stream, 3 bytes
File: x.pdf, unknown type, https://files.example/x.pdf
Task: t1
Context: c1
State: completed
Resume: parley send --agent-card ` + s.URL + ` --context-id c1 '<message>'
`
	if r.out != want || r.err != "" || r.code != 0 {
		t.Errorf("got exit %d and output\n%s\nwant\n%s\nstderr %q", r.code, r.out, want, r.err)
	}
}

func TestAnEndpointIsAllThatACallNeeds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		card  string
		flags []string
	}{
		{plainCard, nil}, // the card is searched below the endpoint
		{plainCard, []string{"--dialect", "v1.0"}},
		{"", []string{"--dialect", "v1.0"}},
	} {
		s := newStub(t, c.card, done)
		r := parley(t, append([]string{"send", "--endpoint", s.URL + "/pinned", "hello"}, c.flags...)...)
		if sent := s.only(t, "SendMessage"); r.code != 0 || !strings.Contains(r.out, "State: completed") || sent.url != "/pinned" {
			t.Errorf("card %q, %v: got exit %d and a request to %s\n%s%s", c.card, c.flags, r.code, sent.url, r.out, r.err)
		}
	}
}

func TestSendPrintsOneDocument(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, done)
	r := parley(t, "send", "-a", s.URL, "hello", "-o", "json")
	doc := document(t, r.out)
	if at(doc, "task", "artifacts", 0, "parts", 2, "raw") != "AAEC" || len(doc) != 1 || r.code != 0 || r.err != "" {
		t.Errorf("got exit %d, want 0 and one document; stderr %q\n%s", r.code, r.err, r.out)
	}
	if !strings.Contains(r.out, "1.50") {
		t.Error("got 1.5, want the number as it came")
	}
}

func TestAMessageThatAnswersIsNoTask(t *testing.T) {
	t.Parallel()
	const reply = `{"message":{"messageId":"m","contextId":"c1","role":"ROLE_AGENT","parts":[{"text":"hi"}]}}`
	for _, card := range []string{plainCard, streamCard} {
		s := newStub(t, card, func(q *asked, w http.ResponseWriter) {
			if q.Method == "SendStreamingMessage" {
				q.event(w, reply)
				return
			}
			q.result(w, reply)
		})
		r := parley(t, "send", "-a", s.URL, "hello", "-o", "json")
		if doc := document(t, r.out); at(doc, "message", "messageId") != "m" || r.code != 0 {
			t.Errorf("got exit %d, want 0 and a message\n%s", r.code, r.out)
		}
		r = parley(t, "send", "-a", s.URL, "hello", "-o", "json", "--stream")
		if docs := documents(t, r.out); len(docs) != 1 || at(docs[0], "message", "contextId") != "c1" || r.code != 0 {
			t.Errorf("got exit %d, want 0 and one message\n%s", r.code, r.out)
		}
		r = parley(t, "send", "-a", s.URL, "hello", "--stream")
		if want := "Message: agent\nText:\n  hi\n\nContext: c1\n"; !strings.HasPrefix(r.out, want) || r.code != 0 {
			t.Errorf("got exit %d and output\n%s\nwant it to begin\n%s", r.code, r.out, want)
		}
	}
}

// streamed answers a streaming call with a task that grows and ends.
func streamed(q *asked, w http.ResponseWriter) {
	q.event(w, task(working))
	q.event(w, chunk)
	q.event(w, `{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":true,"lastChunk":true,"artifact":{"artifactId":"a","parts":[{"text":" and after"}]}}}`)
	q.event(w, status("COMPLETED"))
}

func TestAStreamIsPrintedEventByEvent(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, streamed)
	r := parley(t, "send", "-a", s.URL, "x", "--stream")
	want := `Task: t1
Context: c1
State: working
Artifact: report
Text:
  before the cut and after

Task: t1
Context: c1
State: completed
`
	if !strings.HasPrefix(r.out, want) || r.code != 0 {
		t.Errorf("got exit %d and output\n%s\nwant it to begin\n%s", r.code, r.out, want)
	}
	r = parley(t, "send", "-a", s.URL, "x", "--stream", "-o", "json")
	docs := documents(t, r.out)
	if len(docs) != 4 || at(docs[0], "task", "id") != "t1" || at(docs[1], "artifactUpdate") == nil ||
		at(docs[3], "statusUpdate", "status", "state") != "TASK_STATE_COMPLETED" || r.err != "" {
		t.Errorf("got other documents than task, artifact and status; stderr %q\n%s", r.err, r.out)
	}
	r = parley(t, "send", "-a", s.URL, "x", "-o", "json")
	if doc := document(t, r.out); at(doc, "task", "artifacts", 0, "parts", 1, "text") != " and after" {
		t.Errorf("got an artifact that is not assembled:\n%s", r.out)
	}
	if !strings.Contains(r.err, "Note: waiting for task t1 of context c1.") {
		t.Errorf("got no task id while waiting: %q", r.err)
	}
}

func TestTheLastLineOfAStreamNamesTaskContextAndState(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		q.event(w, status("COMPLETED"))
		q.event(w, chunk) // after the end
	})
	r := parley(t, "send", "-a", s.URL, "x", "--stream", "-o", "json")
	docs := documents(t, r.out)
	last := docs[len(docs)-1]
	if len(docs) != 3 || at(last, "task", "id") != "t1" || at(last, "task", "contextId") != "c1" ||
		at(last, "task", "status", "state") != "TASK_STATE_COMPLETED" {
		t.Errorf("got no last line with task, context and state: %s", r.out)
	}
	r = parley(t, "send", "-a", s.URL, "x", "--stream")
	if !regexp.MustCompile(`(?s)Task: t1\nContext: c1\nState: completed\nResume: [^\n]*\n$`).MatchString(r.out) {
		t.Errorf("got no last block with task, context and state: %s", r.out)
	}
}

// An agent that contradicts the end of its task moves nothing: the state that was printed stays, and what
// the agent said afterwards is told beside the output, once for each word.
func TestThePrintedStateNeverContradictsTheEnd(t *testing.T) {
	t.Parallel()
	whole := func(state string) string {
		return task(`{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_` + state + `"}}`)
	}
	for _, c := range []struct {
		name, said string
		events     []string
	}{
		{"two ends", "failed", []string{status("FAILED")}},
		{"a whole task", "failed", []string{whole("FAILED")}},
		{"work", "working", []string{status("WORKING")}},
		{"a word that nobody defined", "odd ␛[2J", []string{strings.Replace(status("FAILED"), "TASK_STATE_FAILED", `odd \u001b[2J`, 1)}},
		{"many", "failed", slices.Repeat([]string{status("FAILED")}, 20)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
				for _, event := range append([]string{task(working), chunk, status("COMPLETED")}, c.events...) {
					q.event(w, event)
				}
			})
			note := "Warning: the agent says that task t1 is " + c.said + "; Parley ignores that and keeps completed, which is over.\n"
			r := parley(t, "send", "-a", s.URL, "x", "--stream")
			if r.code != 0 || !regexp.MustCompile(`(?s)^Task: t1\nContext: c1\nState: working\n.*State: completed\nResume: [^\n]*\n$`).MatchString(r.out) || strings.Count(r.out, "State: ") != 2 {
				t.Errorf("got exit %d and output\n%s\nwant 0 and the state completed alone", r.code, r.out)
			}
			if strings.Count(strings.ReplaceAll(r.err, "\n  ", " "), note) != 1 {
				t.Errorf("got standard error\n%s\nwant once %q", r.err, note)
			}
			r = parley(t, "send", "-a", s.URL, "x", "--stream", "-o", "json")
			docs := documents(t, r.out)
			if r.code != 0 || len(docs) != 3 || at(docs[2], "statusUpdate", "status", "state") != "TASK_STATE_COMPLETED" {
				t.Errorf("got exit %d and documents\n%s\nwant the task, its artifact and its end", r.code, r.out)
			}
		})
	}
}

func TestStreamingWhereTheAgentCannot(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		if q.Method == "GetTask" {
			q.result(w, completed)
			return
		}
		q.result(w, task(working))
	})
	r := parley(t, "send", "-a", s.URL, "x", "--stream", "-o", "json", "--poll-interval", "4ms")
	docs := documents(t, r.out)
	if len(docs) != 2 || at(docs[1], "task", "status", "state") != "TASK_STATE_COMPLETED" || r.code != 0 {
		t.Errorf("got exit %d, want 0 and 2 documents\n%s", r.code, r.out)
	}
	if !strings.Contains(r.err, "does not declare streaming") {
		t.Errorf("got no warning about streaming: %q", r.err)
	}
}

// A message that Parley sends again without a stream is told as sent again.
func TestAMessageThatIsSentAgainWithoutAStreamIsTold(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		if q.Method == "SendMessage" {
			q.result(w, task(completed))
			return
		}
		q.fail(w, -32601, "Method not found")
	})
	r := parley(t, "send", "-a", s.URL, "x")
	if said := "Note: The request for a stream was refused; Parley sent the message again without a stream."; r.code != 0 || strings.Count(r.err, said) != 1 {
		t.Errorf("got exit %d, standard error %q; want 0 and %q once", r.code, r.err, said)
	}
}

// A connection that breaks after the task is over loses nothing: every command succeeds, and a finding says
// how it broke. One that breaks before that is a cut.
func TestABreakAfterTheTaskIsASuccess(t *testing.T) {
	t.Parallel()
	streams := func(state string) *stub {
		return newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
			if q.Method == "GetTask" {
				q.fail(w, -32001, "gone")
				return
			}
			q.event(w, task(working))
			q.event(w, chunk)
			q.event(w, status(state))
			cut(w)
		})
	}
	plain := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		w.Header().Set("Content-Length", "9999")
		q.result(w, task(completed))
		_ = http.NewResponseController(w).Flush()
		cut(w)
	})
	s := streams("COMPLETED")
	for _, c := range []struct {
		s    *stub
		args []string
		code int
		says string
	}{
		{s, []string{"send", "x"}, 0, "State: completed\n"},
		{s, []string{"send", "x", "--stream"}, 0, "State: completed\n"},
		{s, []string{"send", "x", "-o", "json"}, 0, `"TASK_STATE_COMPLETED"`},
		{s, []string{"send", "x", "--stream", "-o", "json"}, 0, `"TASK_STATE_COMPLETED"`},
		{s, []string{"send", "x", "--fail-on", "finding:warning"}, 10, "State: completed\n"},
		{s, []string{"task", "subscribe", "t1", "--stream"}, 0, "State: completed\n"},
		{streams("INPUT_REQUIRED"), []string{"send", "x"}, 0, "State: input-required\n"},
		{streams("AUTH_REQUIRED"), []string{"send", "x", "--stream"}, 0, "State: auth-required\n"},
		{streams("FAILED"), []string{"send", "x"}, 0, "State: failed\n"},
		{plain, []string{"send", "x"}, 0, "State: completed\n"},
	} {
		r := parley(t, append(c.args, "-a", c.s.URL)...)
		if r.code != c.code || !strings.Contains(r.out, c.says) || !strings.Contains(r.out, "before the cut") && c.s != plain {
			t.Errorf("%q: got exit %d, want %d with %q\n%s%s", c.args, r.code, c.code, c.says, r.out, r.err)
		}
		if !strings.Contains(r.err, "HTTP-014") || !strings.Contains(r.err, "The answer was complete, but then the connection broke after") || strings.Contains(r.err, "are lost") || strings.Contains(r.err, "Get the task") {
			t.Errorf("%q: got no finding about the connection alone:\n%s", c.args, r.err)
		}
	}
	if r := parley(t, "send", "x", "--stream", "-a", streams("WORKING").URL); r.code == 0 || strings.Contains(r.err, "HTTP-014") || !strings.Contains(r.err, "connection broke after") {
		t.Errorf("got exit %d, want a cut\n%s%s", r.code, r.out, r.err)
	}
	script := writeScript(t, "Open "+s.URL+"\nSay 'x'\nWait completed\nExpect completed\nExpect 'before the cut'\n")
	if r := parley(t, "demo", script, "--headless", "--fast"); r.code != 0 || !strings.Contains(r.out, "Passed: 5 steps") {
		t.Errorf("script: got exit %d\n%s%s", r.code, r.out, r.err)
	}
}

func TestACutStreamIsNeverASuccess(t *testing.T) {
	t.Parallel()
	broken := func(get func(*asked, http.ResponseWriter)) func(*asked, http.ResponseWriter) {
		return func(q *asked, w http.ResponseWriter) {
			if q.Method == "GetTask" {
				get(q, w)
				return
			}
			q.event(w, task(working))
			q.event(w, chunk)
			cut(w)
		}
	}
	lost := func(q *asked, w http.ResponseWriter) { q.fail(w, -32001, "gone") }
	found := func(q *asked, w http.ResponseWriter) { q.result(w, completed) }

	for _, c := range []struct {
		name string
		get  func(*asked, http.ResponseWriter)
		args []string
		code int
	}{
		{"nothing more to be had", lost, nil, 1},
		{"nothing more to be had, streamed", lost, []string{"--stream"}, 1},
		{"found again, but the stream was asked for", found, []string{"--stream"}, 1},
		{"found again by a wait", found, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStub(t, streamCard, broken(c.get))
			args := append([]string{"send", "-a", s.URL, "x", "--poll-interval", "4ms"}, c.args...)
			r := parley(t, args...)
			if r.code != c.code || c.code == 1 && !strings.Contains(r.out, "before the cut") {
				t.Errorf("got exit %d, want %d\n%s\n%s", r.code, c.code, r.out, r.err)
			}
			if !strings.Contains(r.err, "connection broke after") {
				t.Errorf("got no word about the cut: %q", r.err)
			}
			if strings.Contains(r.err, "Get the task to see how it went. Parley now polls") {
				t.Errorf("got advice to do what Parley does, want none: %q", r.err)
			}
			r = parley(t, append(args, "-o", "json")...)
			if r.code != c.code {
				t.Errorf("json: got exit %d, want %d\n%s", r.code, c.code, r.out)
			}
			if strings.Contains(r.out+r.err, "are lost") {
				t.Errorf("json: got lost events, want none, because no stream went on after them\n%s\n%s", r.out, r.err)
			}
			if gone := strings.Contains(r.out, "ago and does not know it now (asked twice)."); gone != strings.HasPrefix(c.name, "nothing more") || strings.Contains(r.out, " new task") {
				t.Errorf("json: got what is known of the task: %v\n%s", gone, r.out)
			}
			if c.code == 1 && len(c.args) == 0 {
				if at(document(t, r.out), "error", "code") != "A2ACLI_ERR_INTERNAL" || !strings.Contains(r.err, "before the cut") {
					t.Errorf("json: got no error, or not the text before the cut\n%s\n%s", r.out, r.err)
				}
			}
			if len(c.args) > 0 {
				docs := documents(t, r.out)
				if at(docs[len(docs)-1], "error", "code") != "A2ACLI_ERR_INTERNAL" {
					t.Errorf("got a last line that is no error\n%s", r.out)
				}
			}
		})
	}
}

func TestWaitingIsFollowedByAsking(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		switch {
		case q.Method != "GetTask":
			q.result(w, task(working))
		case q.nth <= 3: // an unspecified state neither ends nor interrupts a task
			q.result(w, `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_UNSPECIFIED"}}`)
		default:
			q.result(w, completed)
		}
	})
	r := parley(t, "send", "-a", s.URL, "x", "--poll-interval", "8ms")
	if r.code != 0 || !strings.Contains(r.out, "State: completed") || len(s.asked("GetTask")) != 4 {
		t.Errorf("got exit %d after %d gets, want 0 after 4\n%s%s", r.code, len(s.asked("GetTask")), r.out, r.err)
	}
	if at(s.only(t, "SendMessage").Params, "configuration", "returnImmediately") != false {
		t.Error("got returnImmediately unset, want false: the agent is to wait")
	}
}

func TestAsyncDoesNotWait(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--async", "--return-immediately", "--no-wait", "--wait=false"} {
		s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) { q.result(w, task(working)) })
		r := parley(t, "send", "-a", s.URL, "x", flag, "-o", "json")
		doc := document(t, r.out)
		if at(doc, "task", "id") != "t1" || at(doc, "task", "contextId") != "c1" || r.code != 0 {
			t.Errorf("%s: got exit %d, want 0 and the task\n%s", flag, r.code, r.out)
		}
		if at(s.only(t, "SendMessage").Params, "configuration", "returnImmediately") != true {
			t.Errorf("%s: got returnImmediately unset or false, want true", flag)
		}
		r = parley(t, "send", "-a", s.URL, "x", flag)
		if !strings.Contains(r.out, "Resume: parley task get --agent-card "+s.URL+" --wait t1\n") {
			t.Errorf("%s: got no command to resume\n%s", flag, r.out)
		}
	}
}

func TestATimeoutTellsTheTask(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		if q.Method == "GetTask" {
			q.result(w, working)
			return
		}
		q.result(w, task(working))
	})
	const interval = 20 * time.Millisecond
	var r result
	allowed := 300 * time.Millisecond
	for ; ; allowed *= 2 { // repeated until the answer is in time, for busy machines
		before := len(s.asked("GetTask"))
		r = parley(t, "send", "-a", s.URL, "x", "--timeout", allowed.String(), "--poll-interval", interval.String(), "-o", "json")
		if len(s.asked("GetTask")) > before {
			break
		}
	}
	e := at(document(t, r.out), "error")
	if r.code != 5 || at(e, "code") != "A2ACLI_ERR_TIMEOUT" || !strings.Contains(at(e, "message").(string), "t1") ||
		at(e, "hint") != "parley task get --agent-card "+s.URL+" --wait t1" || at(e, "a2aCode") != nil {
		t.Errorf("got exit %d, want 5 with the task and the way back to it\n%s", r.code, r.out)
	}
	if n := len(s.asked("GetTask")); n > int(allowed/interval)+10 {
		t.Errorf("got %d gets in %v, want at most one per %v", n, allowed, interval)
	}
}

func TestAnInterruptLeavesTheTask(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	journal := filepath.Join(t.TempDir(), "sent.jsonl")
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		q.event(w, task(working))
		q.event(w, chunk)
		for deadline := time.Now().Add(time.Minute); q.req.Context().Err() == nil; time.Sleep(time.Millisecond) {
			if text, _ := os.ReadFile(journal); bytes.Contains(text, []byte("before the cut")) {
				break
			}
			if time.Now().After(deadline) {
				t.Error("after a minute: the session file has no event")
				break
			}
		}
		interrupt()
		<-q.req.Context().Done()
	})
	r := commandLine{args: []string{"send", "-a", s.URL, "x", "--record", journal}, ctx: ctx}.run(t)
	if r.code != 1 || !strings.Contains(r.out, "Task: t1\nContext: c1\nState: working\n") || !strings.Contains(r.err, "task t1 may still be working") {
		t.Errorf("got exit %d, want 1 and the task\n%s%s", r.code, r.out, r.err)
	}
}

func TestAStreamThatIsLeftOpenEndsWithItsTask(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"COMPLETED", "INPUT_REQUIRED"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
				q.event(w, task(working))
				q.event(w, status(state))
				<-q.req.Context().Done()
			})
			r := parley(t, "send", "-a", s.URL, "x", "-o", "json", "--timeout", "1m")
			if r.code != 0 || at(document(t, r.out), "task", "status", "state") != "TASK_STATE_"+state {
				t.Errorf("got exit %d, want 0 and state %s\n%s%s", r.code, state, r.out, r.err)
			}
		})
	}
}

func TestWhatIsSentGoesWhereTheFlagsSay(t *testing.T) {
	t.Parallel()
	tenant := strings.Replace(plainCard, `"protocolVersion":"1.0"`, `"protocolVersion":"1.0","tenant":"acme"`, 1)
	s := newStub(t, tenant, done)
	r := parley(t, "send", "-a", s.URL, "x", "--task-id", "t1", "--context-id", "c1", "--metadata", `{"k":[1]}`,
		"--svc-param", "x-trace-id: abc", "--svc-param", "x-two:2", "--output-mode", "text/plain,image/png", "--history", "3", "--verbose")
	q := s.only(t, "SendMessage")
	for _, c := range []struct {
		got, want any
	}{
		{at(q.Params, "message", "taskId"), "t1"},
		{at(q.Params, "message", "contextId"), "c1"},
		{at(q.Params, "message", "metadata", "k", 0), 1.0},
		{at(q.Params, "metadata", "k", 0), 1.0},
		{at(q.Params, "configuration", "acceptedOutputModes", 1), "image/png"},
		{at(q.Params, "configuration", "historyLength"), 3.0},
		{at(q.Params, "tenant"), "acme"},
		{q.header.Get("X-Trace-Id"), "abc"},
		{q.header.Get("X-Two"), "2"},
		{q.header.Get("A2A-Version"), "1.0"},
		{r.code, 0},
	} {
		if c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	if !strings.HasPrefix(r.out, "Sent: user\nMessage id: ") || !strings.Contains(r.out, "Part: 1 of 4, text\n") {
		t.Errorf("got no message of 4 parts in the output:\n%s", r.out)
	}
	untold := newStub(t, plainCard, done)
	parley(t, "send", "-a", untold.URL, "x")
	if params := untold.only(t, "SendMessage").Params; at(params, "tenant") != nil || at(params, "message", "taskId") != nil || at(params, "message", "contextId") != nil ||
		at(params, "configuration", "acceptedOutputModes") != nil || at(params, "configuration", "historyLength") != nil {
		t.Errorf("got params that were never given: %v", params)
	}
}

func TestARejectedTaskIsNeverReplaced(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { q.fail(w, -32001, "no such task") })
	r := parley(t, "send", "-a", s.URL, "x", "--task-id", "gone", "-o", "json")
	e := at(document(t, r.out), "error")
	if r.code != 1 || at(e, "code") != "TaskNotFoundError" || at(e, "a2aCode") != -32001.0 || at(e, "hint") != "parley task list --agent-card "+s.URL+" shows the tasks that the agent has." {
		t.Errorf("got exit %d, want 1 and TaskNotFoundError\n%s", r.code, r.out)
	}
	s.only(t, "SendMessage")
}

// An agent of 1.0 must refuse a message to a task that is over, and does so once.
func TestAMessageToATaskThatIsOverIsRefusedOnce(t *testing.T) {
	t.Parallel()
	for _, card := range []string{plainCard, streamCard} {
		for _, o := range [][]string{nil, {"--stream"}, {"-o", "json"}, {"--async"}} {
			s := newStub(t, card, func(q *asked, w http.ResponseWriter) { q.fail(w, -32004, "task gone is completed") })
			r := parley(t, append([]string{"send", "-a", s.URL, "x", "--task-id", "gone"}, o...)...)
			said := r.out + r.err
			if r.code != 1 || !strings.Contains(said, "The agent answered UnsupportedOperation: task gone is completed. The task may be over: get it to see its state, or send the message as a new task.") ||
				!strings.Contains(said, "parley task get --agent-card "+s.URL+" gone shows the state of the task.") {
				t.Errorf("%q: got exit %d, want 1, the refusal and what to do\n%s", o, r.code, said)
			}
			if n := len(s.asked("SendMessage")) + len(s.asked("SendStreamingMessage")); n != 1 || strings.Contains(said, "CARD-019") {
				t.Errorf("%q: got %d messages, want one, and no finding about streaming\n%s", o, n, said)
			}
		}
	}
}

func TestOutcomesOfTheAgentAreNoFailures(t *testing.T) {
	t.Parallel()
	for state, warns := range map[string]string{
		"COMPLETED": "", "FAILED": "ended as failed", "REJECTED": "ended as rejected", "CANCELED": "ended as canceled",
		"INPUT_REQUIRED": "--task-id t1 '<reply>'", "AUTH_REQUIRED": "is auth-required and waits for you",
	} {
		for _, card := range []string{plainCard, streamCard} {
			s := newStub(t, card, func(q *asked, w http.ResponseWriter) {
				if q.Method == "SendStreamingMessage" {
					q.event(w, task(working))
					q.event(w, status(state))
					return
				}
				q.result(w, task(strings.Replace(working, "WORKING", state, 1)))
			})
			r := parley(t, "send", "-a", s.URL, "x")
			if r.code != 0 || !strings.Contains(r.err, warns) || warns == "" && strings.Contains(r.err, "Warning") {
				t.Errorf("%s: got exit %d, want 0 and warning %q; stderr %q", state, r.code, warns, r.err)
			}
			resume := "Resume: parley send "
			if state == "AUTH_REQUIRED" {
				resume = "Resume: parley task get --agent-card " + s.URL + " --wait-for-auth t1"
			}
			if !strings.Contains(r.out, "Task: t1\nContext: c1\nState: ") || !strings.Contains(r.out, resume) {
				t.Errorf("%s: got no task or no command to resume\n%s", state, r.out)
			}
		}
	}
}

// An agent that never returns the result of its task is given up, and the user is warned.
func TestAResultThatIsHeldBackIsSaid(t *testing.T) {
	t.Parallel()
	late := make(chan time.Time)
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		if q.Method == "GetTask" {
			close(late)
			<-q.req.Context().Done()
			return
		}
		q.event(w, task(working))
		q.event(w, status("COMPLETED"))
	})
	after := func(d time.Duration) <-chan time.Time {
		if d == 6*time.Second {
			return late
		}
		return time.After(d)
	}
	r := commandLine{args: []string{"send", "-a", s.URL, "x"}, after: after}.run(t)
	if r.code != 0 || !strings.Contains(r.err, "Warning: The agent did not return the result of task t1 within 6 s.") {
		t.Errorf("got exit %d, want 0 and a warning; stdout %q, stderr %q", r.code, r.out, r.err)
	}
}

// A stream that stays open after the agent asked for something does not delay the command.
func TestAQuestionOnAnOpenStreamIsReturnedAtOnce(t *testing.T) {
	t.Parallel()
	for state, resume := range map[string]string{"INPUT_REQUIRED": "Resume: parley send ", "AUTH_REQUIRED": "Resume: parley task get "} {
		s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
			q.event(w, task(working))
			q.event(w, status(state))
			<-q.req.Context().Done()
		})
		r := parley(t, "send", "-a", s.URL, "x")
		if r.code != 0 || !strings.Contains(r.out, resume) {
			t.Errorf("%s: got exit %d, want 0; stdout %q, stderr %q", state, r.code, r.out, r.err)
		}
	}
}

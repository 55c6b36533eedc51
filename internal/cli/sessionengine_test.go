package cli

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A command subscribes again to a task whose stream broke, as the workbench does, and says so.
func TestSendSubscribesAgain(t *testing.T) {
	t.Parallel()
	const rest = `{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":true,"artifact":{"artifactId":"a","parts":[{"text":", and after it"}]}}}`
	for _, more := range [][]string{nil, {"--stream"}, {"-o", "json"}, {"--stream", "-o", "json"}, {"--output", "answer"}} {
		s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
			switch {
			case q.Method == "SendStreamingMessage":
				q.event(w, task(working))
				q.event(w, chunk)
				cut(w)
			case q.Method == "SubscribeToTask" && q.nth == 1: // nothing but a cut once more
				cut(w)
			case q.Method == "SubscribeToTask":
				q.event(w, strings.Replace(task(working), `"status"`, `"artifacts":[{"artifactId":"a","name":"report","parts":[{"text":"before the cut"}]}],"status"`, 1))
				q.event(w, rest)
				q.event(w, status("COMPLETED"))
			default:
				q.fail(w, -32001, "Task not found")
			}
		})
		r := hurried(append([]string{"send", "-a", s.URL, "x"}, more...)...).run(t)
		if r.code != 0 || !strings.Contains(r.out, "and after it") {
			t.Errorf("%q: got exit %d and no end of the answer\n%s%s", more, r.code, r.out, r.err)
		}
		if strings.Count(r.err, "Parley subscribes to the task again.") != 1 || strings.Contains(r.err, "Get the task") {
			t.Errorf("%q: got\n%s\nwant once that Parley subscribes again, and nothing else to do", more, r.err)
		}
		if len(s.asked("SubscribeToTask")) != 2 || len(s.asked("SendStreamingMessage")) != 1 {
			t.Errorf("%q: got %d subscriptions, want 2 after one message", more, len(s.asked("SubscribeToTask")))
		}
	}
}

// A command that loses a stream says of each step what it failed by: neither the subscription nor the get
// that fails afterwards is told as the break before it.
func TestSendTellsEachFailureAfterACut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		subscribe, get func(q *asked, w http.ResponseWriter)
		says           []string
		code           int
	}{
		"a gateway answers both": {badGateway, badGateway, []string{
			"answered 502 Bad Gateway within a second. Parley now polls the task.",
			"Error: The connection broke after ",
			" bytes. Something on the way to ",
		}, 1},
		"a gateway answers the subscription": {badGateway, func(q *asked, w http.ResponseWriter) { q.result(w, task(completed)) },
			[]string{"answered 502 Bad Gateway within a second. Parley now polls the task."}, 0},
		"a gateway says when to subscribe again": {func(_ *asked, w http.ResponseWriter) {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "later. Not now", http.StatusServiceUnavailable)
		}, func(q *asked, w http.ResponseWriter) { q.result(w, task(completed)) },
			[]string{"or something on the way to it, answered 503 Service Unavailable within a second: “later. Not now”. Parley now polls the task."}, 0},
		"the agent refuses the subscription": {func(q *asked, w http.ResponseWriter) { q.fail(w, -32004, "No streams here") },
			func(q *asked, w http.ResponseWriter) { q.result(w, task(completed)) },
			[]string{"The agent answered UnsupportedOperation: No streams here. Parley now polls the task."}, 0},
	} {
		s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
			switch q.Method {
			case "SendStreamingMessage":
				q.event(w, task(working))
				cut(w)
			case "SubscribeToTask":
				c.subscribe(q, w)
			default:
				c.get(q, w)
			}
		})
		r := hurried("send", "-a", s.URL, "x").run(t)
		if r.code != c.code || strings.Count(r.err, "Parley now polls the task.") != 1 {
			t.Errorf("%s: got exit %d, want %d and one poll\n%s", name, r.code, c.code, r.err)
		}
		for _, want := range c.says {
			if !strings.Contains(r.err, want) {
				t.Errorf("%s: got no %q in\n%s", name, want, r.err)
			}
		}
	}
}

// badGateway answers as a proxy does whose agent is gone.
func badGateway(_ *asked, w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) }

// A failure names a flag only where it would change something: no stream and no --async for a command
// that has them, none for the doctor, which has neither, and nothing but the task that is known.
func TestAFailureAdvisesNothingThatWasDone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args          []string
		fail          func(*asked, http.ResponseWriter)
		async, doubts bool
	}{
		"a gateway":                   {[]string{"send", "-a", "URL", "x"}, badGateway, true, false},
		"a gateway, drawn":            {[]string{"send", "-a", "URL", "x", "--stream"}, badGateway, false, false},
		"a gateway, not waited for":   {[]string{"send", "-a", "URL", "x", "--async"}, badGateway, false, false},
		"a gateway, seen by a doctor": {[]string{"doctor", "URL", "--send"}, badGateway, false, false},
		"a mute stream":               {[]string{"send", "-a", "URL", "x"}, func(q *asked, w http.ResponseWriter) { cut(w) }, true, true},
		"no stream":                   {[]string{"send", "-a", "URL", "x", "--async"}, func(q *asked, w http.ResponseWriter) { cut(w) }, false, false},
		"a known task":                {[]string{"send", "-a", "URL", "x", "--task-id", "t1"}, func(q *asked, w http.ResponseWriter) { cut(w) }, false, false},
	} {
		s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
			if q.Method == "SendMessage" || q.Method == "SendStreamingMessage" {
				c.fail(q, w)
				return
			}
			q.fail(w, -32001, "Task not found")
		})
		line := hurried(c.args...)
		for i := range line.args {
			line.args[i] = strings.ReplaceAll(line.args[i], "URL", s.URL)
		}
		r := line.run(t)
		said := r.out + r.err
		if r.code == 0 || strings.Contains(said, "With --async no answer") != c.async || strings.Contains(said, "--async or --stream") {
			t.Errorf("%s: got exit %d, want --async %t and never a stream\n%s", name, r.code, c.async, said)
		}
		if strings.Contains(said, "finds out whether the agent answers without a stream") != c.doubts {
			t.Errorf("%s: got the other doubt of streams in\n%s", name, said)
		}
	}
}

// An agent whose card has changed since it was approved is not used by a script, and where nobody sees a
// screen, the script names the commands that approve it.
func TestAScriptSendsNothingToAnAgentThatIsHeld(t *testing.T) {
	t.Parallel()
	a := newDriftingAgent(t)
	script := writeScript(t, "Open "+a.URL+"\nSay \"hello\"\n")
	if r := a.run(t, "card", "trust", a.URL); r.code != 0 {
		t.Fatal(r.err)
	}
	for _, door := range []string{"--headless", "--render"} {
		if r := a.run(t, "demo", script, door, "--fast"); r.code != 0 || a.posts.Load() == 0 {
			t.Fatalf("%s: got exit %d and %d messages before the change\n%s", door, r.code, a.posts.Load(), r.err)
		}
	}
	a.says("http://HOST/", anotherPlace)
	for _, door := range []string{"--headless", "--render"} {
		r := a.run(t, "demo", script, door, "--fast")
		if r.code != 1 || a.posts.Load() != 0 || !strings.Contains(r.err, "since you approved it") || !strings.Contains(r.err, "parley card diff shows them, and parley card trust approves them") {
			t.Errorf("%s: got exit %d, %d messages and %s, want none and how the card is approved", door, r.code, a.posts.Load(), r.err)
		}
	}
	if r := a.run(t, "card", "trust", a.URL); r.code != 0 {
		t.Fatal(r.err)
	}
	if r := a.run(t, "demo", script, "--headless", "--fast"); r.code != 0 {
		t.Errorf("after the approval: got exit %d\n%s", r.code, r.err)
	}
}

// A script requests the extended card, and checks its streams, with and without a screen.
func TestAScriptKnowsTheExtendedCard(t *testing.T) {
	t.Parallel()
	card := strings.Replace(streamCard, `"streaming":true`, `"streaming":true,"extendedAgentCard":true`, 1)
	for _, door := range []string{"--headless", "--render"} {
		var said atomic.Int32
		// The second message is answered after both: the script does not wait for either.
		extended, checked := make(chan bool), make(chan bool)
		cardAsked, taskAsked := sync.OnceFunc(func() { close(extended) }), sync.OnceFunc(func() { close(checked) })
		s := newStub(t, card, func(q *asked, w http.ResponseWriter) {
			switch q.Method {
			case "GetExtendedAgentCard":
				defer cardAsked()
				q.result(w, strings.ReplaceAll(strings.Replace(card, `"name":"Stub"`, `"name":"Stub, members"`, 1), "%s", "http://"+q.req.Host))
			case "GetTask":
				defer taskAsked()
				q.result(w, completed)
			default:
				if said.Add(1) == 2 {
					for _, asked := range []chan bool{extended, checked} {
						select {
						case <-asked:
						case <-q.req.Context().Done():
						}
					}
				}
				q.event(w, task(working))
				q.event(w, status("COMPLETED"))
			}
		})
		script := writeScript(t, "Open "+s.URL+"\nSay \"hello\"\nWait completed\nSay \"again\"\nWait completed\n")
		if r := parley(t, "demo", script, door, "--fast", "--bearer", "hush-hush-hush"); r.code != 0 {
			t.Errorf("%s: got exit %d\n%s%s", door, r.code, r.out, r.err)
		}
		if len(s.asked("GetExtendedAgentCard")) != 1 || len(s.asked("GetTask")) == 0 {
			t.Errorf("%s: got %d requests for the extended card and %d of the task, want one, and one after the stream", door, len(s.asked("GetExtendedAgentCard")), len(s.asked("GetTask")))
		}
	}
}

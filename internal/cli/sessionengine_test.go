package cli

import (
	"net/http"
	"strings"
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
		s := newStub(t, card, func(q *asked, w http.ResponseWriter) {
			switch q.Method {
			case "GetExtendedAgentCard":
				q.result(w, strings.ReplaceAll(strings.Replace(card, `"name":"Stub"`, `"name":"Stub, members"`, 1), "%s", "http://"+q.req.Host))
			case "GetTask":
				q.result(w, completed)
			default:
				q.event(w, task(working))
				q.event(w, status("COMPLETED"))
			}
		})
		script := writeScript(t, "Open "+s.URL+"\nSay \"hello\"\nWait completed\nSay \"again\"\n")
		if r := parley(t, "demo", script, door, "--fast", "--bearer", "hush-hush-hush"); r.code != 0 {
			t.Errorf("%s: got exit %d\n%s%s", door, r.code, r.out, r.err)
		}
		if len(s.asked("GetExtendedAgentCard")) != 1 || len(s.asked("GetTask")) == 0 {
			t.Errorf("%s: got %d requests for the extended card and %d of the task, want one, and one after the stream", door, len(s.asked("GetExtendedAgentCard")), len(s.asked("GetTask")))
		}
	}
}

package serve

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A form is how a dialect writes requests and answers.
type form struct {
	dialect, binding, path, other string // of the recorded request and of the one that is made
	plain, stream                 string // methods of JSON-RPC, empty over HTTP+JSON
	message                       string // a request's parameters
	events                        []string
	task                          string // of the events, as a plain answer
}

// forms are those of which each other dialect has one.
var forms = map[string]form{
	"0.3": {
		dialect: "v0.3", binding: "JSONRPC", path: "/a2a", other: "/a2a", plain: "message/send", stream: "message/stream",
		message: `{"message":{"role":"user","messageId":"m","parts":[{"kind":"text","text":"Go"}]}}`,
		events: []string{
			`{"kind":"task","id":"t","contextId":"c","status":{"state":"submitted"},"history":[{"kind":"message"}],"metadata":{"k":1}}`,
			`{"kind":"artifact-update","taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[{"kind":"text","text":"1"}]}}`,
			`{"kind":"artifact-update","taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"kind":"text","text":"2"}]}}`,
			`{"kind":"status-update","taskId":"t","contextId":"c","final":true,"status":{"state":"completed"}}`,
		},
		task: `{"id":"t","contextId":"c","status":{"state":"completed"},"artifacts":[{"artifactId":"a","parts":[{"kind":"text","text":"1"},{"kind":"text","text":"2"}]}],"history":[{"kind":"message"}],"metadata":{"k":1},"kind":"task"}`,
	},
	"1.0": {
		dialect: "v1.0", binding: "JSONRPC", path: "/a2a", other: "/a2a", plain: "SendMessage", stream: "SendStreamingMessage",
		message: `{"message":{"role":"ROLE_USER","messageId":"m","parts":[{"text":"Go"}]}}`,
		events: []string{
			`{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_SUBMITTED"}}}`,
			`{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[{"text":"1"}]}}}`,
			`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}`,
		},
		task: `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[{"text":"1"}]}]}}`,
	},
	"1.0 HTTP+JSON": {
		dialect: "v1.0-rest", binding: "HTTP+JSON", path: "/message:stream", other: "/message:send",
		message: `{"message":{"role":"ROLE_USER","messageId":"m","parts":[{"text":"Go"}]}}`,
		events: []string{
			`{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`,
			`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_INPUT_REQUIRED"}}}`,
			`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}`, // when it was answered
		},
		task: `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_INPUT_REQUIRED"}}}`,
	},
	"0.1": {
		dialect: "v0.1", binding: "JSONRPC", path: "/a2a", other: "/a2a", plain: "tasks/send", stream: "tasks/sendSubscribe",
		message: `{"id":"t","sessionId":"c","message":{"role":"user","parts":[{"type":"text","text":"Go"}]}}`,
		events: []string{
			`{"id":"t","status":{"state":"working"},"final":false}`,
			`{"id":"t","artifact":{"index":0,"parts":[{"type":"text","text":"1"}]}}`,
			`{"id":"t","status":{"state":"completed"},"final":true}`,
		},
		task: `{"id":"t","status":{"state":"completed"},"artifacts":[{"index":0,"parts":[{"type":"text","text":"1"}]}]}`,
	},
	"a message": {
		dialect: "v1.0", binding: "JSONRPC", path: "/a2a", other: "/a2a", plain: "SendMessage", stream: "SendStreamingMessage",
		message: `{"message":{"role":"ROLE_USER","messageId":"m","parts":[{"text":"Go"}]}}`,
		events:  []string{`{"message":{"messageId":"a","taskId":"elsewhere","role":"ROLE_AGENT","parts":[{"text":"Hi"}]}}`},
		task:    `{"message":{"messageId":"a","taskId":"elsewhere","role":"ROLE_AGENT","parts":[{"text":"Hi"}]}}`,
	},
}

// in returns parameters or a result in the envelope of the form.
func (f *form) in(id, method, params string) string {
	if f.binding != "JSONRPC" {
		return params
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`
}

func (f *form) out(id, result string) string {
	if f.binding != "JSONRPC" {
		return result
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`
}

// streams records the events of the form as a stream, without an end.
func (f *form) streams() (*tape, int) {
	tp := newTape()
	x := tp.call("stream", f.dialect, f.binding, f.path, f.in(`"rec-1"`, f.stream, f.message))
	tp.head(x, "text/event-stream", moment)
	for _, e := range f.events {
		tp.event(x, "data: "+f.out(`"rec-1"`, e)+"\n\n")
	}
	return tp, x
}

// ask sends a body to a path and returns the answer with its mark.
func (ts *testServer) ask(t *testing.T, path, body string) (answer, mark string, err error) {
	t.Helper()
	resp, err := http.Post("http://"+strings.TrimPrefix(ts.URL, "http://")+path, "application/json", strings.NewReader(body))
	if err != nil {
		return "", "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), resp.Header.Get(markHeader), err
}

// A plain send of what was recorded with a stream gets the task to which the stream adds up, or the
// message, after the recorded time, and says from which record it is made.
func TestAPlainSendGetsWhatAStreamBrings(t *testing.T) {
	t.Parallel()
	for name, f := range forms {
		t.Run(name, func(t *testing.T) {
			tp, x := f.streams()
			tp.end(x, "ended", "")
			ts := tp.serve(t, Options{Speed: 1})
			got, mark, err := ts.ask(t, f.other, f.in("5", f.plain, f.message))
			if want := f.out("5", f.task); got != want || err != nil {
				t.Errorf("got %s, %v\nwant %s", got, err, want)
			}
			if want := fmt.Sprintf("from the stream of record %d", x); mark != want {
				t.Errorf("got mark %q, want %q", mark, want)
			}
			if len(ts.log) != 1 || !strings.HasSuffix(ts.log[0], ", made from its stream") {
				t.Errorf("got log %q, want how the answer was made", ts.log)
			}
			events := len(f.events)
			if name == "1.0 HTTP+JSON" {
				events-- // up to the question
			}
			total := time.Duration(0)
			for _, d := range ts.sleeps {
				total += d
			}
			if want := time.Duration(events+1) * moment; total != want {
				t.Errorf("got the answer after %v, want %v", total, want)
			}
		})
	}
}

// A stream of what was recorded as a plain answer has the answer as its only event; in 0.1, where streams
// have no tasks, its artifacts and its status.
func TestAStreamGetsWhatAPlainAnswerBrings(t *testing.T) {
	t.Parallel()
	for name, f := range forms {
		t.Run(name, func(t *testing.T) {
			tp := newTape()
			x := tp.call("send", f.dialect, f.binding, f.other, f.in(`"rec-1"`, f.plain, f.message))
			tp.body(x, f.out(`"rec-1"`, f.task))
			ts := tp.serve(t, Options{Speed: 1})
			got, mark, err := ts.ask(t, f.path, f.in("5", f.stream, f.message))
			events := []string{f.task}
			if f.dialect == "v0.1" {
				events = f.events[1:]
			}
			want := ""
			for _, e := range events {
				want += "data: " + f.out("5", e) + "\n\n"
			}
			if got != want || err != nil || mark != fmt.Sprintf("from the answer of record %d", x) {
				t.Errorf("got %s, %v, mark %q\nwant %s", got, err, mark, want)
			}
		})
	}
}

// What was sent plainly counts before a stream with the same text, and a text before the way.
func TestTheSameOperationComesFirst(t *testing.T) {
	t.Parallel()
	f := forms["0.3"]
	tp, x := f.streams()
	tp.end(x, "ended", "")
	tp.answer("Stop", "", "t2", "c2", "plain")
	tp.answer("Go", "", "t3", "c3", "plain")
	ts := tp.serve(t, Options{})
	for _, c := range []struct{ method, prompt, want string }{
		{"message/send", "Else", `"id":"t2"`}, {"message/send", "Go", `"id":"t3"`}, {"message/stream", "Go", `"id":"t"`},
		{"message/stream", "Stop", `"id":"t2-`}, {"message/send", "go!", `"id":"t3-`},
	} {
		if got, err := ts.post(t, sendBody("1", c.method, c.prompt, "")); err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s %q: got %s, %v, want %s", c.method, c.prompt, got, err, c.want)
		}
	}
}

// A fault of a stream is one of the plain answer, and what nobody knows is an error that says so.
func TestAFaultOfAStreamIsOneOfThePlainAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		events       int // of those of 0.3
		more         string
		reason, word string
		want         string // "" for a broken connection
	}{
		"cut":              {2, "", "cut", "unexpected EOF", ""},
		"reset":            {2, "", "cut", "connection reset by peer", ""},
		"cut in an event":  {2, "data: {\"jsonrpc\":", "cut", "unexpected EOF", ""},
		"cut after all":    {4, "", "cut", "unexpected EOF", `"state":"completed"`},
		"stopped by us":    {2, "", "cancelled", "", `"code":-32603,"message":"parley serve: The recording does not know how the stream of record 1 went on."`},
		"no end":           {2, "", "", "", `The recording does not know how the stream`},
		"ended early":      {3, "", "ended", "", `"state":"submitted"`},
		"an error":         {2, `data: {"jsonrpc":"2.0","id":"rec-1","error":{"code":-32603,"message":"Boom"}}` + "\n\n", "ended", "", `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Boom"}}`},
		"an error at last": {4, `data: {"jsonrpc":"2.0","id":"rec-1","error":{"code":-32603,"message":"Boom"}}` + "\n\n", "ended", "", `"state":"completed"`},
		"nothing":          {0, "data: [DONE]\n\n", "ended", "", `The stream of record 1 has no task and no message.`},
		"garbage and task": {4, "data: {broken\n\n", "ended", "", `"state":"completed"`},
		"no event":         {0, "", "ended", "", `The stream of record 1 has no task`},
	} {
		t.Run(name, func(t *testing.T) {
			f := forms["0.3"]
			f.events = f.events[:c.events]
			tp, x := f.streams()
			if c.more != "" {
				tp.event(x, c.more)
			}
			if c.reason != "" {
				tp.end(x, c.reason, c.word)
			}
			got, err := tp.serve(t, Options{}).post(t, sendBody("1", "message/send", "Go", ""))
			if c.want == "" && err == nil || c.want != "" && (err != nil || !strings.Contains(got, c.want)) {
				t.Errorf("got %s, %v, want %q", got, err, c.want)
			}
		})
	}
}

// An error that refused a stream refuses the plain send, and the other way round in an event.
func TestARefusalRefusesBothWays(t *testing.T) {
	t.Parallel()
	const refusal = `{"jsonrpc":"2.0","id":"rec-1","error":{"code":-32004,"message":"No"}}`
	for _, c := range []struct{ recorded, asked, want string }{
		{"message/stream", "message/send", strings.Replace(refusal, `"rec-1"`, "1", 1)},
		{"message/send", "message/stream", "data: " + strings.Replace(refusal, `"rec-1"`, "1", 1) + "\n\n"},
	} {
		tp := newTape()
		tp.body(tp.send(c.recorded, "Go", ""), refusal)
		if got, err := tp.serve(t, Options{}).post(t, sendBody("1", c.asked, "Go", "")); got != c.want || err != nil {
			t.Errorf("%s as %s: got %q, %v, want %q", c.recorded, c.asked, got, err, c.want)
		}
	}
	for code, c := range map[string]int{"429": http.StatusTooManyRequests, "7": http.StatusInternalServerError} {
		f := forms["1.0 HTTP+JSON"]
		f.events = []string{`{"error":{"code":` + code + `,"message":"Boom"}}`}
		tp, x := f.streams()
		tp.end(x, "ended", "")
		ts := tp.serve(t, Options{})
		resp, err := http.Post(ts.URL+f.other, "application/json", strings.NewReader(f.message))
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c || string(b) != f.events[0] || err != nil {
			t.Errorf("code %s: got %d %s, %v, want %d with the error", code, resp.StatusCode, b, err, c)
		}
	}
}

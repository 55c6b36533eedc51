package a2atest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const script = `
-- agent --
name Tester
dialect 1.0
endpoint /rpc
answer task
serve /card.json card text/x-card
-- card --
{"url":"{{origin}}/rpc","restarts":{{restarts}}}
-- task --
{"jsonrpc":"2.0","id":{{id}},"result":{"task":"{{task}}","context":"{{context}}","state":"{{state}}","log":[{{log}}]}}
-- state --
none
-- log --
-- event --
data: {"id":{{id}},"task":"{{task}}","state":"{{state}}"}

-- chunk --
data: {"file":"{{file}}","n":{{n}},"append":{{append}},"last":{{last}},"text":"{{chunk}}"}

-- tick --
data: {{n}}

-- poem.md --
The "tide" of {{sea}}
comes in.
-- other.md --
one two three
-- torn --
data: {"torn{{end}}
-- sent --
{"id":{{id}},"sent":"{{sent poem.md}}","whole":"{{escape other.md}}","b64":"{{base64 blob}}","crlf":"{{hex 41 42}}","fill":"{{fill 200}}"}
-- scene greet --
text ^hi (?P<who>\w+)$
send event state="hello {{who}}"
goto greeted
let state=greeted
add log entry
add log entry
send event
-- entry --
{"said":"{{text}}"}
-- scene again --
state greeted
is again
let state=again
goto over
send event
-- scene poem --
text ^poem of the (?P<sea>.+)$
goto writing
stream poem.md other.md with chunk words 2
goto over
-- scene hang --
is hang
goto hanging
let state=working
send event
hang gate
let state=released
send event
when canceled
let state=canceled
send event
-- scene cut --
is cut
answer -
send event
send torn
cut
goto over
-- scene reset --
is reset
send event
reset
-- scene ticks --
is ticks
repeat 3 tick
-- scene page --
is page
answer -
header X-Who: {{text}}
head 500 text/html
send page
-- page --
<h1>no</h1>
-- scene restart --
is restart
goto over
restart 1ms
-- scene get --
on GetTask
state greeted over hanging
send task
-- scene sent --
on GetTask
state *
send sent
-- scene cancel --
on CancelTask
state hanging
goto canceled
send task
-- scene hello --
on GET /hello
send page
`

func start(t *testing.T, o Options) *Agent {
	t.Helper()
	s, err := Parse("test", []byte(script), file("blob", "\x00\xff{{id}}"))
	if err != nil {
		t.Fatal(err)
	}
	if o.NewID == nil {
		var n atomic.Int32
		o.NewID = func() string { return fmt.Sprintf("id-%d", n.Add(1)) }
	}
	a, err := Start(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

// post sends one JSON-RPC request.
func post(t *testing.T, a *Agent, method, params string) *http.Response {
	t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"r-7","method":%q,"params":%s}`, method, params)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.URL+"/rpc", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func say(text, taskID string) string {
	return fmt.Sprintf(`{"message":{"messageId":"m","role":"ROLE_USER","taskId":%q,"parts":[{"text":%q}]}}`, taskID, text)
}

func all(t *testing.T, resp *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestStreamSendsLiteralBytes(t *testing.T) {
	a := start(t, Options{})
	resp := post(t, a, "SendStreamingMessage", say("hi Ann", ""))
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("got content type %q, want text/event-stream", got)
	}
	want := "data: {\"id\":\"r-7\",\"task\":\"id-1\",\"state\":\"hello Ann\"}\n\n" +
		"data: {\"id\":\"r-7\",\"task\":\"id-1\",\"state\":\"greeted\"}\n\n"
	if got := all(t, resp); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPlainSendGetsTheAnswerFile(t *testing.T) {
	a := start(t, Options{})
	got := all(t, post(t, a, "SendMessage", say("hi Bo", "")))
	want := `{"jsonrpc":"2.0","id":"r-7","result":{"task":"id-1","context":"id-2","state":"greeted",` +
		`"log":[{"said":"hi Bo"},{"said":"hi Bo"}]}}` + "\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestStateIsKeptPerTask(t *testing.T) {
	a := start(t, Options{})
	_ = all(t, post(t, a, "SendStreamingMessage", say("hi Ann", "")))
	if got := all(t, post(t, a, "SendMessage", say("again", "id-1"))); !strings.Contains(got, `"state":"again"`) {
		t.Errorf("second turn: got %s, want state again", got)
	}
	if got := all(t, post(t, a, "GetTask", `{"id":"id-1"}`)); !strings.Contains(got, `"state":"again"`) {
		t.Errorf("get: got %s, want state again", got)
	}
	if got := all(t, post(t, a, "SendMessage", say("again", "id-1"))); !strings.Contains(got, `-32004`) {
		t.Errorf("third turn of a task that is over: got %s, want code -32004", got)
	}
}

func TestErrorsAreTheDialects(t *testing.T) {
	a := start(t, Options{})
	for _, tc := range []struct{ method, params, want string }{
		{"Nonsense", `{}`, `"code":-32601`},
		{"GetTask", `{"id":"nobody"}`, `"reason":"TASK_NOT_FOUND"`},
		{"SendMessage", say("hi", "nobody"), `"code":-32001`},
		{"CancelTask", `{"id":"nobody"}`, `"code":-32001`},
		{"CreateTaskPushNotificationConfig", `{}`, `"code":-32003`},
		{"GetExtendedAgentCard", `{}`, `"code":-32007`},
		{"SendMessage", `{"message":17}`, `"code":-32602`},
		{"SendMessage", `[]`, `"code":-32602`},
		{"SendMessage", `{"message":{},"configuration":{"historyLength":"x"}}`, `"code":-32602`},
		{"GetTask", `{}`, `"code":-32602`},
		{"CancelTask", `{"id":17}`, `"code":-32602`},
	} {
		got := all(t, post(t, a, tc.method, tc.params))
		if !strings.Contains(got, tc.want) || !strings.Contains(got, `"id":"r-7"`) || !json.Valid([]byte(got)) {
			t.Errorf("%s %s: got %s, want %s", tc.method, tc.params, got, tc.want)
		}
	}
	resp, err := http.Post(a.URL+"/rpc", "application/json", strings.NewReader("{"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got := all(t, resp); !strings.Contains(got, `"id":null`) || !strings.Contains(got, "-32700") {
		t.Errorf("broken JSON: got %s, want code -32700 with id null", got)
	}
}

func TestFilesInterleaveChunkByChunk(t *testing.T) {
	a := start(t, Options{})
	text := map[string]string{}
	var order []string
	for frame := range strings.SplitSeq(all(t, post(t, a, "SendStreamingMessage", say("poem of the \"north\" {{id}}", ""))), "\n\n") {
		if frame == "" {
			continue
		}
		var c struct {
			File, Text   string
			N            int
			Append, Last bool
		}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(frame, "data: ")), &c); err != nil {
			t.Fatalf("frame %q: %v", frame, err)
		}
		if c.Append != (text[c.File] != "") {
			t.Errorf("%s chunk %d: got append %v, want %v", c.File, c.N, c.Append, !c.Append)
		}
		text[c.File] += c.Text
		order = append(order, c.File)
	}
	if got, want := text["poem.md"], "The \"tide\" of \"north\" {{id}}\ncomes in.\n"; got != want {
		t.Errorf("got text %q, want %q", got, want)
	}
	if len(order) < 3 || order[0] != "poem.md" || order[1] != "other.md" || order[2] != "poem.md" {
		t.Errorf("got order %v, want the files in turn", order)
	}
}

func TestCancelMovesARunningScene(t *testing.T) {
	a := start(t, Options{})
	resp := post(t, a, "SendStreamingMessage", say("hang", ""))
	head := make([]byte, len("data: {\"id\":\"r-7\",\"task\":\"id-1\",\"state\":\"working\"}\n\n"))
	if _, err := io.ReadFull(resp.Body, head); err != nil {
		t.Fatal(err)
	}
	if got := all(t, post(t, a, "CancelTask", `{"id":"id-1"}`)); !strings.Contains(got, `"result"`) {
		t.Errorf("cancel: got %s, want a result", got)
	}
	if got := all(t, resp); !strings.Contains(got, `"state":"canceled"`) {
		t.Errorf("got stream %q after the cancel, want state canceled", got)
	}
	if got := all(t, post(t, a, "CancelTask", `{"id":"id-1"}`)); !strings.Contains(got, "-32002") {
		t.Errorf("second cancel: got %s, want code -32002", got)
	}
}

func TestReleaseOpensAGate(t *testing.T) {
	a := start(t, Options{})
	resp := post(t, a, "SendStreamingMessage", say("hang", ""))
	a.Release("gate")
	a.Release("gate")
	if got := all(t, resp); !strings.HasSuffix(got, "\"released\"}\n\n") {
		t.Errorf("got stream %q, want the released event at its end", got)
	}
}

func TestPlainSendThatDoesNotWaitIsAnsweredAtOnce(t *testing.T) {
	a := start(t, Options{})
	got := all(t, post(t, a, "SendMessage", `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hang"}]},"configuration":{"returnImmediately":true}}`))
	if !strings.Contains(got, `"state":"working"`) {
		t.Errorf("got %s, want state working", got)
	}
}

func TestPlaceholders(t *testing.T) {
	a := start(t, Options{})
	_ = all(t, post(t, a, "SendStreamingMessage", say("hi Ann", "")))
	if got := all(t, post(t, a, "SendStreamingMessage", say("ticks", ""))); got != "data: 1\n\ndata: 2\n\ndata: 3\n\n" {
		t.Errorf("repeat: got %q, want three events", got)
	}
	resp := post(t, a, "SendStreamingMessage", say("poem of the sea", ""))
	_ = all(t, resp)
	script := strings.Replace(script, "state greeted over hanging", "state greeted", 1)
	s, err := Parse("test", []byte(script), file("blob", "\x00\xff{{id}}"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := Start(t.Context(), s, Options{NewID: func() string { return "x" }})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	_ = all(t, post(t, b, "SendStreamingMessage", say("poem of the sea", "")))
	var got struct{ Sent, Whole, B64, CRLF, Fill string }
	if err := json.Unmarshal([]byte(all(t, post(t, b, "GetTask", `{"id":"x"}`))), &got); err != nil {
		t.Fatal(err)
	}
	if got.Sent != "The \"tide\" of sea\ncomes in.\n" || got.Whole != "one two three\n" ||
		got.B64 != "AP97e2lkfX0=" || got.CRLF != "AB" || len(got.Fill) < 190 {
		t.Errorf("got values %+v, want the placeholders replaced", got)
	}
}

func TestPausesAreTheSameEveryTime(t *testing.T) {
	b, err := parseBeat("25ms..60ms")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[time.Duration]bool{}
	for n := range 100 {
		d := b.at(n)
		if d < 25*time.Millisecond || d > 60*time.Millisecond || d != b.at(n) {
			t.Errorf("pause %d: got %v, want %v between 25 and 60 ms", n, d, b.at(n))
		}
		seen[d] = true
	}
	if len(seen) < 20 {
		t.Errorf("got %d different pauses, want at least 20", len(seen))
	}
}

func FuzzRequest(f *testing.F) {
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":"r","method":"SendMessage","params":` + say("hi Ann", "") + `}`,
		`{"id":{},"method":"GetTask","params":{"id":"x"}}`, `[]`, `null`, `{"method":"SendMessage","params":{"message":{"parts":[null]}}}`,
	} {
		f.Add([]byte(body))
	}
	s, err := Parse("test", []byte(script), file("blob", ""))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, name := range []string{"0.1", "0.3", "1.0"} {
			d, _ := dialects(name)
			c, fault := readCall(d, body)
			if fault != nil && !json.Valid(fault.body(c.id)) {
				t.Errorf("got error %s, want valid JSON", fault.body(c.id))
			}
			for _, scene := range s.scenes {
				scene.takes(c, stateNew)
			}
		}
	})
}

package cli

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
)

// serve starts a server that answers every request with f.
func webServer(t *testing.T, f http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return s.URL
}

// nobody returns an address at which nothing can listen until the test ends: it is the local
// end of an open connection.
func nobody(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return "http://" + c.LocalAddr().String()
}

// failures checks that a command line fails with the same code in text and JSON.
func failures(t *testing.T, args []string, code string, exit int, says string) {
	t.Helper()
	r := parley(t, args...)
	if r.code != exit || !strings.Contains(r.err, "Code: "+code+"\n") || !strings.Contains(r.err, "Error: ") || !strings.Contains(r.err, says) {
		t.Errorf("%q: got exit %d, want %d and %s\n%s%s", args, r.code, exit, code, r.out, r.err)
	}
	r = commandLine{args: args, env: []string{"A2ACLI_OUTPUT=json"}}.run(t)
	e, _ := at(document(t, r.out), "error").(map[string]any)
	if r.code != exit || e["code"] != code || !strings.Contains(fmt.Sprint(e["message"], e["hint"]), says) || len(e) != 4 {
		t.Errorf("%q as JSON: got exit %d, want %d and %s\n%s", args, r.code, exit, code, r.out)
	}
	if strings.Count(r.out, "\n") != 1 {
		t.Errorf("%q: got %q, want one line", args, r.out)
	}
}

func TestCardsThatAreNotThere(t *testing.T) {
	t.Parallel()
	tls := newTLS(t, newStub(t, plainCard, nil))
	for _, c := range []struct {
		name, ref, code string
		exit            int
		says            string
	}{
		{"refused", nobody(t), "A2ACLI_ERR_UNREACHABLE", 3, "refused the connection"},
		{"no such host", "http://no-such-host.invalid", "A2ACLI_ERR_UNREACHABLE", 3, "no-such-host.invalid"},
		{"TLS", tls, "A2ACLI_ERR_UNREACHABLE", 3, "certificate"},
		{"404", webServer(t, http.NotFound), "A2ACLI_ERR_CARD_NOT_FOUND", 3, "no agent card"},
		{"500", webServer(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "x", 500) }), "A2ACLI_ERR_CARD_NOT_FOUND", 3, "failed"},
		{"401", webServer(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "x", http.StatusUnauthorized) }), "A2ACLI_ERR_CREDENTIALS_MISSING", 4, "A2ACLI_BEARER"},
		{"no JSON", webServer(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"name": tru`) }), "A2ACLI_ERR_CARD_INVALID", 1, "not valid JSON"},
		{"a page", webServer(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html><title>Hi</title>") }), "A2ACLI_ERR_CARD_NOT_FOUND", 3, ""},
		{"no file", "./none.json", "A2ACLI_ERR_CARD_NOT_FOUND", 3, "There is no file"},
		{"another scheme", "ftp://h.example", "A2ACLI_ERR_CARD_NOT_FOUND", 3, "http, https, grpc, grpcs, mqtt, mqtts, ws, wss and files"},
	} {
		t.Run(c.name, func(t *testing.T) {
			failures(t, []string{"card", "get", "-a", c.ref}, c.code, c.exit, c.says)
			failures(t, []string{"send", "-a", c.ref, "x"}, c.code, c.exit, c.says)
		})
	}
	failures(t, []string{"send", "-a", webServer(t, http.NotFound), "x", "--bearer", "abc"}, "A2ACLI_ERR_CARD_NOT_FOUND", 3, "no agent card")
}

func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		answer func(*asked, http.ResponseWriter)
		args   []string
		code   string
		exit   int
		says   string
	}{
		{"401", func(_ *asked, w http.ResponseWriter) { w.WriteHeader(401) }, nil, "A2ACLI_ERR_CREDENTIALS_MISSING", 4, "--bearer"},
		{"401 in spite of credentials", func(_ *asked, w http.ResponseWriter) { w.WriteHeader(401) },
			[]string{"--bearer", "k"}, "A2ACLI_ERR_AUTH_FAILED", 4, "did not accept"},
		{"a private code for 401", func(q *asked, w http.ResponseWriter) { q.fail(w, -31401, "who are you") }, nil, "A2ACLI_ERR_CREDENTIALS_MISSING", 4, "who are you"},
		{"500 with a page", func(_ *asked, w http.ResponseWriter) { http.Error(w, "<html><title>Oops</title>", 500) }, nil, "A2ACLI_ERR_INTERNAL", 1, "failed"},
		{"nothing", func(_ *asked, w http.ResponseWriter) { w.WriteHeader(200) }, nil, "A2ACLI_ERR_INTERNAL", 1, "with an empty body"},
		{"half of it", func(q *asked, w http.ResponseWriter) { fmt.Fprint(w, `{"jsonrpc":"2.0","result":{"task":{`) }, nil, "A2ACLI_ERR_INTERNAL", 1, ""},
		{"a broken connection", func(q *asked, w http.ResponseWriter) { cut(w) }, nil, "A2ACLI_ERR_INTERNAL", 1, "closed the connection"},
		{"something nobody defined", func(q *asked, w http.ResponseWriter) { q.result(w, `{"telegram":1}`) }, nil, "A2ACLI_ERR_INTERNAL", 1, "answered 200 OK with the result {\"telegram\":1}, which A2A does not define"},
		{"an error without a name", func(q *asked, w http.ResponseWriter) { q.fail(w, -32099, "a mystery") }, nil, "A2ACLI_ERR_INTERNAL", 1, "a mystery"},
		{"version", func(q *asked, w http.ResponseWriter) { q.fail(w, -32009, "0.3 only") }, nil, "VersionNotSupportedError", 1, "0.3 only"},
		{"content type", func(q *asked, w http.ResponseWriter) { q.fail(w, -32005, "no text") }, nil, "ContentTypeNotSupportedError", 1, "no text"},
		{"parameters", func(q *asked, w http.ResponseWriter) { q.fail(w, -32602, "bad") }, nil, "InvalidParamsError", 1, "--debug"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStub(t, plainCard, c.answer)
			failures(t, append([]string{"send", "-a", s.URL, "x"}, c.args...), c.code, c.exit, c.says)
			if c.code != "A2ACLI_ERR_INTERNAL" {
				failures(t, append([]string{"task", "get", "-a", s.URL, "t"}, c.args...), c.code, c.exit, c.says)
			}
		})
	}
}

func TestAgentsThatCannotBeTalkedTo(t *testing.T) {
	t.Parallel()
	for card, says := range map[string]string{
		`{"name":"G","supportedInterfaces":[{"url":"h:1","protocolBinding":"urn:own","protocolVersion":"1.0"}],"skills":[]}`: "urn:own",
		`{"name":"N","skills":[]}`: "declares no endpoint",
	} {
		s := newStub(t, card, nil)
		failures(t, []string{"send", "-a", s.URL, "x"}, "A2ACLI_ERR_INTERNAL", 1, says)
		if r := parley(t, "card", "get", s.URL); r.code != 0 {
			t.Errorf("got no card: %s", r.err)
		}
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, says string }{
		{"card", "needs a command"},
		{"task frobnicate", "no command \"frobnicate\": it has cancel, download, get, list, push-config, subscribe."},
		{"task lists -a h", "no command \"lists\""},
		{"task gte -a h t1", "Did you mean parley task get?"},
		{"card gte", "Did you mean parley card get?"},
		{"nonsense", "neither a command of parley, nor a saved agent"},
		{"nonsense", "A host of that name is written http://nonsense."},
		{"sned hi", "Did you mean parley send?"},
		{"sned -a localhost hi", "Did you mean parley send?"},
		{"answer", "neither a command"},
		{"localhost:1 tsak", "\"tsak\" is neither a saved agent nor an address"},
		{"send -a h x", "\"h\" is neither a saved agent nor an address"},
		{"card get nonsense", "\"nonsense\" is neither a saved agent"},
		{"help nosuch", "There is no command and no topic \"nosuch\""},
		{"help task nosuch", "parley task has no command \"nosuch\""},
		{"help sedn", "Did you mean parley help send?"},
		{"send x", "No agent was named"},
		{"send -a h", "nothing to send"},
		{"send -a h x --no-such-flag", "There is no flag --no-such-flag"},
		{"send -a h x --tex y", "There is no flag --tex here. Did you mean --text?"},
		{"send -a h x --task-di=7", "Did you mean --task-id?"},
		{"task get -a h t1 --hystory 3", "Did you mean --history?"},
		{"--max-crad 3", "Did you mean --max-card?"},
		{"send -a h x -z", "There is no flag -z"},
		{"send -a h x --timeout", "needs a value"},
		{"send -a h x --timeout soon", "duration"},
		{"send -a h x --timeout -1s", "negative"},
		{"send -a h x --poll-interval 0s", "greater than 0"},
		{"send -a h x --output xml", "none of text, json, answer and live"},
		{"send -a h x --transport smoke", "--transport"},
		{"send -a h x --a2a-version 7", "--a2a-version"},
		{"send -a h x --async --wait", "contradict"},
		{"send -a h x --async --stream", "contradict"},
		{"send -a h x --metadata [1]", "--metadata is not a JSON object"},
		{"send -a h x --svc-param novalue", "name:value"},
		{"send -a h x --allow-origin ftp://h", "--allow-origin"},
		{"send -a h --media-type text/plain --text x", "--media-type must follow"},
		{"send -a h --text x --media-type a/b --media-type c/d", "twice"},
		{"send -a h --text x --media-type nonsense", "not a media type"},
		{"send -a h --file ./none", "There is no file"},
		{"send -a h --file .", "folder"},
		{"send -a h --data run.go", "not one JSON value"},
		{"send -a h --data - --file -", "Standard input can be only one thing"},
		{"send -a - --data -", "Standard input can be only one thing"},
		{"send -a - -", "Standard input can be only one thing"},
		{"task get -a h", "No task was named"},
		{"task get -a h a b", "Only one task"},
		{"task get -a h a --history -1", "negative"},
		{"task get -a h a --history many", "whole number"},
		{"card get a b", "Only one agent"},
		{"card get a -a b", "named twice"},
		{"card get h --config ./none.env", "no settings file"},
		{"card get h:1 --record run.go", "already exists"},
		{"demo now", "There is no file now"},
		{"open a b", "takes one session"},
		{"http://127.0.0.1:1", "needs a terminal"},
		{"", "needs a terminal"},
	} {
		args := strings.Fields(c.line)
		t.Run(c.line, func(t *testing.T) {
			r := parley(t, args...)
			if r.code != 2 || r.out != "" || !strings.Contains(r.err, "Code: A2ACLI_ERR_USAGE\n") || !strings.Contains(r.err, c.says) {
				t.Errorf("got exit %d and output %q, want 2, none and %q\n%s", r.code, r.out, c.says, r.err)
			}
			r = commandLine{args: args, env: []string{"A2ACLI_OUTPUT=json"}}.run(t)
			if c.line == "send -a h x --output xml" {
				return
			}
			if e := at(document(t, r.out), "error"); r.code != 2 || at(e, "code") != "A2ACLI_ERR_USAGE" {
				t.Errorf("as JSON: got exit %d and %q, want 2 and USAGE", r.code, r.out)
			}
		})
	}
	for _, form := range []string{"-o json", "-ojson", "-o=json", "--output json", "--output=json"} {
		r := parley(t, append([]string{"send", "--oops"}, strings.Fields(form)...)...)
		if at(document(t, r.out), "error", "code") != "A2ACLI_ERR_USAGE" {
			t.Errorf("%s: got %q, want USAGE", form, r.out)
		}
	}
}

func TestOutputThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, done)
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	unwritable, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer unwritable.Close()
	errs, err := os.Create(name + ".err")
	if err != nil {
		t.Fatal(err)
	}
	defer errs.Close()
	for _, args := range [][]string{{"send", "-a", s.URL, "x"}, {"card", "get", s.URL}, {"task", "get", "-a", s.URL, "t1"}} {
		if code := Run(t.Context(), args, nil, Streams{In: unwritable, Out: unwritable, Err: errs}); code != 1 {
			t.Errorf("%q: got exit %d, want 1", args, code)
		}
	}
	if said := content(t, errs); strings.Count(said, "Standard output cannot be written") != 3 {
		t.Errorf("got %s, want the error three times", said)
	}
}

func TestAFirstWordThatNamesACommandIsOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, says string }{
		{"help", "demo-server: agents to practise"}, {"help send", "--task-id"}, {"help flags send", "--media-type"}, {"--help", "parley demo"}, {"task --help", "cancel"},
		{"send -h", "(default text)"}, {"--version", "parley " + version}, {"-v", "parley " + version},
	} {
		if r := parley(t, strings.Fields(c.line)...); r.code != 0 || !strings.Contains(r.out, c.says) {
			t.Errorf("%s: got exit %d, want 0\n%s%s", c.line, r.code, r.out, r.err)
		}
	}
}

// A server that says when it is back does not say that the agent has done nothing: the message is looked for.
// What tells that it has not taken the message is told with when to send it again.
func TestAPauseIsNoRefusal(t *testing.T) {
	t.Parallel()
	answer := func(status int, body string) func(*asked, http.ResponseWriter) {
		return func(_ *asked, w http.ResponseWriter) {
			w.Header().Set("Server", "nginx")
			w.Header().Set("Retry-After", "2")
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	const again, found, taken = "try again in 2 s", "shows whether the agent took the message", "The agent may have taken the message."
	for name, c := range map[string]struct {
		answer func(*asked, http.ResponseWriter)
		says   []string
		never  []string
	}{
		"503": {answer(503, ""), []string{"or something on the way to it (Server: nginx), answered 503", taken, found}, []string{again, "busy", "--debug"}},
		"503 with an error of the agent": {answer(503, `{"jsonrpc":"2.0","id":"1","error":{"code":-32603,"message":"full"}}`),
			[]string{"The agent answered InternalError: full.", found}, []string{again, "busy"}},
		"503 of a busy agent": {answer(503, `{"jsonrpc":"2.0","id":"1","error":{"code":-32010,"message":"too fast"}}`), []string{"It is busy: " + again}, []string{found}},
		"429":                 {answer(429, ""), []string{"is busy (429 Too Many Requests): " + again}, []string{found, taken}},
	} {
		s := newStub(t, plainCard, c.answer)
		r := parley(t, "send", "-a", s.URL, "x")
		for _, want := range c.says {
			if !strings.Contains(r.err, want) {
				t.Errorf("%s: got exit %d without %q\n%s", name, r.code, want, r.err)
			}
		}
		for _, never := range c.never {
			if strings.Contains(r.err, never) {
				t.Errorf("%s: got %q\n%s", name, never, r.err)
			}
		}
		if r.code != 1 || len(s.asked("SendMessage")) != 1 {
			t.Errorf("%s: got exit %d and %d messages, want 1 of each", name, r.code, len(s.asked("SendMessage")))
		}
	}
	later := answer(503, "")
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		if q.Method == "SendMessage" || q.Params["id"] == "t" {
			later(q, w)
			return
		}
		q.fail(w, -32001, "Task not found")
	})
	if r := parley(t, "task", "get", "-a", s.URL, "t"); !strings.Contains(r.err, "Ask for the task again in 2 s.") {
		t.Errorf("got no pause of a get\n%s", r.err)
	}
	if r := parley(t, "doctor", s.URL, "--send"); !strings.Contains(r.out, "Failed: message: ") || !strings.Contains(r.out, taken) || strings.Contains(r.out, again) {
		t.Errorf("got an advice to send the message again\n%s", r.out)
	}
}

// Before an answer has begun, it is no stream of a task that is silent. A long wait that an answer asks for is told.
func TestASilenceSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	op := operation{app: &app{streams: Streams{Err: write}}, answer: answer{turn: 1}, flags: &callFlags{poll: defaultPoll}}
	call := &a2a.Call{Op: a2a.OpStream, Turn: 1}
	stall := func() {
		op.signal(&log.Signal{Kind: log.SignalStall, Turn: 2, After: time.Hour})
		op.signal(&log.Signal{Kind: log.SignalStall, Turn: 1, After: 8 * time.Second})
	}
	put := func(kind a2a.RecordKind, call *a2a.Call) {
		op.answer.leave(&a2a.Record{Kind: kind, Call: call, Head: &a2a.Head{Status: 200}})
	}
	put(a2a.KindRequest, call)
	stall()
	put(a2a.KindHead, call)
	stall()
	op.answer.taskID = "t"
	stall()
	put(a2a.KindRequest, &a2a.Call{Op: a2a.OpGet, Turn: 1}) // a look at the task of the silent stream
	stall()
	put(a2a.KindRequest, &a2a.Call{Op: a2a.OpSubscribe, Turn: 1})
	stall()
	for _, wait := range []time.Duration{time.Second, time.Hour} {
		op.signal(&log.Signal{Kind: log.SignalPoll, Turn: 1, After: wait, Attempt: 2})
	}
	write.Close()
	said, err := io.ReadAll(read)
	const none, silent = "Note: no answer has come for 8 s.\n", "Note: the stream of the task has brought no bytes for 8 s.\n"
	if want := none + none + silent + silent + none + "Note: the answer asks Parley to wait: it asks for the task again in 1 h.\n"; err != nil || string(said) != want {
		t.Errorf("got %q, %v; want %q", said, err, want)
	}
}

// A message that may have been taken is looked for, and nothing advises to send it again.
func TestAMessageThatMayHaveBeenTakenIsLookedFor(t *testing.T) {
	t.Parallel()
	late := func(_ *asked, w http.ResponseWriter) {
		w.Header().Set("Server", "edge/2")
		http.Error(w, "upstream request timeout", http.StatusGatewayTimeout)
	}
	s := newStub(t, plainCard, late)
	r := parley(t, "send", "-a", s.URL, "x")
	for _, want := range []string{
		"Error: Something on the way to ", "(Server: edge/2) answered 504 Gateway Timeout within a second: “upstream request timeout”. The agent may have taken the message.\n",
		"Hint: Sending it again may start a second task: parley task list --agent-card " + s.URL + " shows whether the agent took the message. With --async",
	} {
		if !strings.Contains(r.err, want) {
			t.Errorf("got exit %d, want %q\n%s", r.code, want, r.err)
		}
	}
	if strings.Contains(r.err, "try again") || r.code != 1 {
		t.Errorf("got exit %d, want 1 and no advice to try again\n%s", r.code, r.err)
	}
	if r = parley(t, "task", "get", "-a", s.URL, "t"); strings.Contains(r.err, "taken") || strings.Contains(r.err, "second task") {
		t.Errorf("got words about a message for a get:\n%s", r.err)
	}
	gateway := webServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "who", http.StatusUnauthorized)
	})
	r = parley(t, "card", "get", gateway, "--bearer", "k")
	if r.code != 4 || !strings.Contains(r.err, "the path may be wrong") || !strings.Contains(r.err, "Hint: Give the URL of the card itself, or check the credentials") {
		t.Errorf("got exit %d, want 4 and the path before the credentials\n%s", r.code, r.err)
	}
}

// A hint names what helps, or nothing: the sentence about these failures quotes all that the requests and answers
// say. The sentences about others cannot.
func TestDebugIsAHintOnlyWhereItTellsMore(t *testing.T) {
	t.Parallel()
	status := func(code int, kind, body string) func(*asked, http.ResponseWriter) {
		return func(_ *asked, w http.ResponseWriter) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(code)
			fmt.Fprint(w, body)
		}
	}
	for _, c := range []struct {
		name   string
		answer func(*asked, http.ResponseWriter)
		args   []string
		hint   string
	}{
		{"busy", status(429, "text/plain", "slow down"), []string{"task", "list"}, ""},
		{"404", status(404, "text/plain", "nothing"), []string{"send", "hello"}, ""},
		{"a blocked page", status(403, "text/html", "<html><title>Blocked by WAF</title></html>"), []string{"task", "list"}, ""},
		{"no such task", func(q *asked, w http.ResponseWriter) { q.fail(w, -32001, "unknown") }, []string{"task", "get", "t"}, "parley task list --agent-card URL shows the tasks that the agent has."},
		{"not cancelable", func(q *asked, w http.ResponseWriter) { q.fail(w, -32002, "over") }, []string{"task", "cancel", "t"}, "parley task get --agent-card URL t shows the state of the task."},
		{"no list", func(q *asked, w http.ResponseWriter) { q.fail(w, -32004, "no lists here") }, []string{"task", "list"}, ""},
		{"no JSON", status(200, "application/json", `{"jsonrpc":"2.0",oops}`), []string{"task", "list"}, debugHint},
		{"a foreign page", status(200, "text/html", "<html><title>Sign in</title></html>"), []string{"task", "list"}, debugHint},
		{"parameters", func(q *asked, w http.ResponseWriter) { q.fail(w, -32602, "bad") }, []string{"task", "get", "t"}, debugHint},
		{"debug is set", status(200, "application/json", `{"jsonrpc":"2.0",oops}`), []string{"task", "list", "--debug"}, ""},
	} {
		s := newStub(t, plainCard, c.answer)
		r := parley(t, append(c.args, "-a", s.URL)...)
		got := ""
		for _, row := range strings.Split(r.err, "\n") {
			if hint, ok := strings.CutPrefix(row, "Hint: "); ok {
				got = hint
			}
		}
		if want := strings.ReplaceAll(c.hint, "URL", s.URL); r.code == 0 || got != want {
			t.Errorf("%s: got exit %d and the hint %q, want %q\n%s", c.name, r.code, got, want, r.err)
		}
	}
}

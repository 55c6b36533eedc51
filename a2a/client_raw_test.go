package a2a_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
)

// raw sends a request to url as a 1.0 client with the options.
func raw(t *testing.T, tp *tape, endpoint string, r a2a.RawRequest, change func(*a2a.Options)) (a2a.Answer, []a2a.Update) {
	t.Helper()
	o := options(tp, endpoint)
	if change != nil {
		change(&o)
	}
	c := a2a.NewClient(profile(a2a.V10, endpoint), nil, o)
	defer c.Close()
	var updates []a2a.Update
	out := c.Raw(t.Context(), a2a.Call{Agent: 1}, r, a2a.Hooks{Recorded: func(u a2a.Update) { updates = append(updates, u) }})
	tp.check(t)
	return out, updates
}

func TestARawRequestIsSentAsItWasWrittenAndNothingIsAdded(t *testing.T) {
	t.Parallel()
	var seen []byte
	url := serveBytes(t, &seen, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "+fmt.Sprint(len(taskAnswer))+"\r\n\r\n"+taskAnswer)
	body := `{ "jsonrpc": "2.0", "method":"GetTask",  "id": 7.0, "params":{"id":"t1","x":[1,2,]} `
	tp := newTape()
	out, updates := raw(t, tp, "http://elsewhere.example/", a2a.RawRequest{
		Method: "pOST", URL: url + "/a//b?x=%zz&y", Body: []byte(body),
		Header: http.Header{"x-odd": {"1", "2"}, "Content-Type": {"text/plain"}},
	}, func(o *a2a.Options) { o.UserAgent = "somebody" })
	want := "pOST /a//b?x=%zz&y HTTP/1.1\r\nHost: " + strings.TrimPrefix(url, "http://") + "\r\nContent-Length: " + fmt.Sprint(len(body)) +
		"\r\nContent-Type: text/plain\r\nX-Odd: 1\r\nX-Odd: 2\r\n\r\n" + body
	if string(seen) != want {
		t.Errorf("agent got\n%s\nwant\n%s", seen, want)
	}
	if out.Status != 200 || len(updates) != 1 || len(updates[0].Events) != 1 || updates[0].Events[0].Kind != a2a.EventTask {
		t.Errorf("got status %d and updates %+v, want 200 and one task", out.Status, updates)
	}
	r := tp.records[0]
	if string(r.Raw) != body || !r.Call.Raw || r.Call.Op != a2a.OpGet || r.Call.TaskID != "t1" || r.Call.Agent != 1 {
		t.Errorf("got record %+v of call %+v, want the raw body and a get of t1", r, r.Call)
	}
	if _, there := r.Head.Header["User-Agent"]; there {
		t.Error("got a User-Agent in the request record, want none: none was sent")
	}
}

// serveBytes stores the one request that it gets, byte for byte, and answers it.
func serveBytes(t *testing.T, seen *[]byte, answer string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-done })
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		var kept bytes.Buffer
		req, err := http.ReadRequest(bufio.NewReader(io.TeeReader(conn, &kept)))
		if err == nil {
			_, _ = io.Copy(io.Discard, req.Body)
		}
		*seen = kept.Bytes()
		_, _ = io.WriteString(conn, answer)
	}()
	return "http://" + l.Addr().String()
}

func TestARawStreamIsReadFrameByFrame(t *testing.T) {
	t.Parallel()
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, strings.ReplaceAll(status("WORKING")+status("COMPLETED"), "id-1", "mine"))
	})
	tp := newTape()
	out, updates := raw(t, tp, agent.URL, a2a.RawRequest{URL: agent.URL, Body: []byte(
		`{"jsonrpc":"2.0","id":"mine","method":"SendStreamingMessage","params":{"message":{"taskId":"t0","contextId":"c1"}}}`)}, nil)
	if !out.Streamed || out.Events != 2 || out.State != a2a.StateCompleted || out.Err != nil {
		t.Errorf("got answer %+v, want a completed stream of 2 events", out)
	}
	for _, u := range updates {
		if len(u.Findings) != 0 {
			t.Errorf("got findings %+v, want none: the answer has the written id", u.Findings)
		}
	}
	if c := tp.records[0].Call; c.Op != a2a.OpStream || c.TaskID != "t0" || c.ContextID != "c1" || tp.records[0].Head.Method != "POST" {
		t.Errorf("got call %+v, want a stream for t0 in c1", c)
	}
}

func TestWhatARawRequestAsksForIsReadFromIt(t *testing.T) {
	t.Parallel()
	post := func(method, params string) a2a.RawRequest {
		return a2a.RawRequest{URL: "http://a/x", Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)}
	}
	tests := []struct {
		name    string
		request a2a.RawRequest
		dialect a2a.DialectName
		want    a2a.Call
	}{
		{"1.0", post("CancelTask", `{"id":"t"}`), a2a.V10, a2a.Call{Op: a2a.OpCancel, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC, TaskID: "t"}},
		{"a method of another version", post("message/send", `{"message":{"taskId":"t"}}`), a2a.V10,
			a2a.Call{Op: a2a.OpSend, Dialect: a2a.V03, Binding: a2a.BindingJSONRPC, TaskID: "t"}},
		{"0.1 before 0.3", post("tasks/send", `{"id":"t","sessionId":"s"}`), a2a.V01,
			a2a.Call{Op: a2a.OpSend, Dialect: a2a.V01, Binding: a2a.BindingJSONRPC, TaskID: "t", ContextID: "s"}},
		{"an unknown dialect", post("tasks/get", `{"id":"t"}`), a2a.Unknown, a2a.Call{Op: a2a.OpGet, Dialect: a2a.V03, Binding: a2a.BindingJSONRPC, TaskID: "t"}},
		{"a method nobody has", post("tasks/eat", `{"id":"t"}`), a2a.V03, a2a.Call{Dialect: a2a.V03}},
		{"broken after the method", a2a.RawRequest{URL: "http://a", Body: []byte(`{"method":"GetTask","params":{"id":"t"`)}, a2a.V10,
			a2a.Call{Op: a2a.OpGet, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC, TaskID: "t"}},
		{"REST with a tenant", a2a.RawRequest{URL: "http://a/base/acme/tasks/t%2F1:subscribe?x=1"}, a2a.V10,
			a2a.Call{Op: a2a.OpSubscribe, Dialect: a2a.V10, Binding: a2a.BindingREST, TaskID: "t/1"}},
		{"REST get", a2a.RawRequest{URL: "http://a/v1/tasks/t"}, a2a.V03, a2a.Call{Op: a2a.OpGet, Dialect: a2a.V03, Binding: a2a.BindingREST, TaskID: "t"}},
		{"REST list", a2a.RawRequest{URL: "http://a/tasks?pageSize=1"}, a2a.V10REST, a2a.Call{Op: a2a.OpList, Dialect: a2a.V10REST, Binding: a2a.BindingREST}},
		{"a task called tasks", a2a.RawRequest{URL: "http://a/tasks/tasks"}, a2a.V10, a2a.Call{Op: a2a.OpGet, Dialect: a2a.V10, Binding: a2a.BindingREST, TaskID: "tasks"}},
		{"REST push", a2a.RawRequest{Method: "DELETE", URL: "http://a/tasks/t/pushNotificationConfigs/c"}, a2a.V10,
			a2a.Call{Op: a2a.OpPushDelete, Dialect: a2a.V10, Binding: a2a.BindingREST, TaskID: "t"}},
		{"REST send", a2a.RawRequest{URL: "http://a/message:send", Body: []byte(`{"message":{"contextId":"c"}}`)}, a2a.V10,
			a2a.Call{Op: a2a.OpSend, Dialect: a2a.V10, Binding: a2a.BindingREST, ContextID: "c"}},
		{"a push configuration", post("tasks/pushNotificationConfig/set", `{"taskId":"t","pushNotificationConfig":{"id":"c"}}`), a2a.V03,
			a2a.Call{Op: a2a.OpPushSet, Dialect: a2a.V03, Binding: a2a.BindingJSONRPC, TaskID: "t"}},
		{"a card", a2a.RawRequest{URL: "http://a/.well-known/agent-card.json"}, a2a.V10, a2a.Call{Op: a2a.OpCard, Dialect: a2a.V10}},
		{"a URL cannot contain", a2a.RawRequest{URL: "http://[", Body: []byte("\x00\xff")}, a2a.V10, a2a.Call{Dialect: a2a.V10}},
		{"nothing", a2a.RawRequest{}, a2a.Unknown, a2a.Call{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Raw = true
			if got := tt.request.Call(a2a.Call{Dialect: tt.dialect}); got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestMasksOfARawRequestAreFilledIn(t *testing.T) {
	t.Parallel()
	var got *http.Request
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) { got = r; _, _ = io.WriteString(w, taskAnswer) })
	tests := []struct {
		name    string
		request a2a.RawRequest
		change  func(*a2a.Options)
		card    *a2a.Card
		check   func(*http.Request) string
		want    string
		refused string
	}{
		{name: "bearer", request: a2a.RawRequest{URL: agent.URL, Header: http.Header{"authorization": {"Bearer " + a2a.Mask}}},
			change: func(o *a2a.Options) { o.Bearer = bearer }, check: func(r *http.Request) string { return r.Header.Get("Authorization") }, want: "Bearer " + bearer},
		{name: "taken out on purpose", request: a2a.RawRequest{URL: agent.URL},
			change: func(o *a2a.Options) { o.Bearer = bearer }, check: func(r *http.Request) string { return r.Header.Get("Authorization") }},
		{name: "another one written", request: a2a.RawRequest{URL: agent.URL, Header: http.Header{"Authorization": {"Basic other-one"}}},
			change: func(o *a2a.Options) { o.Bearer = bearer }, check: func(r *http.Request) string { return r.Header.Get("Authorization") }, want: "Basic other-one"},
		{name: "query", request: a2a.RawRequest{URL: agent.URL + "?x=1&desk=" + a2a.Mask}, card: keyCard("query", "desk"),
			change: func(o *a2a.Options) { o.APIKey = apiKey }, check: func(r *http.Request) string { return r.URL.RawQuery }, want: "x=1&desk=" + apiKey},
		{name: "cookie", request: a2a.RawRequest{URL: agent.URL, Header: http.Header{"Cookie": {a2a.Mask}}}, card: keyCard("cookie", "desk"),
			change: func(o *a2a.Options) { o.APIKey = apiKey }, check: func(r *http.Request) string { return r.Header.Get("Cookie") }, want: "desk=" + apiKey},
		{name: "no such credential", request: a2a.RawRequest{URL: agent.URL, Header: http.Header{"X-Api-Key": {a2a.Mask}}}, refused: "header X-Api-Key"},
		{name: "more masks than values", request: a2a.RawRequest{URL: agent.URL, Header: http.Header{"Authorization": {a2a.Mask, a2a.Mask}}},
			change: func(o *a2a.Options) { o.Bearer = bearer }, refused: "header Authorization"},
		{name: "in the URL", request: a2a.RawRequest{URL: agent.URL + "?token=" + a2a.Mask}, refused: "the URL contains"},
		{name: "no method", request: a2a.RawRequest{Method: "PO ST\r\n", URL: agent.URL}, refused: "not an HTTP method"},
		{name: "no URL", request: a2a.RawRequest{URL: "agent"}, refused: "not an http or https URL"},
		{name: "a header that would split", request: a2a.RawRequest{URL: agent.URL, Header: http.Header{"X": {"1\r\nY: 2"}}}, refused: "cannot be sent"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tp, before := newTape(), got
			o := options(tp, agent.URL)
			if tt.change != nil {
				tt.change(&o)
			}
			c := a2a.NewClient(profile(a2a.V10, agent.URL), tt.card, o)
			defer c.Close()
			out := c.Raw(t.Context(), a2a.Call{}, tt.request, a2a.Hooks{})
			tp.check(t)
			if tt.refused != "" {
				sentence(t, out.End.Sentence, tt.refused)
				if got != before || out.End.Reason != a2a.Refused || len(tp.records) != 2 {
					t.Errorf("got answer %+v and %d records, want a refusal and 2", out, len(tp.records))
				}
				return
			}
			if out.Err != nil {
				t.Fatalf("got error %v, want none", out.Err)
			}
			if v := tt.check(got); v != tt.want {
				t.Errorf("agent got %q, want %q", v, tt.want)
			}
			for _, secret := range []string{bearer, apiKey, "other-one"} {
				if strings.Contains(fmt.Sprintf("%+v %s", tp.records[0].Head, tp.records[0].Call.Endpoint), secret) {
					t.Errorf("got request record %+v, want it without the secret", tp.records[0].Head)
				}
			}
		})
	}
}

func TestSecretsOfARawRequestStayWhereTheyWereSent(t *testing.T) {
	t.Parallel()
	leaked := ""
	other := serve(t, func(w http.ResponseWriter, r *http.Request) { leaked += r.Header.Get("Authorization") + "|" })
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	})
	hand := http.Header{"Authorization": {"Bearer written-by-hand"}}
	// Secrets written by hand go to the origin in the URL and not to a redirect's goal.
	out, _ := raw(t, newTape(), agent.URL, a2a.RawRequest{URL: agent.URL, Header: hand}, nil)
	if out.End.Class != a2a.ClassOrigin || leaked != "" {
		t.Errorf("redirect: other origin got %q, end %+v; want nothing and class %q", leaked, out.End, a2a.ClassOrigin)
	}
	// The client's own credentials go to the named origins only.
	out, _ = raw(t, newTape(), agent.URL, a2a.RawRequest{URL: other.URL, Header: hand}, func(o *a2a.Options) { o.Bearer = bearer })
	if out.End.Class != a2a.ClassOrigin || leaked != "" {
		t.Errorf("client credentials: other origin got %q, end %+v; want nothing and class %q", leaked, out.End, a2a.ClassOrigin)
	}
	// A request without secrets may go anywhere.
	out, _ = raw(t, newTape(), agent.URL, a2a.RawRequest{URL: other.URL}, func(o *a2a.Options) { o.Bearer = bearer })
	if out.Status != 200 || leaked != "|" {
		t.Errorf("no secrets: other origin got %q, end %+v; want a request without credentials", leaked, out.End)
	}
}

func TestAnEchoOfAHandWrittenSecretIsMasked(t *testing.T) {
	t.Parallel()
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		dump, _ := httputil.DumpRequest(r, true)
		_, _ = fmt.Fprintf(w, "you said %q", dump)
	})
	tp := newTape()
	raw(t, tp, agent.URL, a2a.RawRequest{URL: agent.URL, Header: http.Header{"Authorization": {"Bearer written-by-hand"}}}, nil)
	if strings.Contains(tp.body(), "written-by-hand") {
		t.Errorf("got record %q, want the echoed secret masked", tp.body())
	}
}

func TestAMaskedRequestIsRestoredFromMemory(t *testing.T) {
	t.Parallel()
	var dumps [][]byte
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		dump, _ := httputil.DumpRequest(r, true)
		dumps = append(dumps, dump)
		_, _ = io.WriteString(w, taskAnswer)
	})
	endpoint := agent.URL + "/rpc?token=hush-token&x=1&a%5Bkey%5D=hush-two"
	tp := newTape()
	o := options(tp, agent.URL)
	o.Bearer, o.APIKey = bearer, apiKey
	o.Headers = []a2a.HeaderPair{{Name: "X-Secret", Value: "one one one"}, {Name: "X-Secret", Value: "two two two"}, {Name: "X-Plain", Value: "p"}}
	c := a2a.NewClient(profile(a2a.V10, endpoint), keyCard("query", "desk"), o)
	defer c.Close()
	c.Do(t.Context(), a2a.Request{Call: &a2a.Call{Op: a2a.OpPushSet}, TaskID: "t1",
		Push: &a2a.PushConfig{URL: "http://w.example", Token: "push-hush-hush", Schemes: []string{"Bearer"}, Credentials: "cred-hush-hush"}}, a2a.Hooks{})
	rec := tp.records[0]
	if len(rec.Redactions) < 7 {
		t.Fatalf("got %d redactions, want at least 7: %+v", len(rec.Redactions), rec.Redactions)
	}
	r, missing := a2a.Unmask(&rec)
	if len(missing) != 0 {
		t.Errorf("got missing secrets %q, want none", missing)
	}
	out := c.Raw(t.Context(), a2a.Call{}, r, a2a.Hooks{})
	if out.Err != nil {
		t.Fatalf("got error %v, want none", out.Err)
	}
	if len(dumps) != 2 || !bytes.Equal(dumps[0], dumps[1]) {
		t.Errorf("got %d requests\n%q\nwant the first one twice", len(dumps), dumps)
	}
	// A record read from a session file has no originals.
	for i := range rec.Redactions {
		rec.Redactions[i].Original = ""
	}
	r, missing = a2a.Unmask(&rec)
	if len(missing) != len(rec.Redactions) || string(r.Body) != string(rec.Raw) || r.URL != rec.Head.URL {
		t.Errorf("no originals: got %d missing secrets of %d: %q", len(missing), len(rec.Redactions), missing)
	}
	if r, missing := a2a.Unmask(&tp.records[1]); r.URL != "" || missing != nil {
		t.Errorf("Unmask of a response: got request %+v and missing %q, want none", r, missing)
	}
}

func TestUnmaskingSurvivesAnyRecord(t *testing.T) {
	t.Parallel()
	rec := a2a.Record{Kind: a2a.KindRequest, Raw: []byte("abc"), Head: &a2a.Head{URL: "%zz", Header: http.Header{"X": {a2a.Mask}}}, Redactions: []a2a.Redaction{
		{Name: "in the body", Offset: 2, Length: 5, Original: "x"}, {Name: "in the body", Offset: -3, Length: 1, Original: "x"},
		{Name: "header X", Original: a2a.Mask + "y"}, {Name: "header X", Original: "z"}, {Name: "header None", Original: "z"},
		{Name: "query q", Original: "z"}, {Name: "", Original: "z"},
	}}
	r, _ := a2a.Unmask(&rec)
	if string(r.Body) != "abc" || r.URL != "%zz" || len(r.Header) != 1 {
		t.Errorf("got request %+v, want body, URL and header as recorded", r)
	}
}

func TestComposedRequestsAreThoseThatAreSent(t *testing.T) {
	t.Parallel()
	var dumps []string
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		dump, _ := httputil.DumpRequest(r, true)
		dumps = append(dumps, string(dump))
		_, _ = io.WriteString(w, taskAnswer)
	})
	ops := []a2a.Op{a2a.OpSend, a2a.OpStream, a2a.OpGet, a2a.OpCancel, a2a.OpPushSet, a2a.OpExtendedCard}
	for _, d := range []a2a.DialectName{a2a.V10, a2a.V10REST, a2a.V03, a2a.V03REST, a2a.V02, a2a.V01} {
		for _, in := range []string{"header", "query"} {
			o := options(newTape(), agent.URL)
			o.Bearer, o.APIKey, o.NewID = bearer, apiKey, func() string { return "id" }
			c := a2a.NewClient(a2a.Profile{Dialect: d, Endpoint: agent.URL + "/base?v=1"}, keyCard(in, "desk"), o)
			for _, op := range ops {
				req := request(op)
				req.Push = &a2a.PushConfig{ID: "p", URL: "http://w.example"}
				if dialect, _ := a2a.LookupDialect(d); !dialect.Supports(op) {
					continue
				}
				r, err := c.Compose(req)
				if err != nil {
					t.Fatalf("%s %s: %v", d, op, err)
				}
				if shown := fmt.Sprint(r); strings.Contains(shown, bearer) || strings.Contains(shown, apiKey) {
					t.Errorf("%s %s: got composed request %s, want it without secrets", d, op, shown)
				}
				if got := r.Call(a2a.Call{Dialect: d}); got.Op != op || got.Dialect != d {
					t.Errorf("%s %s: got call %+v from the composed request", d, op, got)
				}
				dumps = nil
				c.Do(t.Context(), req, a2a.Hooks{})
				c.Raw(t.Context(), a2a.Call{}, r, a2a.Hooks{})
				if len(dumps) < 2 || !slices.Contains(dumps[:len(dumps)-1], dumps[len(dumps)-1]) {
					t.Errorf("%s %s: got requests\n%s\nwant the last, raw one to equal one that Do sent", d, op, strings.Join(dumps, "\n"))
				}
			}
			c.Close()
		}
	}
	c := a2a.NewClient(a2a.Profile{Problem: "Nobody is there"}, nil, options(newTape()))
	if _, err := c.Compose(request(a2a.OpGet)); err == nil || err.Error() != "Nobody is there." {
		t.Errorf("got error %v, want the profile's problem", err)
	}
}

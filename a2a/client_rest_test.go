package a2a_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
)

// A visit is one request that an agent got.
type visit struct {
	Method, Path, Type, Version string
	Body                        string
}

// A guestbook is an agent that records its requests.
type guestbook struct {
	mu     sync.Mutex
	visits []visit
}

// book answers by verb and path; paths without an answer are 404.
func book(t testing.TB, answers map[string]http.HandlerFunc) (*guestbook, *httptest.Server) {
	t.Helper()
	g := &guestbook{}
	return g, serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		g.mu.Lock()
		g.visits = append(g.visits, visit{r.Method, r.RequestURI, r.Header.Get("Content-Type"), r.Header.Get("A2A-Version"), string(body)})
		g.mu.Unlock()
		if h := answers[r.Method+" "+r.URL.Path]; h != nil {
			h(w, r)
			return
		}
		http.NotFound(w, r)
	})
}

func (g *guestbook) places() (list []string) {
	for _, v := range g.visits {
		list = append(list, v.Method+" "+v.Path)
	}
	return list
}

// operate performs one operation and returns the kinds of its events.
func operate(t testing.TB, p a2a.Profile, req a2a.Request) (a2a.Answer, []string, *tape) {
	t.Helper()
	tp := newTape()
	c := a2a.NewClient(p, nil, options(tp, p.Endpoint))
	defer c.Close()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var kinds []string
	o := c.Do(ctx, req, a2a.Hooks{Recorded: func(u a2a.Update) {
		for i := range u.Events {
			kinds = append(kinds, u.Events[i].Kind.String())
		}
		if u.Err != nil {
			kinds = append(kinds, u.Err.Sentence)
		}
	}})
	tp.check(t)
	return o, kinds, tp
}

const (
	taskV1     = `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}`
	pushFlat   = `{"id":"p1","taskId":"t1","url":"https://hook.example/"}`
	pushNested = `{"name":"tasks/t1/pushNotificationConfigs/p1","pushNotificationConfig":{"id":"p1","url":"https://hook.example/"}}`
	cardV1     = `{"name":"N","description":"d","version":"1","supportedInterfaces":[],"capabilities":{},"defaultInputModes":[],"defaultOutputModes":[],"skills":[]}`
	streamREST = "data: {\"task\":{\"id\":\"t1\",\"contextId\":\"c1\",\"status\":{\"state\":\"TASK_STATE_WORKING\"}}}\n\n" +
		"data: {\"artifactUpdate\":{\"taskId\":\"t1\",\"contextId\":\"c1\",\"artifact\":{\"artifactId\":\"a\",\"parts\":[{\"text\":\"x\"}]}}}\n\n" +
		"data: {\"statusUpdate\":{\"taskId\":\"t1\",\"contextId\":\"c1\",\"status\":{\"state\":\"TASK_STATE_COMPLETED\"}}}\n\n"
)

func TestEveryOperationOverHTTPJSON(t *testing.T) {
	t.Parallel()
	sse := answer(200, "text/event-stream", streamREST)
	wrapped := answer(200, "application/json", `{"task":`+taskV1+`}`)
	for name, agent := range map[a2a.DialectName]map[a2a.Op]struct {
		at     string
		answer http.HandlerFunc
		kinds  string
	}{
		a2a.V10REST: {
			a2a.OpSend:         {"POST /base/billing/message:send", wrapped, "task"},
			a2a.OpStream:       {"POST /base/billing/message:stream", sse, "task artifact status"},
			a2a.OpGet:          {"GET /base/billing/tasks/t1", answer(200, "application/a2a+json", taskV1), "task"},
			a2a.OpList:         {"GET /base/billing/tasks", answer(200, "application/json", `{"tasks":[`+taskV1+`]}`), "tasks"},
			a2a.OpCancel:       {"POST /base/billing/tasks/t1:cancel", answer(200, "application/json", taskV1), "task"},
			a2a.OpSubscribe:    {"GET /base/billing/tasks/t1:subscribe", sse, "task artifact status"},
			a2a.OpPushSet:      {"POST /base/billing/tasks/t1/pushNotificationConfigs", answer(200, "application/json", pushFlat), "push config"},
			a2a.OpPushGet:      {"GET /base/billing/tasks/t1/pushNotificationConfigs/p1", answer(200, "application/json", pushFlat), "push config"},
			a2a.OpPushList:     {"GET /base/billing/tasks/t1/pushNotificationConfigs", answer(200, "application/json", `{"configs":[`+pushFlat+`]}`), "push config"},
			a2a.OpPushDelete:   {"DELETE /base/billing/tasks/t1/pushNotificationConfigs/p1", answer(204, "", ""), "empty"},
			a2a.OpExtendedCard: {"GET /base/billing/extendedAgentCard", answer(200, "application/json", cardV1), "card"},
		},
		a2a.V03REST: {
			a2a.OpSend:         {"POST /base/v1/message:send", wrapped, "task"},
			a2a.OpStream:       {"POST /base/v1/message:stream", sse, "task artifact status"},
			a2a.OpGet:          {"GET /base/v1/tasks/t1", answer(200, "application/json", taskV1), "task"},
			a2a.OpList:         {"GET /base/v1/tasks", answer(200, "application/json", `[`+taskV1+`]`), "tasks"},
			a2a.OpCancel:       {"POST /base/v1/tasks/t1:cancel", answer(202, "application/json", taskV1), "task"},
			a2a.OpSubscribe:    {"GET /base/v1/tasks/t1:subscribe", sse, "task artifact status"},
			a2a.OpPushSet:      {"POST /base/v1/tasks/t1/pushNotificationConfigs", answer(201, "application/json", pushNested), "push config"},
			a2a.OpPushGet:      {"GET /base/v1/tasks/t1/pushNotificationConfigs/p1", answer(200, "application/json", pushNested), "push config"},
			a2a.OpPushList:     {"GET /base/v1/tasks/t1/pushNotificationConfigs", answer(200, "application/json", `[`+pushNested+`]`), "push config"},
			a2a.OpPushDelete:   {"DELETE /base/v1/tasks/t1/pushNotificationConfigs/p1", answer(200, "application/json", "{}"), "empty"},
			a2a.OpExtendedCard: {"GET /base/v1/card", answer(200, "application/json", cardV1), "card"},
		},
	} {
		for op, c := range agent {
			t.Run(string(name)+" "+string(op), func(t *testing.T) {
				visitors, s := book(t, map[string]http.HandlerFunc{c.at: c.answer})
				req := request(op)
				req.PushID, req.Push = "p1", &a2a.PushConfig{URL: "https://hook.example/"}
				p := a2a.Profile{Dialect: name, Endpoint: s.URL + "/base/", Tenant: "billing"}
				o, kinds, tp := operate(t, p, req)
				if got := strings.Join(kinds, " "); got != c.kinds || o.Err != nil {
					t.Errorf("got events %q and error %v, want %q and none", got, o.Err, c.kinds)
				}
				if got := visitors.places(); !slices.Equal(got, []string{c.at}) {
					t.Errorf("agent got requests %q, want %q", got, c.at)
				}
				v := visitors.visits[0]
				if want := map[a2a.DialectName]string{a2a.V10REST: "1.0"}[name]; v.Version != want {
					t.Errorf("got A2A-Version %q, want %q", v.Version, want)
				}
				if (v.Body == "") != (v.Type == "") || v.Body != "" && !json.Valid([]byte(v.Body)) || strings.Contains(v.Body, "jsonrpc") {
					t.Errorf("got body %q of type %q, want JSON without an envelope, or nothing", v.Body, v.Type)
				}
				if r := tp.records[0]; string(r.Raw) != v.Body || r.Head.Method != v.Method {
					t.Errorf("request record has %s %q, want %s %q", r.Head.Method, r.Raw, v.Method, v.Body)
				}
			})
		}
	}
}

func TestPlainVersionsAreSpokenOverHTTPJSON(t *testing.T) {
	t.Parallel()
	for dialect, want := range map[a2a.DialectName]string{
		a2a.V10: "GET /tasks/t1", a2a.V10REST: "GET /tasks/t1", a2a.V03: "GET /v1/tasks/t1", a2a.V02: "GET /v1/tasks/t1",
	} {
		visitors, s := book(t, nil)
		operate(t, a2a.Profile{Dialect: dialect, Binding: a2a.BindingREST, Endpoint: s.URL}, request(a2a.OpGet))
		if got := visitors.places(); len(got) != 1 || got[0] != want {
			t.Errorf("%s: agent got requests %q, want %s", dialect, got, want)
		}
	}
}

func TestExtendedCardOf02IsAPlainGet(t *testing.T) {
	t.Parallel()
	visitors, s := book(t, map[string]http.HandlerFunc{
		"GET /a2a/agent/authenticatedExtendedCard": answer(200, "application/json", cardV1),
	})
	o, kinds, _ := operate(t, profile(a2a.V02, s.URL+"/a2a/rpc"), request(a2a.OpExtendedCard))
	if o.Err != nil || strings.Join(kinds, " ") != "card" {
		t.Errorf("got error %v, events %v and requests %q, want a card", o.Err, kinds, visitors.places())
	}
}

// picky accepts one content type only.
func picky(media, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Content-Type") != media {
			answer(http.StatusUnsupportedMediaType, "application/json", `{"message":"Unsupported Media Type"}`)(w, r)
			return
		}
		answer(200, "application/json", body)(w, r)
	}
}

// wordy accepts a message under one member name only.
func wordy(member, complaint string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Message map[string]json.RawMessage `json:"message"`
		}
		_ = json.NewDecoder(r.Body).Decode(&body)
		if body.Message[member] == nil {
			answer(400, "application/json", complaint)(w, r)
			return
		}
		answer(200, "application/json", `{"task":`+taskV1+`}`)(w, r)
	}
}

func TestSecondAttempts(t *testing.T) {
	t.Parallel()
	sse := answer(200, "text/event-stream", streamREST)
	for _, c := range []struct {
		name    string
		dialect a2a.DialectName
		op      a2a.Op
		answers map[string]http.HandlerFunc
		asked   []string
		fails   bool
	}{
		{"the older content type", a2a.V10REST, a2a.OpSend,
			map[string]http.HandlerFunc{"POST /message:send": picky("application/json", `{"task":`+taskV1+`}`)},
			[]string{"POST /message:send", "POST /message:send"}, false},
		{"the newer content type", a2a.V03REST, a2a.OpSend,
			map[string]http.HandlerFunc{"POST /v1/message:send": picky("application/a2a+json", `{"task":`+taskV1+`}`)},
			[]string{"POST /v1/message:send", "POST /v1/message:send"}, false},
		{"no content type", a2a.V10REST, a2a.OpSend,
			map[string]http.HandlerFunc{"POST /message:send": picky("text/xml", "")},
			[]string{"POST /message:send", "POST /message:send"}, true},
		{"subscription by POST after 405", a2a.V10REST, a2a.OpSubscribe,
			map[string]http.HandlerFunc{"GET /tasks/t1:subscribe": answer(405, "text/plain", "no"), "POST /tasks/t1:subscribe": sse},
			[]string{"GET /tasks/t1:subscribe", "POST /tasks/t1:subscribe"}, false},
		{"subscription by POST after a 404 of no task", a2a.V03REST, a2a.OpSubscribe,
			map[string]http.HandlerFunc{"POST /v1/tasks/t1:subscribe": sse},
			[]string{"GET /v1/tasks/t1:subscribe", "POST /v1/tasks/t1:subscribe"}, false},
		{"no subscription to no task", a2a.V10REST, a2a.OpSubscribe,
			map[string]http.HandlerFunc{"GET /tasks/t1:subscribe": answer(404, "application/json",
				`{"error":{"code":404,"status":"NOT_FOUND","message":"gone","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND"}]}}`)},
			[]string{"GET /tasks/t1:subscribe"}, true},
		{"the other name of the list", a2a.V03REST, a2a.OpSend,
			map[string]http.HandlerFunc{"POST /v1/message:send": wordy("parts", `{"code":-32602,"message":"message is empty"}`)},
			[]string{"POST /v1/message:send", "POST /v1/message:send"}, false},
		{"a strict reader of the other name", a2a.V03REST, a2a.OpStream,
			map[string]http.HandlerFunc{"POST /v1/message:stream": wordy("parts", `{"message":"Message type \"a2a.v1.Message\" has no field named \"content\""}`)},
			[]string{"POST /v1/message:stream", "POST /v1/message:stream"}, false},
		{"a strict reader that gives no reason", a2a.V03REST, a2a.OpSend,
			map[string]http.HandlerFunc{"POST /v1/message:send": wordy("parts", `{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"parse error"}}`)},
			[]string{"POST /v1/message:send", "POST /v1/message:send"}, false},
		{"neither name", a2a.V03REST, a2a.OpSend,
			map[string]http.HandlerFunc{"POST /v1/message:send": answer(400, "application/json", `{"message":"The message is empty"}`)},
			[]string{"POST /v1/message:send", "POST /v1/message:send"}, true},
		{"a complaint about something else", a2a.V03REST, a2a.OpSend,
			map[string]http.HandlerFunc{"POST /v1/message:send": answer(400, "application/json", `{"message":"quota is used up"}`)},
			[]string{"POST /v1/message:send"}, true},
		{"a failure that may have started something", a2a.V03REST, a2a.OpSend,
			map[string]http.HandlerFunc{"POST /v1/message:send": answer(500, "application/json", `{"message":"message is empty"}`)},
			[]string{"POST /v1/message:send"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			visitors, s := book(t, c.answers)
			o, _, tp := operate(t, a2a.Profile{Dialect: c.dialect, Endpoint: s.URL}, request(c.op))
			if got := visitors.places(); !slices.Equal(got, c.asked) {
				t.Errorf("agent got requests %q, want %q", got, c.asked)
			}
			if (o.Err != nil) != c.fails {
				t.Errorf("got error %v, want an error: %v", o.Err, c.fails)
			}
			ends := tp.of(a2a.KindEnd)
			for _, r := range ends[:len(ends)-1] {
				if r.End.Class != a2a.ClassFollowed {
					t.Errorf("got end %+v of a repeated attempt, want class %q", r.End, a2a.ClassFollowed)
				}
				sentence(t, r.End.Sentence)
			}
		})
	}
}

func TestErrorsOverHTTPJSON(t *testing.T) {
	t.Parallel()
	info := `{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"%s","domain":"a2a-protocol.org"}`
	status := func(code int, word, reason string) string {
		return fmt.Sprintf(`{"error":{"code":%d,"status":"%s","message":"m","details":[`+info+`]}}`, code, word, reason)
	}
	for _, c := range []struct {
		dialect a2a.DialectName
		op      a2a.Op
		status  int
		body    string
		name    string
		code    int64
	}{
		{a2a.V10REST, a2a.OpGet, 404, status(404, "NOT_FOUND", "TASK_NOT_FOUND"), "TaskNotFoundError", -32001},
		{a2a.V10REST, a2a.OpCancel, 400, status(400, "FAILED_PRECONDITION", "TASK_NOT_CANCELABLE"), "TaskNotCancelableError", -32002},
		{a2a.V10REST, a2a.OpPushSet, 400, status(400, "FAILED_PRECONDITION", "PUSH_NOTIFICATION_NOT_SUPPORTED"), "PushNotificationNotSupportedError", -32003},
		{a2a.V10REST, a2a.OpStream, 400, status(400, "FAILED_PRECONDITION", "UNSUPPORTED_OPERATION"), "UnsupportedOperationError", -32004},
		{a2a.V10REST, a2a.OpSend, 400, status(400, "INVALID_ARGUMENT", "CONTENT_TYPE_NOT_SUPPORTED"), "ContentTypeNotSupportedError", -32005},
		{a2a.V10REST, a2a.OpSend, 500, status(500, "INTERNAL", "INVALID_AGENT_RESPONSE"), "InvalidAgentResponseError", -32006},
		{a2a.V10REST, a2a.OpExtendedCard, 400, status(400, "FAILED_PRECONDITION", "EXTENDED_AGENT_CARD_NOT_CONFIGURED"), "ExtendedAgentCardNotConfiguredError", -32007},
		{a2a.V10REST, a2a.OpSend, 400, status(400, "FAILED_PRECONDITION", "EXTENSION_SUPPORT_REQUIRED"), "ExtensionSupportRequiredError", -32008},
		{a2a.V10REST, a2a.OpSend, 400, status(400, "FAILED_PRECONDITION", "VERSION_NOT_SUPPORTED"), "VersionNotSupportedError", -32009},
		{a2a.V10REST, a2a.OpSend, 500, `{"error":{"code":500,"status":"INTERNAL","message":"boom"}}`, "InternalError", -32603},
		{a2a.V10REST, a2a.OpSend, 400, `{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"no parts"}}`, "InvalidParamsError", -32602},
		{a2a.V10REST, a2a.OpGet, 404, `{"type":"https://a2a-protocol.org/errors/task-not-found","title":"Task Not Found","status":404,"detail":"gone"}`, "TaskNotFoundError", -32001},
		{a2a.V03REST, a2a.OpGet, 404, `{"message":"Task not found"}`, "TaskNotFoundError", -32001},
		{a2a.V03REST, a2a.OpGet, 404, `{"message":"Task not found","type":"TaskNotFoundError"}`, "TaskNotFoundError", 0},
		{a2a.V03REST, a2a.OpGet, 404, `{"code":-32001,"message":"Task not found"}`, "TaskNotFoundError", -32001},
		{a2a.V03REST, a2a.OpGet, 404, `{"detail":"Not Found"}`, "", 0},
		{a2a.V03REST, a2a.OpCancel, 409, `{"message":"too late"}`, "TaskNotCancelableError", -32002},
		{a2a.V03REST, a2a.OpPushList, 501, `{"message":"no push"}`, "PushNotificationNotSupportedError", -32003},
		{a2a.V03REST, a2a.OpStream, 501, `{"message":"no streams"}`, "UnsupportedOperationError", -32004},
		{a2a.V03REST, a2a.OpExtendedCard, 404, `{"message":"no such card"}`, "AuthenticatedExtendedCardNotConfiguredError", -32007},
		{a2a.V03REST, a2a.OpSend, 422, `{"detail":[{"loc":["body","message"],"msg":"field required"}]}`, "InvalidParamsError", -32602},
		{a2a.V03REST, a2a.OpSend, 500, `{"error":"io.a2a.spec.InternalError","message":"boom"}`, "InternalError", 0},
		{a2a.V03REST, a2a.OpSend, 400, `{"message":"what?"}`, "", 0},
	} {
		t.Run(fmt.Sprint(c.dialect, " ", c.op, " ", c.body), func(t *testing.T) {
			agent := serve(t, answer(c.status, "application/problem+json", c.body))
			req := request(c.op)
			req.Push = &a2a.PushConfig{URL: "https://hook.example/"}
			o, kinds, _ := operate(t, a2a.Profile{Dialect: c.dialect, Endpoint: agent.URL}, req)
			var rpc *a2a.RPCError
			if !errors.As(o.Err, &rpc) || slices.Contains(kinds, "task") {
				t.Fatalf("got error %v and events %q, want an RPCError and no task", o.Err, kinds)
			}
			if rpc.Name != c.name || rpc.Code != c.code || rpc.HTTPStatus != c.status || rpc.Message == "" {
				t.Errorf("got %+v, want %s, code %d, status %d and a message", rpc, c.name, c.code, c.status)
			}
		})
	}
}

func TestAnErrorInTheMiddleOfAStreamOverHTTPJSON(t *testing.T) {
	t.Parallel()
	frames := strings.SplitAfter(streamREST, "\n\n")
	broken := frames[0] + `data: {"error":{"code":500,"status":"INTERNAL","message":"boom","details":[]}}` + "\n\n" + frames[2]
	agent := serve(t, answer(200, "text/event-stream", broken))
	o, kinds, _ := operate(t, a2a.Profile{Dialect: a2a.V10REST, Endpoint: agent.URL}, request(a2a.OpStream))
	if got := strings.Join(kinds, " "); got != "task error status" || o.State != a2a.StateCompleted || o.Err != nil {
		t.Errorf("got events %q, state %v, error %v; want task, error, status, completed", got, o.State, o.Err)
	}
	agent = serve(t, answer(200, "text/event-stream", strings.TrimSuffix(broken, frames[2])))
	o, _, _ = operate(t, a2a.Profile{Dialect: a2a.V10REST, Endpoint: agent.URL}, request(a2a.OpStream))
	var rpc *a2a.RPCError
	if !errors.As(o.Err, &rpc) || rpc.Name != "InternalError" {
		t.Errorf("got error %v, want InternalError", o.Err)
	}
}

func TestOddNamesInPaths(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"a/b c?d#e%": "GET /tasks/a%2Fb%20c%3Fd%23e%25", "ä:cancel": "GET /tasks/%C3%A4:cancel", "...": "GET /tasks/...",
	} {
		visitors, s := book(t, nil)
		req := a2a.Request{Call: &a2a.Call{Op: a2a.OpGet}, TaskID: id}
		operate(t, a2a.Profile{Dialect: a2a.V10REST, Endpoint: s.URL}, req)
		if got := visitors.places(); len(got) != 1 || got[0] != want {
			t.Errorf("task %q: agent got requests %q, want %s", id, got, want)
		}
	}
	for _, p := range []a2a.Profile{{Tenant: ".."}, {Tenant: "a//b"}} {
		p.Dialect, p.Endpoint = a2a.V10REST, "http://agent.example"
		o, _, _ := operate(t, p, request(a2a.OpGet))
		if o.Exchange != 0 || o.Err == nil {
			t.Errorf("profile %+v: got answer %+v, want an error and no exchange", p, o)
		}
		sentence(t, o.End.Sentence, "tenant")
	}
}

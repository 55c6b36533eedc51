package a2a_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/a2a"
)

const taskAnswer = `{"jsonrpc":"2.0","id":"id-1","result":{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}}`

func TestRequestsCarryWhatTheirDialectDemands(t *testing.T) {
	t.Parallel()
	tests := []struct {
		dialect a2a.DialectName
		op      a2a.Op
		version string
		accept  string
	}{
		{a2a.V10, a2a.OpSend, "1.0", "application/json"},
		{a2a.V10, a2a.OpGet, "1.0", "application/json"},
		{a2a.V10, a2a.OpStream, "1.0", "text/event-stream, application/json"},
		{a2a.V10, a2a.OpSubscribe, "1.0", "text/event-stream, application/json"},
		{a2a.V03, a2a.OpSend, "", "application/json"},
		{a2a.V03, a2a.OpStream, "", "text/event-stream, application/json"},
		{a2a.V02, a2a.OpGet, "", "application/json"},
		{a2a.V01, a2a.OpCancel, "", "application/json"},
	}
	for _, tt := range tests {
		t.Run(string(tt.dialect)+" "+string(tt.op), func(t *testing.T) {
			var seen *http.Request
			var body string
			agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
				b, _ := io.ReadAll(r.Body)
				seen, body = r, string(b)
				_, _ = io.WriteString(w, taskAnswer)
			})
			tp := newTape()
			c := a2a.NewClient(profile(tt.dialect, agent.URL+"/rpc/?x=1"), nil, options(tp, agent.URL))
			defer c.Close()
			o := c.Do(t.Context(), request(tt.op), a2a.Hooks{})
			tp.check(t)
			if o.Err != nil {
				t.Fatalf("got error %v, want none", o.Err)
			}
			for name, want := range map[string]string{"A2A-Version": tt.version, "Accept": tt.accept,
				"Content-Type": "application/json", "Accept-Encoding": "identity"} {
				if got := seen.Header.Get(name); got != want {
					t.Errorf("got header %s %q, want %q", name, got, want)
				}
			}
			if seen.Method != "POST" || seen.RequestURI != "/rpc/?x=1" {
				t.Errorf("got %s %s, want POST to the endpoint byte for byte", seen.Method, seen.RequestURI)
			}
			if !strings.Contains(body, `"id":"id-1"`) {
				t.Errorf("got body %s, want the string id id-1", body)
			}
			r := tp.records[0]
			if string(r.Raw) != body {
				t.Errorf("request record has body %s, agent got %s", r.Raw, body)
			}
			if r.Call.Op != tt.op || r.Call.Dialect != tt.dialect || r.Call.Endpoint != agent.URL+"/rpc/?x=1" || r.Call.TaskID != "t1" {
				t.Errorf("got call %+v, want %s of t1 in %s", r.Call, tt.op, tt.dialect)
			}
		})
	}
}

func TestRecordsComeInTheOrderOfTheWire(t *testing.T) {
	t.Parallel()
	tp := newTape()
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		tp.mu.Lock()
		if len(tp.records) != 1 || tp.records[0].Kind != a2a.KindRequest {
			t.Errorf("got %d records when the request arrived, want its own only", len(tp.records))
		}
		tp.mu.Unlock()
		w.WriteHeader(200)
		_ = http.NewResponseController(w).Flush()
		if err := tp.wait(a2a.KindHead, 1); err != nil {
			t.Error("no head record before the body:", err)
		}
		_, _ = io.WriteString(w, taskAnswer)
	})
	o, updates := do(t, tp, agent.URL, a2a.OpGet)
	var kinds []string
	for _, r := range tp.records {
		kinds = append(kinds, string(r.Kind)+" "+string(r.Dir))
	}
	if got := strings.Join(kinds, ", "); got != "request out, response in, body in, end in" {
		t.Errorf("got records %q, want request, response, body, end", got)
	}
	if o.Exchange != 1 || o.Err != nil || o.Streamed || o.State != a2a.StateCompleted || o.TaskID != "t1" || o.ContextID != "c1" {
		t.Errorf("got answer %+v, want exchange 1 with completed task t1 in c1", o)
	}
	if len(updates) != 1 || tp.body() != taskAnswer {
		t.Errorf("got %d updates and body %s, want 1 and %s", len(updates), tp.body(), taskAnswer)
	}
	if h := tp.records[0].Head; h.Method != "POST" || h.Header.Get("Host") == "" || h.Header.Get("Content-Length") == "" || h.Header.Get("User-Agent") != "parley" {
		t.Errorf("got request head %+v, want POST with Host, Content-Length and User-Agent", h)
	}
	if h := tp.records[1].Head; h.Status != 200 || h.Proto != "HTTP/1.1" {
		t.Errorf("got response head %+v, want HTTP/1.1 200", h)
	}
	if end := tp.records[3].End; *end != (a2a.End{Reason: a2a.Ended}) {
		t.Errorf("got end %+v, want %q without class", end, a2a.Ended)
	}
}

func TestBodiesAreReadWhateverTheirStatusAndType(t *testing.T) {
	t.Parallel()
	const rpcError = `{"jsonrpc":"2.0","id":"id-1","error":{"code":-32001,"message":"no such task"}}`
	tests := []struct {
		name    string
		status  int
		kind    string
		body    string
		code    int64 // the RPCError's code, 0 for success
		started bool
	}{
		{"text/plain", 200, "text/plain; charset=utf-8", taskAnswer, 0, true},
		{"no type", 200, "", taskAnswer, 0, true},
		{"odd type", 201, "application/a2a+json", taskAnswer, 0, true},
		{"broken type", 200, ";;;", taskAnswer, 0, true},
		{"error under 200", 200, "application/json", rpcError, -32001, true},
		{"error under 400", 400, "text/plain", rpcError, -32001, true},
		{"error under 404", 404, "application/json", rpcError, -32001, false},
		{"error under 500", 500, "application/json", rpcError, -32001, true},
		{"method not found", 200, "application/json", `{"jsonrpc":"2.0","id":"id-1","error":{"code":-32601,"message":"?"}}`, -32601, false},
		{"invalid request", 200, "application/json", `{"jsonrpc":"2.0","id":"id-1","error":{"code":-32600,"message":"?"}}`, -32600, false},
		{"version", 400, "application/json", `{"jsonrpc":"2.0","id":"id-1","error":{"code":-32009,"message":"?"}}`, -32009, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			agent := serve(t, answer(tt.status, tt.kind, tt.body))
			o, updates := do(t, newTape(), agent.URL, a2a.OpSend)
			var rpc *a2a.RPCError
			if errors.As(o.Err, &rpc); tt.code == 0 && o.Err != nil || tt.code != 0 && (rpc == nil || rpc.Code != tt.code || rpc.HTTPStatus != tt.status) {
				t.Errorf("got error %v, want code %d", o.Err, tt.code)
			}
			if o.RejectedUnread() == tt.started {
				t.Errorf("got RejectedUnread %v, want %v", o.RejectedUnread(), !tt.started)
			}
			if o.Status != tt.status || o.End.Reason != a2a.Ended || len(updates) != 1 {
				t.Errorf("got answer %+v with %d updates, want status %d and 1 update", o, len(updates), tt.status)
			}
		})
	}
}

func TestAnswersThatAreNotA2AGetASentence(t *testing.T) {
	t.Parallel()
	const page = "<!DOCTYPE html>\n<HTML><head><Title lang=en>Bad gateway</title></head></html>"
	tests := []struct {
		name, kind, body string
		status           int
		header           [2]string
		class            string
		says             []string
		started          bool
	}{
		{"404", "text/plain", "404 page not found", 404, [2]string{}, a2a.ClassStatus, []string{"404 Not Found", "/rpc", "check the URL"}, false},
		{"405", "text/plain", "no", 405, [2]string{}, a2a.ClassStatus, []string{"405 Method Not Allowed", "POST"}, false},
		{"415", "text/plain", "no", 415, [2]string{}, a2a.ClassStatus, []string{"415"}, false},
		{"500 with HTML", "text/html", page, 500, [2]string{}, a2a.ClassStatus, []string{"500 Internal Server Error", "web page titled “Bad gateway”"}, true},
		{"502 empty", "", "", 502, [2]string{}, a2a.ClassStatus, []string{"502 Bad Gateway"}, true},
		{"502 text", "text/plain", "The agent is down.", 502, [2]string{}, a2a.ClassStatus, []string{"Something on the way to 127.0.0.1:", "answered 502 Bad Gateway within a second: “The agent is down”."}, true},
		{"429", "text/plain", "slow", 429, [2]string{"Retry-After", "7"}, a2a.ClassStatus, []string{"429", "in 7 s"}, true},
		{"500 to a message", "text/plain", "boom", 500, [2]string{}, a2a.ClassStatus, []string{"failed (500 Internal Server Error: “boom”): check the agent's log."}, true},
		{"200 that says what is missing", "application/json", `{"error":{"message":"Missing required query parameter: api-version"}}`, 200, [2]string{}, a2a.ClassBody,
			[]string{"/rpc answered 200 OK with “Missing required query parameter: api-version”, which is not A2A: check the URL in the card."}, true},
		{"200 with a message", "application/json", `{"message":"Forbidden by plan"}`, 200, [2]string{}, a2a.ClassBody, []string{"/rpc answered 200 OK with “Forbidden by plan”, which is not A2A"}, true},
		{"200 with a detail", "application/json", `{"detail":"No such tenant"}`, 200, [2]string{}, a2a.ClassBody, []string{"/rpc answered 200 OK with “No such tenant”, which is not A2A"}, true},
		{"200 with text", "text/plain", "INVALID_USER_KEY\nmore", 200, [2]string{}, a2a.ClassBody, []string{"/rpc answered 200 OK with “INVALID_USER_KEY”, which is not A2A"}, true},
		{"200 with an empty object", "application/json", `{}`, 200, [2]string{}, a2a.ClassBody, []string{"/rpc answered 200 OK with “{}”, which is not A2A"}, true},
		{"200 with a foreign result", "application/json", `{"jsonrpc":"2.0","id":"id-1","result":{"telegram":1}}`, 200, [2]string{}, a2a.ClassBody,
			[]string{"/rpc answered 200 OK with the result {\"telegram\":1}, which A2A does not define"}, true},
		{"200 with null as the result", "application/json", `{"jsonrpc":"2.0","id":"id-1","result":null}`, 200, [2]string{}, a2a.ClassBody,
			[]string{"/rpc answered 200 OK with the result null: neither a task nor a message."}, true},
		{"200 with an empty result", "application/json", `{"jsonrpc":"2.0","id":"id-1","result":{}}`, 200, [2]string{}, a2a.ClassBody,
			[]string{"/rpc answered 200 OK with the result {}: neither a task nor a message."}, true},
		{"200 with null", "application/json", `null`, 200, [2]string{}, a2a.ClassBody, []string{"/rpc answered 200 OK with “null”, which is not A2A"}, true},
		{"200 with much text", "text/plain", strings.Repeat("x\x1b[31m", 5000), 200, [2]string{}, a2a.ClassBody, []string{"⟨U+001B⟩", "…”, which is not A2A"}, true},
		{"200 with HTML", "text/plain", page, 200, [2]string{}, a2a.ClassBody, []string{"web page titled “Bad gateway”", "/rpc"}, true},
		{"204", "", "", 204, [2]string{}, a2a.ClassBody, []string{"204 No Content"}, true},
		{"200 empty", "application/json", "", 200, [2]string{}, a2a.ClassBody, []string{"an empty body"}, true},
		{"401", "application/json", `{}`, 401, [2]string{"Www-Authenticate", `Bearer realm="desk"`}, a2a.ClassNoCredentials, []string{"401", `Bearer realm="desk"`, "--bearer"}, true},
		{"403", "text/html", page, 403, [2]string{}, a2a.ClassNoCredentials, []string{"403 Forbidden with a web page titled “Bad gateway”", "Something on the way may have refused it; if it is credentials that are missing"}, true},
		{"404 of a framework", "application/json", `{"detail":"Not Found"}`, 404, [2]string{}, a2a.ClassStatus, []string{"404"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if tt.header[0] != "" {
					w.Header().Set(tt.header[0], tt.header[1])
				}
				answer(tt.status, tt.kind, tt.body)(w, r)
			})
			tp := newTape()
			o, _ := do(t, tp, agent.URL+"/rpc", a2a.OpSend)
			var te *a2a.TransportError
			if !errors.As(o.Err, &te) || te.End.Class != tt.class || te.End.Reason != a2a.Ended {
				t.Fatalf("got error %#v, want a TransportError of class %q", o.Err, tt.class)
			}
			sentence(t, te.Error(), tt.says...)
			if words := te.Error(); (tt.status < 300 || tt.status >= 500) && strings.Contains(words, "again") || len(words) > 1500 {
				t.Errorf("got %q, want no advice to send a message again, and no long text", words)
			}
			if o.RejectedUnread() == tt.started {
				t.Errorf("got RejectedUnread %v, want %v", o.RejectedUnread(), !tt.started)
			}
			if tp.body() != tt.body {
				t.Errorf("got body %q, want %q", tp.body(), tt.body)
			}
		})
	}
}

// A server between Parley and the agent is named, and a message that it got may have reached the agent.
func TestAServerOnTheWayIsNamed(t *testing.T) {
	t.Parallel()
	const bearer = "bearer-of-the-way-77120"
	var past atomic.Int64
	status, header := 0, http.Header{}
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		past.Add(int64(29 * time.Second))
		maps.Copy(w.Header(), header)
		answer(status, "text/plain", "upstream is slow.")(w, r)
	})
	for _, c := range []struct {
		status int
		after  string // Retry-After
		says   string // %s is the agent's host
		doubt  bool   // the message may have been taken
	}{
		{502, "", "Something on the way to %s (Server: awselb/2.0, Via: 1.1 edge, 1.1 inner) answered 502 Bad Gateway after 29 s: “upstream is slow”.", true},
		{504, "9", "Something on the way to %s (Server: awselb/2.0, Via: 1.1 edge, 1.1 inner) answered 504 Gateway Timeout after 29 s: “upstream is slow”.", true},
		{503, "", "%s, or something on the way to it (Server: awselb/2.0, Via: 1.1 edge, 1.1 inner), answered 503 Service Unavailable after 29 s: “upstream is slow”.", true},
		{524, "", "%s, or something on the way to it (Server: awselb/2.0, Via: 1.1 edge, 1.1 inner), answered 524 after 29 s: “upstream is slow”.", true},
		{503, "9", "%s, or something on the way to it (Server: awselb/2.0, Via: 1.1 edge, 1.1 inner), answered 503 Service Unavailable after 29 s: “upstream is slow”.", true},
		{429, "9", "%s is busy (429 Too Many Requests: “upstream is slow”): try again in 9 s.", false},
		{500, "", "%s failed (500 Internal Server Error: “upstream is slow”): check the agent's log", false},
	} {
		for _, op := range []a2a.Op{a2a.OpSend, a2a.OpStream, a2a.OpGet} {
			status, header = c.status, http.Header{"Server": {"awselb/2.0"}, "Via": {"1.1 edge", "1.1 inner"}}
			if c.after != "" {
				header.Set("Retry-After", c.after)
			}
			start, tp := time.Now(), newTape()
			tp.now = func() time.Time { return start.Add(time.Duration(past.Load())) }
			o, _ := do(t, tp, agent.URL+"/rpc", op)
			says := fmt.Sprintf(c.says, strings.TrimPrefix(agent.URL, "http://"))
			switch { // a get is no message to send again
			case op == a2a.OpGet && c.doubt && c.after != "":
				says += " Ask for the task again in 9 s."
			case op == a2a.OpGet:
				says = strings.Replace(says, "try again", "ask for the task again", 1)
			}
			sentence(t, o.End.Sentence, says)
			taken := strings.Contains(o.End.Sentence, "The agent may have taken the message.")
			if taken != (c.doubt && op != a2a.OpGet) {
				t.Errorf("%d to %s: got %q, want doubt %v only about messages", c.status, op, o.End.Sentence, c.doubt)
			}
			if op != a2a.OpGet && c.status != 429 && strings.Contains(o.End.Sentence, "again") {
				t.Errorf("%d to %s: got %q, want no advice to send it again", c.status, op, o.End.Sentence)
			}
			if want := (a2a.Hop{Server: "awselb/2.0", Via: "1.1 edge, 1.1 inner", Took: 29 * time.Second}); o.Hop != want {
				t.Errorf("%d to %s: got hop %+v, want %+v", c.status, op, o.Hop, want)
			}
		}
	}
	status, header = 502, http.Header{"Server": {strings.Repeat("long", 500) + bearer}, "Via": {"1.1 " + bearer}}
	tp := newTape()
	given := options(tp, agent.URL)
	given.Bearer = bearer
	c := a2a.NewClient(profile(a2a.V10, agent.URL), nil, given)
	defer c.Close()
	o := c.Do(t.Context(), request(a2a.OpSend), a2a.Hooks{})
	if said := o.Hop.Server + o.Hop.Via + o.End.Sentence; len(o.Hop.Server) > 250 || strings.Contains(said, bearer) {
		t.Errorf("got hop %+v and %q, want short names without the token", o.Hop, o.End.Sentence)
	}
	checkNoSecrets(t, tp, bearer)
}

func TestJSONThatIsNotA2AIsADecodeError(t *testing.T) {
	t.Parallel()
	agent := serve(t, answer(200, "application/json", `{"jsonrpc":"2.0","id":"id-1","result":{"task":{"id":`))
	o, updates := do(t, newTape(), agent.URL, a2a.OpGet)
	var bad *a2a.DecodeError
	if !errors.As(o.Err, &bad) || len(updates) != 1 || updates[0].Err == nil {
		t.Errorf("got error %#v and updates %+v, want one DecodeError", o.Err, updates)
	}
}

func TestWhatCannotBeSaidIsNotSent(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		profile a2a.Profile
		req     a2a.Request
	}{
		{"operation that the dialect lacks", profile(a2a.V01, "http://127.0.0.1:1"), request(a2a.OpList)},
		{"message without parts", profile(a2a.V10, "http://127.0.0.1:1"), a2a.Request{Call: &a2a.Call{Op: a2a.OpSend}, Message: &a2a.Message{}}},
		{"no call", profile(a2a.V10, "http://127.0.0.1:1"), a2a.Request{}},
		{"unknown dialect", profile("v9", "http://127.0.0.1:1"), request(a2a.OpSend)},
		{"binding without a carrier", a2a.Profile{Dialect: a2a.V10, Binding: a2a.BindingGRPC, Endpoint: "grpc://127.0.0.1:1"}, request(a2a.OpSend)},
		{"unknown binding", a2a.Profile{Dialect: a2a.V10, Binding: a2a.BindingOther}, request(a2a.OpSend)},
		{"profile with a problem", a2a.Profile{Problem: "It is broken."}, request(a2a.OpSend)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tp := newTape()
			c := a2a.NewClient(tt.profile, nil, options(tp))
			defer c.Close()
			o := c.Do(t.Context(), tt.req, a2a.Hooks{})
			if o.Err == nil || o.Exchange != 0 || o.End.Reason != a2a.Refused || o.End.Class != a2a.ClassUnsupported || !o.RejectedUnread() {
				t.Errorf("got answer %+v, want a refusal of class %q without an exchange", o, a2a.ClassUnsupported)
			}
			if o.End.Sentence == "" || len(tp.records) != 0 {
				t.Errorf("got sentence %q and %d records, want a sentence and none", o.End.Sentence, len(tp.records))
			}
		})
	}
}

func TestBadEndpointIsRefusedWithARecord(t *testing.T) {
	t.Parallel()
	for _, endpoint := range []string{"", "solace:topic", "ws://h/x", "http://", "http://h/%zz", "/relative"} {
		tp := newTape()
		o, _ := do(t, tp, endpoint, a2a.OpSend)
		if o.End.Reason != a2a.Refused || o.End.Class != a2a.ClassUnsupported || len(tp.records) != 2 {
			t.Errorf("endpoint %q: got answer %+v and %d records, want a refusal and 2", endpoint, o, len(tp.records))
		}
	}
}

func TestHeadersThatHTTPWritesItself(t *testing.T) {
	t.Parallel()
	var host string
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) { host = r.Host; answer(200, "", taskAnswer)(w, r) })
	o, tp := call(t, agent.URL, func(o *a2a.Options) {
		o.Headers = []a2a.HeaderPair{{Name: "Host", Value: "desk.example"}, {Name: "Content-Length", Value: "1"}, {Name: "User-Agent", Value: "mine"}}
	})
	h := tp.records[0].Head.Header
	if o.Err != nil || host != "desk.example" || h.Get("Host") != host || h.Get("Content-Length") == "1" || h.Get("User-Agent") != "mine" {
		t.Errorf("agent got Host %q, record has %v (error %v); want desk.example and the headers as sent", host, h, o.Err)
	}
}

func TestBodyThatItsLengthCutsIsNoA2A(t *testing.T) {
	t.Parallel()
	url := serveRaw(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 20\r\n\r\n"+taskAnswer)
	})
	tp := newTape()
	o, _ := do(t, tp, url, a2a.OpGet)
	var bad *a2a.DecodeError
	if !errors.As(o.Err, &bad) || o.End.Reason != a2a.Ended || tp.body() != taskAnswer[:20] {
		t.Errorf("got answer %+v and body %q, want a DecodeError and body %q", o, tp.body(), taskAnswer[:20])
	}
}

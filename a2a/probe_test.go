package a2a_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
)

// A cardlessEndpoint is an endpoint without a card: it answers the given methods and paths, and
// everything else by rest.
type cardlessEndpoint struct {
	says map[string]string // maps "GetTask" or "GET /tasks/" to a body, preceded by its status unless that is 200
	rest string

	mu    sync.Mutex
	asked []string
	sent  []*http.Request
}

func (s *cardlessEndpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		ID     json.RawMessage
		Method string
	}
	body, _ := io.ReadAll(r.Body)
	name := r.Method + " " + r.URL.Path
	if json.Unmarshal(body, &req) == nil && req.Method != "" {
		name = req.Method
	}
	s.mu.Lock()
	s.asked, s.sent = append(s.asked, name), append(s.sent, r)
	s.mu.Unlock()
	answer := s.rest
	for key, says := range s.says {
		if key == name || strings.HasSuffix(key, "/") && strings.HasPrefix(name, key) {
			answer = says
		}
	}
	status := 200
	if n, _ := fmt.Sscanf(answer, "%d ", &status); n == 1 {
		answer = answer[4:]
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, strings.ReplaceAll(answer, "ID", string(req.ID)))
}

func rpcError(code int, message, data string) string {
	if data != "" {
		data = `,"data":` + data
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":ID,"error":{"code":%d,"message":%q%s}}`, code, message, data)
}

func probe(t *testing.T, url string, change func(*a2a.Options)) (a2a.ProbeResult, *tape) {
	t.Helper()
	tp := newTape()
	o := options(tp, url)
	if change != nil {
		change(&o)
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	got := a2a.Probe(ctx, url, &a2a.Call{Agent: 7}, o)
	tp.check(t)
	for _, r := range tp.of(a2a.KindRequest) {
		if r.Call.Op != a2a.OpProbe || r.Call.Agent != 7 {
			t.Errorf("got call %+v of a probe's request, want %s by agent 7", r.Call, a2a.OpProbe)
		}
		if strings.Contains(strings.ToLower(string(r.Raw)), "message") {
			t.Errorf("got a probe that sends a message: %s", r.Raw)
		}
	}
	if n := len(tp.of(a2a.KindRequest)); n > 7 {
		t.Errorf("got %d requests, want at most 7", n)
	}
	return got, tp
}

func TestProbesTellDialectsApart(t *testing.T) {
	t.Parallel()
	var (
		missing      = rpcError(-32001, "Task not found", "")
		unknown      = rpcError(-32601, "Method not found", "")
		invalid      = rpcError(-32600, "Invalid Request", `[{"loc":["SendMessageRequest","method"]},{"loc":["GetTaskRequest"]}]`)
		version      = rpcError(-32009, "Version not supported", "")
		page         = "404 <!doctype html><title>Not Found</title>"
		cardAnywhere = `{"name":"A","version":"1","url":"http://127.0.0.1:1/","capabilities":{},"skills":[]}`
		oldTask      = `{"jsonrpc":"2.0","id":ID,"result":{"id":"x","contextId":"c","kind":"task","status":{"state":"working"}}}`
		status10     = `404 {"error":{"code":404,"status":"NOT_FOUND","message":"task not found","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND","domain":"a2a-protocol.org"}]}}`
	)
	tests := []struct {
		name  string
		s     cardlessEndpoint
		want  string // dialect, binding
		sure  a2a.Confidence
		asked string
	}{
		{"1.0", cardlessEndpoint{says: map[string]string{"GetTask": missing}, rest: unknown}, "v1.0 JSONRPC", a2a.Certain, "GetTask"},
		{"1.0 by its reason", cardlessEndpoint{says: map[string]string{"GetTask": rpcError(-32603, "oops", `[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND","domain":"a2a-protocol.org"}]`)}, rest: unknown},
			"v1.0 JSONRPC", a2a.Certain, "GetTask"},
		{"1.0 that wants a header", cardlessEndpoint{says: map[string]string{"GetTask": version, "tasks/get": version}, rest: unknown}, "v1.0 JSONRPC", a2a.Likely, "GetTask tasks/get"},
		{"a version that is named", cardlessEndpoint{says: map[string]string{"GetTask": rpcError(-32009, "Version not supported", `[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"VERSION_NOT_SUPPORTED","metadata":{"supportedVersions":["0.3"]}}]`)}, rest: unknown},
			"v0.3 JSONRPC", a2a.Likely, "GetTask tasks/get"},
		{"0.3", cardlessEndpoint{says: map[string]string{"tasks/get": missing, "tasks/pushNotificationConfig/get": rpcError(-32003, "no push", ""), "agent/getAuthenticatedExtendedCard": rpcError(-32007, "no card", "")}, rest: unknown},
			"v0.3 JSONRPC", a2a.Certain, "GetTask tasks/get tasks/pushNotificationConfig/get agent/getAuthenticatedExtendedCard"},
		{"0.3 whose card is behind credentials", cardlessEndpoint{says: map[string]string{"tasks/get": missing, "tasks/pushNotificationConfig/get": missing, "agent/getAuthenticatedExtendedCard": "401 {}"}, rest: unknown},
			"v0.3 JSONRPC", a2a.Certain, "GetTask tasks/get tasks/pushNotificationConfig/get agent/getAuthenticatedExtendedCard"},
		{"0.2", cardlessEndpoint{says: map[string]string{"tasks/get": missing, "tasks/pushNotificationConfig/get": rpcError(-32004, "unsupported", "")}, rest: unknown},
			"v0.2 JSONRPC", a2a.Likely, "GetTask tasks/get tasks/pushNotificationConfig/get agent/getAuthenticatedExtendedCard"},
		{"0.1", cardlessEndpoint{says: map[string]string{"tasks/get": missing, "tasks/pushNotification/get": rpcError(-32003, "no push", "")}, rest: unknown},
			"v0.1 JSONRPC", a2a.Likely, "GetTask tasks/get tasks/pushNotificationConfig/get tasks/pushNotification/get"},
		{"0.x of which no optional method is known", cardlessEndpoint{says: map[string]string{"tasks/get": missing}, rest: unknown},
			"v0.3 JSONRPC", a2a.Guess, "GetTask tasks/get tasks/pushNotificationConfig/get tasks/pushNotification/get agent/getAuthenticatedExtendedCard"},
		{"0.3 without webhooks", cardlessEndpoint{says: map[string]string{"tasks/get": missing, "agent/getAuthenticatedExtendedCard": rpcError(-32007, "no card", "")}, rest: unknown},
			"v0.3 JSONRPC", a2a.Certain, "GetTask tasks/get tasks/pushNotificationConfig/get tasks/pushNotification/get agent/getAuthenticatedExtendedCard"},
		{"webhooks behind credentials", cardlessEndpoint{says: map[string]string{"tasks/get": missing, "tasks/pushNotificationConfig/get": "403 {}"}, rest: unknown},
			"v0.3 JSONRPC", a2a.Guess, "GetTask tasks/get tasks/pushNotificationConfig/get"},
		{"what the documentation of a mesh describes", cardlessEndpoint{says: map[string]string{"tasks/cancel": missing}, rest: unknown},
			"sam-doc JSONRPC", a2a.Likely, "GetTask tasks/get tasks/cancel"},
		{"a union that has no GetTask", cardlessEndpoint{says: map[string]string{"tasks/get": missing, "tasks/pushNotificationConfig/get": missing}, rest: invalid},
			"v0.2 JSONRPC", a2a.Likely, "GetTask tasks/get tasks/pushNotificationConfig/get agent/getAuthenticatedExtendedCard"},
		{"unknown methods as 500", cardlessEndpoint{says: map[string]string{"tasks/get": missing, "tasks/pushNotificationConfig/get": missing}, rest: "500 {\"detail\":\"boom\"}"},
			"v0.2 JSONRPC", a2a.Likely, "GetTask tasks/get tasks/pushNotificationConfig/get agent/getAuthenticatedExtendedCard"},
		{"somebody's task for every id", cardlessEndpoint{rest: oldTask}, "v0.3 JSONRPC", a2a.Likely, "GetTask"},
		{"1.0 over HTTP+JSON", cardlessEndpoint{says: map[string]string{"GET /tasks/": status10}, rest: page}, "v1.0 HTTP+JSON", a2a.Certain, "GetTask GET /tasks/"},
		{"1.0 with problem details", cardlessEndpoint{says: map[string]string{"GET /tasks/": `404 {"type":"https://a2a-protocol.org/errors/task-not-found","title":"Task not found","status":404}`}, rest: page},
			"v1.0 HTTP+JSON", a2a.Certain, "GetTask GET /tasks/"},
		{"0.3 over HTTP+JSON", cardlessEndpoint{says: map[string]string{"GET /v1/tasks/": `404 {"code":-32001,"message":"Task not found"}`}, rest: page},
			"v0.3 HTTP+JSON", a2a.Certain, "GetTask GET /tasks/ GET /v1/tasks/"},
		{"0.3 of Python", cardlessEndpoint{says: map[string]string{"GET /v1/tasks/": `404 {"message":"Task not found"}`}, rest: `404 {"detail":"Not Found"}`},
			"v0.3 HTTP+JSON", a2a.Certain, "GetTask GET /tasks/ GET /v1/tasks/"},
		{"a gateway", cardlessEndpoint{says: map[string]string{"GET /api/v1/agentCards": `[{"name":"A","url":"solace:a/b","skills":[]}]`}, rest: page},
			"sam-http HTTP+JSON", a2a.Certain, "GetTask GET /tasks/ GET /v1/tasks/ GET /api/v1/agentCards"},
		{"a card for every path", cardlessEndpoint{says: map[string]string{"GET /tasks/": cardAnywhere, "GET /v1/tasks/": cardAnywhere,
			"GET /api/v1/agentCards": cardAnywhere}, rest: unknown}, " ", 0, "GetTask tasks/get tasks/cancel GET /tasks/ GET /v1/tasks/ GET /api/v1/agentCards"},
		{"an API that is no agent", cardlessEndpoint{rest: `404 {"error":{"code":404,"message":"no such route"}}`}, " ", 0, "GetTask GET /tasks/ GET /v1/tasks/ GET /api/v1/agentCards"},
		{"a web site", cardlessEndpoint{rest: page}, " ", 0, "GetTask GET /tasks/ GET /v1/tasks/ GET /api/v1/agentCards"},
		{"JSON-RPC that is no agent", cardlessEndpoint{rest: unknown}, " ", 0, "GetTask tasks/get tasks/cancel GET /tasks/ GET /v1/tasks/ GET /api/v1/agentCards"},
		{"credentials", cardlessEndpoint{rest: "401 {}"}, " ", 0, "GetTask"},
		{"credentials as an error", cardlessEndpoint{rest: rpcError(-31401, "unauthenticated", "")}, " ", 0, "GetTask"},
		{"credentials for 0.1", cardlessEndpoint{says: map[string]string{"tasks/get": rpcError(-32007, "Authentication required", "")}, rest: unknown}, " ", 0, "GetTask tasks/get"},
	}
	for i := range tests {
		tt := &tests[i]
		t.Run(tt.name, func(t *testing.T) {
			url := serve(t, tt.s.ServeHTTP).URL
			got, tp := probe(t, url, nil)
			p := got.Profile
			if s := string(p.Dialect) + " " + string(p.Binding); s != tt.want || (p.Problem != "") != (tt.want == " ") {
				t.Errorf("got profile %q, want %q: %+v", s, tt.want, got)
			}
			if p.Endpoint != url {
				t.Errorf("got endpoint %s, want %s", p.Endpoint, url)
			}
			for i, name := range tt.s.asked {
				if strings.HasPrefix(name, "GET /") && strings.Contains(name, "tasks/") {
					tt.s.asked[i] = name[:strings.LastIndexByte(name, '/')+1]
				}
			}
			if asked := strings.Join(tt.s.asked, " "); asked != tt.asked {
				t.Errorf("server got %s,\nwant %s", asked, tt.asked)
			}
			if len(got.Attempts) != len(tt.s.asked) {
				t.Errorf("got %d attempts, want %d", len(got.Attempts), len(tt.s.asked))
			}
			for _, a := range got.Attempts {
				if a.Probe == "" || tp.records[a.Record-1].Kind != a2a.KindRequest {
					t.Errorf("got attempt %+v, want a probe with its request's record", a)
				}
				sentence(t, a.Sentence)
			}
			if len(p.Evidence) > 0 && (p.Evidence[0].Confidence != tt.sure || p.Evidence[0].Record == 0) {
				t.Errorf("got evidence %+v, want confidence %v and a record", p.Evidence, tt.sure)
			}
			if tt.s.sent[0].Header.Get("A2A-Version") != "1.0" || len(tt.s.sent) > 1 && tt.s.asked[1] == "tasks/get" && tt.s.sent[1].Header.Get("A2A-Version") != "" {
				t.Error("got A2A-Version in the requests, want 1.0 in the first and none in tasks/get")
			}
		})
	}
}

func TestProbesOfHostileServers(t *testing.T) {
	t.Parallel()
	t.Run("redirects without an end", func(t *testing.T) {
		var srv *httptest.Server
		n := 0
		srv = serve(t, func(w http.ResponseWriter, _ *http.Request) {
			n++
			http.Redirect(w, &http.Request{Method: "GET"}, fmt.Sprintf("%s/%d", srv.URL, n), http.StatusTemporaryRedirect)
		})
		got, _ := probe(t, srv.URL, nil)
		if n > 7 || got.Profile.Problem == "" {
			t.Errorf("got %d requests and %+v, want at most 7 and a problem", n, got)
		}
	})
	t.Run("credentials stay at home", func(t *testing.T) {
		reached := 0
		other := serve(t, func(http.ResponseWriter, *http.Request) { reached++ })
		home := serve(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		})
		got, _ := probe(t, home.URL, func(o *a2a.Options) { o.Bearer = "secret" })
		if reached != 0 || got.Class != a2a.ClassOrigin {
			t.Errorf("other origin got %d requests, class %q; want none and %q", reached, got.Class, a2a.ClassOrigin)
		}
		got, _ = probe(t, other.URL, func(o *a2a.Options) { o.Bearer, o.UserAddresses = "secret", []string{home.URL} })
		if reached != 0 || got.Class != a2a.ClassOrigin || len(got.Attempts) != 1 {
			t.Errorf("endpoint of a card: got %d requests, class %q; want none and %q", reached, got.Class, a2a.ClassOrigin)
		}
	})
	t.Run("nobody there", func(t *testing.T) {
		got, _ := probe(t, "http://"+closedPort(t), nil)
		if got.Class != a2a.ClassRefused || len(got.Attempts) != 1 || got.Profile.Problem == "" {
			t.Errorf("got %+v, want one attempt of class %q and a problem", got, a2a.ClassRefused)
		}
	})
	t.Run("the caller gives up", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		srv := serve(t, func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			cancel()
			<-r.Context().Done()
		})
		tp := newTape()
		got := a2a.Probe(ctx, srv.URL, nil, options(tp, srv.URL))
		if len(got.Attempts) != 1 || got.Class == "" {
			t.Errorf("got %+v, want one attempt and a class", got)
		}
	})
	t.Run("deep and long", func(t *testing.T) {
		for _, body := range []string{strings.Repeat("[", 100_000), strings.Repeat("x", 4<<20), `{"jsonrpc":"2.0","id":1,"error":7}`, `{"error":"` + strings.Repeat("e", 1<<20) + `"}`} {
			got, _ := probe(t, serve(t, answer(200, "application/json", body)).URL, nil)
			if got.Profile.Problem == "" {
				t.Errorf("%.40s: got profile %+v, want a problem", body, got.Profile)
			}
		}
	})
}

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// A stub is an agent of A2A 1.0 with hand-written answers.
type stub struct {
	*httptest.Server
	card   string                            // with %s in place of the server's URL
	answer func(*asked, http.ResponseWriter) // nil for one that has no method

	mu   sync.Mutex
	seen []asked
}

// asked is one request that an agent received.
type asked struct {
	Method string          `json:"method"`
	ID     json.RawMessage `json:"id"`
	Params map[string]any  `json:"params"`
	header http.Header
	url    string
	nth    int // count within its method, from 1
	req    *http.Request
}

// result answers with a JSON-RPC result.
func (q *asked) result(w http.ResponseWriter, result string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, result)
}

// fail answers with a JSON-RPC error.
func (q *asked) fail(w http.ResponseWriter, code int, message string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, q.ID, code, message)
}

// event sends one frame of a stream.
func (q *asked) event(w http.ResponseWriter, result string) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", q.ID, result)
	_ = http.NewResponseController(w).Flush()
}

// cut breaks the connection.
func cut(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		conn.Close()
	}
}

const (
	plainCard  = `{"name":"Stub","description":"d","version":"1","supportedInterfaces":[{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"defaultInputModes":[],"defaultOutputModes":[],"skills":[{"id":"s","name":"s","description":"d","tags":["t"]}]}`
	streamCard = `{"name":"Stub","description":"d","version":"1","supportedInterfaces":[{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{"streaming":true},"defaultInputModes":[],"defaultOutputModes":[],"skills":[{"id":"s","name":"s","description":"d","tags":["t"]}]}`

	working   = `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}`
	completed = `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","name":"report","parts":[{"text":"one\n\ntwo"},{"data":{"n":1.50}},{"raw":"AAEC","filename":"f.bin","mediaType":"application/octet-stream"},{"url":"https://files.example/x.pdf","filename":"x.pdf"}]}]}`
	chunk     = `{"artifactUpdate":{"taskId":"t1","contextId":"c1","artifact":{"artifactId":"a","name":"report","parts":[{"text":"before the cut"}]}}}`
)

// task wraps a task as the result of a send.
func task(t string) string { return `{"task":` + t + `}` }

// status is a status update of the stub's task.
func status(state string) string {
	return `{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_` + state + `"}}}`
}

// newStub starts an agent.
func newStub(t testing.TB, card string, answer func(*asked, http.ResponseWriter)) *stub {
	t.Helper()
	s := &stub{card: card, answer: answer}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// newTLS serves an agent over TLS with a self-signed certificate.
func newTLS(t testing.TB, s *stub) (url string) {
	t.Helper()
	tls := httptest.NewUnstartedServer(s)
	tls.Config.ErrorLog = log.New(io.Discard, "", 0) // the tests close connections on purpose
	tls.StartTLS()
	t.Cleanup(tls.Close)
	return tls.URL
}

// ServeHTTP answers requests for the card and passes all others to the handler.
func (s *stub) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	q := asked{header: req.Header.Clone(), url: req.URL.String(), req: req, Method: req.Method + " " + req.URL.Path}
	body, _ := io.ReadAll(req.Body)
	if len(body) > 0 {
		_ = json.Unmarshal(body, &q)
	}
	s.mu.Lock()
	q.nth = 1
	for _, other := range s.seen {
		if other.Method == q.Method {
			q.nth++
		}
	}
	s.seen = append(s.seen, q)
	s.mu.Unlock()
	switch {
	case req.Method == http.MethodPost && s.answer == nil:
		q.fail(w, -32601, "Method not found")
	case req.Method == http.MethodPost:
		s.answer(&q, w)
	case req.URL.Path == "/.well-known/agent-card.json":
		fmt.Fprint(w, strings.ReplaceAll(s.card, "%s", s.URL))
	default:
		http.NotFound(w, req)
	}
}

// asked returns the requests of a method.
func (s *stub) asked(method string) []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []asked
	for _, q := range s.seen {
		if q.Method == method {
			all = append(all, q)
		}
	}
	return all
}

// only returns the one request of a method.
func (s *stub) only(t testing.TB, method string) asked {
	t.Helper()
	all := s.asked(method)
	if len(all) != 1 {
		t.Fatalf("got %d requests of %s, want 1", len(all), method)
	}
	return all[0]
}

// at follows names and indexes into a decoded JSON value.
func at(v any, path ...any) any {
	for _, p := range path {
		switch k := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[k]
		case int:
			l, _ := v.([]any)
			if k >= len(l) {
				return nil
			}
			v = l[k]
		}
	}
	return v
}

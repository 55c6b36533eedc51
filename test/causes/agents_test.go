package causes

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

const wellKnown = "/.well-known/agent-card.json"

// A request is one that an agent gets.
type request struct {
	*http.Request
	Method string          `json:"method"` // of JSON-RPC, empty for a GET
	ID     json.RawMessage `json:"id"`
	Params map[string]any  `json:"params"`
	base   string          // of the server
	w      http.ResponseWriter
}

// An agent answers requests.
type agent func(q *request)

func (a agent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := &request{Request: r, base: "http://" + r.Host, w: w}
	if r.TLS != nil {
		q.base = "https://" + r.Host
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, q)
	a(q)
}

// at reports whether the request gets a path.
func (q *request) at(path string) bool {
	return q.Request.Method == http.MethodGet && q.URL.Path == path
}

// say answers with JSON, @ in it being the server.
func (q *request) say(status int, text string, header ...string) {
	q.w.Header().Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		q.w.Header().Set(header[i], header[i+1])
	}
	q.w.WriteHeader(status)
	fmt.Fprint(q.w, strings.ReplaceAll(text, "@", q.base))
}

// result answers with a result of JSON-RPC.
func (q *request) result(result string) {
	q.say(200, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, result))
}

// fail answers with an error of JSON-RPC.
func (q *request) fail(code int, message string) {
	q.say(200, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, q.ID, code, message))
}

// stream answers with events, results of JSON-RPC.
func (q *request) stream(results ...string) {
	q.w.Header().Set("Content-Type", "text/event-stream")
	for _, r := range results {
		fmt.Fprintf(q.w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", q.ID, r)
	}
	_ = http.NewResponseController(q.w).Flush()
}

// cut breaks the connection.
func (q *request) cut() {
	if conn, _, err := http.NewResponseController(q.w).Hijack(); err == nil {
		conn.Close()
	}
}

// hang waits until the client closes the connection.
func (q *request) hang() { <-q.Context().Done() }

const about = `"name":"Desk","description":"d","version":"1","defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"s","name":"s","description":"d","tags":["t"]}]`

// card03 is a card of 0.3 with other members; capabilities are among them.
func card03(url, more string) string {
	return `{` + about + `,"protocolVersion":"0.3.0","preferredTransport":"JSONRPC","url":"` + url + `",` + more + `}`
}

// card10 is a card of 1.0 with an interface.
func card10(url, binding, more string) string {
	return `{` + about + `,"supportedInterfaces":[{"url":"` + url + `","protocolBinding":"` + binding + `","protocolVersion":"1.0"}],` + more + `}`
}

const (
	streams   = `"capabilities":{"streaming":true}`
	streamsNo = `"capabilities":{"streaming":false}`

	task03    = `{"kind":"task","id":"t1","contextId":"c1","status":{"state":"completed"},"artifacts":[{"artifactId":"a","parts":[{"kind":"text","text":"Hello from the agent."}]}]}`
	working03 = `{"kind":"task","id":"t1","contextId":"c1","status":{"state":"working"}}`
	final03   = `{"kind":"status-update","taskId":"t1","contextId":"c1","status":{"state":"completed"},"final":true}`
	task10    = `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[{"text":"Hello from the agent."}]}]}`
	working10 = `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}`
	final10   = `{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}`
)

// good03 answers as an agent of 0.3 does.
func good03(q *request) {
	switch q.Method {
	case "message/send":
		q.result(task03)
	case "tasks/get":
		if q.Params["id"] != "t1" {
			q.fail(-32001, "Task not found")
			return
		}
		q.result(task03)
	case "message/stream":
		q.stream(task03)
	case "tasks/cancel", "tasks/resubscribe":
		q.fail(-32001, "Task not found")
	default:
		q.fail(-32601, "Method not found")
	}
}

// good10 does the same for 1.0.
func good10(q *request) {
	switch q.Method {
	case "SendMessage":
		q.result(`{"task":` + task10 + `}`)
	case "SendStreamingMessage":
		q.stream(`{"task":` + task10 + `}`)
	case "GetTask":
		if q.Params["id"] != "t1" {
			q.fail(-32001, "Task not found")
			return
		}
		q.result(task10)
	case "ListTasks":
		q.result(`{"tasks":[],"nextPageToken":"","pageSize":1,"totalSize":0}`)
	case "CancelTask", "SubscribeToTask":
		q.fail(-32001, "Task not found")
	default:
		q.fail(-32601, "Method not found")
	}
}

// speaking is an agent with a card, and with answers to some methods; another function gives the rest.
func speaking(card string, rest agent, methods map[string]agent) agent {
	return func(q *request) {
		switch do := methods[q.Method]; {
		case q.at(wellKnown):
			q.say(200, card, "Cache-Control", "max-age=60", "ETag", `"1"`)
		case q.Request.Method == http.MethodGet:
			q.say(404, "")
		case do != nil:
			do(q)
		default:
			rest(q)
		}
	}
}

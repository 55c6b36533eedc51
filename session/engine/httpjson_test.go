package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/session/sessiontest"
)

// A restFront serves an agent over HTTP+JSON: it passes each request on as one of JSON-RPC 1.0,
// and takes the answers out of their envelopes. The agent writes one answer or one frame of a
// stream with each Write.
type restFront struct {
	dialect a2a.DialectName
	agent   http.Handler
}

// front returns an agent behind the front that its dialect needs.
func front(d a2a.DialectName, agent http.Handler) http.Handler {
	if !sessiontest.IsREST(d) {
		return agent
	}
	return restFront{d, agent}
}

// restMethods are the methods of 1.0 by the verb and the path of HTTP+JSON without the ids in
// it.
var restMethods = map[string]string{
	"POST /message:send": "SendMessage", "POST /message:stream": "SendStreamingMessage", "GET /tasks/": "GetTask",
	"POST /tasks/:cancel": "CancelTask", "GET /tasks/:subscribe": "SubscribeToTask",
	"POST /tasks//pushNotificationConfigs": "CreateTaskPushNotificationConfig",
	"GET /tasks//pushNotificationConfigs":  "ListTaskPushNotificationConfigs",
	"GET /tasks//pushNotificationConfigs/": "GetTaskPushNotificationConfig",
}

func (f restFront) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/.well-known/") {
		f.agent.ServeHTTP(w, r)
		return
	}
	path := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/rpc"), map[a2a.DialectName]string{a2a.V03REST: "/v1"}[f.dialect])
	task, hook := "", ""
	if rest, of := strings.CutPrefix(path, "/tasks/"); of {
		end := strings.IndexAny(rest+"/", ":/")
		task, path = rest[:end], "/tasks/"+rest[end:]
		if rest, of := strings.CutPrefix(path, "/tasks//pushNotificationConfigs/"); of {
			hook, path = rest, strings.TrimSuffix(path, rest)
		}
	}
	method, known := restMethods[r.Method+" "+path]
	params := map[string]any{}
	body, _ := io.ReadAll(r.Body)
	if len(body) > 0 && json.Unmarshal(body, &params) != nil || !known {
		http.NotFound(w, r)
		return
	}
	if message, is := params["message"].(map[string]any); is && message["content"] != nil { // 0.3
		message["parts"] = message["content"]
	}
	if task != "" {
		params["id"], params["taskId"] = task, task
	}
	if hook != "" {
		params["id"] = hook
	}
	if n, err := strconv.Atoi(r.URL.Query().Get("historyLength")); err == nil {
		params["historyLength"] = n
	}
	call, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	inner := r.Clone(r.Context())
	inner.Method, inner.URL, inner.Body = http.MethodPost, &url.URL{Path: "/rpc"}, io.NopCloser(bytes.NewReader(call))
	f.agent.ServeHTTP(&restWriter{ResponseWriter: w, dialect: f.dialect}, inner)
}

// A restWriter takes each answer out of its envelope.
type restWriter struct {
	http.ResponseWriter
	dialect a2a.DialectName
}

func (w *restWriter) Flush() { w.ResponseWriter.(http.Flusher).Flush() }

func (w *restWriter) Write(p []byte) (int, error) {
	frame, stream := bytes.CutPrefix(p, []byte("data: "))
	var answer struct {
		Result json.RawMessage
		Error  *struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal(frame, &answer); err != nil {
		return 0, fmt.Errorf("%q is no answer of JSON-RPC: %w", p, err)
	}
	switch {
	case answer.Error != nil:
		w.fail(answer.Error.Code, answer.Error.Message)
	case stream:
		fmt.Fprintf(w.ResponseWriter, "data: %s\n\n", answer.Result)
	default:
		w.ResponseWriter.Write(answer.Result)
	}
	return len(p), nil
}

// fail writes an error as a2a-js 0.3 and the specification of 1.0 (§11.6) define it.
func (w *restWriter) fail(code int, message string) {
	status, word, reason := http.StatusBadRequest, "INVALID_ARGUMENT", ""
	switch code {
	case -32001:
		status, word, reason = http.StatusNotFound, "NOT_FOUND", "TASK_NOT_FOUND"
	case -32003:
		word, reason = "FAILED_PRECONDITION", "PUSH_NOTIFICATION_NOT_SUPPORTED"
	case -32004:
		word, reason = "FAILED_PRECONDITION", "UNSUPPORTED_OPERATION"
	}
	details := "[]"
	if reason != "" {
		details = fmt.Sprintf(`[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":%q,"domain":"a2a-protocol.org"}]`, reason)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if w.dialect == a2a.V03REST {
		fmt.Fprintf(w.ResponseWriter, `{"code":%d,"message":%q}`, code, message)
		return
	}
	fmt.Fprintf(w.ResponseWriter, `{"error":{"code":%d,"status":%q,"message":%q,"details":%s}}`, status, word, message, details)
}

// serveFront begins to serve an agent behind the front that its dialect needs.
func serveFront(d a2a.DialectName, agent http.Handler) *httptest.Server {
	return httptest.NewServer(front(d, agent))
}

// restCard is the card of an agent over HTTP+JSON.
func restCard(d a2a.DialectName, name, url string) string {
	common := fmt.Sprintf(`"name":%q,"description":"d","version":"1","capabilities":{"streaming":true,"pushNotifications":true},"defaultInputModes":["text/plain"],`+
		`"defaultOutputModes":["text/plain"],"skills":[{"id":"a","name":"A","description":"a","tags":[]}]`, name)
	if d == a2a.V10REST {
		return fmt.Sprintf(`{%s,"supportedInterfaces":[{"url":%q,"protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}]}`, common, url)
	}
	return fmt.Sprintf(`{%s,"url":%q,"preferredTransport":"HTTP+JSON","protocolVersion":"0.3.0"}`, common, url)
}

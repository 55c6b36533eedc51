package serve

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"parley/a2a"
)

// The codes of misses, as JSON-RPC has them.
const (
	codeNoTask        = -32001
	codeNotCancelable = -32002
	codeNoPush        = -32003
	codeUnsupported   = -32004
	codeBroken        = -32700
	codeInvalid       = -32600
	codeNoMethod      = -32601
	codeNoAnswer      = -32603
	codeNotFound      = 404 // a plain HTTP request
)

// kinds are what HTTP+JSON and gRPC say for a code.
var kinds = map[int64]struct {
	status       int
	grpc         int64
	word, reason string
}{
	codeNoTask:        {http.StatusNotFound, 5, "NOT_FOUND", "TASK_NOT_FOUND"},
	codeNotCancelable: {http.StatusConflict, 9, "FAILED_PRECONDITION", "TASK_NOT_CANCELABLE"},
	codeNoPush:        {http.StatusBadRequest, 12, "UNIMPLEMENTED", "PUSH_NOTIFICATION_NOT_SUPPORTED"},
	codeUnsupported:   {http.StatusBadRequest, 12, "UNIMPLEMENTED", "UNSUPPORTED_OPERATION"},
	codeBroken:        {http.StatusBadRequest, 3, "INVALID_ARGUMENT", ""},
	codeInvalid:       {http.StatusBadRequest, 3, "INVALID_ARGUMENT", ""},
	codeNoAnswer:      {http.StatusInternalServerError, 13, "INTERNAL", ""},
	codeNoMethod:      {http.StatusNotFound, 12, "UNIMPLEMENTED", ""},
	codeNotFound:      {http.StatusNotFound, 5, "NOT_FOUND", ""},
}

// errorInfo names the reason of an error of 1.0.
type errorInfo struct {
	Type   string `json:"@type"`
	Reason string `json:"reason"`
	Domain string `json:"domain"`
}

func (m *miss) details() []errorInfo {
	if reason := kinds[m.code].reason; reason != "" {
		return []errorInfo{{"type.googleapis.com/google.rpc.ErrorInfo", reason, "a2a-protocol.org"}}
	}
	return nil
}

// message is the text of the error for the client.
func (m *miss) message() string { return "parley serve: " + m.sentence }

// rpc returns the error as a response of JSON-RPC. Before 1.0 an error has no list of details, and clients
// may not be able to read one.
func (m *miss) rpc(id string, dialect a2a.DialectName) []byte {
	type failure struct {
		Code    int64       `json:"code"`
		Message string      `json:"message"`
		Data    []errorInfo `json:"data,omitempty"`
	}
	if id == "" || !json.Valid([]byte(id)) {
		id = "null"
	}
	details := m.details()
	if dialect.Number() != a2a.V10.Number() {
		details = nil
	}
	b, _ := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   failure         `json:"error"`
	}{"2.0", json.RawMessage(id), failure{m.code, m.message(), details}}) // plain values cannot fail
	return append(b, '\n')
}

// rest returns the error as a body of HTTP+JSON, and its status. The body is a google.rpc.Status
// (specification 1.0 §11.6); SDKs of 0.3 read the code and the message of JSON-RPC.
func (m *miss) rest(dialect a2a.DialectName) ([]byte, int) {
	type failure struct {
		Code    int         `json:"code"`
		Status  string      `json:"status"`
		Message string      `json:"message"`
		Details []errorInfo `json:"details,omitempty"`
	}
	kind := kinds[m.code]
	if dialect.Number() != a2a.V10.Number() {
		b, _ := json.Marshal(map[string]any{"code": m.code, "message": m.message()}) // as above
		return append(b, '\n'), kind.status
	}
	b, _ := json.Marshal(map[string]failure{"error": {kind.status, kind.word, m.message(), m.details()}}) // as above
	return append(b, '\n'), kind.status
}

// status returns the error as a google.rpc.Status of gRPC.
func (m *miss) status(format a2a.Format) *a2a.Binary {
	b, _ := json.Marshal(map[string]any{"code": kinds[m.code].grpc, "message": m.message(), "details": m.details()})
	if built, err := format.Rebuild(a2a.KindStatus, b); err == nil {
		return built
	}
	b, _ = json.Marshal(map[string]any{"code": kinds[m.code].grpc, "message": m.message()})
	built, err := format.Rebuild(a2a.KindStatus, b)
	if err != nil {
		return &a2a.Binary{Kind: a2a.KindStatus}
	}
	return built
}

// write sends the error in the form of the request's binding.
func (m *miss) write(w http.ResponseWriter, f *facts) {
	body, status, media := []byte(nil), http.StatusOK, "application/json"
	switch f.Binding {
	case a2a.BindingJSONRPC:
		if body = m.rpc(f.RPCID, f.Dialect); f.Op == a2a.OpStream || f.Op == a2a.OpSubscribe { // whose clients read nothing else
			body, media = frameOf(bytes.TrimSuffix(body, []byte("\n"))), "text/event-stream"
		}
	case a2a.BindingREST:
		body, status = m.rest(f.Dialect)
	default:
		body, status, media = []byte(strings.TrimSpace(m.message())+"\n"), kinds[m.code].status, "text/plain; charset=utf-8"
	}
	w.Header().Set("Content-Type", media)
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may have gone
}

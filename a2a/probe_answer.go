package a2a

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// A probeMeaning is what an answer proves about the method or path of the probe.
type probeMeaning uint8

const (
	nothingKnown probeMeaning = iota // the answer says nothing, or that the method is unknown
	methodKnown
	otherVersion // the agent knows versions and refuses this one
	nothingThere // the endpoint does not speak JSON-RPC at all
	giveUp       // the host does not answer, or requires credentials
)

// A probeAnswer is the meaning of the answer to one probe.
type probeAnswer struct {
	name, url  string
	record     ExchangeID // the request
	answer     RecordID   // what was answered to it; the request if nothing was
	status     int
	hop        Hop
	class      string
	means      probeMeaning
	confidence Confidence
	says       string // what the answer means, for a user
	foreign    bool   // somebody's task came
	// offers is the dialect in which the answer is written, or which it names.
	offers DialectName

	rpc    *RPCError
	result bool
	task   bool // the result is about a task
}

// read takes an outcome and decides what does not depend on the question.
func (r *probeAnswer) read(o *Answer) {
	r.status, r.hop, r.class, r.means = o.Status, o.Hop, o.End.Class, nothingKnown
	r.says = strings.TrimSuffix(o.End.Sentence, ".")
	if errors.As(o.Err, &r.rpc) {
		r.says = "answers " + r.rpc.Error()
	}
	r.result, r.task = o.Events > 0, o.task
	for _, saw := range o.Last.Saw {
		if saw.Field == "dialect" && r.offers == Unknown {
			r.offers = DialectName(saw.Value)
		}
	}
	switch {
	case o.End.Reason != Ended:
		r.means, r.class = giveUp, cmp.Or(o.End.Class, string(o.End.Reason))
	case o.Status == http.StatusUnauthorized || o.Status == http.StatusForbidden:
		r.means = giveUp
		r.says = strings.TrimSuffix(o.End.Sentence, ".")
	case r.rpc.AsksCredentials():
		r.means, r.class = giveUp, ClassNoCredentials
	}
}

// ofMethod reads the answer to a JSON-RPC call.
func (r *probeAnswer) ofMethod(op Op) {
	switch {
	case r.means == giveUp:
	case r.result:
		r.means, r.confidence = methodKnown, Likely
		r.foreign = op == OpGet
		r.says = "answers with a result"
	case r.rpc == nil || r.rpc.Code == 0 && r.rpc.Reason == "":
		r.noRPC()
	case r.rpc.Code == -32009 || r.rpc.Reason == "VERSION_NOT_SUPPORTED":
		r.means, r.confidence = otherVersion, Likely
	case op == OpGet && r.rpc.Code == -32007: // 0.1: authentication is required
		r.means, r.class = giveUp, ClassNoCredentials
	default:
		r.ofCode(op)
	}
}

// noRPC reads an answer that is not JSON-RPC.
func (r *probeAnswer) noRPC() {
	switch r.status {
	case http.StatusUnprocessableEntity, http.StatusInternalServerError, http.StatusBadRequest:
		r.says = fmt.Sprintf("does not know the method (%s)", statusText(r.status))
	default:
		r.means = nothingThere
		r.says = fmt.Sprintf("does not speak JSON-RPC (%s)", statusText(r.status))
	}
}

// ofCode reads an error code. Servers built on unions of request types answer an unknown method
// with -32600, and list the types that they accept.
func (r *probeAnswer) ofCode(op Op) {
	switch code := r.rpc.Code; {
	case code == -32601, code == -32600, code == -32602 && namesMethod(r.rpc):
		r.says = fmt.Sprintf("does not know the method (%d)", code)
		if strings.Contains(string(r.rpc.Data), "SendTaskRequest") {
			r.offers = V01
		} else if strings.Contains(string(r.rpc.Data), "SendMessageRequest") {
			r.offers = V03
		}
	case code == -32001:
		r.means, r.confidence = methodKnown, Certain
		r.says = "knows the method: " + r.rpc.Error()
	case code == -32602, code <= -32001 && code >= -32099 && (code != -32004 || op != OpGet && op != OpCancel):
		r.means, r.confidence = methodKnown, Likely
		r.says = "knows the method: " + r.rpc.Error()
	case r.rpc.Reason == "TASK_NOT_FOUND":
		r.means, r.confidence = methodKnown, Certain
	}
}

// namesMethod reports whether an error about parameters actually means an unknown method.
func namesMethod(e *RPCError) bool {
	return strings.Contains(strings.ToLower(e.Message+string(e.Data)), "method")
}

// notFoundBody is a JSON error over HTTP, of any dialect.
type notFoundBody struct {
	JSONRPC json.RawMessage `json:"jsonrpc"`
	Error   json.RawMessage `json:"error"`
	Code    json.RawMessage `json:"code"`
	Type    string          `json:"type"`
	Title   string          `json:"title"`
	Message string          `json:"message"`
}

// ofPath reads the answer to a GET of a task that does not exist.
func (r *probeAnswer) ofPath(d DialectName, body []byte) {
	var b notFoundBody
	switch {
	case r.means == giveUp:
		return
	case r.status == http.StatusOK && r.task:
		r.means, r.confidence, r.foreign = methodKnown, Likely, true
		r.says = "answers with a task"
		return
	case r.status != http.StatusNotFound || json.Unmarshal(body, &b) != nil || b.JSONRPC != nil:
		r.says = "serves no task (" + statusText(r.status) + ")"
		return
	}
	about := strings.ToLower(string(body))
	task := strings.Contains(about, "task") && (!strings.Contains(about, "/tasks/") || strings.Contains(about, "task_not_found") || strings.Contains(about, "task-not-found"))
	wrapped := strings.HasPrefix(strings.TrimSpace(string(b.Error)), "{")
	problem := b.Title != "" && b.Type != ""
	switch {
	case d == V10 && (wrapped || problem) && task, d == V03 && (string(b.Code) == "-32001" || task):
		r.means, r.confidence = methodKnown, Certain
	case d == V10 && wrapped, d == V03 && (wrapped || b.Message != ""):
		r.means, r.confidence = methodKnown, Guess
	default:
		r.says = "serves no task (" + statusText(r.status) + ")"
		return
	}
	r.says = "knows tasks, but not this one"
}

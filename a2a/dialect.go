package a2a

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"parley/a2a/jsonrpc"
)

// A Dialect is one wire version of the protocol as a value: the names of its methods,
// parameters, words, headers and errors. The decoder does not need it; it decides what is sent
// and how errors are named.
type Dialect struct {
	name DialectName
	// methods are those of JSON-RPC; one that has a space in it is a verb of HTTP
	// and a path below the endpoint: "GET /tasks/{task}".
	methods map[Op]string
	errors  map[int64]string
	headers map[string]string
	// params returns the parameters of an operation as a value for
	// encoding/json, nil if the operation takes none.
	params func(op Op, req *Request) (any, error)
	// query returns the parameters of an operation without a body; nil if no operation has
	// query parameters.
	query func(op Op, req *Request) url.Values
	// otherwise spells the parameters for agents that did not understand params; nil if there
	// is only one spelling.
	otherwise func(op Op, req *Request) (any, error)
	media     string // of bodies; empty is application/json
	// extensions is the header that names extensions, empty if the dialect has none.
	extensions string
}

// dialects are those that can be sent, newest first.
var dialects = [...]*Dialect{
	&dialectV10, &dialectV10REST, &dialectV10GRPC, &dialectV03, &dialectV03REST, &dialectV03GRPC, &dialectV02, &dialectV01, &dialectSAMBroker, &dialectSAMHTTP, &dialectSAMDoc,
}

// Dialects returns the names that [LookupDialect] knows, newest first.
func Dialects() []DialectName {
	names := make([]DialectName, 0, len(dialects))
	for _, d := range dialects {
		names = append(names, d.name)
	}
	return names
}

// LookupDialect returns the dialect of a name; ok is false for a name that was never released, and for
// a dialect that is only read.
func LookupDialect(name DialectName) (d *Dialect, ok bool) {
	for _, d := range dialects {
		if d.name == name {
			return d, true
		}
	}
	return nil, false
}

// Name returns the dialect's name.
func (d *Dialect) Name() DialectName { return d.name }

// Method returns the dialect's name of an operation: the JSON-RPC method, or the verb and path
// of HTTP, "GET /tasks/{task}". It is empty if the dialect has no such operation. A probe is a
// get of a task that does not exist, which starts nothing.
func (d *Dialect) Method(op Op) string {
	if op == OpProbe {
		op = OpGet
	}
	return d.methods[op]
}

// Supports reports whether the dialect has the operation.
func (d *Dialect) Supports(op Op) bool { return d.Method(op) != "" }

// References reports whether a message can refer to other tasks by referenceTaskIds
// (specification 1.0 §4.1.4): 0.1, 0.3 over HTTP+JSON and the mesh have no such member.
func (d *Dialect) References() bool {
	switch d.name {
	case V02, V03, V10, V10REST, V10GRPC, V10Draft, SAMBroker:
		return true
	default:
		return false
	}
}

// Headers returns the headers that the dialect itself requires on every request of an
// operation, a fresh map each time. The binding adds content types and credentials.
func (d *Dialect) Headers(Op) http.Header {
	h := make(http.Header, len(d.headers))
	for name, value := range d.headers {
		h.Set(name, value)
	}
	return h
}

// requestHeader returns the headers of a request.
func (d *Dialect) requestHeader(req *Request) http.Header {
	h := d.Headers(req.Call.Op)
	d.addExtensions(h, req)
	return h
}

// ErrorName returns the dialect's name of an error code, such as "TaskNotFoundError", empty if
// the dialect does not define the code. The same code means different things in different
// dialects.
func (d *Dialect) ErrorName(code int64) string {
	if name := d.errors[code]; name != "" {
		return name
	}
	return commonErrors[code]
}

// commonErrors are the codes with the same meaning in every dialect: those of JSON-RPC, and the
// first five of A2A (specification 0.1.0 to 0.3.0 §8, 1.0 §5.4).
var commonErrors = map[int64]string{
	-32700: "JSONParseError",
	-32600: "InvalidRequestError",
	-32601: "MethodNotFoundError",
	-32602: "InvalidParamsError",
	-32603: "InternalError",
	-32001: "TaskNotFoundError",
	-32002: "TaskNotCancelableError",
	-32003: "PushNotificationNotSupportedError",
	-32004: "UnsupportedOperationError",
	-32005: "ContentTypeNotSupportedError",
}

// A Request is one operation to encode. The operation decides which members matter.
type Request struct {
	Call    *Call // its Op chooses the operation
	Message *Message
	Config  SendConfig
	// TaskID and ContextID, when set, win over those of Message. In 0.1 the
	// client makes the id of a new task, so TaskID must be set there.
	TaskID    string
	ContextID string
	Tenant    string
	// HistoryLength asks for at most so many messages; nil leaves it to the agent.
	HistoryLength *int
	Metadata      json.RawMessage
	Push          *PushConfig
	PushID        string
	// LastEventID is the SSE id of the newest frame of the stream that is resumed.
	LastEventID string
	List        ListFilter
	// Extensions are the URIs of extensions that the request asks for, besides those that
	// Message names as its own. Nil leaves them to the client's options.
	Extensions []string
	URI        string // of the artifact to download, see [ParseArtifactURI]
	// Secret is set when the message must not be readable in any record; Secrets are parts of
	// it to which this applies. Both are masked in every record.
	Secret  bool
	Secrets []string
}

// ListFilter narrows a list of tasks or push configurations
// (specification 1.0 §3.1.4).
type ListFilter struct {
	ContextID            string
	State                State // StateUnknown does not filter
	PageSize             int   // 0 leaves it to the agent
	PageToken            string
	StatusTimestampAfter string // RFC 3339
	IncludeArtifacts     Tri
}

// Encode returns the body of the request for an operation and its method as of
// [Dialect.Method]. The body is a JSON-RPC request, or over HTTP+JSON the bare
// parameters, nil for an operation without a body. The error, an [*EncodeError],
// says what the dialect cannot express.
func (d *Dialect) Encode(req Request, rpcID string) (body []byte, method string, err error) {
	op := Op("")
	if req.Call != nil {
		op = req.Call.Op
	}
	method = d.Method(op)
	if method == "" {
		return nil, "", encodeErrorf("%s has no operation “%s”", d.title(), op)
	}
	if op == OpPushSet && req.Push == nil && d.name != V01 { // where it removes the configuration
		return nil, method, encodeErrorf("There is no push configuration to set")
	}
	params, err := d.params(op, &req)
	if err != nil {
		return nil, method, err
	}
	var raw json.RawMessage
	if params != nil {
		if raw, err = marshal(params); err != nil {
			return nil, method, err
		}
	}
	if _, _, routed := route(method); routed {
		return raw, method, nil
	}
	return jsonrpc.Request(rpcID, method, raw), method, nil
}

// title names the dialect at the beginning of a sentence.
func (d *Dialect) title() string {
	_, binding := d.name.version()
	switch {
	case binding == BindingREST, binding == BindingGRPC:
		return "A2A " + d.name.Number() + " over " + binding.String()
	case d.name == SAMHTTP:
		return "The gateway of Solace Agent Mesh"
	case d.name == SAMBroker:
		return "Solace Agent Mesh on a broker"
	case d.name == SAMDoc:
		return "The documented wire of Solace Agent Mesh"
	default:
		return "A2A " + d.name.Number()
	}
}

// route splits a method that is a verb of HTTP and a path.
func route(method string) (verb, path string, routed bool) { return strings.Cut(method, " ") }

// A Reception says how an agent takes a further message to a task.
type Reception uint8

// The receptions.
const (
	Expected    Reception = iota // the task waits for it
	Unspecified                  // the specification does not require agents to accept it, and they differ
	Forbidden                    // the dialect forbids it
)

// Receives says how a message to a task in a state is received. Since 0.3 a task that is over
// accepts none: the client begins a new task in its context (specification 0.3.0 §7.1, 1.0
// §3.4.2); earlier texts allow the client to continue it, and half of the agents do. An agent
// may want credentials out of band instead of in an answer (1.0 §7.6.1), and a working task may
// ignore messages.
func (d *Dialect) Receives(s State) Reception {
	switch {
	case s == StateInputRequired:
		return Expected
	case s.Terminal() && d.name != V01 && d.name != V02:
		return Forbidden
	default:
		return Unspecified
	}
}

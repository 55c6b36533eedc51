package a2a

import (
	"encoding/json"
	"net/http"
)

// A Request is one operation to be encoded. Which members matter depends on
// the operation.
type Request struct {
	Call      *Call // its Op chooses the operation
	Message   *Message
	Config    SendConfig
	TaskID    string
	ContextID string
	Tenant    string
	// HistoryLength asks for at most so many messages; nil leaves it to the agent.
	HistoryLength *int
	Metadata      json.RawMessage
	Push          *PushConfig
	PushID        string
	List          ListFilter
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

// A Dialect is one wire version of the protocol as a value.
type Dialect struct{ name DialectName }

// Lookup returns the dialect of a name.
func Lookup(name DialectName) (*Dialect, bool) { return &Dialect{name: name}, false }

// Dialects returns the names that Lookup knows, newest first.
func Dialects() []DialectName { return nil }

// Name returns the dialect's name.
func (d *Dialect) Name() DialectName { return d.name }

// Encode returns the JSON-RPC body of an operation and the method's name.
func (d *Dialect) Encode(req Request, rpcID string) (body []byte, method string, err error) {
	return nil, "", nil
}

// Headers returns the headers that the dialect itself demands.
func (d *Dialect) Headers(op Op) http.Header { return nil }

// ErrorName returns the dialect's name of an error code, empty if it has none.
func (d *Dialect) ErrorName(code int64) string { return "" }

// Supports reports whether the dialect has the operation.
func (d *Dialect) Supports(op Op) bool { return false }

// Method returns the JSON-RPC method of an operation, empty if there is none.
func (d *Dialect) Method(op Op) string { return "" }

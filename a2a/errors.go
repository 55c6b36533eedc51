package a2a

import (
	"encoding/json"
	"fmt"
)

// An RPCError is an error the agent reported, in a JSON-RPC envelope or in a
// REST body (specification 1.0 §3.3.2).
type RPCError struct {
	Code    int64
	Message string
	// Name is the A2A name of the error in the agent's dialect, such as "TaskNotFoundError";
	// the same code means different things in different dialects. Empty when no specification
	// defines the code.
	Name string
	// Reason is the reason of a google.rpc.ErrorInfo, which wins over Code.
	Reason     string
	HTTPStatus int
	// Unread is set if the agent refused a version that the request does not name, or asks for the
	// one that it names: the agent did not get the header with the version.
	Unread bool
	// SnakeCase is set if the agent refused a message because of a member in snake_case.
	SnakeCase bool
	Data      json.RawMessage
	Raw       json.RawMessage
}

// AsksCredentials reports whether the error requires authentication or denies permission: those of
// A2A 0.1, or one of the private codes of some agents. It is false for nil.
func (e *RPCError) AsksCredentials() bool {
	return e != nil && (e.Code == -31401 || e.Code == -31403 || e.Name == "AuthenticationRequiredError" || e.Name == "AuthorizationFailedError")
}

// Unsupported reports whether the error says that the agent does not support what it was asked,
// but not whether that is the operation, a capability or the state of the task. It is false for nil.
func (e *RPCError) Unsupported() bool {
	return e != nil && (e.Name == "UnsupportedOperationError" || e.Name == "OperationNotSupportedError")
}

// RefusesStream reports whether an error answer to the call says that the agent does not stream, so
// that the same request without a stream, with the same ids, is safe. A message to a task explains
// that something is not supported by itself: a task that is over accepts none (specification 1.0
// §3.1.1). Only 0.1 has an error for streams alone.
func (c *Call) RefusesStream(e *RPCError) bool {
	if c.Op != OpStream || e == nil {
		return false
	}
	return e.Name == "StreamingNotSupportedError" || e.Unsupported() && c.BeginsTask()
}

// Error returns name, code and message in one line.
func (e *RPCError) Error() string {
	switch {
	case e.Name != "" && e.Code != 0:
		return fmt.Sprintf("%s (%d): %s", e.Name, e.Code, e.Message)
	case e.Name != "":
		return e.Name + ": " + e.Message
	case e.Code != 0:
		return fmt.Sprintf("error %d: %s", e.Code, e.Message)
	default:
		return e.Message
	}
}

// A DecodeError says why a body could not be read as A2A.
type DecodeError struct {
	Sentence string // for the user: what came, and what to do
	Offset   int    // byte offset of the problem, -1 if it is the whole body
	Cause    error  // the parser's own words, shown on demand
	what     string // the first part of Sentence: what came; set for what is no card
}

// Error returns the sentence.
func (e *DecodeError) Error() string { return e.Sentence }

// Unwrap returns the parser's error.
func (e *DecodeError) Unwrap() error { return e.Cause }

// A TransportError says why an exchange did not end regularly. Its sentence names the host and
// what to do; the operating system's words are the cause.
type TransportError struct {
	End   End
	Cause error
}

// Error returns the sentence.
func (e *TransportError) Error() string { return e.End.Sentence }

// Unwrap returns the underlying error.
func (e *TransportError) Unwrap() error { return e.Cause }

package a2a

import (
	"context"
	"net/http"
)

// An IncomingCall is a request that a server of a binding other than HTTP received. Its methods are
// called from one goroutine.
type IncomingCall interface {
	// Context ends when the client leaves or the server stops.
	Context() context.Context
	// Path is the method: "/lf.a2a.v1.A2AService/SendMessage".
	Path() string
	// Message is the request as it crossed the wire.
	Message() Binary
	// Head sends the metadata that precede the messages.
	Head(http.Header) error
	// Send sends a message.
	Send([]byte) error
	// Sever breaks the connection of the client.
	Sever(reset bool)
}

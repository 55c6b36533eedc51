package a2a

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// A Carrier carries operations over something other than the requests of net/http, such as gRPC
// or a broker. It moves bytes and says what happened to them. The client encodes what is sent,
// decodes, masks and records what comes, and judges the end, as it does over HTTP. A record has
// the rendering as JSON, which all readers use, beside the exact bytes.
type Carrier interface {
	// Connect returns a line to one agent. Nothing is sent before a call.
	Connect(LineOptions) Line
	// Format returns the format of the messages, nil if they are JSON.
	Format() Format
}

// LineOptions are what a line needs to reach an agent.
type LineOptions struct {
	// Dial makes connections: through a proxy, with TLS and the certificates of the user.
	Dial func(ctx context.Context, to Destination) (Connection, error)
	// UserAgent names the client to servers.
	UserAgent string
	// ConnectTimeout is how long the other side may take until it speaks the protocol.
	ConnectTimeout time.Duration
	// MaxMessage is how many bytes one message may have, and MaxHead those of the metadata
	// before or after the messages.
	MaxMessage, MaxHead int64
	Now                 func() time.Time
}

// A Destination is the other end of a connection.
type Destination struct {
	Address string // host and port
	TLS     bool
	// Protocols are those of the application that TLS offers, the best one first.
	Protocols []string
}

// A Connection is a connection that was made, and how long that took.
type Connection struct {
	net.Conn
	TLS      bool
	Protocol string // that TLS agreed on, empty if none
	Timing   Timing
}

// A Line holds the connections to one agent. It is safe for use by many goroutines at once.
type Line interface {
	// Open sends a message and returns the flow of those that answer it. It may return before
	// the message was sent: what goes wrong is then an error of the flow. The flow ends with
	// ctx.
	Open(ctx context.Context, c Carriage) (Flow, error)
	// Close drops idle connections.
	Close()
}

// A Carriage is a message to be sent.
type Carriage struct {
	// URL is where it goes, with the scheme of the binding: "grpc://localhost:50051". Path is
	// the method, topic or path there: "/lf.a2a.v1.A2AService/SendMessage".
	URL, Path string
	Header    http.Header // metadata, without what the carrier itself requires
	Bytes     []byte      // as they are sent
}

// A Flow is the answer to a message: its head, then messages, then its end. Head, Next and End are
// called in this order from one goroutine. Nothing is read from the network that was not asked
// for with Next, beyond small buffers, so that a reader that pauses slows the agent.
type Flow interface {
	// Head waits for the metadata that precede the messages. They are nil if the answer has
	// none: it ended, or failed, before it had a message.
	Head() (*FlowHead, error)
	// Next waits for the next message, in memory of its own. The error is [io.EOF] after the
	// last one: the other side ended the answer, with whatever status.
	Next() (Frame, error)
	// End describes the end that Head or Next reported.
	End() FlowEnd
	// Close abandons the answer. It may be called at any time, from any goroutine, and ends a
	// call of Head or Next that waits.
	Close() error
}

// A FlowHead is what precedes the messages of an answer.
type FlowHead struct {
	Status int    // of HTTP, or its equivalent
	Proto  string // for users: "gRPC, TLS"
	Header http.Header
	Timing Timing
}

// A Frame is one message of an answer.
type Frame struct {
	Bytes []byte // as they came, without the carrier's framing, after its compression
	Size  int    // bytes that crossed the wire
	// Path and Header belong to this message alone, as over a broker; both may be empty.
	Path   string
	Header http.Header
	// Order has the names of the header in their order on the wire, one for each value; nil if
	// they are sorted.
	Order []string
	// Notice is a sentence about the connection in place of a message: such as that it broke and
	// that nothing was lost. Everything else is then empty.
	Notice string
}

// A FlowEnd is how an answer ended.
type FlowEnd struct {
	// Sent reports whether the other side sent the end. Otherwise the connection broke, or this
	// side closed it.
	Sent bool
	// Empty is set if the answer was complete without a message.
	Empty   bool
	Trailer http.Header // metadata after the messages, with the status
	// Status is the HTTP status that corresponds to the carrier's, 200 for success; Word is the
	// carrier's own: "NOT_FOUND (5)".
	Status int
	Word   string
	// Failure is the description of an error in the carrier's format, nil without one.
	Failure *Binary
	// Unavailable reports an end that says that the agent has gone, and not that it refuses.
	Unavailable bool
}

// ErrTooLong is the error of a flow whose next message exceeds LineOptions.MaxMessage.
var ErrTooLong = errors.New("the message is longer than the limit")

// A FlowError is an error of a flow that a user can read.
type FlowError struct {
	Class    string // one of the Class constants
	Sentence string
	Cause    error
	Unsent   bool // the request did not leave
}

func (e *FlowError) Error() string { return e.Sentence }

// Unwrap returns the cause.
func (e *FlowError) Unwrap() error { return e.Cause }

// A Format renders messages that are not JSON as JSON, and back. It is safe for use by many
// goroutines at once.
type Format interface {
	// Render returns a message as JSON. If it is broken, the JSON has what could be read, and
	// the fault says where the bytes break.
	Render(b *Binary) (text []byte, fault *Fault)
	// Build returns the message for a path, as [Carriage] has it, that text describes. The error
	// is an [*EncodeError].
	Build(path string, text []byte) (*Binary, error)
	// Rebuild returns the message of which text is the rendering, as after masking.
	Rebuild(kind string, text []byte) (*Binary, error)
	// Answers returns the kind of the messages that answer a request to a path, empty if it is
	// not known.
	Answers(path string) string
}

// Binary is a message that is not JSON.
type Binary struct {
	// Kind is its type: the full name of a message of protocol buffers.
	Kind string `json:"type"`
	// Bytes are the message as it crossed the wire.
	Bytes []byte `json:"-"`
	// Rebuilt is set when Bytes were made from the masked rendering, because those on the wire
	// hold a secret.
	Rebuilt bool `json:"rebuilt,omitempty"`
}

// A Fault is where the bytes of a message break, and why.
type Fault struct {
	Offset   int
	Sentence string
}

func (f *Fault) Error() string { return f.Sentence }

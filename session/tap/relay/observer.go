package relay

import (
	"net"
	"net/http"
	"net/url"
	"time"
)

// A Head is the first line of a message with its header fields.
type Head struct {
	Time   time.Time   // when its last byte was read
	Method string      // of a request
	URI    string      // the target of a request, as it was sent: "/a2a?x=1"
	Host   string      // the host of a request, as it was sent: "127.0.0.1:4711"
	Status int         // of a response
	Proto  string      // "HTTP/1.1", "HTTP/2.0"
	Header http.Header // without Host
	// Wire is the exact bytes of a head of HTTP/1.x, from its first line to its blank line. It is
	// nil over HTTP/2. The slice may be kept.
	Wire []byte
	// Early is the exact bytes of the informational heads (1xx) before that of a response, up to the
	// limit of a head.
	Early []byte
}

// A Client is who sends a request.
type Client struct {
	Addr net.Addr
	TLS  bool
	// Connection numbers the connections of a relay from 1.
	Connection uint64
}

// An Observer learns of every exchange. Begin is called from several goroutines; the methods of
// one [Exchange] are called one after the other, in the order in which the relay sees things.
// What an observer is given is its own only during the call, unless it says otherwise.
type Observer interface {
	// Begin is called when the head of a request has been read, before anything is sent to the
	// agent.
	Begin(client Client, request Head) (Exchange, Plan)
}

// An Exchange learns what passes in one exchange.
type Exchange interface {
	// RequestBody takes the next bytes of the request's body, without the framing of HTTP, as the
	// client sent them.
	RequestBody(at time.Time, piece []byte)
	// RequestEnd is called once the request is whole, also if it has no body. It is not called if
	// the client leaves before, or over HTTP/2 if the agent answers before: then nobody reads the
	// rest. What follows the answer's head is shown too, if it passes. Over HTTP/1.x, and with a Content-Length, it is called before the last byte of the
	// request is passed on, so that an observer knows a request before it knows what the agent does
	// for it.
	RequestEnd(at time.Time)
	// Sent takes the head of the request as it goes to the agent. It is called once at most, just
	// before the head is written, so that no response is seen before it.
	Sent(request Head)
	// Response takes the head of the final response as the agent sent it. It is called before any
	// byte of it is passed on, as are the following ones for theirs.
	Response(response Head)
	// ResponseBody takes the next bytes of the response's body, without the framing of HTTP, as the
	// agent sent them, content coding included.
	ResponseBody(at time.Time, piece []byte)
	// End is called once, last.
	End(end End)
}

// A Cause says who or what ended an exchange.
type Cause string

// The causes.
const (
	Complete    Cause = "complete"    // the response was passed on whole
	AgentBroke  Cause = "agent"       // the agent broke the connection, or its answer is not HTTP
	ClientBroke Cause = "client"      // the client left before the response was complete
	Unreachable Cause = "unreachable" // the agent could not be reached; the client got a 502
	Rejected    Cause = "rejected"    // the relay answered itself: wrong Host, no token, a loop, bad HTTP, a fault
	Injected    Cause = "injected"    // a fault of the plan ended it
	Closed      Cause = "closed"      // the relay was closed
)

// An End says how an exchange ended.
type End struct {
	Time    time.Time
	Cause   Cause
	Trailer http.Header // of the response, nil if there was none
	// Reset reports whether the connection was reset rather than closed.
	Reset bool
	Err   error // the cause in detail, nil for Complete
	// Upgraded is set if the connection left HTTP (101); its later bytes are passed on and not shown.
	Upgraded bool
	// Left is set if the client closed its side of the connection before the response was complete.
	// An agent that notices may end its response as if it were complete.
	Left bool
	// PassedOn is how many bytes of the response's body the client was given.
	PassedOn int64
}

// A Plan says what is changed in an exchange. The zero value changes nothing.
type Plan struct {
	// Target, if it is set, is where the request goes in place of the relay's own target: its path
	// and its query replace those of the request, and its host stands in the field Host.
	Target *url.URL
	// EditRequest, if it is set, is given the message in the body of the request before anything of it
	// is sent, and returns what is sent instead. It is called on a goroutine of its own if the head does
	// not tell the length of the body: then the head is sent at once, and an answer may come before.
	// A message beyond MaxEdit is passed on unchanged.
	EditRequest func(message []byte) []byte
	// Message, if it is set, finds the end of the message that EditRequest and ChooseFault need, so that
	// what follows it in the body is not waited for: a body may depend on its answer, or never end. It is
	// given the body piece by piece, first an empty one, and returns how many bytes of the piece belong
	// to the message, and whether it is whole with them. Nil takes the whole body.
	Message func(piece []byte) (n int, whole bool)
	// EditResponse, if it is set, is asked with the head of the response. If it returns a function,
	// that function is given the whole body and returns what is passed on instead; the field
	// Content-Length and a chunked framing are made to fit. The body is given as it came, in its
	// content coding. What is returned is in none: if it differs from the body, the field
	// Content-Encoding is dropped. A body beyond MaxEdit is passed on unchanged.
	EditResponse func(response Head) func(body []byte) []byte
	Fault        Fault
	// ChooseFault, if it is set, is given the message in the body of the request, as the client sent
	// it, before anything is sent, and returns the fault in place of Fault: the operation of JSON-RPC
	// stands in the body. With a message beyond MaxEdit it is not asked.
	ChooseFault func(message []byte) Fault
}

// waits reports whether the message of a request has to be there before anything of its body is passed
// on, and headWaits whether the head waits for it too, which tells the length of the body or not.
func (p *Plan) waits() bool { return p.EditRequest != nil || p.decides() }

func (p *Plan) headWaits(length bool) bool { return p.decides() || p.EditRequest != nil && length }

// decides reports whether the request may not go to the agent at all.
func (p *Plan) decides() bool { return p.ChooseFault != nil || p.Fault.Status != 0 }

// MaxEdit is the longest body, in bytes, that is held to be changed, unless [Limits] say otherwise.
const MaxEdit = 16 << 20

// A Fault is what the relay does wrong on purpose to one exchange. The zero value does nothing.
type Fault struct {
	// Status, if it is not 0, is answered in place of the agent, which is not asked; Header goes
	// along.
	Status int
	Header http.Header
	// Delay is how long the request waits before it goes to the agent.
	Delay time.Duration
	// The others act on the events of a stream (text/event-stream), or on the messages of gRPC.
	// CutAfter breaks the connection after so many of them if it is positive, StallAfter stops
	// passing them on after so many, for StallFor.
	CutAfter   int
	StallAfter int
	StallFor   time.Duration
	Duplicate  bool // each is passed on twice
	Reorder    bool // every two of them change places
}

package a2a

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"parley/a2a/challenge"
	"parley/a2a/pause"
)

// An Answer is the result of a call. The events themselves go to the trace and to the hooks.
type Answer struct {
	// Exchange is the last one; redirects before it have their own. It is 0 if the
	// call could not be encoded.
	Exchange ExchangeID
	End      End
	Status   int    // HTTP status, 0 if none came
	Last     Update // the last one that was decoded
	// Shape is the dialect that the shape of the answer proves, Unknown if several share the shape.
	Shape    DialectName
	Streamed bool // the answer came as frames
	Events   int  // events decoded, errors not counted
	// LastEventID is the newest SSE id, with which a stream can be resumed.
	LastEventID string
	// TaskID, ContextID and State are the last ones received; State is StateUnknown if no event
	// had one. Final is set once a status had it (0.1 to 0.3).
	TaskID, ContextID string
	State             State
	Final             bool
	// RetryAfter is how long the agent asks to wait before it is asked again, 0 if it
	// does not say.
	RetryAfter time.Duration
	// Before has the exchanges of the same call before this one, in order: redirects, and requests that
	// were repeated with credentials.
	Before []Step
	// Hop is who answered, as far as it says.
	Hop Hop
	// Said is the status of the answer with what its body says, in words that continue a sentence: "404 Not
	// Found with a web page titled “Oops”". It is empty if no status came.
	Said string
	// Err is nil if the agent answered in A2A, the answer was complete, and it was
	// no error; else an *RPCError, *TransportError or *DecodeError.
	Err error

	call   Call     // of the last exchange
	page   string   // describes the body if it is a web page
	task   bool     // something of a task came, not only a message
	record RecordID // of the last body or event
	body   []byte   // the last body, kept only of a card and a catalog
	target string   // where it came from, after redirects
	asked  bool     // the server asked for credentials that were kept back at first
	etag   string   // by which the answer can be asked for again if it has changed
}

// Heard is a set of addresses that have answered in A2A, for many goroutines at once.
type Heard struct{ addresses sync.Map }

// has reports whether the address of a call has answered in A2A, in any operation.
func (h *Heard) has(c *Call) bool {
	if h == nil { // a tap has none
		return false
	}
	_, known := h.addresses.Load(c.Endpoint)
	return known
}

// take notes the address of a call if an answer was of A2A, and reports whether nothing more is to be noted. Over
// HTTP+JSON a probe has a URL of its own, which nobody uses again.
func (h *Heard) take(c *Call, u *Update) bool {
	if h == nil || c.Op == OpCard || c.Op == OpCatalog || c.Op == OpArtifact || c.Op == OpProbe && c.Binding == BindingREST || c.Endpoint == "" {
		return true
	}
	for i := range u.Events {
		switch e := &u.Events[i]; {
		case e.Kind == EventNotA2A, e.Kind == EventEmpty, e.Kind == EventUnknown:
		case e.Err == nil, e.Err.Code != 0, e.Err.Reason != "":
			h.addresses.Store(c.Endpoint, true)
			return true
		}
	}
	return false
}

// A Step is an exchange that another one of the same call followed.
type Step struct {
	Call     Call
	Exchange ExchangeID
	End      End
	Status   int
	Ended    time.Time
}

// Call returns the call of the last exchange. The way and the reason can be others than those of the
// call that was made, after a redirect and when the server asked for credentials.
func (o *Answer) Call() *Call { return &o.call }

// RPC returns the agent's error, nil if it reported none.
func (o *Answer) RPC() *RPCError {
	e, _ := errors.AsType[*RPCError](o.Err)
	return e
}

// HasTask reports whether something of a task came, not only a message.
func (o *Answer) HasTask() bool { return o.task }

// A Hop is the server that answered a request: the agent's, or one on the way to it.
type Hop struct {
	Server, Via string        // the headers of these names, without secrets and shortened
	Took        time.Duration // from the request to the head of the answer
}

// Same reports whether two answers name the same server, and the same ones on the way.
func (h *Hop) Same(as *Hop) bool { return h.Server != "" && h.Server == as.Server && h.Via == as.Via }

// names returns how a hop names itself, in brackets, empty if it does not.
func (h *Hop) names() string {
	var said []string
	if h.Server != "" {
		said = append(said, "Server: "+h.Server)
	}
	if h.Via != "" {
		said = append(said, "Via: "+h.Via)
	}
	if len(said) == 0 {
		return ""
	}
	return " (" + strings.Join(said, ", ") + ")"
}

// after says how long the hop took. Less than a second says only that it was fast.
func (h *Hop) after() string {
	if h.Took < time.Second {
		return "within a second"
	}
	return fmt.Sprintf("after %d s", int64(h.Took.Round(time.Second)/time.Second))
}

// Record returns the number of the last body or event of the answer, 0 if there was none.
func (o *Answer) Record() RecordID { return o.record }

// Proof returns the record that shows what came of the call: the last body or event of the answer, the
// request if nothing came, 0 if there was none.
func (o *Answer) Proof() RecordID { return cmp.Or(o.record, o.Exchange) }

// Unfinished reports whether the answer is over while its task was still at work:
// an interruption. Subscribe again or poll; it is no success.
func (o *Answer) Unfinished() bool {
	return o.task && !o.Final && !o.State.Terminal() && !o.State.Interrupted()
}

// RejectedUnread reports whether the request did not arrive, or was rejected before its content was
// read, so that it may be right in another way: with another path, method or version.
func (o *Answer) RejectedUnread() bool {
	if o.End.Reason == Refused {
		return true
	}
	if o.Events > 0 {
		return false
	}
	switch o.Status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType:
		return true
	}
	for i := range o.Last.Events {
		if e := o.Last.Events[i].Err; e != nil {
			switch e.Code {
			case -32600, -32601, -32009:
				return true
			}
			return e.Reason == "VERSION_NOT_SUPPORTED"
		}
	}
	return false
}

// NotArrived reports whether the request reached no server that could read it: the connection
// was refused, or something else listens at the address. A certificate that is not trusted is
// another matter, because the user must know of it.
func (o *Answer) NotArrived() bool {
	if o.End.Reason != Refused || o.Exchange == 0 {
		return false
	}
	switch o.End.Class {
	case ClassRefused, ClassDNS, ClassTimeout:
		return true
	case ClassTLS:
		_, distrust := errors.AsType[*tls.CertificateVerificationError](o.Err)
		_, refused := errors.AsType[*net.OpError](o.Err)
		return !distrust && !refused
	}
	_, other := errors.AsType[*FlowError](o.Err)
	return other && o.End.Class == ClassUnsupported
}

// A tally sums up the answer to one request.
type tally struct {
	Answer
	status      int
	statusText  string
	contentType string
	challenge   string   // WWW-Authenticate or Proxy-Authenticate
	schemes     []string // of WWW-Authenticate
	quote       string   // the beginning of a body that is no web page and no stream
	enveloped   bool     // the body claims to be JSON-RPC
	empty       bool     // a successful answer without content
	unknown     int      // events that A2A does not define
	notFinal    bool     // the last status said that it was not the last one
	rpcErr      *RPCError
	decodeErr   *DecodeError
}

// followUp is what one answer contributes to the next request of the same operation: its task.
func (t *tally) followUp() tally {
	return tally{Answer: Answer{TaskID: t.TaskID, ContextID: t.ContextID, State: t.State, task: t.task, Before: t.Before}}
}

// addHead notes a response head, whose header has been masked. The tag is the one that came, took
// the time since the request.
func (t *tally) addHead(status int, header http.Header, etag string, now time.Time, took time.Duration) {
	t.status, t.statusText = status, statusText(status)
	t.contentType, t.etag = header.Get("Content-Type"), etag
	t.challenge = strings.Join(append(header.Values("WWW-Authenticate"), header.Values("Proxy-Authenticate")...), ", ")
	t.schemes = challenge.Schemes(header)
	t.RetryAfter = pause.After(header, now)
	t.Hop = Hop{Server: firstLine([]byte(header.Get("Server"))), Via: firstLine([]byte(strings.Join(header.Values("Via"), ", "))), Took: took}
}

func (t *tally) add(u Update) {
	t.Last, t.Shape = u, cmp.Or(u.Shape, t.Shape)
	if u.Err != nil {
		t.decodeErr = u.Err
	}
	for i := range u.Events {
		t.event(&u.Events[i])
	}
}

func (t *tally) event(e *Event) {
	if e.TaskID != "" {
		t.TaskID = e.TaskID
	}
	if e.ContextID != "" {
		t.ContextID = e.ContextID
	}
	switch e.Kind {
	case EventError:
		t.rpcErr = e.Err
		return
	case EventNotA2A, EventEmpty:
		t.empty = t.empty || e.Kind == EventEmpty
		return
	case EventTask:
		t.setState(e.Task.Status.State)
	case EventStatus:
		t.setState(e.Status.State)
		t.Final, t.notFinal = t.Final || e.Final == True, e.Final == False
	case EventArtifact:
		t.task = true
	case EventUnknown:
		t.unknown++
	}
	t.Events++
}

// setState notes a state. An error before it did not end the task.
func (t *tally) setState(s State) {
	t.task, t.State, t.rpcErr = true, s, nil
}

// answer closes the tally.
func (t *tally) answer(x *exchange, end End) Answer {
	o := t.Answer
	o.Exchange, o.End, o.Status, o.target, o.asked, o.call = x.id, end, t.status, x.out.url, x.asked, *x.call
	if t.status != 0 {
		o.Said, o.page = x.mask.text(t.statusText+t.says()), x.mask.text(t.page)
	}
	var cause error
	switch {
	case t.rpcErr != nil:
		e := *t.rpcErr
		e.HTTPStatus = t.status
		cause = &e
	case t.decodeErr != nil && t.Events == 0:
		cause = t.decodeErr
	default:
		cause = x.cause
	}
	o.Err = cause
	if end.Reason != Ended || end.Class != "" {
		o.Err = &TransportError{End: end, Cause: cause}
	}
	return o
}

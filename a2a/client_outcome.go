package a2a

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
)

// An Outcome is how a call went. The events themselves went to the trace and to
// the function that Do was given.
type Outcome struct {
	// Exchange is the last one; redirects before it have their own. It is 0 if the
	// call could not be encoded.
	Exchange ExchangeID
	End      End
	Status   int    // HTTP status, 0 if none came
	Last     Update // the last one that was decoded
	Streamed bool   // the answer came as frames
	Events   int    // events decoded, errors not counted
	// TaskID, ContextID and State are the last ones heard; State is StateUnknown
	// if no event said one. Final is set once a status said so (0.1 to 0.3).
	TaskID, ContextID string
	State             State
	Final             bool
	// Err is nil if the agent answered in A2A, the answer was complete, and it was
	// no error; else an *RPCError, *TransportError or *DecodeError.
	Err error

	task   bool     // something of a task came, not only a message
	record RecordID // of the last body or event
	body   []byte   // the last body, kept only of a card
}

// Unfinished reports whether the answer is over while its task was still at work:
// an interruption. Subscribe again or poll; it is no success.
func (o *Outcome) Unfinished() bool {
	return o.task && !o.Final && !o.State.Terminal() && !o.State.Interrupted()
}

// NothingStarted reports whether the agent certainly did no work for this call, so
// that sending it again, corrected, is safe: the request never got there, or was
// turned away unread.
func (o *Outcome) NothingStarted() bool {
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

// A tally adds up what the answer to one request meant.
type tally struct {
	Outcome
	status      int
	statusText  string
	contentType string
	challenge   string // WWW-Authenticate
	retryAfter  string
	page        string // describes the body if it is a web page
	empty       bool   // a successful answer without content
	rpcErr      *RPCError
	decodeErr   *DecodeError
}

// answered notes a response head.
func (t *tally) answered(resp *http.Response) {
	t.status, t.statusText = resp.StatusCode, statusText(resp.StatusCode)
	t.contentType = resp.Header.Get("Content-Type")
	t.challenge = strings.Join(resp.Header.Values("WWW-Authenticate"), ", ")
	t.retryAfter = resp.Header.Get("Retry-After")
}

func (t *tally) add(u Update) {
	t.Last = u
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
		t.heard(e.Task.Status.State)
	case EventStatus:
		t.heard(e.Status.State)
		t.Final = t.Final || e.Final == True
	case EventArtifact:
		t.task = true
	}
	t.Events++
}

// heard notes a state. An error before it was not the end.
func (t *tally) heard(s State) {
	t.task, t.State, t.rpcErr = true, s, nil
}

// outcome closes the tally.
func (t *tally) outcome(x *exchange, end End) Outcome {
	o := t.Outcome
	o.Exchange, o.End, o.Status = x.id, end, t.status
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

// verdict says what a regular end of the body means.
func (t *tally) verdict(x *exchange) End {
	end := End{Reason: Ended}
	host := hostPort(x.target)
	named := t.rpcErr != nil && (t.rpcErr.Code != 0 || t.rpcErr.Reason != "") && x.call.Op != OpCard
	switch {
	case t.status == http.StatusUnauthorized || t.status == http.StatusForbidden:
		end.Class, end.Sentence = t.unauthorised(host, x.wire.gate.armed)
	case t.Events > 0 || named || t.empty && x.call.Op == OpPushDelete:
	case t.status < 200 || t.status > 299:
		end.Class, end.Sentence = ClassStatus, t.statusSentence(x, host)
	case t.page != "":
		end.Class = ClassBody
		end.Sentence = fmt.Sprintf("%s answered with %s instead of A2A: this is no A2A endpoint. Check the URL.", x.place(), t.page)
	case x.got == 0 || t.decodeErr == nil && t.rpcErr == nil:
		end.Class, end.Sentence = ClassBody, t.emptySentence(host)
	}
	return end
}

// emptySentence is for an answer in which no event was.
func (t *tally) emptySentence(host string) string {
	if t.Streamed {
		return fmt.Sprintf("%s closed the stream without sending an event. Look at the agent's log, then try again.", host)
	}
	return fmt.Sprintf("%s answered %s with nothing in it. Look at the agent's log, then try again.", host, t.statusText)
}

func (t *tally) unauthorised(host string, armed bool) (class, sentence string) {
	asks := t.statusText
	if t.challenge != "" {
		asks += ", WWW-Authenticate: " + t.challenge
	}
	switch {
	case armed:
		return ClassAuth, fmt.Sprintf("%s did not accept the credentials (%s): check whether they are right and still valid.", host, asks)
	case t.status == http.StatusForbidden:
		return ClassNoCredentials, fmt.Sprintf("%s does not allow this (%s): give credentials with --bearer or --api-key.", host, asks)
	default:
		return ClassNoCredentials, fmt.Sprintf("%s asks for credentials (%s): give them with --bearer or --api-key.", host, asks)
	}
}

// statusSentence is for a status that is neither success nor explained by an A2A
// error.
func (t *tally) statusSentence(x *exchange, host string) string {
	check := "check the URL in the card"
	if x.call.Op == OpCard {
		check = "check the address"
	}
	with := t.says()
	switch {
	case t.status == http.StatusNotFound:
		return fmt.Sprintf("Nothing is at %s (%s%s): %s.", x.place(), t.statusText, with, check)
	case t.status == http.StatusMethodNotAllowed:
		return fmt.Sprintf("%s does not take a %s (%s%s): it is probably not the agent's endpoint; %s.",
			x.place(), x.out.method, t.statusText, with, check)
	case t.status == http.StatusTooManyRequests || t.status == http.StatusServiceUnavailable && t.retryAfter != "":
		after := "later"
		if t.retryAfter != "" {
			after = "after " + t.retryAfter + " (Retry-After)"
		}
		return fmt.Sprintf("%s is busy (%s%s): try again %s.", host, t.statusText, with, after)
	case t.status >= 500:
		return fmt.Sprintf("%s failed (%s%s): look at the agent's log, then try again.", host, t.statusText, with)
	case t.status >= 400:
		return fmt.Sprintf("%s refused the request (%s%s): look at the answer's body for the reason.", host, t.statusText, with)
	default:
		return fmt.Sprintf("%s answered %s%s, which is no A2A answer: check the URL.", host, t.statusText, with)
	}
}

// says continues a sentence about a status by what the body said.
func (t *tally) says() string {
	switch {
	case t.page != "":
		return " with " + t.page
	case t.rpcErr == nil:
		return ""
	}
	// The decoder puts the status before the text of a body that is no JSON.
	said := strings.TrimPrefix(t.rpcErr.Message, statusLine(t.status))
	if said = strings.Trim(said, ":, "); said == "" {
		return ""
	}
	return fmt.Sprintf(" and says “%s”", said)
}

// next advises what to do after an answer broke off.
func (t *tally) next(call *Call) string {
	switch {
	case t.TaskID != "" || call.TaskID != "" && call.Op != OpSend && call.Op != OpStream:
		return "What had arrived is kept; get the task, or subscribe to it again, to see how it goes on."
	case call.Op == OpSend || call.Op == OpStream:
		return "What had arrived is kept; whether the agent works on the message is not known."
	default:
		return "What had arrived is kept; try again."
	}
}

// look notes whether a body is a web page.
func (t *tally) look(body []byte) {
	body = bytes.TrimSpace(body)
	if isHTML(body) || strings.HasPrefix(strings.ToLower(t.contentType), "text/html") {
		t.page = "a web page" + titled(body)
	}
}

// place is the request's URL as it may be shown.
func (x *exchange) place() string {
	shown, _ := x.mask.url(x.out.url)
	return shown
}

// statusText writes a status as its line does: "404 Not Found".
func statusText(code int) string { return strings.TrimPrefix(statusLine(code), "HTTP ") }

// asSentence gives a sentence its full stop.
func asSentence(s string) string {
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

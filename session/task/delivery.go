package task

import (
	"net/http"
	"slices"
	"time"

	"parley/a2a"
	"parley/session/problem"
)

// Delivery is how far a message came. The values are in the order of certainty that an agent works on
// it, so that the greatest one of several attempts is that of the turn.
type Delivery uint8

// The deliveries.
const (
	NotSent Delivery = iota // no agent has seen it
	Refused                 // the agent, or a server before it, did not take it: nothing was started
	Unknown                 // it may have been taken
	Taken                   // the agent answered with a task or a message
)

var deliveryWords = [...]string{"not sent", "refused", "unknown", "taken"}

// String returns the word of the journal and of users.
func (d Delivery) String() string { return deliveryWords[min(int(d), len(deliveryWords)-1)] }

// DeliveryOf returns the delivery of a word of the journal; Unknown for any other word.
func DeliveryOf(word string) Delivery {
	if i := slices.Index(deliveryWords[:], word); i >= 0 {
		return Delivery(i)
	}
	return Unknown
}

// Facts are what one exchange shows about the delivery of its request.
type Facts struct {
	Exchange a2a.ExchangeID // 0 if the request could not be made
	End      a2a.End
	Status   int           // of HTTP, 0 if no answer came
	Events   int           // answers of the agent that are not errors
	Err      *a2a.RPCError // the agent's error, nil for none
}

// FactsOf returns the facts of an answer.
func FactsOf(out *a2a.Answer) Facts {
	return Facts{out.Exchange, out.End, out.Status, out.Events, out.RPC()}
}

// Deliver judges how far a request came. It is the only place that does: whether Parley may try another
// way, whether a text returns to its author, and what a user is told all follow from it.
//
// An answer counts as a refusal if its sender says that it did nothing: by an error of A2A about the
// request (specification 1.0 §5.4, 0.3 §8), such as that it is busy, or by a status of HTTP about the client
// (RFC 9110 §15.5). Such a status is 429, too: the client has sent too many requests (RFC 6585 §4). Everything
// else that came after the request was sent leaves it open, because a server on the way may have answered while
// the agent works. That holds for a 503 with Retry-After, which says how long the service is away, and not that
// nothing was done (RFC 9110 §10.2.3, §15.6.4).
func Deliver(f *Facts) Delivery {
	switch {
	case f.Events > 0:
		return Taken
	case f.Exchange == 0, f.End.Reason == a2a.Refused, f.End.Class == a2a.ClassRedirect, f.redirects():
		return NotSent
	case f.Err != nil && started(f.Err) == a2a.False:
		return Refused
	case f.Err != nil && started(f.Err) == a2a.True:
		return Unknown
	case refuses(f.Status):
		return Refused
	}
	return Unknown
}

// redirects reports whether the answer only names another address.
func (f *Facts) redirects() bool { return f.Status/100 == 3 && f.Status != http.StatusNotModified }

// started reports whether an error says that the agent began to work on the message; Absent if it leaves
// that to the status.
func started(e *a2a.RPCError) a2a.Tri {
	switch e.Code {
	case -32700, -32600, -32601, -32602, // the agent could not read the request
		-32001, -32003, -32004, -32005, -32008, -32009, // or does not do what it asks for
		-31401, -31403: // or does not know who asks
		return a2a.False
	case -32603, -32006:
		return a2a.True
	}
	switch {
	case e.Reason == "VERSION_NOT_SUPPORTED", e.Unsupported(), problem.IsBusy(e), e.AsksCredentials(), problem.IsTaskUnknown(e):
		return a2a.False
	case e.Code != 0 && e.Name != "":
		return a2a.True
	}
	return a2a.Absent
}

// refuses reports whether a status says that the request itself was not accepted.
func refuses(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, 499: // the wait ended, not the work
		return false
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return true
	}
	return status/100 == 4
}

// PauseOf returns the pause for which an answer asks before the request is sent again, 0 if that may start
// work twice.
func PauseOf(call *a2a.Call, f *Facts, pause time.Duration) time.Duration {
	if SendsMessage(call.Op) && Deliver(f) > Refused {
		return 0
	}
	return pause
}

// LeavesOpen reports whether the end of an exchange leaves open what the agent does: it may have taken the
// message, or goes on with the task.
func LeavesOpen(call *a2a.Call, f *Facts) bool {
	if call.Tapped != nil {
		return false
	}
	switch f.End.Class {
	case a2a.ClassCut, a2a.ClassSevered, a2a.ClassTimeout:
		return (f.End.Reason == a2a.Cut || f.End.Reason == a2a.TimedOut) && (SendsMessage(call.Op) || call.TaskID != "")
	case a2a.ClassBody, a2a.ClassStatus:
		return SendsMessage(call.Op) && Deliver(f) == Unknown
	}
	return false
}

package signin

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/a2a/challenge"
	"parley/internal/signin"
	"parley/session/model"
	"parley/session/problem"
)

// A refusal is the newest demand of an agent.
type refusal struct {
	turn *model.Turn // nil for the card
	what string      // was refused
	how  string      // the status or error, empty if there was no answer
	why  string      // what the conversation says about it, a sentence
	head *a2a.Head   // of the answer with 401 or 403, nil if there is none
}

// refusal returns the newest refusal of an agent that stands, nil if there is none: of the newest
// turn, or of the card.
func (c *Controller) refusal(a *model.Agent) *refusal {
	conv := c.host.Conversation()
	if conv == nil || conv.Agent != a {
		conv = nil
		if n := len(a.Conversations); n > 0 {
			conv = a.Conversations[n-1]
		}
	}
	if t := c.newestTurn(conv); t != nil && !t.Pending {
		if p := demanding(t); p != nil {
			f := &refusal{turn: t, what: "the message", why: p.Sentence, head: c.refusedHead(a.ID, t.Record)}
			f.how = cmp.Or(errorWords(p.Err), status(f.head), c.grpcWord(t, p.Err))
			if t.Message == nil {
				f.what = "the request"
			}
			return f
		}
	}
	for i := range a.Attempts {
		if at := &a.Attempts[i]; a.Card == nil && (at.Class == a2a.ClassNoCredentials || at.Class == a2a.ClassAuth) {
			head := c.refusedHead(a.ID, 0)
			return &refusal{what: "the request for its card", why: at.Sentence, how: cmp.Or(status(head), statusWords(at.Status)), head: head}
		}
	}
	return nil
}

// demanding returns the first problem of a turn that says that credentials are missing or not accepted,
// nil if there is none.
func demanding(t *model.Turn) *problem.Problem {
	for _, b := range t.Blocks {
		for i := range b.Entries {
			if p := b.Entries[i].Problem; p != nil && p.AsksCredentials() {
				return p
			}
		}
	}
	return nil
}

// errorWords names the error with which an agent asks for credentials, empty if a status of HTTP does.
func errorWords(e *a2a.RPCError) string {
	switch {
	case e == nil:
		return ""
	case e.Code != 0:
		return fmt.Sprintf("%s (%d)", cmp.Or(strings.TrimSuffix(e.Name, "Error"), "an error"), e.Code)
	default:
		return e.Name
	}
}

// grpcWord names the status of gRPC with which a turn was refused, empty over other bindings. It has no
// code of A2A, and no head with its HTTP status.
func (c *Controller) grpcWord(t *model.Turn, e *a2a.RPCError) string {
	it := c.host.State().Log.At(t.Record)
	if e == nil || it == nil || it.Record.Call == nil || it.Record.Call.Binding != a2a.BindingGRPC {
		return ""
	}
	for _, code := range []int64{7, 16} { // PERMISSION_DENIED and UNAUTHENTICATED
		if word, status := a2a.GRPCStatus(code); status == e.HTTPStatus {
			return word
		}
	}
	return ""
}

// newest is how many of the newest exchanges are searched for a refusal, whatever they bring.
const newest = 200

// refusedHead returns the head of the newest 401 or 403 of an agent from a record on, nil if there is none
// among the newest exchanges.
func (c *Controller) refusedHead(agent a2a.AgentID, after a2a.RecordID) *a2a.Head {
	head, _ := c.refusedRequest(agent, after)
	return head
}

// refusedRequest returns the same head, and the URL of the request that was refused.
func (c *Controller) refusedRequest(agent a2a.AgentID, after a2a.RecordID) (head *a2a.Head, url string) {
	log := c.host.State().Log
	all := log.Streams()
	for _, s := range slices.Backward(all[max(0, len(all)-newest):]) {
		if a2a.RecordID(s.Exchange) < after || s.Call == nil || s.Call.Agent != agent {
			continue
		}
		for _, id := range slices.Backward(firstOf(log.Exchange(s.Exchange))) {
			h := log.At(id).Record.Head
			if h != nil && (h.Status == http.StatusUnauthorized || h.Status == http.StatusForbidden) {
				return h, log.RequestURL(s.Exchange)
			}
		}
	}
	return nil, ""
}

// firstOf returns those records of an exchange among which the head of its response is.
func firstOf(ids []a2a.RecordID) []a2a.RecordID {
	const most = 16 // notes may come before it
	return ids[:min(len(ids), most)]
}

// status names the status of a head, empty if there is none.
func status(h *a2a.Head) string {
	if h == nil {
		return ""
	}
	return statusWords(h.Status)
}

// statusWords names a status, empty for 0.
func statusWords(code int) string {
	if code == 0 {
		return ""
	}
	return strconv.Itoa(code) + " " + http.StatusText(code)
}

// challenges returns what the newest refusal of an agent asks for, which may be that of its card: it says
// where the authorization server is. Refused is the URL of the request that was refused.
func (c *Controller) challenges(agent a2a.AgentID) (all []challenge.Challenge, refused string) {
	h, refused := c.refusedRequest(agent, 0)
	if h == nil {
		return nil, ""
	}
	return challenge.Of(h.Header), refused
}

// asks explains the challenges of a refusal, as one or more sentences with a space before.
func asks(h *a2a.Head) string {
	if h == nil {
		return ""
	}
	list := challenge.Of(h.Header)
	if len(list) == 0 {
		return ""
	}
	const most = 2
	var words []string
	for _, ch := range list[:min(len(list), most)] {
		words = append(words, signin.Explain(ch))
	}
	return " It asks for " + strings.Join(words, ", or for ") + "."
}

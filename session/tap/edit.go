package tap

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/tap/relay"
)

// plan returns what the relay may have to change in an exchange. It decides when the request, and
// the head of the answer, are there.
func (x *exchange) plan() relay.Plan {
	p := relay.Plan{EditResponse: x.editResponse}
	if x.head.Method == http.MethodPost && x.tap.reachable() && (x.grpc || maybeJSON(x.head.Header)) {
		p.EditRequest = x.editRequest
	}
	if x.tap.faults.any() {
		p.ChooseFault = x.chooseFault
	}
	return p
}

// maybeJSON reports whether a body may be JSON by its head.
func maybeJSON(h http.Header) bool {
	media := h.Get("Content-Type")
	return media == "" || bytes.Contains([]byte(media), []byte("json")) || bytes.HasPrefix([]byte(media), []byte("text/"))
}

// editRequest returns the request with the webhook of the tap in place of the client's.
func (x *exchange) editRequest(body []byte) []byte {
	x.mu.Lock()
	x.recogniseBody(body)
	hook := x.hook
	x.mu.Unlock()
	if hook == nil {
		return body
	}
	if !x.grpc {
		return hook.register(body)
	}
	o := x.tap.observer
	message, _ := o.RenderRequest(x.target.Path, x.head.Header, body)
	if message == nil {
		return body
	}
	return o.EditMessages(message.Kind, x.head.Header, body, hook.register)
}

// editedAnswers are the operations whose answers are changed.
var editedAnswers = []a2a.Op{a2a.OpCard, a2a.OpExtendedCard, a2a.OpPushSet, a2a.OpPushGet, a2a.OpPushList}

// editResponse returns how the body of an answer is changed, nil if it is not.
func (x *exchange) editResponse(head relay.Head) func([]byte) []byte {
	if head.Status/100 != 2 || x.head.Method == http.MethodHead || !slices.Contains(editedAnswers, x.facts.Op) {
		return nil
	}
	edit := x.editCard
	if x.facts.Op != a2a.OpCard && x.facts.Op != a2a.OpExtendedCard {
		if !x.tap.hasHooks() {
			return nil
		}
		edit = x.tap.restoreWebhooks
	}
	header := head.Header.Clone()
	x.unedited.Store(true)
	return func(body []byte) []byte {
		x.unedited.Store(false)
		return x.edit(header, body, edit)
	}
}

// edit changes the JSON of an answer, through its content codings and its framing.
func (x *exchange) edit(header http.Header, body []byte, change func([]byte) []byte) []byte {
	o := x.tap.observer
	if x.grpc {
		return o.EditMessages(o.AnswerKind(x.target.Path), header, body, change)
	}
	plain, err := a2a.DecodeBody(header, body, x.tap.o.Codings, relay.MaxEdit)
	if err != nil {
		x.tap.noteChange(x, x.passedUnchanged(err.Error()))
		return body
	}
	changed := change(plain)
	if bytes.Equal(changed, plain) {
		return body
	}
	return changed
}

// passedUnchanged says that an answer was not changed, and why.
func (x *exchange) passedUnchanged(why string) string {
	what := "The card passed unchanged, so clients go past the tap"
	if x.facts.Op != a2a.OpCard && x.facts.Op != a2a.OpExtendedCard {
		what = "The answer passed unchanged, with the webhook of the tap in it"
	}
	return what + ": " + why + "."
}

// noteUnedited notes that an answer was too long to be changed.
func (x *exchange) noteUnedited(end *relay.End) {
	if x.unedited.Load() && end.Cause == relay.Complete {
		x.tap.noteChange(x, x.passedUnchanged(fmt.Sprintf("it is longer than %s", units.Bytes(relay.MaxEdit))))
	}
}

package tap

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/request"
	"parley/session/tap/relay"
)

// plan returns what the relay may have to change in an exchange. It decides when the message of the
// request, and the head of the answer, are there. Only a request that may register a webhook waits, or
// one that a fault may hit.
func (x *exchange) plan() relay.Plan {
	p := relay.Plan{EditResponse: x.editResponse, Message: x.message()}
	if x.mayRegister() {
		p.EditRequest = x.editRequest
	}
	if x.tap.faults.any() && (!x.grpc || x.callOp() != "") {
		p.ChooseFault = x.chooseFault
	}
	return p
}

// callOp returns the operation of a call of gRPC, empty if it is none of A2A, as those with several
// messages of the client are.
func (x *exchange) callOp() a2a.Op { return request.ReadGRPC(x.target.Path, nil).Op }

// mayRegister reports whether a request may register a webhook that leads through the tap, by its
// head.
func (x *exchange) mayRegister() bool {
	switch {
	case x.head.Method != http.MethodPost || !x.tap.reachable():
		return false
	case x.grpc:
		return slices.Contains(registering, x.callOp())
	}
	return maybeJSON(x.head.Header) && len(x.head.Header.Values("Content-Encoding")) == 0
}

// registering are the operations that may register a webhook.
var registering = []a2a.Op{a2a.OpSend, a2a.OpStream, a2a.OpPushSet}

// message returns how the end of the message of a request is found, nil if that is the end of its body.
func (x *exchange) message() func(piece []byte) (n int, whole bool) {
	switch {
	case x.grpc:
		return new(grpcMessage).take
	case x.head.Method != http.MethodPost:
		return func([]byte) (int, bool) { return 0, true } // the head says everything
	case len(x.head.Header.Values("Content-Encoding")) > 0:
		return nil
	}
	return new(jsonMessage).take
}

// maybeJSON reports whether a body may be JSON by its head.
func maybeJSON(h http.Header) bool {
	media := h.Get("Content-Type")
	return media == "" || bytes.Contains([]byte(media), []byte("json")) || bytes.HasPrefix([]byte(media), []byte("text/"))
}

// editRequest returns the message of a request with the webhook of the tap in place of the client's. An
// answer that came before it has made it a request as it is.
func (x *exchange) editRequest(message []byte) []byte {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.recognised {
		return message
	}
	x.recogniseBody(message)
	if !x.registers() || x.omitted > 0 {
		return message
	}
	hook := x.tap.newHook(x.facts.PushURL)
	edited := message
	if !x.grpc {
		edited = hook.register(message)
	} else if first, _ := x.tap.observer.RenderRequest(x.target.Path, x.head.Header, message); first != nil {
		edited = x.tap.observer.EditMessages(first.Kind, x.head.Header, message, hook.register)
	}
	if bytes.Equal(edited, message) {
		return message
	}
	x.hook, x.changed = hook, append(x.changed, "the URL of the webhook")
	return edited
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

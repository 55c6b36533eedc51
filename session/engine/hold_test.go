package engine

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// An agent whose card the user has not approved is sent nothing, by no way, until the card is
// approved and read again; a recording says why.
func TestAHeldAgentIsSentNothing(t *testing.T) {
	t.Parallel()
	var posts atomic.Int32
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		posts.Add(1)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"hello"}]}}}`)
	}))
	t.Cleanup(endpoint.Close)
	// The dialect of this card is a guess, which Parley checks with probes otherwise.
	card := fmt.Sprintf(`{"name":"Desk","version":"1","url":"%s/","capabilities":{"extendedAgentCard":true},"skills":[]}`, endpoint.URL)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "agent-card.json") {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, card)
	}))
	t.Cleanup(srv.Close)
	const why = "The card of Desk has changed: approve it first."
	var held atomic.Bool
	held.Store(true)
	d := newHarness(t, func(o *options) {
		o.Extended = true
		o.Hold = func(ref string, index int, c *a2a.Card) string {
			if ref != srv.URL || index != 0 || c.Name != "Desk" {
				t.Errorf("Hold was called with %q, %d, %q; want the reference, 0 and the card", ref, index, c.Name)
			}
			if held.Load() {
				return why
			}
			return ""
		}
		o.Client = func(string) a2a.Options { return a2a.Options{Bearer: "s3cret"} }
	})
	id := d.Open(srv.URL)
	d.waitForSignal(log.SignalOpened)
	if a := d.state.Agent(id); a.Phase != model.Failed || a.Problem != why || a.Card == nil {
		t.Fatalf("got agent %+v, want its card, and the reason why it is not used", a)
	}
	refused := func(turn a2a.TurnID) {
		t.Helper()
		if sig := d.waitForTurnEnd(turn); sig.Sentence != why {
			t.Errorf("got %q, want %q", sig.Sentence, why)
		}
	}
	say := func() a2a.TurnID {
		return d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("hello")}}, model.SendOptions{})
	}
	refused(say())
	refused(d.ExtendedCard(id))
	refused(d.SendRaw(id, 0, a2a.RawRequest{Method: "POST", URL: endpoint.URL, Body: []byte("{}")}))
	d.Pin(id, a2a.Pins{Dialect: a2a.V10, Endpoint: endpoint.URL})
	refused(say())
	d.ProbeDialect(id)
	d.waitForSignal(log.SignalOpened)
	if n := posts.Load(); n != 0 {
		t.Errorf("got %d requests at the endpoint of a held agent, want none", n)
	}
	held.Store(false)
	d.Reopen(id)
	d.waitForSignal(log.SignalOpened)
	if a := d.state.Agent(id); a.Phase != model.Ready || a.Problem != "" {
		t.Errorf("got agent %+v after the approval, want it ready", a)
	}
	if sig := d.waitForTurnEnd(say()); sig.Sentence != "" || posts.Load() == 0 {
		t.Errorf("got %q and %d requests, want an answer", sig.Sentence, posts.Load())
	}
	d.finish()
}

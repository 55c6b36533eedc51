package engine

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// An endpoint that is pinned after a failure is used for the next message, with or without a
// card.
func TestAnEndpointThatIsPinnedAfterAFailureTakesEffectAtOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		card bool
		pins a2a.Pins
	}{
		{"after its agent died", true, a2a.Pins{}},
		{"without a card", false, a2a.Pins{Dialect: a2a.V10}},
		{"without a card or a dialect", false, a2a.Pins{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newHarness(t, func(o *options) { o.WatchEvery = never }) // the earlier address does not answer again
			there := newMortal(t, a2a.V10, true)
			var id a2a.AgentID
			if c.card {
				m := newMortal(t, a2a.V10, false)
				id = d.openAgent("http://" + m.address)
				m.kill()
				d.sendText(model.Target{Agent: id}, "to nobody", model.SendOptions{})
			} else {
				id = d.Open("http://" + closedPort(t))
			}
			for d.state.Agent(id) == nil || d.state.Agent(id).Phase != model.Unreachable {
				d.until("the agent to be away", func(log.Item) bool { return true })
			}
			pins := c.pins
			pins.Endpoint = "http://" + there.address + "/rpc"
			d.Pin(id, pins)
			d.until("the agent to be ready", func(log.Item) bool { return d.state.Agent(id).Phase == model.Ready })
			if turn, sig := d.sendText(model.Target{Agent: id}, "done", model.SendOptions{Stream: a2a.False}); sig.Sentence != "" || len(turn.Blocks) == 0 {
				t.Errorf("after the pin: got turn end %+v, want an answer\n%s", sig, d.log())
			}
			d.finish()
		})
	}
}

// A pin that is set during discovery is applied when the card has come.
func TestAPinDuringDiscoveryCounts(t *testing.T) {
	t.Parallel()
	asked, pinned := make(chan struct{}, 8), make(chan struct{})
	var srv *httptest.Server
	srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-pinned
		fmt.Fprintf(w, `{"name":"Slow","version":"1","supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
			"capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[]}`, srv.URL)
	}))
	t.Cleanup(srv.Close)
	d := newHarness(t, nil)
	id := d.Open(srv.URL)
	await(t, asked, "the request for the card")
	d.Pin(id, a2a.Pins{Dialect: a2a.V03})
	close(pinned)
	d.until("the pin to count", func(log.Item) bool {
		a := d.state.Agent(id)
		return a != nil && a.Phase == model.Ready && a.Profile.Dialect == a2a.V03
	})
	d.finish()
}

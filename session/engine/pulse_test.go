package engine

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"parley/a2a"
	"parley/session/model"
)

// cardAt is the card of an agent whose endpoint is a URL.
func cardAt(endpoint string) string {
	return `{"name":"A","description":"d","version":"1","supportedInterfaces":[{"url":"` + endpoint + `","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],` +
		`"capabilities":{},"defaultInputModes":[],"defaultOutputModes":[],"skills":[]}`
}

func TestAnAgentsPulseIsWhatTheNewestCallTells(t *testing.T) {
	t.Parallel()
	var status atomic.Int32
	var breaks atomic.Bool
	var srv *httptest.Server
	srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "agent-card.json"):
			fmt.Fprint(w, cardAt(srv.URL+"/rpc"))
		case breaks.Load():
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"jsonrpc":`)
			panic(http.ErrAbortHandler)
		default:
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(int(status.Load()))
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":"1","result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"hi"}]}}}`)
		}
	}))
	t.Cleanup(srv.Close)
	d := newHarness(t, nil)
	id := d.openAgent(srv.URL)
	a := d.state.Agent(id)
	if a.Pulse != (model.Pulse{Health: model.Healthy}) {
		t.Errorf("got pulse %+v after a card from the agent's own host, want well", a.Pulse)
	}
	for _, c := range []struct {
		status int32
		breaks bool
		want   model.Pulse
	}{
		{200, false, model.Pulse{Health: model.Healthy}}, {503, false, model.Pulse{Health: model.Unhealthy, Why: "answered 503"}}, {401, false, model.Pulse{Health: model.Healthy}},
		{200, true, model.Pulse{Health: model.Unhealthy, Why: "broke off"}}, {404, false, model.Pulse{Health: model.Healthy}},
	} {
		status.Store(c.status)
		breaks.Store(c.breaks)
		d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
		if a.Pulse != c.want {
			t.Errorf("status %d, breaks %t: got pulse %+v, want %+v", c.status, c.breaks, a.Pulse, c.want)
		}
	}
	d.finish()
}

// The server of a card is not the agent.
func TestNothingIsKnownOfAnAgentThatWasNotAsked(t *testing.T) {
	t.Parallel()
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, cardAt("http://127.0.0.1:1/rpc")) }))
	t.Cleanup(registry.Close)
	file := filepath.Join(t.TempDir(), "card.json")
	if err := os.WriteFile(file, []byte(cardAt("http://127.0.0.1:1/rpc")), 0o600); err != nil {
		t.Fatal(err)
	}
	d := newHarness(t, nil)
	for _, ref := range []string{registry.URL + "/card.json", file} {
		a := d.state.Agent(d.openAgent(ref))
		if a.Phase != model.Ready || a.Pulse.Health != model.HealthUnknown {
			t.Errorf("%s: got phase %d, pulse %+v; want ready, unasked", ref, a.Phase, a.Pulse)
		}
	}
	d.sendText(model.Target{Agent: 1}, "hello", model.SendOptions{})
	if a := d.state.Agent(a2a.AgentID(1)); a.Phase != model.Unreachable {
		t.Errorf("got phase %d, want unreachable", a.Phase)
	}
	d.finish()
}

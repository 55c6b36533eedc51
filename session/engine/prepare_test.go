package engine

import (
	"sync/atomic"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// A keyring that waits for its user delays the discovery of an agent, and nothing that the screen calls.
func TestNothingWaitsForAKeyringButTheDiscovery(t *testing.T) {
	t.Parallel()
	m := newMortal(t, a2a.V10, false)
	unlocked := make(chan struct{})
	var prepared atomic.Bool
	d := newHarness(t, func(o *options) {
		o.Prepare = func(string) { <-unlocked; prepared.Store(true) }
		client := o.Client
		o.Client = func(ref string) (c a2a.Options) {
			if client != nil {
				c = client(ref)
			}
			if prepared.Load() {
				c.APIKey, c.KeyIn, c.KeyName = "the-k3y-of-ann", "header", "X-Desk"
			}
			return c
		}
	})
	id := d.Open("http://" + m.address)
	_ = d.Pins(id)
	d.RefreshCredentials(id)
	d.Pin(id, a2a.Pins{})
	if d.Authenticated(id) {
		t.Error("got credentials that were not read")
	}
	close(unlocked)
	d.until("the agent to be ready", func(log.Item) bool { return d.state.Agent(id).Phase == model.Ready })
	if !d.Authenticated(id) {
		t.Error("got no credentials after they were read")
	}
	d.finish()
}

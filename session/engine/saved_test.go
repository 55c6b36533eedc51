package engine

import (
	"slices"
	"testing"

	"parley/a2a"
	"parley/session/log"
)

func TestAnAgentIsOpenedByTheNameItIsSavedUnder(t *testing.T) {
	t.Parallel()
	srv := agent(t, asker)
	var asked []string
	d := newHarness(t, func(o *options) {
		o.Client = func(ref string) a2a.Options { asked = append(asked, ref); return a2a.Options{} }
		o.Saved = func(name string) (Saved, bool) {
			client := func() a2a.Options { return a2a.Options{Pins: a2a.Pins{Tenant: "mine"}} }
			return Saved{Name: "The Desk", Ref: srv.URL, Client: client, Warnings: []string{"TOKEN is not set"}}, name == "desk"
		}
	})
	id := d.openAgent("desk")
	a := d.state.Agent(id)
	if a.Name() != "The Desk" || a.CardName() == "The Desk" || a.Ref != srv.URL || a.Profile.Tenant != "mine" || !slices.Contains(a.Profile.Warnings, "TOKEN is not set") {
		t.Errorf("got agent %q at %s, profile %+v; want the saved name, tenant and warning", a.Name(), a.Ref, a.Profile)
	}
	if len(asked) != 0 {
		t.Errorf("options of %q were requested, want none", asked)
	}
	d.SetAgentName(id, "Front Desk")
	d.Reopen(id)
	d.waitForSignal(log.SignalOpened)
	if a.Name() != "Front Desk" {
		t.Errorf("got name %q, want Front Desk", a.Name())
	}
	d.SetAgentName(id, "")
	d.SetAgentName(99, "nobody")
	plain := d.openAgent(srv.URL)
	if a.Name() != a.CardName() || d.state.Agent(plain).Given != "" || !slices.Contains(asked, srv.URL) {
		t.Errorf("got names %q and %q, options of %q; want the cards' names and the options of the URL", a.Name(), d.state.Agent(plain).Name(), asked)
	}
	d.finish()
}

// The recording says which agents are inside Parley, once: a later discovery does not take it back.
func TestAnAgentInsideParleyIsMarked(t *testing.T) {
	t.Parallel()
	srv, other := agent(t, asker), agent(t, asker)
	d := newHarness(t, func(o *options) {
		o.Saved = func(ref string) (Saved, bool) { return Saved{Ref: ref, Embedded: true}, ref == srv.URL }
	})
	id, plain := d.openAgent(srv.URL), d.openAgent(other.URL)
	d.Reopen(id)
	d.waitForSignal(log.SignalOpened)
	if !d.state.Agent(id).Embedded || d.state.Agent(plain).Embedded {
		t.Errorf("got %v and %v, want the first agent inside Parley", d.state.Agent(id).Embedded, d.state.Agent(plain).Embedded)
	}
	d.finish()
}

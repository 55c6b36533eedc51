package engine

import (
	"slices"
	"testing"

	"parley/a2a"
	"parley/session/log"
)

func TestAnAgentIsOpenedByTheNameItIsSavedUnder(t *testing.T) {
	srv := agent(t, asker)
	var asked []string
	d := newHarness(t, func(o *Options) {
		o.Client = func(ref string) a2a.Options { asked = append(asked, ref); return a2a.Options{} }
		o.Saved = func(name string) (Saved, bool) {
			client := func() a2a.Options { return a2a.Options{Pins: a2a.Pins{Tenant: "mine"}} }
			return Saved{Name: "The Desk", Ref: srv.URL, Client: client, Warnings: []string{"TOKEN is not set"}}, name == "desk"
		}
	})
	id := d.opened("desk")
	a := d.state.Agent(id)
	if a.Name() != "The Desk" || a.CardName() == "The Desk" || a.Ref != srv.URL || a.Profile.Tenant != "mine" || !slices.Contains(a.Profile.Warnings, "TOKEN is not set") {
		t.Errorf("opened %q at %s, %+v", a.Name(), a.Ref, a.Profile)
	}
	if len(asked) != 0 {
		t.Errorf("the options of %q were asked for", asked)
	}
	d.SetAgentName(id, "Front Desk")
	d.Reopen(id)
	d.signal(log.SignalOpened)
	if a.Name() != "Front Desk" {
		t.Errorf("it is called %q", a.Name())
	}
	d.SetAgentName(id, "")
	d.SetAgentName(99, "nobody")
	plain := d.opened(srv.URL)
	if a.Name() != a.CardName() || d.state.Agent(plain).Given != "" || !slices.Contains(asked, srv.URL) {
		t.Errorf("it is called %q, the other %q; asked for %q", a.Name(), d.state.Agent(plain).Name(), asked)
	}
	d.finish()
}

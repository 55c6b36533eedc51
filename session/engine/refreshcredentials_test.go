package engine

import (
	"sync/atomic"
	"testing"

	"parley/a2a"
	"parley/session/model"
)

// Credentials that came while an agent is open, as after a sign-in, are used from the next request on,
// and go to the place that they name.
func TestCredentialsThatComeLaterAreUsed(t *testing.T) {
	t.Parallel()
	const key = "open-sesame/1 2"
	door := newDoorman(t, key)
	var signedIn atomic.Bool
	d := newHarness(t, func(o *options) {
		o.Client = func(ref string) (c a2a.Options) {
			c.UserAddresses = []string{ref}
			if signedIn.Load() {
				c.APIKey, c.KeyIn, c.KeyName = key, "query", "entry"
			}
			return c
		}
	})
	id := d.openAgent(door.URL)
	if _, sig := d.sendText(model.Target{Agent: id}, "let me in", model.SendOptions{}); sig.Class != a2a.ClassNoCredentials {
		t.Fatalf("before: got turn end %+v, want class credentials-missing", sig)
	}
	signedIn.Store(true)
	d.RefreshCredentials(id)
	d.RefreshCredentials(id + 1)
	if _, sig := d.sendText(model.Target{Agent: id}, "let me in", model.SendOptions{}); sig.Sentence != "" {
		t.Fatalf("after: got turn end %+v, want no failure", sig)
	}
	signedIn.Store(false)
	d.RefreshCredentials(id)
	if _, sig := d.sendText(model.Target{Agent: id}, "let me in", model.SendOptions{}); sig.Class != a2a.ClassNoCredentials {
		t.Errorf("signed out: got turn end %+v, want class credentials-missing", sig)
	}
}

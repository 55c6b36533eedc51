package cli

import (
	"path/filepath"
	"testing"

	"parley/a2a"
	"parley/internal/signin"
	"parley/session/engine"
)

// A lockedVault has a key, and fails a test that reads it while it is locked.
type lockedVault struct {
	signin.Memory
	t      *testing.T
	locked bool
}

func (v *lockedVault) Get(name string) (signin.Secrets, error) {
	if v.locked {
		v.t.Errorf("%s was read: a locked keyring would stop the screen", name)
	}
	return v.Memory.Get(name)
}

// The options of a client are made between two frames, so they come without a look into the keyring.
func TestOptionsDoNotWaitForTheKeyring(t *testing.T) {
	t.Parallel()
	const ref = "https://desk.example"
	v := &lockedVault{t: t}
	index := filepath.Join(t.TempDir(), "identities.json")
	if err := signin.NewKeeper(index, v, nil, now).Keep(signin.Identity{Origin: ref, Kind: signin.Key, Name: "X-Desk", In: "header"}, signin.Secrets{Value: "the-k3y-of-ann"}); err != nil {
		t.Fatal(err)
	}
	a := &app{}
	a.net.keeper = signin.NewKeeper(index, v, nil, now) // that of the next run

	v.locked = true
	if o := a.net.client(ref); len(o.Headers) != 0 {
		t.Errorf("got %+v, want no key that was not read", o.Headers)
	}
	if got, want := a.access(workbench{})(&engine.StartAgent{Saved: engine.Saved{Ref: ref}}, ref), "API key from parley auth login"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	v.locked = false
	a.net.prepare(ref)
	v.locked = true
	if o := a.net.client(ref); len(o.Headers) != 1 || o.Headers[0] != (a2a.HeaderPair{Name: "X-Desk", Value: "the-k3y-of-ann", Reserved: true}) {
		t.Errorf("got %+v, want the key", o.Headers)
	}
}

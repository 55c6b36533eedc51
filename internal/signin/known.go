package signin

import "errors"

// Prepare reads the secrets of the identities for an origin, so that [Keeper.Known] has them. It waits for
// the vault. What cannot be read stays as it was known.
func (k *Keeper) Prepare(origin string) {
	all, err := k.Of(origin)
	if err != nil {
		return // whoever lists the identities says what is wrong with the file
	}
	for _, i := range all {
		switch s, err := k.Secrets(i); {
		case err == nil:
			k.remember(&i, s)
		case errors.Is(err, ErrNone):
			k.forget(&i)
		}
	}
}

// Known returns the secrets of an identity that were read or kept last, without waiting for the vault.
func (k *Keeper) Known(i Identity) (s Secrets, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, ok = k.known[i.key()]
	return s, ok
}

func (k *Keeper) remember(i *Identity, s Secrets) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.known[i.key()] = s
}

func (k *Keeper) forget(i *Identity) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.known, i.key())
}

package signin

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

// A Keeper keeps identities and renews their tokens. It is safe for use by several goroutines.
type Keeper struct {
	index  string // the file of identities, empty for none
	vault  Vault
	client *http.Client
	now    func() time.Time

	mu   sync.Mutex
	busy map[string]chan struct{} // holds one element while a token is read or renewed, by the key of the identity
	// run are the identities that end with the program, whose secrets are in own: all of them without
	// an index.
	run map[string]Identity
	own Memory
	// known are the secrets that were read or kept last, by the key of the identity.
	known map[string]Secrets
}

// NewKeeper returns a keeper with the index of identities in a file, whose secrets are in a vault.
// Without a file it knows those of this run.
func NewKeeper(index string, vault Vault, client *http.Client, now func() time.Time) *Keeper {
	return &Keeper{index: index, vault: vault, client: client, now: now, busy: map[string]chan struct{}{}, run: map[string]Identity{}, known: map[string]Secrets{}}
}

// Place names where the secrets are.
func (k *Keeper) Place() string { return k.vault.Place() }

// List returns the identities, sorted by origin. The error is a clause.
func (k *Keeper) List() ([]Identity, error) {
	all, err := k.all()
	if err != nil {
		return nil, err
	}
	var list []Identity
	for _, i := range all {
		list = append(list, i)
	}
	slices.SortFunc(list, func(a, b Identity) int { return strings.Compare(a.key(), b.key()) })
	return list, nil
}

func (k *Keeper) all() (map[string]Identity, error) {
	all := map[string]Identity{}
	if k.index != "" {
		var err error
		if all, err = readAll[Identity](k.index); err != nil {
			return nil, err
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	maps.Copy(all, k.run)
	return all, nil
}

// indexed returns the identities of the index, none if it cannot be read.
func (k *Keeper) indexed() map[string]Identity {
	all, err := readAll[Identity](k.index)
	if err != nil {
		return nil
	}
	return all
}

// Brief reports whether an identity ends with the program, although others are kept.
func (k *Keeper) Brief(i Identity) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, brief := k.run[i.key()]
	return brief && k.index != ""
}

// vaultOf returns where the secrets of an identity are.
func (k *Keeper) vaultOf(i *Identity) Vault {
	if k.Brief(*i) {
		return &k.own
	}
	return k.vault
}

// Of returns the identities for an origin.
func (k *Keeper) Of(origin string) ([]Identity, error) {
	all, err := k.List()
	return slices.DeleteFunc(all, func(i Identity) bool { return i.Origin != origin }), err
}

// Keep keeps an identity that was entered, in place of the one in the same place of a request.
func (k *Keeper) Keep(i Identity, s Secrets) error {
	if i.Created.IsZero() {
		i.Created = k.now().UTC().Truncate(time.Second)
	}
	if err := k.vault.Set(i.key(), s); err != nil {
		return err
	}
	k.remember(&i, s)
	if err := k.write(func(all map[string]Identity) { all[i.key()] = i }); err != nil {
		return err
	}
	if k.index != "" { // it takes the place of one that would have ended with the program
		k.forgetBrief(&i)
	}
	return nil
}

// KeepBriefly keeps an identity until the program ends, where nothing else can keep it.
func (k *Keeper) KeepBriefly(i Identity, s Secrets) error {
	if i.Created.IsZero() {
		i.Created = k.now().UTC().Truncate(time.Second)
	}
	if err := k.own.Set(i.key(), s); err != nil {
		return err
	}
	k.remember(&i, s)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.run[i.key()] = i
	return nil
}

func (k *Keeper) forgetBrief(i *Identity) {
	_ = k.own.Delete(i.key()) // memory does not fail
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.run, i.key())
}

// KeepToken keeps an identity with a token, and returns it as it is known now.
func (k *Keeper) KeepToken(i Identity, t *oauth2.Token, clientSecret string) (Identity, error) {
	s := i.take(t, k.now())
	s.Client = clientSecret
	return i, k.Keep(i, s)
}

func (k *Keeper) write(do func(map[string]Identity)) error {
	if k.index != "" {
		return change(k.index, do)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	do(k.run)
	return nil
}

// Secrets returns the secrets of an identity.
func (k *Keeper) Secrets(i Identity) (Secrets, error) { return k.vaultOf(&i).Get(i.key()) }

// SignOut forgets an identity, and tells its authorization server that the token is no longer used.
// Told says whether that server confirmed it.
func (k *Keeper) SignOut(ctx context.Context, i Identity) (told bool, err error) {
	vault := k.vaultOf(&i)
	if s, err := vault.Get(i.key()); err == nil && i.Server != nil && i.Server.RevokeURL != "" {
		told = k.revoke(ctx, &i, s)
	}
	if k.Brief(i) {
		k.forget(&i)
		k.forgetBrief(&i)
		if _, kept := k.indexed()[i.key()]; !kept {
			return told, nil
		}
	}
	if err := k.vault.Delete(i.key()); err != nil {
		return told, err
	}
	k.forget(&i)
	return told, k.write(func(all map[string]Identity) { delete(all, i.key()) })
}

// revoke makes a token unusable (RFC 7009).
func (k *Keeper) revoke(ctx context.Context, i *Identity, s Secrets) bool {
	r := &Request{Server: i.Server, ClientID: i.ClientID, Secret: s.Client}
	form := url.Values{"token": {s.Value}}
	if s.Refresh != "" {
		form.Set("token", s.Refresh) // with it, the tokens that it gave end too
		form.Set("token_type_hint", "refresh_token")
	}
	req, err := r.form(ctx, i.Server.RevokeURL, form)
	if err != nil {
		return false
	}
	resp, err := k.client.Do(req)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

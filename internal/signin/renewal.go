package signin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/oauth2"

	"parley/internal/crash"
	"parley/internal/sharedfile"
)

// early is how long before its end a token is renewed, so that it does not end on its way.
const early = 30 * time.Second

// Token returns the token of an identity, another one if it was refused or is about to expire. Of
// several who ask at once, one renews it. The error is a clause.
func (k *Keeper) Token(ctx context.Context, i Identity, refused string) (token string, err error) {
	return k.alone(ctx, &i, func(ctx context.Context) (string, error) { return k.token(ctx, i, refused) })
}

func (k *Keeper) token(ctx context.Context, i Identity, refused string) (string, error) {
	s, err := k.Secrets(i)
	if errors.Is(err, ErrNone) {
		return "", k.again(&i, "you are signed out")
	}
	if err != nil {
		return "", err
	}
	known, err := k.all()
	if err != nil {
		return "", err
	}
	if now, ok := known[i.key()]; ok {
		i = now // another run may have renewed it
	}
	expires := i.due(k.now())
	if s.Value != refused && !expires {
		return s.Value, nil
	}
	if !i.Renews || i.Server == nil {
		return s.Value, nil // there is no other one, and only the agent knows whether it has expired: clocks differ
	}
	token, err := k.renew(ctx, i, s.Value)
	if err != nil && !Ended(err) && s.Value != refused && k.now().Before(i.Expires) {
		return s.Value, nil // the server is down for a moment, and the token is still valid
	}
	return token, err
}

// Renew gets another token for an identity now, and returns it as it is known then. The error is a
// clause.
func (k *Keeper) Renew(ctx context.Context, i Identity) (Identity, error) {
	if !i.Renews || i.Server == nil {
		return i, errors.New("it cannot be renewed: sign in again")
	}
	_, err := k.alone(ctx, &i, func(ctx context.Context) (string, error) {
		s, err := k.Secrets(i)
		if errors.Is(err, ErrNone) {
			return "", k.again(&i, "you are signed out")
		}
		if err != nil {
			return "", err
		}
		return k.renew(ctx, i, s.Value)
	})
	if err != nil {
		return i, err
	}
	known, err := k.all()
	if now, ok := known[i.key()]; ok {
		i = now
	}
	return i, err
}

// renew gets another token in place of an old one. Of several runs, one does: a server that rotates
// refresh tokens would end the sign-in of the others.
func (k *Keeper) renew(ctx context.Context, i Identity, old string) (string, error) {
	if k.index != "" {
		unlock, err := sharedfile.Lock(k.index + ".renewal.lock")
		if err != nil {
			return "", fmt.Errorf("the token could not be renewed: %w", err)
		}
		defer unlock()
	}
	s, err := k.Secrets(i)
	if err != nil || s.Value != old {
		return s.Value, err
	}
	server := *i.Server
	server.Resource = i.Resource
	r := &Request{HTTP: k.client, Server: &server, ClientID: i.ClientID, Secret: s.Client, Scopes: i.Scopes}
	r.mask.know(s.Value, s.Refresh)
	var t *oauth2.Token
	if i.Kind == ClientSecret {
		t, err = ClientCredentials(ctx, r)
	} else {
		t, err = Refresh(ctx, r, s.Refresh)
	}
	switch {
	case Ended(err):
		return "", fmt.Errorf("%w: sign in with parley auth login %s", err, i.Origin)
	case err != nil:
		return "", fmt.Errorf("the token could not be renewed: %w", err)
	}
	if t.RefreshToken == "" {
		t.RefreshToken = s.Refresh // the server does not rotate it
	}
	fresh := i.take(t, k.now())
	r.mask.clean(&i)
	fresh.Client = s.Client
	if k.Brief(i) || k.Keep(i, fresh) != nil { // the old refresh token may be used up, so the new one must not get lost
		return t.AccessToken, k.KeepBriefly(i, fresh)
	}
	return t.AccessToken, nil
}

// again says that the user must sign in once more.
func (k *Keeper) again(i *Identity, why string) error {
	return fmt.Errorf("%s: sign in with parley auth login %s", why, i.Origin)
}

// alone runs what reads and renews the token of an identity while nobody else does, and returns when it
// has, or when ctx ends. It goes on after the end of ctx: a server that rotates refresh tokens has used up
// the old one as soon as it has read the request, so its answer has to be kept.
func (k *Keeper) alone(ctx context.Context, i *Identity, do func(context.Context) (string, error)) (string, error) {
	busy := k.lock(i.key())
	select {
	case busy <- struct{}{}:
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	type answer struct {
		token string
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		defer crash.Guard()
		defer func() { <-busy }()
		token, err := do(context.WithoutCancel(ctx)) // the client and the vault have limits of their own
		done <- answer{token, err}
	}()
	select {
	case got := <-done:
		return got.token, got.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// lock returns the channel that whoever reads or renews the token of an identity fills.
func (k *Keeper) lock(key string) chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.busy[key] == nil {
		k.busy[key] = make(chan struct{}, 1)
	}
	return k.busy[key]
}

package signin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"parley/internal/signin/signintest"
)

// A rotation renews tokens, each time with another refresh token: the old one is used up when the
// request has arrived.
type rotation struct {
	refresh []string // that were sent
	hold    chan struct{}
}

func (r *rotation) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.refresh = append(r.refresh, req.FormValue("refresh_token"))
	n := len(r.refresh)
	if r.hold != nil {
		<-r.hold
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"access_token":"access-%d","token_type":"Bearer","refresh_token":"refresh-%d","expires_in":3600}`, n, n)
}

// Who stops a request stops no renewal: the refresh token that comes is kept, and the next request uses
// what it brought.
func TestAStoppedRequestLosesNoRefreshToken(t *testing.T) {
	c := &clock{time.Now()}
	k, i, s := signedIn(t, &Memory{}, c)
	first, err := k.Token(t.Context(), i, "")
	if err != nil {
		t.Fatal(err)
	}
	r := &rotation{hold: make(chan struct{})}
	asked := make(chan struct{}, 9)
	s.Instead(mustPath(t, i.Server.TokenURL), func(w http.ResponseWriter, req *http.Request) { asked <- struct{}{}; r.ServeHTTP(w, req) })
	ctx, stop := context.WithCancel(t.Context())
	go func() { <-asked; stop() }()
	if _, err := k.Token(ctx, i, first); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the end of the request", err)
	}
	if _, err := k.Token(ctx, i, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v while the token is renewed, want the end of the request", err)
	}
	close(r.hold)
	if got, err := k.Token(t.Context(), i, first); err != nil || got != "access-1" || len(r.refresh) != 1 {
		t.Errorf("got %q, %v after the refresh tokens %q, want the token that came", got, err, r.refresh)
	}
	if kept, _ := k.Secrets(i); kept.Refresh != "refresh-1" {
		t.Errorf("got refresh token %q, want the one that came", kept.Refresh)
	}
}

// A fullVault keeps nothing more.
type fullVault struct {
	Memory
	full bool
}

func (v *fullVault) Set(name string, s Secrets) error {
	if v.full {
		return errors.New("it is locked")
	}
	return v.Memory.Set(name, s)
}

// A vault that is locked when a token was renewed loses no refresh token while Parley runs.
func TestATokenThatCannotBeKeptIsUsed(t *testing.T) {
	c := &clock{time.Now()}
	v := &fullVault{}
	k, i, s := signedIn(t, v, c)
	r := &rotation{}
	s.Instead(mustPath(t, i.Server.TokenURL), r.ServeHTTP)
	v.full = true
	first, _ := k.Token(t.Context(), i, "")
	second, err := k.Token(t.Context(), i, first)
	if err != nil || second != "access-1" {
		t.Fatalf("got %q, %v, want the new token", second, err)
	}
	if third, err := k.Token(t.Context(), i, second); err != nil || third != "access-2" || r.refresh[1] != "refresh-1" {
		t.Errorf("got %q, %v after the refresh tokens %q, want that the second one is used", third, err, r.refresh)
	}
	if !k.Brief(i) {
		t.Error("got an identity that is kept, want one that ends with the program")
	}
	if _, err := k.SignOut(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	if left, _ := k.List(); len(left) != 0 || len(v.all) != 0 {
		t.Errorf("got %+v and %d secrets after signing out, want none", left, len(v.all))
	}
}

// Times of a token are those of the wall: a monotonic clock stands still while the machine sleeps, and
// a token that ended meanwhile would be sent.
func TestATokenEndsWhileTheMachineSleeps(t *testing.T) {
	_, i, _ := signedIn(t, &Memory{}, &clock{time.Now()})
	if i.Expires != i.Expires.Round(0) || i.Received != i.Received.Round(0) {
		t.Errorf("got %v and %v, want no reading of a monotonic clock", i.Expires, i.Received)
	}
}

// What a token was asked for is asked for again when it is renewed, also by the next run.
func TestARenewedTokenIsForTheSameResource(t *testing.T) {
	s := signintest.Start(t)
	var asked []string
	s.Instead("/token", func(w http.ResponseWriter, req *http.Request) {
		asked = append(asked, req.FormValue("resource"))
		(&rotation{}).ServeHTTP(w, req)
	})
	index, vault, client := filepath.Join(t.TempDir(), "identities.json"), &Memory{}, HTTPClient(http.DefaultTransport)
	c := &Client{Keeper: NewKeeper(index, vault, client, time.Now), HTTP: client, Now: time.Now}
	server := &Server{TokenURL: s.Issuer + "/token", Resource: "https://agent.example"}
	got, err := c.grant(t.Context(), &Login{Origin: "https://agent.example", Step: Step{Kind: ClientSecret}, Settings: Settings{ClientID: "desk", Secret: "s3cret"}}, server)
	if err != nil {
		t.Fatal(err)
	}
	next := NewKeeper(index, vault, client, time.Now)
	of, _ := next.Of(got.Identity.Origin)
	if _, err := next.Renew(t.Context(), of[0]); err != nil || len(asked) != 2 || asked[1] != "https://agent.example" {
		t.Errorf("got %v and the resources %q, want the same one twice", err, asked)
	}
}

// Another run may have renewed a token while this one waited: its token is used, and its refresh token stays.
func TestATokenThatAnotherRunRenewedIsNotRenewedAgain(t *testing.T) {
	k, i, s := signedIn(t, &Memory{}, &clock{time.Now()})
	now, err := k.Token(t.Context(), i, "")
	if err != nil {
		t.Fatal(err)
	}
	r := &rotation{}
	s.Instead(mustPath(t, i.Server.TokenURL), r.ServeHTTP)
	if got, err := k.renew(t.Context(), i, "the token before"); err != nil || got != now || len(r.refresh) != 0 {
		t.Errorf("got %q, %v after %d renewals, want %q without any", got, err, len(r.refresh), now)
	}
	if got, err := k.renew(t.Context(), i, now); err != nil || got != "access-1" || len(r.refresh) != 1 {
		t.Errorf("got %q, %v after %d renewals, want access-1 after one", got, err, len(r.refresh))
	}
}

package signin

import (
	"encoding/base64"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"

	"parley/a2a"
	"parley/internal/signin/signintest"
)

// newClient returns a client that keeps secrets in memory, and at an index.
func newClient(t *testing.T, vault Vault) *Client {
	t.Helper()
	client := HTTPClient(http.DefaultTransport)
	return &Client{Keeper: NewKeeper(filepath.Join(t.TempDir(), "identities.json"), vault, client, time.Now), HTTP: client, Now: time.Now}
}

func TestWhatIsEnteredIsChecked(t *testing.T) {
	c := newClient(t, &Memory{})
	for name, x := range map[string]struct {
		kind         Kind
		user, secret string
		want         string // in the error; empty for none
		value        string
	}{
		"a key":                 {Key, "", "the k3y", "", "the k3y"},
		"nothing":               {Key, "", "", "nothing was entered", ""},
		"an escape":             {Key, "", "k\x1b[2J", "without control characters", ""},
		"too long":              {Key, "", strings.Repeat("k", maxEntered+1), "at most 65536 bytes", ""},
		"a token":               {Bearer, "", "Bearer  t0ken", "", "t0ken"},
		"a token of two words":  {Bearer, "", "one two", "one word", ""},
		"a token of no ASCII":   {Bearer, "", "tökén", "one word of ASCII", ""},
		"a password":            {Basic, "ann", "pass word", "", "pass word"},
		"a password of nobody":  {Basic, "", "pass", "the name: nothing was entered", ""},
		"a name with a colon":   {Basic, "a:b", "pass", "must not contain a colon", ""},
		"a password of nothing": {Basic, "ann", "", "nothing was entered", ""},
	} {
		got, err := c.Enter("https://a.example", &Step{Kind: x.kind, Scheme: a2a.SecurityScheme{In: "header", Name: "X"}}, x.user, x.secret)
		if x.want != "" {
			if err == nil || !strings.Contains(err.Error(), x.want) || x.secret != "" && strings.Contains(err.Error(), x.secret) {
				t.Errorf("%s: got %v, want %q without the secret", name, err, x.want)
			}
			continue
		}
		if s, fail := c.Keeper.Secrets(got.Identity); err != nil || fail != nil || s.Value != x.value {
			t.Errorf("%s: got %v, %v and %d bytes, want it kept", name, err, fail, len(s.Value))
		}
	}
}

// A token says what may be wrong with it as soon as it is entered.
func TestAnEnteredTokenIsDoubted(t *testing.T) {
	c := newClient(t, &Memory{})
	token := "e30." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"ann","aud":"https://other.example","scope":"read list","exp":1000}`)) + ".sig"
	got, err := c.Enter("https://a.example", &Step{Kind: Bearer, Scopes: []string{"read", "write"}}, "", token)
	if err != nil || got.Identity.User != "ann" {
		t.Fatalf("got %+v, %v", got, err)
	}
	all := strings.Join(got.Doubts, " ")
	for _, want := range []string{"expired", "lacks what the card requires: write.", "is for https://other.example, and not for https://a.example"} {
		if !strings.Contains(all, want) {
			t.Errorf("got doubts %q, want %q", got.Doubts, want)
		}
	}
	// The clock of this machine may be wrong, so the agent decides.
	if sent, err := c.Keeper.Token(t.Context(), got.Identity, ""); err != nil || sent != token {
		t.Errorf("got %v, want the token in spite of its end", err)
	}
}

func TestEachFlowSignsIn(t *testing.T) {
	s := signintest.Start(t)
	scheme := a2a.SecurityScheme{Key: "corp", Type: "openIdConnect", OpenIDConnectURL: s.Issuer}
	for kind, settings := range map[Kind]Settings{
		AuthorizationCode: {ClientID: signintest.Public},
		DeviceCode:        {ClientID: signintest.Devices, Secret: signintest.Secret},
		ClientSecret:      {ClientID: signintest.Service, Secret: signintest.Secret},
	} {
		c := newClient(t, &Memory{})
		var browser sync.WaitGroup
		got, err := c.Authorize(t.Context(), &Login{Origin: "https://a.example", Step: Step{Kind: kind, Scheme: scheme}, Settings: settings, Show: func(p Page) {
			if p.Code != "" {
				if err := s.Agree(t.Context(), p.Code); err != nil {
					t.Error(err)
				}
				return
			}
			if !strings.HasPrefix(p.Back, "http://127.0.0.1:") || "http://"+p.Host != s.Issuer {
				t.Errorf("got %+v, want where the page is and where the browser comes back", p)
			}
			browser.Go(func() {
				if _, _, err := s.Browse(t.Context(), p.URL); err != nil {
					t.Error(err)
				}
			})
		}})
		browser.Wait() // for its last page
		if err != nil || got.Identity.Origin != "https://a.example" || got.Identity.Scheme != "corp" || got.Unkept != "" {
			t.Errorf("%s: got %+v, %v", kind, got, err)
		}
		if list, err := c.Identities(); err != nil || len(list) != 1 {
			t.Errorf("%s: got %+v, %v, want one identity", kind, list, err)
		}
	}
	if _, err := newClient(t, &Memory{}).Authorize(t.Context(), &Login{Step: Step{Kind: ClientSecret, Scheme: scheme}}); err == nil || !strings.Contains(err.Error(), "--client-id") {
		t.Errorf("got %v without an id, want the name of the setting", err)
	}
}

// Where the keyring does not answer, the workbench knows an identity until it ends, and says why. It
// can be used, renewed and ended like others, and stands in no file.
func TestAnIdentityThatCannotBeKeptIsBrief(t *testing.T) {
	keyring.MockInitWithError(errors.New("locked"))
	defer keyring.MockInit()
	s := signintest.Start(t)
	c := newClient(t, Keyring{})
	step := Step{Kind: ClientSecret, Scheme: a2a.SecurityScheme{Type: "openIdConnect", OpenIDConnectURL: s.Issuer}}
	attempt := &Login{Origin: "https://a.example", Step: step, Settings: Settings{ClientID: signintest.Service, Secret: signintest.Secret}}
	if _, err := c.Authorize(t.Context(), attempt); err == nil || !strings.Contains(err.Error(), "token-store") {
		t.Errorf("got %v, want that a command cannot keep it", err)
	}
	c.Brief = true
	got, err := c.Authorize(t.Context(), attempt)
	if err != nil || !strings.Contains(got.Unkept, "unlock it") || !c.Temporary(got.Identity) {
		t.Fatalf("got %+v, %v, want why it ends with the program", got, err)
	}
	first, err := c.Keeper.Token(t.Context(), got.Identity, "")
	if err != nil || first == "" {
		t.Fatalf("got %v, want the token", err)
	}
	if _, err := c.Renew(t.Context(), got.Identity); err != nil {
		t.Errorf("got %v, want it renewed", err)
	}
	if again, err := c.Keeper.Token(t.Context(), got.Identity, ""); err != nil || again == first {
		t.Errorf("got %v and the same token: %v, want another one", err, again == first)
	}
	if other := NewKeeper(c.Keeper.index, Keyring{}, nil, time.Now); len(must(t, other.List)) != 0 {
		t.Error("got an identity in the file, want none")
	}
	if _, err := c.SignOut(t.Context(), got.Identity); err != nil || len(must(t, c.Identities)) != 0 {
		t.Errorf("got %v, want it forgotten", err)
	}
	keyring.MockInit() // it is unlocked: the next one is kept
	got, err = c.Authorize(t.Context(), attempt)
	if err != nil || got.Unkept != "" || c.Temporary(got.Identity) {
		t.Errorf("got %+v, %v, want it kept", got, err)
	}
}

func must(t *testing.T, list func() ([]Identity, error)) []Identity {
	t.Helper()
	all, err := list()
	if err != nil {
		t.Error(err)
	}
	return all
}

// A keyring that waits for somebody to unlock it holds nobody up.
func TestAKeyringThatNeverAnswersIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan struct{})
		_, err := within(time.Second, func() (string, error) { <-never; return "late", nil })
		if err == nil || !strings.Contains(err.Error(), "unlock") {
			t.Errorf("got %v, want that it waits", err)
		}
		close(never)
	})
}

// While the authorization server is down, a token is used to its end; then one sentence says so.
func TestATokenIsUsedToItsEndWhileItsServerIsDown(t *testing.T) {
	clock := &clock{time.Now()}
	k, i, s := signedIn(t, &Memory{}, clock)
	first, _ := k.Token(t.Context(), i, "")
	s.Instead(mustPath(t, i.Server.TokenURL), func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	clock.at = i.Expires.Add(-early / 2)
	if got, err := k.Token(t.Context(), i, ""); err != nil || got != first {
		t.Errorf("got %v before its end, want the token", err)
	}
	if _, err := k.Token(t.Context(), i, first); err == nil {
		t.Error("got no error after a refusal, want that there is no other one")
	}
	clock.at = i.Expires.Add(time.Second)
	if _, err := k.Token(t.Context(), i, ""); err == nil || !strings.Contains(err.Error(), "could not be renewed") {
		t.Errorf("got %v after its end, want that it could not be renewed", err)
	}
}

// A clock that is off by an hour, or a server that lies about the time, costs a renewal at most.
func TestClocksAndServersMayBeWrong(t *testing.T) {
	for name, skew := range map[string]time.Duration{"an hour ahead": time.Hour, "an hour behind": -time.Hour, "a day ahead": 24 * time.Hour} {
		clock := &clock{time.Now().Add(skew)}
		k, i, s := signedIn(t, &Memory{}, clock)
		before := len(s.Requests())
		token, err := k.Token(t.Context(), i, "")
		if err != nil || token == "" {
			t.Fatalf("%s: got %v", name, err)
		}
		if n := len(s.Requests()) - before; n != 0 {
			t.Errorf("%s: got %d requests for a token that has just come, want none", name, n)
		}
		again, err := k.Token(t.Context(), i, token)
		if err != nil || again == token {
			t.Errorf("%s: got %v, want another token after a refusal", name, err)
		}
		clock.at = clock.at.Add(time.Minute)
		if _, err := k.Token(t.Context(), i, ""); err != nil {
			t.Errorf("%s: got %v a minute later", name, err)
		}
	}
}

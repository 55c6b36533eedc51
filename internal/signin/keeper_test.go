package signin

import (
	"encoding/base64"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zalando/go-keyring"
	"golang.org/x/oauth2"

	"parley/internal/signin/signintest"
)

// clock is a time that tests move.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// signedIn returns a keeper with an identity whose token can be renewed.
func signedIn(t *testing.T, vault Vault, c *clock) (*Keeper, Identity, *signintest.Server) {
	t.Helper()
	s := signintest.Start(t)
	r := prepare(t, s, signintest.Public, "", "openid", "offline_access")
	var browser sync.WaitGroup
	token, err := Code(t.Context(), r, func(address, _ string) {
		browser.Go(func() {
			if _, _, err := s.Browse(t.Context(), address); err != nil {
				t.Error(err)
			}
		})
	}, nil)
	browser.Wait() // for its last page
	if err != nil {
		t.Fatal(err)
	}
	k := NewKeeper(filepath.Join(t.TempDir(), "identities.json"), vault, r.HTTP, c.now)
	i, err := k.KeepToken(Identity{Origin: "https://agent.example", Kind: AuthorizationCode, Scheme: "corp", Server: r.Server, ClientID: r.ClientID, Scopes: r.Scopes}, token, "")
	if err != nil {
		t.Fatal(err)
	}
	return k, i, s
}

func TestATokenIsRenewedBeforeItExpiresAndOnce(t *testing.T) {
	c := &clock{time.Now()}
	k, i, s := signedIn(t, &Memory{}, c)
	first, err := k.Token(t.Context(), i, "")
	if err != nil || first == "" {
		t.Fatalf("got %q, %v, want a token", first, err)
	}
	if i.User == "" || i.Expires.IsZero() || !i.Renews {
		t.Errorf("got %+v, want who the user is and until when", i)
	}
	before := len(s.Requests())
	if again, _ := k.Token(t.Context(), i, ""); again != first || len(s.Requests()) != before {
		t.Errorf("got another token with %d requests, want none", len(s.Requests())-before)
	}
	c.at = i.Expires.Add(-early / 2)
	var all [8]string
	var work sync.WaitGroup
	for n := range all {
		work.Go(func() { all[n], _ = k.Token(t.Context(), i, "") })
	}
	work.Wait()
	if got := slices.Compact(all[:]); len(got) != 1 || got[0] == first || got[0] == "" {
		t.Errorf("got %d tokens, want one new one for all", len(got))
	}
	if n := slices.DeleteFunc(s.Requests()[before:], func(r string) bool { return !strings.Contains(r, "token") }); len(n) != 1 {
		t.Errorf("got requests %q, want one renewal", n)
	}
}

func TestARefusedTokenIsRenewedAndAnEndedSignInSaysSo(t *testing.T) {
	c := &clock{time.Now()}
	k, i, s := signedIn(t, &Memory{}, c)
	first, _ := k.Token(t.Context(), i, "")
	second, err := k.Token(t.Context(), i, first)
	if err != nil || second == first {
		t.Fatalf("got %v and the same token: %v, want another one", err, second == first)
	}
	if third, err := k.Token(t.Context(), i, first); err != nil || third != second {
		t.Errorf("got %v, want the newer token for the older one", err)
	}
	s.Instead(mustPath(t, i.Server.TokenURL), func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(400)
		_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
	})
	if _, err := k.Token(t.Context(), i, second); err == nil || !strings.Contains(err.Error(), "parley auth login https://agent.example") {
		t.Errorf("got %v, want the command to sign in again", err)
	}
	s.Instead(mustPath(t, i.Server.TokenURL), func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	if _, err := k.Token(t.Context(), i, second); err == nil || !strings.Contains(err.Error(), "could not be renewed") || strings.Contains(err.Error(), second) {
		t.Errorf("got %v, want that the server is down", err)
	}
}

func TestSigningOutForgetsAndRevokes(t *testing.T) {
	c := &clock{time.Now()}
	vault := &Memory{}
	k, i, s := signedIn(t, vault, c)
	told, err := k.SignOut(t.Context(), i)
	if err != nil || !told {
		t.Errorf("got %v, %v, want that the server was told", told, err)
	}
	if left, _ := k.List(); len(left) != 0 || len(vault.all) != 0 {
		t.Errorf("got %+v and %d secrets, want none", left, len(vault.all))
	}
	if !slices.ContainsFunc(s.Requests(), func(r string) bool { return strings.Contains(r, "revo") }) {
		t.Errorf("got requests %q, want a revocation", s.Requests())
	}
	if _, err := k.Token(t.Context(), i, ""); err == nil || !strings.Contains(err.Error(), "signed out") {
		t.Errorf("got %v, want that the user is signed out", err)
	}
}

func TestVaultsKeepSecretsApartFromTheIndex(t *testing.T) {
	dir := t.TempDir()
	keyring.MockInit()
	for _, v := range []Vault{&Memory{}, File{filepath.Join(dir, "deep", "tokens.json")}, Keyring{}} {
		index := filepath.Join(t.TempDir(), "identities.json")
		k := NewKeeper(index, v, nil, time.Now)
		i := Identity{Origin: "https://a.example", Kind: Basic, User: "ann"}
		if err := k.Keep(i, Secrets{Value: "the-passw0rd"}); err != nil {
			t.Fatalf("%s: %v", v.Place(), err)
		}
		if err := k.Keep(Identity{Origin: "https://a.example", Kind: Key, Name: "X-Key", In: "header"}, Secrets{Value: "the-k3y"}); err != nil {
			t.Fatalf("%s: %v", v.Place(), err)
		}
		of, err := k.Of("https://a.example")
		if err != nil || len(of) != 2 {
			t.Fatalf("%s: got %+v, %v, want both", v.Place(), of, err)
		}
		if s, err := k.Secrets(i); err != nil || s.Value != "the-passw0rd" {
			t.Errorf("%s: got %+v, %v", v.Place(), s, err)
		}
		if text, _ := os.ReadFile(index); strings.Contains(string(text), "passw0rd") || strings.Contains(string(text), "k3y") {
			t.Errorf("%s: got the secret in the index", v.Place())
		}
		if _, err := v.Get("nobody"); !errors.Is(err, ErrNone) {
			t.Errorf("%s: got %v for an unknown name", v.Place(), err)
		}
		if info, err := os.Stat(index); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: got mode %v, want that others cannot read the index", v.Place(), info.Mode())
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "deep", "tokens.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, want that others cannot read the tokens", info.Mode())
	}
}

func TestAKeyringThatIsLockedIsOneSentence(t *testing.T) {
	keyring.MockInitWithError(errors.New("locked\x1b[2J by\nsomebody"))
	k := NewKeeper("", Keyring{}, nil, time.Now)
	err := k.Keep(Identity{Origin: "https://a.example", Kind: Bearer}, Secrets{Value: "t0ken"})
	if err == nil || !strings.Contains(err.Error(), "token-store") || strings.ContainsAny(err.Error(), "\x1b\n") || strings.Contains(err.Error(), "t0ken") {
		t.Errorf("got %v, want what to do", err)
	}
	if (Keyring{}).Available() {
		t.Error("got a keyring that is available")
	}
}

func TestDamagedFilesAreNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "identities.json")
	for _, text := range []string{"{", "[]", "null", `{"a":7}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		k := NewKeeper(path, &Memory{}, nil, time.Now)
		if _, err := k.List(); err == nil || !strings.Contains(err.Error(), "is damaged") {
			t.Errorf("%s: got %v, want that the file is damaged", text, err)
		}
		if err := k.Keep(Identity{Origin: "https://a.example"}, Secrets{}); err == nil {
			t.Errorf("%s: got no error, want that the file is not overwritten", text)
		}
	}
}

func TestWhatATokenSaysIsShownAndDoubted(t *testing.T) {
	jwt := func(payload string) string {
		return "e30." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + ".sig"
	}
	now := time.Unix(1_000_000, 0)
	for name, c := range map[string]struct {
		token  string
		scopes []string
		user   string
		doubts []string
	}{
		"opaque":           {"abc", []string{"read"}, "", nil},
		"right":            {jwt(`{"sub":"u1","email":"ann@b.example","aud":"https://a.example/rpc","exp":1000060}`), nil, "ann@b.example", nil},
		"another audience": {jwt(`{"sub":"u1","aud":["https://other.example"]}`), nil, "u1", []string{"The token is for https://other.example, and not for https://a.example"}},
		"a name":           {jwt(`{"aud":"agents"}`), nil, "", nil},
		"an hour ago":      {jwt(`{"exp":996400}`), nil, "", []string{"The token expired 1h0m0s ago."}},
		"scopes":           {"abc", []string{"write"}, "", []string{"The token lacks what the card requires: write."}},
		"hostile":          {jwt(`{"sub":"\u001b[2J","aud":{"a":1},"exp":1e300}`), nil, "[2J", nil},
		"no JSON":          {"a.b.c", nil, "", nil},
	} {
		i := Identity{Origin: "https://a.example", Scopes: []string{"read"}}
		i.take(&oauth2.Token{AccessToken: c.token}, now)
		doubts := i.Doubts(c.scopes, now)
		if i.User != c.user || len(doubts) != len(c.doubts) {
			t.Errorf("%s: got %q and %q, want %q and %q", name, i.User, doubts, c.user, c.doubts)
			continue
		}
		for n, d := range doubts {
			if !strings.HasPrefix(d, c.doubts[n]) {
				t.Errorf("%s: got %q, want %q", name, d, c.doubts[n])
			}
		}
	}
}

// FuzzClaims checks that no token costs much, or brings what controls a terminal.
func FuzzClaims(f *testing.F) {
	f.Add("e30.e30.e30")
	f.Add("a.eyJhdWQiOlsiYSIsMV19.b")
	f.Fuzz(func(t *testing.T, token string) {
		i := Identity{Origin: "https://a.example"}
		i.take(&oauth2.Token{AccessToken: token}, time.Unix(0, 0))
		if strings.ContainsAny(i.User+strings.Join(i.Audience, ""), "\x1b\n\r\x00") {
			t.Errorf("got %+v", i)
		}
	})
}

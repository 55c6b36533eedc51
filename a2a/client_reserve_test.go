package a2a_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"parley/a2a"
)

const basicOfMine = "Basic dXNlcjpzM2NyZXQ="

// The server of a card gets the credentials that its answer asks for, and the headers that the user
// named, but nothing that it has not asked for.
func TestTheServerOfACardGetsOnlyTheCredentialsThatItAsksFor(t *testing.T) {
	t.Parallel()
	declares := func(scheme string) *a2a.Card {
		return &a2a.Card{SecuritySchemes: []a2a.SecurityScheme{{Key: "s", Type: "http", Scheme: scheme}}}
	}
	for name, c := range map[string]struct {
		status    int
		challenge string
		known     *a2a.Card
		basic     bool   // a user and a password are set, besides the bearer token
		want      string // what Authorization has in each request
		found     bool
	}{
		"a public card":                {want: "-", found: true},
		"a challenge":                  {status: 401, challenge: `Bearer realm="x"`, want: "-, bearer", found: true},
		"a second challenge":           {status: 401, challenge: `Negotiate, bearer`, want: "-, bearer", found: true},
		"no challenge":                 {status: 401, want: "-, bearer", found: true},
		"forbidden":                    {status: 403, want: "-, bearer", found: true},
		"another scheme":               {status: 401, challenge: `Digest realm="x", nonce="y"`, want: "-"},
		"basic":                        {status: 401, challenge: `Basic realm="x"`, basic: true, want: "-, basic", found: true},
		"no basic":                     {status: 401, challenge: `Basic realm="x"`, want: "-"},
		"an earlier card declares it":  {known: declares("bearer"), status: 401, want: "bearer", found: true},
		"an earlier card excludes it":  {known: declares("digest"), status: 401, challenge: "Bearer", want: "-"},
		"an earlier card has no words": {known: &a2a.Card{}, want: "-", found: true},
		"not found":                    {status: 404, want: "-, -, -, -"},
	} {
		t.Run(name, func(t *testing.T) {
			var sent []string
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "agent.json") || r.URL.Path == "/" { // other places of the card
					http.NotFound(w, r)
					return
				}
				if r.Header.Get("X-Named") != "n" || strings.Contains(fmt.Sprint(r.Header, r.URL), apiKey) {
					t.Errorf("got %v, want X-Named and no API key, which no card has placed", r.Header)
				}
				got := map[string]string{"": "-", "Bearer " + bearer: "bearer", basicOfMine: "basic"}[r.Header.Get("Authorization")]
				sent = append(sent, got)
				if c.status != 0 && got == "-" {
					if c.challenge != "" {
						w.Header().Set("WWW-Authenticate", c.challenge)
					}
					w.WriteHeader(c.status)
					return
				}
				_, _ = io.WriteString(w, cardOfOne)
			}).URL
			d, tp := discover(t, url+newCard, func(o *a2a.Options) {
				o.Bearer, o.APIKey, o.Card = bearer, apiKey, c.known
				o.Headers = []a2a.HeaderPair{{Name: "X-Named", Value: "n"}}
				if c.basic {
					o.Bearer, o.Headers = "", append(o.Headers, a2a.HeaderPair{Name: "Authorization", Value: basicOfMine})
				}
			})
			if got := strings.Join(sent, ", "); got != c.want || (d.Card != nil) != c.found {
				t.Errorf("got %s and %+v, want %s, found: %v", got, d, c.want, c.found)
			}
			if len(d.Attempts) == 0 || c.found && len(d.Attempts) != 1 {
				t.Errorf("got %+v, want one attempt", d.Attempts)
			}
			if c.challenge != "" && !c.found && c.known == nil {
				sentence(t, d.Sentence, "401", "the bearer token is not sent, because the answer asks for another scheme")
			}
			if c.status == 404 {
				sentence(t, d.Sentence, "There is no agent card", "Credentials were not sent, because no answer asked for them")
			}
			checkNoSecrets(t, tp, bearer, "s3cret")
		})
	}
}

// An API key of a sign-in is a header that nobody has named: it waits until it is asked for, too.
func TestAnAPIKeyOfASignInIsKeptBack(t *testing.T) {
	t.Parallel()
	asks, sent := false, []string{}
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Header.Get("X-Key"))
		if asks && r.Header.Get("X-Key") == "" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, cardOfOne)
	}).URL
	withKey := func(card *a2a.Card) func(*a2a.Options) {
		return func(o *a2a.Options) {
			o.Card, o.Headers = card, []a2a.HeaderPair{{Name: "X-Key", Value: apiKey, Reserved: true}}
		}
	}
	discover(t, url, withKey(nil))
	asks = true
	if d, _ := discover(t, url, withKey(nil)); d.Card == nil {
		t.Errorf("got %+v, want the card after the key", d)
	}
	discover(t, url, withKey(&a2a.Card{SecuritySchemes: []a2a.SecurityScheme{{Key: "k", Type: "apiKey", In: "header", Name: "X-Key"}}}))
	if got, want := strings.Join(sent, ","), ",,"+apiKey+","+apiKey; got != want {
		t.Errorf("got keys %q, want %q", got, want)
	}
}

// A server that asked once is not asked twice at the next discovery.
func TestAServerThatAskedForCredentialsGetsThemAtOnce(t *testing.T) {
	t.Parallel()
	requests := 0
	ask := asking("Bearer "+bearer, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, cardOfOne) })
	url := serve(t, func(w http.ResponseWriter, r *http.Request) { requests++; ask(w, r) }).URL
	withToken := func(o *a2a.Options) { o.Bearer = bearer }
	first, _ := discover(t, url, withToken)
	for range 2 {
		first, _ = discover(t, url, func(o *a2a.Options) { withToken(o); o.Previous = &first })
	}
	if first.Card == nil || requests != 4 {
		t.Errorf("got %d requests and %+v, want two for the first discovery, and one for each later one", requests, first)
	}
}

// The extended card is requested with schemes that the public card declares, and no others.
func TestTheExtendedCardGetsCredentialsOfTheCardAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		card *a2a.Card
		want string
	}{
		{nil, ""}, {&a2a.Card{}, ""},
		{&a2a.Card{SecuritySchemes: []a2a.SecurityScheme{{Key: "d", Type: "http", Scheme: "Digest"}}}, ""},
		{&a2a.Card{SecuritySchemes: []a2a.SecurityScheme{{Key: "o", Type: "oauth2"}}}, "Bearer " + bearer},
	} {
		var got http.Header
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			got = r.Header
			w.WriteHeader(http.StatusUnauthorized)
		}).URL
		o := options(newTape(), url)
		o.Bearer, o.Headers = bearer, []a2a.HeaderPair{{Name: "X-Named", Value: "n"}}
		client := a2a.NewClient(profile(a2a.V10, url), c.card, o)
		out := client.Do(t.Context(), request(a2a.OpExtendedCard), a2a.Hooks{})
		client.Close()
		if got.Get("Authorization") != c.want || got.Get("X-Named") != "n" {
			t.Errorf("got %v, want Authorization %q", got, c.want)
		}
		if c.want == "" && (c.card == nil || len(c.card.SecuritySchemes) == 0) {
			sentence(t, out.End.Sentence, "the public card declares no scheme for it")
		}
	}
}

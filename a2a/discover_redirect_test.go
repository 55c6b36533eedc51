package a2a_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parley/a2a"
)

// A card that redirects to another origin is not followed unasked: that could be any address that this
// machine reaches. The other name of a site, and the same host over TLS, are where users mean to be.
func TestACardIsNotFollowedToAnotherOrigin(t *testing.T) {
	t.Parallel()
	other, asked := stranger(t)
	for location, says := range map[string]string{
		other + "/card.json":                        "or add --allow-origin " + other + ".",
		"//" + strings.TrimPrefix(other, "http://"): "or add --allow-origin " + other + ".",
		"http://169.254.169.254/latest/meta-data":   "http://169.254.169.254/latest/meta-data, which is another origin; nothing was sent there. If the agent has moved there, open that address.",
		"https://login.example/sso":                 "or add --allow-origin https://login.example.",
	} {
		s := &site{pages: map[string]string{}}
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "agent-card.json") {
				http.Redirect(w, r, location, http.StatusFound)
				return
			}
			s.ServeHTTP(w, r)
		}).URL
		d, tp := discover(t, url, nil)
		if d.Card != nil || d.Class != a2a.ClassRedirect || len(d.Attempts) < 2 {
			t.Errorf("%s: got discovery %+v, want none of class %q after every place", location, d, a2a.ClassRedirect)
		}
		sentence(t, d.Sentence, url+"/.well-known/agent-card.json answered 302", says)
		for _, r := range tp.of(a2a.KindRequest) {
			if a2a.Origin(r.Head.URL) != url {
				t.Errorf("%s: got a request to %s, want none elsewhere", location, r.Head.URL)
			}
		}
		// Another place of the same origin may have the card all the same.
		s.pages["/.well-known/agent.json"] = cardOfOne
		if d, _ = discover(t, url, nil); d.Card == nil || d.Sentence != "" {
			t.Errorf("%s: got discovery %+v, want the card at the next place", location, d)
		}
	}
	if asked.Load() != 0 {
		t.Errorf("got %d requests at the other origin, want none", asked.Load())
	}
}

// Where a card is followed: within its origin, to the same host over TLS, and from one name of a site to
// the other. The card then comes from there, which is what the warnings compare with.
func TestACardIsFollowedWithinItsSite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ ref, to string }{
		{"http://agent.test", "https://agent.test/card.json"},
		{"http://agent.test", "http://www.agent.test/card.json"},
		{"http://www.agent.test", "http://agent.test/card.json"},
		{"http://www.agent.test", "https://agent.test/card.json"},
		{"https://www.agent.test", "https://agent.test/card.json"},
		{"https://agent.test", "https://WWW.agent.test/card.json"},
	} {
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/card.json" {
				_, _ = io.WriteString(w, cardOfOne)
				return
			}
			w.Header().Set("Location", c.to)
			w.WriteHeader(http.StatusPermanentRedirect)
		})
		secure := httptest.NewTLSServer(h)
		d, _ := discover(t, c.ref, func(o *a2a.Options) { o.Dial, o.Servers.Insecure = pairOf(serve(t, h), secure), true })
		secure.Close()
		if d.Card == nil || !strings.EqualFold(d.Card.SourceURL, c.to) || d.CardOrigin != a2a.Origin(c.to) || d.Origin != c.ref {
			t.Errorf("%s: got discovery %+v, want the card of %s", c.ref, d, c.to)
		}
	}
	for ref, to := range map[string]string{
		"https://agent.test": "http://www.agent.test/card.json", "https://a.agent.test": "https://agent.test/card.json", "http://agent.test:8080": "https://agent.test:8081/card.json",
		"https://www.agent.test": "https://agent.test.evil.test/card.json", "https://www.test": "https://testing/card.json",
	} {
		reached := 0
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/card.json" {
				reached++
			}
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusPermanentRedirect)
		})
		secure := httptest.NewTLSServer(h)
		if d, _ := discover(t, ref, func(o *a2a.Options) { o.Dial, o.Servers.Insecure = pairOf(serve(t, h), secure), true }); d.Card != nil || reached > 0 {
			t.Errorf("%s to %s: got %d requests and discovery %+v, want it not followed", ref, to, reached, d)
		}
		secure.Close()
	}
}

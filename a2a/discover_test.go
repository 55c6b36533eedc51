package a2a_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/a2a"
)

const (
	newCard   = "/.well-known/agent-card.json"
	oldCard   = "/.well-known/agent.json"
	notFound  = "404 page not found"
	cardOfOne = `{"name":"Desk","description":"d","version":"1","supportedInterfaces":[{"url":"rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],` +
		`"capabilities":{"streaming":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[]}`
)

// A site is a server that maps paths to bodies; all other paths are not found.
type site struct {
	pages map[string]string
	mu    sync.Mutex
	asked []string
	heads []http.Header
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, r.URL.String())
	s.heads = append(s.heads, r.Header)
	s.mu.Unlock()
	body, ok := s.pages[r.URL.Path]
	if !ok {
		http.Error(w, notFound, http.StatusNotFound)
		return
	}
	_, _ = io.WriteString(w, body)
}

// asking demands a value of Authorization before it lets a request through.
func asking(want string, next http.HandlerFunc) http.HandlerFunc {
	scheme, _, _ := strings.Cut(want, " ")
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != want {
			w.Header().Set("WWW-Authenticate", scheme+` realm="desk"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		next(w, r)
	}
}

func discover(t *testing.T, ref string, change func(*a2a.Options)) (a2a.Discovery, *tape) {
	t.Helper()
	tp := newTape()
	o := a2a.Options{Trace: tp.trace()}
	if change != nil {
		change(&o)
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	d := a2a.Discover(ctx, ref, &a2a.Call{Agent: 7}, o, a2a.Hooks{})
	tp.check(t)
	if d.Card != nil && (d.Sentence != "" || d.Class != "") || d.Card == nil && (d.Sentence == "" || d.Class == "") {
		t.Errorf("got card %v with class %q and sentence %q, want either a card or both", d.Card != nil, d.Class, d.Sentence)
	}
	return d, tp
}

func TestDiscoverFindsCards(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, ref string // appended to the server's URL
		pages     map[string]string
		attempts  []string
		warns     bool
	}{
		{"base URL", "", map[string]string{newCard: cardOfOne}, []string{newCard}, false},
		{"base URL with a slash", "/", map[string]string{newCard: cardOfOne}, []string{newCard}, false},
		{"old name", "", map[string]string{oldCard: cardOfOne}, []string{newCard, oldCard}, false},
		{"full URL", "/x/my-card.json", map[string]string{"/x/my-card.json": cardOfOne}, []string{"/x/my-card.json"}, false},
		{"full well-known URL", newCard, map[string]string{newCard: cardOfOne}, []string{newCard}, false},
		{"new name asked, old name there", newCard, map[string]string{oldCard: cardOfOne}, []string{newCard, oldCard}, false},
		{"below a path", "/agents/desk", map[string]string{"/agents/desk" + newCard: cardOfOne}, []string{"/agents/desk" + newCard}, false},
		{"at the root instead", "/rpc", map[string]string{oldCard: cardOfOne},
			[]string{"/rpc" + newCard, "/rpc" + oldCard, newCard, oldCard}, true},
		{"at the root, which names what was asked for", "/.well-known/rpc/", map[string]string{newCard: cardOfOne},
			[]string{"/.well-known/rpc" + newCard, "/.well-known/rpc" + oldCard, newCard}, false},
		{"query is kept", "/?assistant_id=3", map[string]string{newCard: cardOfOne}, []string{newCard + "?assistant_id=3"}, false},
		{"v1/card", "", map[string]string{"/v1/card": cardOfOne}, []string{newCard, oldCard, "/v1/card"}, false},
		{"the URL itself", "/desk", map[string]string{"/desk": cardOfOne},
			[]string{"/desk" + newCard, "/desk" + oldCard, newCard, oldCard, "/desk/v1/card", "/desk/extendedAgentCard", "/desk/api/v1/agentCards", "/desk"}, false},
		{"HTML with 200 is no card", "", map[string]string{newCard: "<!doctype html><title>App</title>", oldCard: cardOfOne}, []string{newCard, oldCard}, false},
		{"JSON that is no card", "", map[string]string{newCard: `{"hello":1}`, oldCard: cardOfOne}, []string{newCard, oldCard}, false},
		{"a registry", "", map[string]string{newCard: "[" + cardOfOne + "," + strings.Replace(cardOfOne, "Desk", "Clerk", 1) + "]"}, []string{newCard}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &site{pages: tt.pages}
			url := serve(t, s.ServeHTTP).URL
			d, tp := discover(t, url+tt.ref, nil)
			if d.Card == nil || d.Card.Name != "Desk" || d.Origin != url {
				t.Fatalf("got discovery %+v, want the card Desk from %s", d, url)
			}
			if got := strings.Join(s.asked, " "); got != strings.Join(tt.attempts, " ") {
				t.Errorf("server got requests %s,\nwant %s", got, tt.attempts)
			}
			for i, h := range s.heads {
				if h.Get("A2A-Version") != "1.0" || h.Get("Accept") != "application/json" {
					t.Errorf("request %d: got headers %v, want A2A-Version 1.0 and Accept application/json", i, h)
				}
			}
			if len(d.Attempts) != len(tt.attempts) {
				t.Fatalf("got %d attempts, want %d", len(d.Attempts), len(tt.attempts))
			}
			for i, a := range d.Attempts {
				last := i == len(d.Attempts)-1
				if a.URL != masked(url+tt.attempts[i]) || (a.Sentence == "") != last || (a.Class == "") != last || a.Status == 0 {
					t.Errorf("got attempt %d %+v, want %s with a sentence unless last", i, a, tt.attempts[i])
				}
				if r := tp.records[a.Record-1]; r.Kind != a2a.KindRequest || r.Head.URL != a.URL || r.Call.Agent != 7 || r.Call.Op != a2a.OpCard {
					t.Errorf("attempt %d: got record %+v, want its request", i, r)
				}
			}
			if r := tp.records[d.Record-1]; r.Kind != a2a.KindBody || string(r.Raw) != tt.pages[strings.Split(tt.attempts[len(tt.attempts)-1], "?")[0]] {
				t.Errorf("got card record %d: %+v, want the last body", d.Record, r)
			}
			if warned := strings.Contains(strings.Join(d.Profile.Warnings, " "), "not below the given address"); len(d.Warnings) > 0 != warned || warned != tt.warns {
				t.Errorf("got warnings %q, want one: %v", d.Profile.Warnings, tt.warns)
			}
			want := masked(url + tt.attempts[len(tt.attempts)-1])
			if d.Card.SourceURL != want {
				t.Errorf("got source %s, want %s", d.Card.SourceURL, want)
			}
			if n := strings.Count(tt.pages[newCard], `"name"`); n > 1 && len(d.Cards) != n {
				t.Errorf("got %d cards, want %d", len(d.Cards), n)
			}
		})
	}
}

func TestDiscoverSaysWhyThereIsNoCard(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		h     http.HandlerFunc
		class string
		says  []string
		tries int
	}{
		{"nothing there", answer(404, "text/plain", notFound), a2a.ClassNoCard, []string{"no agent card", "6 addresses", "404 Not Found"}, 6},
		{"a web site", answer(200, "text/html", "<html><title>Shop</title></html>"), a2a.ClassNoCard, []string{"no agent card", "6 addresses"}, 6},
		{"not JSON", answer(200, "application/json", `{"name": "Desk",`), a2a.ClassBadCard, []string{"not valid JSON"}, 6},
		{"JSON but no card", answer(200, "application/json", `{"hello":1}`), a2a.ClassBadCard, []string{"not an agent card"}, 6},
		{"a refusal", answer(400, "application/json", `{"error":"Missing required query parameter: api-version"}`), a2a.ClassNoCard,
			[]string{"There is no agent card: http://", newCard + " refused the request (400 Bad Request: “Missing required query parameter: api-version”): check the address."}, 6},
		{"text", answer(200, "text/plain", "INVALID_USER_KEY"), a2a.ClassBadCard, []string{newCard + " answered 200 OK with “INVALID_USER_KEY”, which is no agent card"}, 6},
		{"JSON that says why", answer(200, "application/json", `{"detail":"Log in first"}`), a2a.ClassBadCard, []string{newCard + " answered 200 OK with “Log in first”. This JSON is not an agent card"}, 6},
		{"a failure at the card's path alone", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == newCard {
				http.Error(w, "card provider crashed", 500)
				return
			}
			answer(200, "application/json", `{"status":"up"}`)(w, r)
		}, a2a.ClassBadCard, []string{oldCard + " answered 200 OK with"}, 6},
		{"a failure before a page for browsers", func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case newCard:
				http.Error(w, "card provider crashed", 500)
			case "/":
				answer(200, "application/json", `{"status":"up"}`)(w, r)
			default:
				http.NotFound(w, r)
			}
		}, a2a.ClassStatus, []string{newCard + " failed (500 Internal Server Error: “card provider crashed”)"}, 6},
		{"broken server", answer(500, "text/html", "<html><title>Oops</title></html>"), a2a.ClassStatus, []string{"500 Internal Server Error", "Oops"}, 6},
		{"needs credentials", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="desk"`)
			w.WriteHeader(401)
		}, a2a.ClassNoCredentials, []string{"401", `Bearer realm="desk"`}, 1},
		{"forbidden", answer(403, "", ""), a2a.ClassNoCredentials, []string{"403"}, 1},
		{"never answers", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, a2a.ClassTimeout, []string{"within 1s"}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, _ := discover(t, serve(t, tt.h).URL, func(o *a2a.Options) {
				if tt.class == a2a.ClassTimeout {
					o.AnswerTimeout = time.Second
				}
			})
			if d.Card != nil || d.Class != tt.class || len(d.Attempts) != tt.tries {
				t.Fatalf("got class %s with %d attempts %+v, want %s with %d", d.Class, len(d.Attempts), d.Attempts, tt.class, tt.tries)
			}
			sentence(t, d.Sentence, tt.says...)
			for _, a := range d.Attempts {
				if a.Class == "" {
					t.Errorf("got attempt %+v, want one with a class", a)
				}
				sentence(t, a.Sentence)
			}
		})
	}
}

// A server that answers after it closed a connection has not crashed.
func TestDiscoverGuessesNoCrashOfAServerThatAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		closes func(path string) bool
		crash  bool
	}{
		"once":         {func(path string) bool { return path == newCard }, false},
		"at the end":   {func(path string) bool { return path == "/" }, true},
		"at all paths": {func(string) bool { return true }, true},
	} {
		agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if c.closes(r.URL.Path) {
				panic(http.ErrAbortHandler)
			}
			http.NotFound(w, r)
		})
		d, _ := discover(t, agent.URL, nil)
		sentence(t, d.Sentence, ", or something on the way to it, closed the connection without an answer.")
		said := d.Sentence
		for _, a := range d.Attempts {
			said += a.Sentence
		}
		if strings.Contains(said, "crashed") != c.crash || strings.Contains(d.Sentence, "crashed") != c.crash {
			t.Errorf("%s: got %q, want a crash guessed: %v", name, said, c.crash)
		}
	}
}

// A gateway that answers 401 at every path says nothing about the credentials, which are sent to one path only.
func TestDiscoverDoesNotBlameCredentialsForAPath(t *testing.T) {
	t.Parallel()
	const bearer = "bearer-for-a-nested-path-5512"
	asked := 0
	gateway := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("WWW-Authenticate", `Bearer realm="gateway"`)
		w.WriteHeader(http.StatusUnauthorized)
	})
	d, tp := discover(t, gateway.URL, func(o *a2a.Options) { o.Bearer = bearer })
	if d.Class != a2a.ClassAuth || len(d.Attempts) != 1 || asked != 2 {
		t.Errorf("got class %s, %d attempts and %d requests, want %s after one address, without and with the token", d.Class, len(d.Attempts), asked, a2a.ClassAuth)
	}
	sentence(t, d.Sentence, gateway.URL+newCard+" answered 401 Unauthorized", `Bearer realm="gateway"`, "the path may be wrong", "at each address that was asked (1).")
	if strings.Contains(d.Sentence, "expired") || strings.Contains(d.Sentence, "did not accept") {
		t.Errorf("got %q, want no verdict about the token", d.Sentence)
	}
	d, _ = discover(t, gateway.URL, func(o *a2a.Options) { o.Bearer, o.Everywhere = bearer, true })
	sentence(t, d.Sentence, "at each address that was asked (6).")
	checkNoSecrets(t, tp, bearer)
}

func TestDiscoverStopsWhereNobodyIs(t *testing.T) {
	t.Parallel()
	address := closedPort(t)
	d, _ := discover(t, address, nil)
	if d.Class != a2a.ClassRefused || len(d.Attempts) != 1 || d.Origin != "http://"+address {
		t.Errorf("got discovery %+v, want one attempt of class %q", d, a2a.ClassRefused)
	}
	sentence(t, d.Sentence, address)
	d, _ = discover(t, "agent.invalid", func(o *a2a.Options) {
		o.Dial = func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.DNSError{Name: "agent.invalid", IsNotFound: true}
		}
	})
	if d.Class != a2a.ClassDNS || len(d.Attempts) != 1 {
		t.Errorf("got discovery %+v, want one attempt of class %q", d, a2a.ClassDNS)
	}
	d, _ = discover(t, quietTLS(t, nil).URL, nil)
	if d.Class != a2a.ClassTLS || len(d.Attempts) != 1 {
		t.Errorf("got discovery %+v, want one attempt of class %q", d, a2a.ClassTLS)
	}
}

func TestDiscoverRefusesWhatIsNoReference(t *testing.T) {
	t.Parallel()
	for _, ref := range []string{"", "solace:x://y", "https://me:pw@h", "-"} {
		d, tp := discover(t, ref, nil)
		if d.Class != a2a.ClassNoCard || len(tp.records) != 0 || strings.Contains(d.Sentence, "pw@") {
			t.Errorf("%q: got discovery %+v, want class %q without records or password", ref, d, a2a.ClassNoCard)
		}
		sentence(t, d.Sentence)
	}
}

func TestDiscoverReadsFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "my card.json")
	if err := os.WriteFile(name, []byte(cardOfOne), 0o600); err != nil {
		t.Fatal(err)
	}
	url := "file://" + strings.ReplaceAll(filepath.ToSlash(name), " ", "%20")
	for _, ref := range []string{name, url} {
		d, tp := discover(t, ref, nil)
		if d.Card == nil || d.Origin != "" || d.Card.SourceURL != name {
			t.Fatalf("%s: got discovery %+v, want a card from %s", ref, d, name)
		}
		var kinds []string
		for _, r := range tp.records {
			kinds = append(kinds, string(r.Kind)+string(r.Dir))
		}
		if got := strings.Join(kinds, " "); got != "request body end" || string(tp.records[d.Record-1].Raw) != cardOfOne {
			t.Errorf("%s: got records %s, want request, body and end", ref, got)
		}
		if h := tp.records[0].Head; h.Method != "READ" || h.URL != url {
			t.Errorf("got head %+v, want READ %s", h, url)
		}
	}
	d, _ := discover(t, "-", func(o *a2a.Options) { o.Stdin = strings.NewReader(cardOfOne) })
	if d.Card == nil || d.Attempts[0].URL != "stdin" {
		t.Errorf("-: got discovery %+v, want a card from stdin", d)
	}
	for ref, says := range map[string]string{filepath.Join(dir, "no.json"): "There is no file", dir + "/": "cannot be read as a file"} {
		d, _ := discover(t, ref, nil)
		if d.Class != a2a.ClassNoCard || len(d.Attempts) != 1 {
			t.Errorf("%s: got discovery %+v, want one attempt of class %q", ref, d, a2a.ClassNoCard)
		}
		sentence(t, d.Sentence, says)
	}
	if err := os.Truncate(name, 17<<20); err != nil {
		t.Fatal(err)
	}
	d, _ = discover(t, name, nil)
	sentence(t, d.Sentence, "longer than 16 MB")
	if err := os.WriteFile(name, []byte("no card"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, _ = discover(t, name, nil)
	if d.Class != a2a.ClassBadCard {
		t.Errorf("got discovery %+v, want class %q", d, a2a.ClassBadCard)
	}
	sentence(t, d.Sentence)
}

func TestDiscoverFollowsRedirectsOfCards(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := &site{pages: map[string]string{"/moved/card.json": cardOfOne}}
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == newCard {
				http.Redirect(w, r, "/moved/card.json", status)
				return
			}
			s.ServeHTTP(w, r)
		}).URL
		d, _ := discover(t, url, nil)
		if d.Card == nil || d.Card.SourceURL != url+"/moved/card.json" || d.Card.Interfaces[0].URL != url+"/moved/rpc" {
			t.Errorf("status %d: got discovery %+v, want the card from the redirect's goal", status, d)
		}
	}
}

func TestDiscoverKeepsCredentialsAtTheNamedOrigin(t *testing.T) {
	t.Parallel()
	other, asked := stranger(t)
	url := serve(t, asking("Bearer "+bearer, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other+"/card.json", http.StatusFound)
	})).URL
	d, tp := discover(t, strings.TrimPrefix(url, "http://"), func(o *a2a.Options) { o.Bearer = bearer })
	if asked.Load() != 0 || d.Class != a2a.ClassOrigin || len(d.Attempts) != 1 {
		t.Errorf("other origin got %d requests, discovery %+v; want none and class %q", asked.Load(), d, a2a.ClassOrigin)
	}
	sentence(t, d.Sentence, url, other, "--allow-origin "+other)
	checkNoSecrets(t, tp, bearer)
	// A redirect to an allowed origin is followed.
	discover(t, url, func(o *a2a.Options) { o.Bearer, o.AllowOrigins = bearer, []string{other} })
	if asked.Load() == 0 {
		t.Error("allowed origin got no request")
	}
}

func TestDiscoverCanBeCancelled(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) { close(arrived); <-r.Context().Done() }).URL
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	tp := newTape()
	d := a2a.Discover(ctx, url, nil, a2a.Options{Trace: tp.trace()}, a2a.Hooks{})
	tp.check(t)
	if d.Card != nil || len(d.Attempts) != 1 || tp.records[len(tp.records)-1].End.Reason != a2a.Cancelled {
		t.Errorf("got discovery %+v, want one cancelled attempt without a card", d)
	}
}

// masked returns an address as records show it, if it has the first secret of a session.
func masked(address string) string {
	return strings.Replace(a2a.MaskReference(address), a2a.Mask, a2a.Mask+"₁", 1)
}

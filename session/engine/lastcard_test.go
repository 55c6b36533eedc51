package engine

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// A desk serves a card until card is another answer, and answers A2A at every path.
type desk struct {
	*httptest.Server

	mu    sync.Mutex
	card  func(w http.ResponseWriter, r *http.Request)
	posts []string // the path of each POST, with its method and its credentials
}

func newDesk(t *testing.T, card func(w http.ResponseWriter, r *http.Request)) *desk {
	t.Helper()
	s := &desk{card: card}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			s.mu.Lock()
			card := s.card
			s.mu.Unlock()
			card(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		_, method, _ := strings.Cut(string(body), `"method":"`)
		method, _, _ = strings.Cut(method, `"`)
		s.mu.Lock()
		s.posts = append(s.posts, strings.TrimSpace(r.URL.Path+" "+method+" "+r.Header.Get("Authorization")))
		s.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		if method == "SendMessage" {
			jsonAnswer(w, reply10)
			return
		}
		jsonAnswer(w, noSuchTask)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *desk) set(card func(w http.ResponseWriter, r *http.Request)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.card = card
}

func (s *desk) posted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.posts)
}

// cardAnswers answers the request for the first address of a card, and 404 to all others.
func cardAnswers(answer func(w http.ResponseWriter)) func(w http.ResponseWriter, r *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/agent-card.json") {
			answer(w)
			return
		}
		http.NotFound(w, r)
	}
}

// unreadableCards are answers in place of a card, each with what is said of it.
var unreadableCards = []struct {
	name   string
	said   string
	answer func(w http.ResponseWriter)
}{
	{"502", "/.well-known/agent-card.json answered 502 Bad Gateway with a web page titled “Oops: try again later. Soon”", func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(502)
		_, _ = io.WriteString(w, "<html><title>Oops: try again later. Soon</title></html>")
	}},
	{"503 with a pause", "/.well-known/agent-card.json answered 503 Service Unavailable", func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", "2")
		w.WriteHeader(503)
	}},
	{"page", "/.well-known/agent-card.json answered with a web page titled “Sign in”", func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html><title>Sign in</title></html>")
	}},
	{"403", "/.well-known/agent-card.json answered 403 Forbidden with a web page titled “Blocked”", func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(403)
		_, _ = io.WriteString(w, "<html><title>Blocked</title></html>")
	}},
	{"reset", "closed the connection without an answer", func(w http.ResponseWriter) { dropConnection(w) }},
	{"cut", "The connection broke after", func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", "900")
		_, _ = io.WriteString(w, `{"name":"De`)
		_ = http.NewResponseController(w).Flush()
		dropConnection(w)
	}},
	{"torn", "The card is not valid JSON at byte", func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"name":"De`) }},
}

// cardNaming is a parsed card whose endpoint is a URL.
func cardNaming(t *testing.T, source, url string) *a2a.Card {
	t.Helper()
	cards, _, failure := a2a.ParseCard([]byte(oneInterface("1.0", "JSONRPC", url)), source)
	if failure != nil {
		t.Fatal(failure)
	}
	return cards[0]
}

// Where the card cannot be read, the card that was approved in an earlier run names the endpoint: nothing is
// probed, and the user learns which card was used, without advice to send again.
func TestACardOfAnEarlierRunNamesTheEndpoint(t *testing.T) {
	t.Parallel()
	for _, c := range unreadableCards {
		for _, pins := range []a2a.Pins{{}, {Dialect: a2a.V10}} {
			s := newDesk(t, cardAnswers(c.answer))
			d := newHarness(t, func(o *options) {
				o.LastCard = func(ref string, index int) (*a2a.Card, time.Time) {
					if ref != s.URL || index != 0 {
						t.Errorf("LastCard was called with %q, %d; want the reference and 0", ref, index)
					}
					return cardNaming(t, s.URL, s.URL+"/rpc"), time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
				}
				o.Client = func(string) a2a.Options { return a2a.Options{Pins: pins, Bearer: "s3cret"} }
			})
			id := d.openAgent(s.URL)
			p := d.state.Agent(id).Profile
			warnings := strings.Join(p.Warnings, "\n")
			if p.Endpoint != s.URL+"/rpc" || model.OldCard(&p) != "of 4 Mar 2026, 00:00" || !strings.Contains(warnings, c.said) ||
				!strings.Contains(warnings, "so the card cannot be read now; Parley uses the card of 4 Mar 2026, 00:00, which names "+s.URL+"/rpc") {
				t.Errorf("%s: got endpoint %s, old card %q, warnings %q", c.name, p.Endpoint, model.OldCard(&p), warnings)
			}
			for _, advice := range []string{"There is no agent card", "in 2 s", "may have crashed", "check the", "Check the", "ask its author"} {
				if strings.Contains(warnings, advice) {
					t.Errorf("%s: got warnings %q, want them without %q", c.name, warnings, advice)
				}
			}
			if _, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{}); sig.Sentence != "" {
				t.Errorf("%s: got turn end %q, want an answer", c.name, sig.Sentence)
			}
			if got := s.posted(); !slices.Equal(got, []string{"/rpc SendMessage Bearer s3cret"}) {
				t.Errorf("%s: got requests %q, want the message alone, at the endpoint of the card", c.name, got)
			}
			d.finish()
		}
	}
}

// A card that was read earlier in this run names the endpoint, too; the card that comes next replaces it.
func TestACardOfThisRunNamesTheEndpoint(t *testing.T) {
	t.Parallel()
	s := newDesk(t, nil)
	readable := cardAnswers(func(w http.ResponseWriter) { _, _ = io.WriteString(w, oneInterface("1.0", "JSONRPC", s.URL+"/rpc")) })
	s.set(readable)
	d := newHarness(t, nil)
	id := d.openAgent(s.URL)
	reopen := func() a2a.Profile {
		d.Reopen(id)
		d.waitForSignal(log.SignalOpened)
		return d.state.Agent(id).Profile
	}
	s.set(cardAnswers(unreadableCards[0].answer))
	if p := reopen(); p.Endpoint != s.URL+"/rpc" || !strings.Contains(strings.Join(p.Warnings, "\n"), "Parley uses the card that it read before, which names "+s.URL+"/rpc") {
		t.Errorf("got %+v, want the endpoint of the card", p)
	}
	s.set(readable)
	if p := reopen(); p.Endpoint != s.URL+"/rpc" || len(p.Warnings) != 0 {
		t.Errorf("got %+v, want the card without a warning", p)
	}
	if got := s.posted(); len(got) != 0 {
		t.Errorf("got requests %q, want none: nothing has to be probed", got)
	}
	d.finish()
}

// Credentials go where a readable card lets them go, and nowhere else: not to another origin, not to an agent
// that is held, and not to an address of which a part was masked.
func TestACardOfAnEarlierRunAllowsNoMore(t *testing.T) {
	t.Parallel()
	other := newDesk(t, cardAnswers(unreadableCards[0].answer))
	for _, c := range []struct {
		name, endpoint, hold string
		posts                []string
	}{
		{"another origin", "{{other}}/rpc", "", nil},
		{"held", "{{url}}/rpc", "The card of Desk has changed: approve it first.", nil},
		{"masked", "{{url}}/rpc?key=" + a2a.Mask, "", []string{"/ GetTask Bearer s3cret", "/ SendMessage Bearer s3cret"}},
	} {
		s := newDesk(t, cardAnswers(unreadableCards[0].answer))
		d := newHarness(t, func(o *options) {
			o.LastCard = func(string, int) (*a2a.Card, time.Time) {
				return cardNaming(t, s.URL, strings.NewReplacer("{{other}}", other.URL, "{{url}}", s.URL).Replace(c.endpoint)), time.Now()
			}
			o.Hold = func(string, int, *a2a.Card) string { return c.hold }
			o.Client = func(string) a2a.Options { return a2a.Options{Bearer: "s3cret"} }
		})
		id := d.Open(s.URL)
		d.waitForSignal(log.SignalOpened)
		_, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
		if got := s.posted(); !slices.Equal(got, c.posts) || len(other.posted()) != 0 || (sig.Sentence == "") != (c.posts != nil) {
			t.Errorf("%s: got requests %q and %q, turn end %q; want %q", c.name, got, other.posted(), sig.Sentence, c.posts)
		}
		d.finish()
	}
}

// An agent all of whose addresses say that they have no card has none: an old one is not used, and what Parley
// takes for the endpoint is called a guess.
func TestAnOldCardIsNotUsedWhereThereIsNone(t *testing.T) {
	t.Parallel()
	s := newDesk(t, http.NotFound)
	d := newHarness(t, func(o *options) {
		o.LastCard = func(string, int) (*a2a.Card, time.Time) { return cardNaming(t, s.URL, s.URL+"/rpc"), time.Now() }
	})
	p := d.state.Agent(d.openAgent(s.URL)).Profile
	if said := strings.Join(p.Warnings, "\n"); p.Endpoint != s.URL || !strings.Contains(said, "Parley guesses that "+s.URL+" is the endpoint, because probes were answered there, but the agent's capabilities are unknown") {
		t.Errorf("got endpoint %s, warnings %q; want the guess", p.Endpoint, said)
	}
	d.finish()
}

// Probes that a server on the way answers show nothing of the URL. It is named, the user waits, and the next
// probes are sent again.
func TestProbesThatAGatewayAnswersBlameNoURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		pause  string
		want   string
	}{
		{502, "", "Parley also probed the address as an endpoint: all 4 probes were answered with 502 Bad Gateway. The agent may be down or starting behind what answers: wait, then try again."},
		{503, "7", "all 4 probes were answered with 503 Service Unavailable. The agent may be down or starting behind what answers: wait, then try again."},
		{404, "", "Check the URL, or pin a dialect (--dialect) to try it."},
	} {
		var up bool
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if up && r.Method == http.MethodPost {
				jsonAnswer(w, noSuchTask)
				return
			}
			w.Header().Set("Server", "nginx")
			if c.pause != "" {
				w.Header().Set("Retry-After", c.pause)
			}
			if c.status == 404 && r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/agent-card.json") {
				w.WriteHeader(502)
				return
			}
			w.WriteHeader(c.status)
		}))
		d := newHarness(t, nil)
		id := d.Open(s.URL)
		d.waitForSignal(log.SignalOpened)
		if got := d.state.Agent(id).Problem; !strings.Contains(got, c.want) || c.status == 502 && !strings.Contains(got, "Server: nginx") || (c.status != 404) == strings.Contains(got, "Check the URL") {
			t.Errorf("%d: got %q, want %q", c.status, got, c.want)
		}
		if up = true; c.status != 404 {
			d.Reopen(id)
			d.waitForSignal(log.SignalOpened)
			if a := d.state.Agent(id); a.Phase != model.Ready || a.Profile.Dialect != a2a.V10 {
				t.Errorf("%d: got agent %+v, want it recognised once it is reached", c.status, a)
			}
		}
		d.finish()
		s.Close()
	}
}

// dropConnection closes a connection without another byte.
func dropConnection(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

// Where the known card requires credentials, a refusal of the card asks for them.
func TestARefusedCardOfASecuredAgentIsNotReplaced(t *testing.T) {
	t.Parallel()
	s := newDesk(t, cardAnswers(func(w http.ResponseWriter) { w.WriteHeader(403) }))
	secured := cardNaming(t, s.URL, s.URL+"/rpc")
	secured.Security = []a2a.SecurityRequirement{{{Scheme: "bearer"}}}
	d := newHarness(t, func(o *options) {
		o.LastCard = func(string, int) (*a2a.Card, time.Time) { return secured, time.Now() }
	})
	id := d.Open(s.URL)
	d.waitForSignal(log.SignalOpened)
	if p := d.state.Agent(id).Profile; p.Endpoint != "" {
		t.Errorf("got endpoint %s, want none before the user has given credentials", p.Endpoint)
	}
	d.finish()
}

// An address that has answered is not said to be wrong when it answers once that nothing is there.
func TestAnAddressThatHasAnsweredIsNotSaidToBeWrong(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(w http.ResponseWriter){
		"404":  func(w http.ResponseWriter) { w.WriteHeader(404) },
		"405":  func(w http.ResponseWriter) { w.WriteHeader(405) },
		"page": func(w http.ResponseWriter) { _, _ = io.WriteString(w, "<html><title>Sign in</title></html>") },
	} {
		gets := 0
		var url string
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				_, _ = io.WriteString(w, oneInterface("1.0", "JSONRPC", url+"/rpc"))
				return
			}
			if gets++; gets > 1 {
				answer(w)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			jsonAnswer(w, `"result":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}`)
		}))
		t.Cleanup(s.Close)
		url = s.URL
		d := newHarness(t, nil)
		turn := d.Await(d.openAgent(s.URL), "t", 0, nil)
		sig := d.waitForTurnEnd(turn)
		if !strings.Contains(sig.Sentence, "although it has answered in A2A before: something on the way may have") || strings.Contains(sig.Sentence, "check") {
			t.Errorf("%s: got %q, want a sentence that frees the address", name, sig.Sentence)
		}
		d.finish()
	}
}

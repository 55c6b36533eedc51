package engine

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
	"parley/session/card"
	"parley/session/log"
	"parley/session/model"
)

// A club is an agent of 1.0 that shows another card to callers with a token.
type club struct {
	*httptest.Server
	says string // the answer to a request for the extended card, empty for the card itself
	way  string // path of the extended card's endpoint, empty for that of the public card

	mu      sync.Mutex
	members []string      // accepted tokens
	asked   []string      // methods, each with the path of its request
	knock   chan struct{} // if set, receives once per request for the extended card
	door    chan struct{} // which then waits for this
}

func newClub(t *testing.T, members ...string) *club {
	t.Helper()
	c := &club{members: members}
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	return c
}

func (c *club) card(name, path, skills string) string {
	return fmt.Sprintf(`{"name":%q,"version":"1","supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
		"securitySchemes":{"token":{"httpAuthSecurityScheme":{"scheme":"bearer"}}},"capabilities":{"extendedAgentCard":true,"extensions":[{"uri":"urn:members","required":%v}]},"skills":[%s]}`, name, c.URL+path, name != "Club", skills)
}

func (c *club) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		fmt.Fprint(w, c.card("Club", "/rpc", `{"id":"a","name":"Hall","description":"d","tags":[]}`))
		return
	}
	var q struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.NewDecoder(r.Body).Decode(&q)
	c.mu.Lock()
	c.asked = append(c.asked, q.Method+" "+r.URL.Path)
	member := slices.Contains(c.members, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	c.mu.Unlock()
	if q.Method == "GetExtendedAgentCard" && c.knock != nil {
		c.knock <- struct{}{}
		<-c.door
	}
	switch {
	case !member && (q.Method == "GetExtendedAgentCard" || r.Header.Get("Authorization") != ""):
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
	case q.Method != "GetExtendedAgentCard":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"so"}]}}}`, q.ID)
	case c.says != "":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, q.ID, c.says)
	default:
		path := c.way
		if path == "" {
			path = "/rpc"
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, c.card("Club, members", path,
			`{"id":"a","name":"Hall","description":"d","tags":[]},{"id":"b","name":"Library","description":"d","tags":[]}`))
	}
}

// questions counts the requests of a method.
func (c *club) questions(method string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.asked {
		if strings.HasPrefix(m, method+" ") {
			n++
		}
	}
	return n
}

// let sets the accepted tokens.
func (c *club) let(members ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.members = members
}

// newClubHarness returns a harness that opens every agent with a token, empty for none.
func newClubHarness(t *testing.T, token string) *harness {
	return newHarness(t, func(o *options) {
		o.Extended = true
		o.Client = func(ref string) a2a.Options { return a2a.Options{UserAddresses: []string{ref}, Bearer: token} }
	})
}

// waitForNote waits for a note of a type about an agent.
func (d *harness) waitForNote(kind string) *a2a.Note {
	d.t.Helper()
	it := d.until("note "+kind, func(it log.Item) bool { return it.Record.Note != nil && it.Record.Note.Type == kind })
	return it.Record.Note
}

func TestTheExtendedCardStandsInUntilTheLoginEnds(t *testing.T) {
	t.Parallel()
	c := newClub(t, "secret-token")
	d := newClubHarness(t, "secret-token")
	id := d.openAgent(c.URL)
	d.waitForNote(log.NoteExtendedCard)
	a := d.state.Agent(id)
	if !a.Extended.Stands || a.Name() != "Club, members" || len(a.Card.Skills) != 2 || a.Extended.Public.Name != "Club" || a.CardRecord == 0 {
		t.Fatalf("got card %q, extended %+v; want the members' card in place of the public one\n%s", a.Name(), a.Extended, d.log())
	}
	for _, want := range []string{`name is now "Club, members"`, "new skill: Library"} {
		if !slices.ContainsFunc(a.Extended.Changes, func(c card.Change) bool { return strings.Contains(c.Sentence, want) }) {
			t.Errorf("changes lack %q: %+v", want, a.Extended.Changes)
		}
	}
	if !slices.Equal(a.Extensions.Missing, []string{"urn:members"}) {
		t.Errorf("got missing extensions %q, want urn:members of the extended card", a.Extensions.Missing)
	}
	if _, over := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{}); over.Sentence != "" {
		t.Errorf("got turn end %q, want no failure", over.Sentence)
	}
	c.let() // the token is not accepted any more
	d.sendText(model.Target{Agent: id}, "hello again", model.SendOptions{})
	if a.Extended.Stands || a.Name() != "Club" || len(a.Extensions.Missing) != 0 || !strings.Contains(a.Extended.Why, "401") {
		t.Errorf("after the token was rejected: got agent %q, extended %+v; want the public card and a reason with 401", a.Name(), a.Extended)
	}
	c.let("secret-token")
	d.Reopen(id)
	d.waitForNote(log.NoteExtendedCard)
	if !a.Extended.Stands || len(a.CardChanges) != 0 {
		t.Errorf("after discovery: got extended %+v, changes %+v; want the extended card, no changes", a.Extended, a.CardChanges)
	}
	d.PublicCard(id)
	d.waitForNote(log.NotePublicCard)
	if a.Extended.Stands || a.Name() != "Club" || a.Phase != model.Ready {
		t.Errorf("after the public card was restored: got agent %q, extended %+v; want Club, ready", a.Name(), a.Extended)
	}
	d.PublicCard(id) // the public card is in use already
	if n := c.questions("GetExtendedAgentCard"); n != 2 {
		t.Errorf("got %d requests for the extended card, want 2", n)
	}
	d.finish()
}

func TestOtherCredentialsAreAnotherLogin(t *testing.T) {
	t.Parallel()
	c := newClub(t, "one-of-them", "another-one")
	d := newClubHarness(t, "")
	id := d.openAgent(c.URL)
	a := d.state.Agent(id)
	login := func(token string) a2a.Pins {
		return a2a.Pins{Headers: []a2a.HeaderPair{{Name: "Authorization", Value: "Bearer " + token}}}
	}
	d.Pin(id, login("one-of-them"))
	d.waitForNote(log.NoteExtendedCard)
	if !a.Extended.Stands {
		t.Fatalf("after the login: got %+v, want the extended card\n%s", a.Extended, d.log())
	}
	d.Pin(id, login("another-one"))
	if n := d.waitForNote(log.NotePublicCard); a.Extended.Stands || n.Attrs[log.AttrSentence] == "" {
		t.Errorf("after the credentials changed: got %+v, want the public card and a note with the reason", a.Extended)
	}
	d.waitForNote(log.NoteExtendedCard)
	d.Pin(id, a2a.Pins{})
	d.waitForNote(log.NotePublicCard)
	if a.Extended.Stands || a.Name() != "Club" {
		t.Errorf("without credentials: got card %q, want the public card Club", a.Name())
	}
	for _, it := range d.items {
		if strings.Contains(fmt.Sprint(it.Record.Note), "one-of-them") || strings.Contains(string(it.Record.Raw), "one-of-them") {
			t.Errorf("record %d contains the token", it.Record.ID)
		}
	}
	d.finish()
}

func TestWhyThereIsNoExtendedCardIsSaid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, token, says, want string }{
		{"no credentials", "", "", "requires credentials, and none are set"},
		{"others' credentials", "of-somebody-else", "", "does not show its extended card for these credentials"},
		{"none", "member-token", `"error":{"code":-32007,"message":"none \u001b[2J"}`, "has no extended card, although its card declares one"},
		{"no method", "member-token", `"error":{"code":-32601,"message":"what?"}`, "has no extended card, although its card declares one"},
		{"no card", "member-token", `"result":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}`, "answered without a card"},
		{"no answer", "member-token", `"result":null`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			club := newClub(t, "member-token")
			club.says = c.says
			d := newClubHarness(t, c.token)
			id := d.openAgent(club.URL)
			if c.token == "" {
				d.ExtendedCard(id) // without credentials Parley does not request it by itself
			}
			d.waitForNote(log.NoteExtendedCard)
			a := d.state.Agent(id)
			if a.Extended.Stands || a.Name() != "Club" || a.Extended.Why == "" || !strings.Contains(a.Extended.Why, c.want) {
				t.Errorf("got %+v, want the public card and a reason with %q\n%s", a.Extended, c.want, d.log())
			}
			sig := d.waitForSignal(log.SignalTurnOver)
			if sig.Sentence != a.Extended.Why || sig.Conversation != 0 {
				t.Errorf("got turn end %+v, want the sentence %q and no conversation", sig, a.Extended.Why)
			}
			d.finish()
		})
	}
}

func TestAnExtendedCardThatLeadsElsewhereIsFollowed(t *testing.T) {
	t.Parallel()
	c := newClub(t, "secret-token")
	c.way = "/members"
	d := newClubHarness(t, "secret-token")
	id := d.openAgent(c.URL)
	d.waitForNote(log.NoteExtendedCard)
	d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
	if n := c.asked[len(c.asked)-1]; n != "SendMessage /members" {
		t.Errorf("got request %s, want SendMessage /members", n)
	}
	d.PublicCard(id)
	d.waitForNote(log.NotePublicCard)
	d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
	if n := c.asked[len(c.asked)-1]; n != "SendMessage /rpc" {
		t.Errorf("got request %s, want SendMessage /rpc", n)
	}
	d.finish()
}

// An extended card that arrives after the credentials changed is not used.
func TestACardForAnotherLoginIsNotTaken(t *testing.T) {
	t.Parallel()
	c := newClub(t, "one-of-them")
	c.knock, c.door = make(chan struct{}), make(chan struct{})
	d := newClubHarness(t, "one-of-them")
	id := d.openAgent(c.URL)
	await(t, c.knock, "the request for the extended card")
	d.Pin(id, a2a.Pins{Tenant: "elsewhere"})
	close(c.door)
	d.waitForNote(log.NoteExtendedCard)
	if a := d.state.Agent(id); a.Extended.Stands || !strings.Contains(a.Extended.Why, "ask again") {
		t.Errorf("got %+v, want the public card and advice to ask again", a.Extended)
	}
	d.finish()
}

func TestHostileNotesOfCardsChangeNothing(t *testing.T) {
	t.Parallel()
	s := model.NewState()
	for i, kind := range []string{log.NotePublicCard, log.NoteExtendedCard, log.NotePublicCard, log.NoteExtendedCard} {
		s.Apply(log.Item{Record: a2a.Record{ID: a2a.RecordID(i + 1), Kind: a2a.KindNote, Note: &a2a.Note{
			Type: kind, Attrs: map[string]string{log.AttrAgent: "1", log.AttrRecord: "99", log.AttrProfile: "{", log.AttrSentence: "so"},
		}}})
	}
	if a := s.Agent(1); a.Card != nil || a.Extended.Stands || a.Extended.Why != "so" {
		t.Errorf("got agent %+v, want no card and the reason \"so\"", a)
	}
}

package tap

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/tap/relay"
)

// start starts a set with a tap in front of each agent.
func start(t *testing.T, s *session, agents ...string) (*Set, []State) {
	t.Helper()
	set := NewSet(SetOptions{Tap: Options{Recorder: s.rec}})
	t.Cleanup(set.Close)
	var states []State
	for i, agent := range agents {
		state, err := set.Start(t.Context(), fmt.Sprintf("tap-%d", i+1), agent, "")
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, state)
	}
	return set, states
}

// An interface at an agent that another tap of the set stands in front of leads to that one, and equal
// credentials have equal hashes at both.
func TestTapsOfASetKnowEachOther(t *testing.T) {
	t.Parallel()
	second := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") }))
	t.Cleanup(second.Close)
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, _ = io.WriteString(w, `{"name":"A","skills":[],"supportedInterfaces":[{"url":"`+second.URL+`/a2a?x=1","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`)
	}))
	t.Cleanup(first.Close)
	s := newSession(t)
	set, taps := start(t, s, first.URL, second.URL)
	_, card := ask(t, "GET", taps[0].URL+"/.well-known/agent-card.json", "", "Authorization", "Bearer the-same-token")
	if !strings.Contains(card, `"`+taps[1].URL+`/a2a?x=1"`) {
		t.Errorf("got %s, want the interface at the second tap %s", card, taps[1].URL)
	}
	ask(t, "POST", taps[1].URL+"/a2a", rpc("1", "GetTask", `{"id":"t"}`), "Authorization", "Bearer the-same-token")
	s.ends(2)
	hashes := map[string]bool{}
	for _, it := range s.records(a2a.KindRequest) {
		for i := range it.Record.Redactions {
			hashes[it.Record.Redactions[i].Same()] = true
		}
	}
	if len(hashes) != 1 || hashes[""] {
		t.Errorf("got hashes %v, want one for both taps", hashes)
	}
	if strings.Contains(s.everything(), "the-same-token") {
		t.Error("got the token in the session, want it masked")
	}
	if list := set.List(); len(list) != 2 || list[0].Counts.Exchanges != 1 || list[0].Agent == list[1].Agent || list[1].Target != second.URL {
		t.Errorf("got %+v, want both taps with their counts", list)
	}
	if !set.Stop(taps[0].Agent) || len(set.List()) != 1 || set.Stop(taps[0].Agent) || set.Faults(taps[0].Agent) != nil {
		t.Errorf("got %+v, want the first tap gone", set.List())
	}
}

func TestATapThatCannotStartSaysWhy(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	set, taps := start(t, s, "127.0.0.1:1")
	for _, c := range []struct{ name, to, listen, want string }{
		{"", "", "", "is no address of an agent"}, {"", "ftp://x", "", "is no address of an agent"},
		{"", "planner", "", `"planner" is no address of an agent`}, {"", "http//x", "", "is no address of an agent"}, {"", " ", "", "is no address of an agent"},
		{"", "http://a.example\u202e:1", "", "the host a.example%E2%80%AE:1 cannot be looked up"},
		{"tap-1", "http://127.0.0.1:1", "", "there is a tap named"},
		{"", "http://127.0.0.1:1", strings.TrimPrefix(taps[0].URL, "http://"), "cannot listen"},
		{"", "http://127.0.0.1:1", "0.0.0.0:0", "no token protects it"},
	} {
		if _, err := set.Start(t.Context(), c.name, c.to, c.listen); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want it to say %q", c, err, c.want)
		}
	}
	if status, _ := ask(t, "GET", taps[0].URL+"/.well-known/agent-card.json", ""); status != http.StatusBadGateway {
		t.Errorf("got %d from a tap without agent, want 502", status)
	}
	s.ends(1)
	if end := s.records(a2a.KindEnd)[0].Record.End; end.Reason != a2a.Refused || end.Class != a2a.ClassRefused || !strings.Contains(end.Sentence, "nothing listens there") {
		t.Errorf("got %+v, want the agent's address refused", end)
	}
}

// The token of a tap that others can reach stands in every URL that clients get, and nowhere in the
// session.
func TestTheTokenOfATapIsNotRecorded(t *testing.T) {
	t.Parallel()
	agent := &delivering{}
	var own string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Method == http.MethodGet {
			_, _ = io.WriteString(w, cardAt(own))
			return
		}
		agent.ServeHTTP(w, req)
	}))
	t.Cleanup(server.Close)
	own = server.URL
	s := newSession(t)
	set := NewSet(SetOptions{Tap: Options{Recorder: s.rec}, Relay: relay.Options{Token: "open-sesame-1"}})
	t.Cleanup(set.Close)
	state, err := set.Start(t.Context(), "", server.URL, "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	if _, card := ask(t, "GET", state.URL+"/.well-known/agent-card.json", ""); !strings.Contains(card, state.URL+"/a2a") || !strings.HasSuffix(state.URL, "/open-sesame-1") {
		t.Errorf("got %s at %s, want the token in its addresses", card, state.URL)
	}
	ask(t, "POST", state.URL+"/a2a", rpc("1", "SendMessage", `{"message":{"messageId":"m","parts":[{"text":"go"}]},"configuration":{"pushNotificationConfig":{"url":"http://127.0.0.1:9/hook"}}}`))
	if !strings.HasPrefix(agent.url, state.URL+webhookPath) {
		t.Errorf("got %s at the agent, want a webhook of the tap with its token", agent.url)
	}
	s.ends(2)
	if all := s.everything(); strings.Contains(all, "sesame") || !strings.Contains(all, own+"/a2a") {
		t.Errorf("got the token, or no address of the agent, in\n%s", all)
	}
}

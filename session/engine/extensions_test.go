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
	"parley/session/log"
	"parley/session/model"
)

// An extended agent answers every message at once, names the requested extensions that it
// knows, and records the requested ones.
type extendedAgent struct {
	*httptest.Server
	header string // of the dialect in its card

	mu    sync.Mutex
	asked []string
}

func newExtendedAgent(t *testing.T, version string, extensions string) *extendedAgent {
	t.Helper()
	x := &extendedAgent{header: "A2A-Extensions"}
	card := `{"name":"X","version":"1","supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{"extensions":[` + extensions + `]},"skills":[]}`
	if version != "1.0" {
		x.header = "X-A2A-Extensions"
		card = `{"name":"X","version":"1","protocolVersion":"` + version + `","url":%q,"capabilities":{"extensions":[` + extensions + `]},"skills":[]}`
	}
	x.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprintf(w, card, x.URL)
			return
		}
		var q struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.NewDecoder(r.Body).Decode(&q)
		asked := strings.FieldsFunc(strings.Join(r.Header.Values(x.header), ","), func(r rune) bool { return r == ',' || r == ' ' })
		x.mu.Lock()
		x.asked = append(x.asked, q.Method+" "+strings.Join(asked, " "))
		x.mu.Unlock()
		if slices.Contains(asked, "urn:known") {
			w.Header().Set(x.header, "urn:known")
		}
		if strings.HasSuffix(strings.ToLower(q.Method), "gettask") || strings.HasSuffix(q.Method, "/get") {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"id":"t","contextId":"c","kind":"task","status":{"state":"completed"}}}`, q.ID)
			return
		}
		if version == "1.0" {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"message":{"messageId":"m-%d","role":"ROLE_AGENT","parts":[{"text":"so"}]}}}`, q.ID, len(x.asked))
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"kind":"message","messageId":"m-%d","role":"agent","parts":[{"kind":"text","text":"so"}]}}`, q.ID, len(x.asked))
	}))
	t.Cleanup(x.Close)
	return x
}

// newest returns the extensions that the newest request asked for.
func (x *extendedAgent) newest() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.asked[len(x.asked)-1]
}

const declaredExtensions = `{"uri":"urn:known","description":"d"},{"uri":"urn:must","required":true},{"uri":"urn:must","required":true}`

func TestChosenExtensionsGoWithEveryRequest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ version, send, get string }{{"1.0", "SendMessage", "GetTask"}, {"0.3.0", "message/send", "tasks/get"}, {"0.2.5", "message/send", "tasks/get"}} {
		x := newExtendedAgent(t, c.version, declaredExtensions)
		d := newHarness(t, nil)
		id := d.openAgent(x.URL)
		known := &d.state.Agent(id).Extensions
		if !slices.Equal(known.Missing, []string{"urn:must"}) || len(known.Chosen) != 0 {
			t.Fatalf("%s: before any choice: got %+v, want urn:must missing and none chosen", c.version, known)
		}
		d.sendText(model.Target{Agent: id}, "plain", model.SendOptions{})
		if got := x.newest(); got != c.send+" " || !known.None() {
			t.Errorf("%s: got request %q, extensions %+v; want %q and none", c.version, got, known, c.send+" ")
		}
		d.SetExtensions(id, []string{"urn:known", "urn:must", "urn:known", "a, b", ""})
		turn, _ := d.sendText(model.Target{Agent: id}, "with", model.SendOptions{})
		if got := x.newest(); got != c.send+" urn:known urn:must" || len(known.Missing) != 0 {
			t.Errorf("%s: got request %q, missing %q; want %q, none missing", c.version, got, known.Missing, c.send+" urn:known urn:must")
		}
		if !slices.Equal(turn.Extensions.Requested, []string{"urn:known", "urn:must"}) || !slices.Equal(turn.Extensions.Active, []string{"urn:known"}) || turn.Extensions.Record == 0 {
			t.Errorf("%s: got turn extensions %+v, want both asked for and urn:known active", c.version, turn.Extensions)
		}
		one, _ := d.sendText(model.Target{Agent: id}, "for this one", model.SendOptions{Extensions: []string{"urn:other"}})
		if got := x.newest(); got != c.send+" urn:other" || len(one.Extensions.Active) != 0 {
			t.Errorf("%s: got request %q, turn extensions %+v; want %q, none active", c.version, got, one.Extensions, c.send+" urn:other")
		}
		d.sendText(model.Target{Agent: id}, "for this one none", model.SendOptions{Extensions: []string{}})
		if got := x.newest(); got != c.send+" " {
			t.Errorf("%s: got request %q, want %q", c.version, got, c.send+" ")
		}
		d.waitForTurnEnd(d.Get(id, "t", 0, nil))
		if got := x.newest(); got != c.get+" urn:known urn:must" {
			t.Errorf("%s: got request %q, want %q", c.version, got, c.get+" urn:known urn:must")
		}
		for _, p := range d.Presets(id) {
			if got := strings.Join(p.Request.Header.Values(x.header), ", "); got != "urn:known, urn:must" {
				t.Errorf("%s: preset %s: got extensions %q, want urn:known, urn:must", c.version, p.Name, got)
			}
		}
		d.SetExtensions(id, nil)
		d.sendText(model.Target{Agent: id}, "plain again", model.SendOptions{})
		if got := x.newest(); got != c.send+" " || !slices.Equal(known.Missing, []string{"urn:must"}) {
			t.Errorf("%s: got request %q, missing %q; want %q, urn:must missing", c.version, got, known.Missing, c.send+" ")
		}
		d.finish()
	}
}

func TestExtensionsOfTheOptionsAreChosenFromTheStart(t *testing.T) {
	t.Parallel()
	x := newExtendedAgent(t, "1.0", declaredExtensions)
	d := newHarness(t, func(o *options) {
		o.Client = func(ref string) a2a.Options {
			return a2a.Options{UserAddresses: []string{ref}, Extensions: []string{"urn:must", "not one"}}
		}
	})
	id := d.openAgent(x.URL)
	d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
	if got := x.newest(); got != "SendMessage urn:must" {
		t.Errorf("got request %q, want SendMessage urn:must", got)
	}
	if known := &d.state.Agent(id).Extensions; !slices.Equal(known.Chosen, []string{"urn:must"}) || len(known.Missing) != 0 {
		t.Errorf("got extensions %+v, want urn:must chosen and none missing", known)
	}
	d.SetExtensions(99, []string{"urn:x"}) // unknown agent
	d.finish()
}

func TestAHostileNoteChoosesNothing(t *testing.T) {
	t.Parallel()
	s := model.NewState()
	for i, list := range []string{`["urn:a","b c",""]`, `nonsense`, `[1]`, ``} {
		s.Apply(log.Item{Record: a2a.Record{ID: a2a.RecordID(i + 1), Kind: a2a.KindNote, Note: &a2a.Note{
			Type: log.NoteExtensions, Attrs: map[string]string{log.AttrAgent: "1", log.AttrExtensions: list},
		}}})
		want := 0
		if i == 0 {
			want = 1
		}
		if got := s.Agent(1).Extensions.Chosen; len(got) != want {
			t.Errorf("note %s: got chosen extensions %q, want %d", list, got, want)
		}
	}
}

package engine

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/sessiontest"
)

// A loner is an agent whose endpoint answers by method, and which has no card unless the test
// sets one.
type loner struct {
	*httptest.Server

	mu         sync.Mutex
	card       string
	cardStatus int
	says       map[string]string // result or error by method
	asked      []string
}

func newLoner(t *testing.T, card string, says map[string]string) *loner {
	t.Helper()
	l := &loner{card: card, says: says}
	l.Server = httptest.NewServer(l)
	t.Cleanup(l.Close)
	return l
}

func (l *loner) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		ID     json.RawMessage
		Method string
	}
	body, _ := io.ReadAll(r.Body)
	if json.Unmarshal(body, &req) != nil || req.Method == "" {
		l.mu.Lock()
		card, status := l.card, cmp.Or(l.cardStatus, http.StatusOK)
		l.mu.Unlock()
		if card != "" && strings.HasSuffix(r.URL.Path, "/agent-card.json") {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, strings.ReplaceAll(card, "{{url}}", l.URL))
			return
		}
		http.NotFound(w, r)
		return
	}
	l.mu.Lock()
	l.asked = append(l.asked, req.Method)
	answer, ok := l.says[req.Method]
	l.mu.Unlock()
	if !ok {
		answer = `"error":{"code":-32601,"message":"Method not found"}`
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, req.ID, answer)
}

func (l *loner) methods() (methods []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.asked {
		if strings.Contains(strings.ToLower(m), "send") || strings.HasSuffix(m, "/stream") {
			methods = append(methods, m)
		}
	}
	return methods
}

const (
	noSuchTask = `"error":{"code":-32001,"message":"Task not found"}`
	reply03    = `"result":{"kind":"message","messageId":"r1","role":"agent","parts":[{"kind":"text","text":"hi"}]}`
	reply10    = `"result":{"message":{"messageId":"r1","role":"ROLE_AGENT","contextId":"c","parts":[{"text":"hi"}]}}`
	card03     = `{"name":"Liar","description":"d","version":"1","url":"{{url}}/rpc","protocolVersion":"0.3.0","capabilities":{},"skills":[],"defaultInputModes":[],"defaultOutputModes":[]}`
)

var (
	speaks03 = map[string]string{
		"tasks/get": noSuchTask, "tasks/pushNotificationConfig/get": noSuchTask, "agent/getAuthenticatedExtendedCard": `"error":{"code":-32007,"message":"none"}`,
		"message/send": reply03,
	}
	speaks10 = map[string]string{"GetTask": noSuchTask, "SendMessage": reply10}
)

func TestAnEndpointWithoutACardIsProbedAndTalkedTo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		says map[string]string
		want a2a.DialectName
		send string
	}{
		{"1.0", speaks10, a2a.V10, "SendMessage"},
		{"0.3", speaks03, a2a.V03, "message/send"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLoner(t, "", c.says)
			d := newHarness(t, nil)
			id := d.openAgent(l.URL + "/rpc")
			a := d.state.Agent(id)
			if a.Profile.Dialect != c.want || a.Profile.Endpoint != l.URL+"/rpc" || a.Card != nil || len(a.Profile.Warnings) == 0 {
				t.Fatalf("got profile %+v, want dialect %s at /rpc with a warning, and no card", a.Profile, c.want)
			}
			turn, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
			if sig.Sentence != "" || len(sessiontest.Problems(turn)) != 0 || !slices.Equal(l.methods(), []string{c.send}) {
				t.Errorf("got turn end %+v, problems %v, requests %v; want no failure, none, %s\n%s", sig, sessiontest.Problems(turn), l.methods(), c.send, d.log())
			}
			d.finish()
		})
	}
}

func TestADoubtfulCardIsVerified(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, version string
		says          map[string]string
		want          a2a.DialectName
	}{
		{"a card of 0.x that says 1.0 and tells the truth", `"protocolVersion":"1.0",`, speaks10, a2a.V10},
		{"a card of 0.x that says 1.0 and lies", `"protocolVersion":"1.0",`, speaks03, a2a.V03},
		{"a card that says nothing", "", speaks10, a2a.V10},
	} {
		t.Run(c.name, func(t *testing.T) {
			card := strings.Replace(card03, `"protocolVersion":"0.3.0",`, c.version, 1)
			l := newLoner(t, card, c.says)
			d := newHarness(t, nil)
			id := d.openAgent(l.URL)
			if p := d.state.Agent(id).Profile; p.Dialect != c.want || len(l.methods()) != 0 {
				t.Errorf("got profile %+v after %v, want dialect %s and no message", p, l.methods(), c.want)
			}
			if _, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{}); sig.Sentence != "" {
				t.Errorf("got turn end %+v, want no failure", sig)
			}
			d.finish()
		})
	}
}

func TestAMessageThatWasTurnedAwayUnreadIsSentOnceMore(t *testing.T) {
	t.Parallel()
	dual := `{"name":"Dual","description":"d","version":"1","url":"{{url}}/old","protocolVersion":"0.3.0","preferredTransport":"JSONRPC",` +
		`"supportedInterfaces":[{"url":"{{url}}/new","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"skills":[]}`
	for _, c := range []struct {
		name, card string
		says       map[string]string
		sent       []string
		want       a2a.DialectName
	}{
		{"the card says 0.3 and the wire speaks 1.0", card03, speaks10, []string{"message/send", "SendMessage"}, a2a.V10},
		{"a dual card whose 1.0 is not served", dual, map[string]string{"message/send": reply03}, []string{"SendMessage", "message/send"}, a2a.V03},
		{"a version that is named", dual, map[string]string{"message/send": reply03,
			"SendMessage": `"error":{"code":-32009,"message":"no","data":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"VERSION_NOT_SUPPORTED","metadata":{"supportedVersions":["0.3"]}}]}`},
			[]string{"SendMessage", "message/send"}, a2a.V03},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLoner(t, c.card, c.says)
			d := newHarness(t, nil)
			id := d.openAgent(l.URL)
			turn, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
			if sig.Sentence != "" || !slices.Equal(l.methods(), c.sent) {
				t.Fatalf("got turn end %+v, requests %v; want no failure, %v\n%s", sig, l.methods(), c.sent, d.log())
			}
			if pr := sessiontest.Problems(turn); len(pr) != 1 || pr[0].Class != problem.ClassFallback || !strings.Contains(pr[0].Sentence, "sent it again") {
				t.Errorf("got problems %+v, want one of class fallback", pr)
			}
			if slices.ContainsFunc(d.changes, func(c model.Change) bool { return givenBack(c) == turn }) {
				t.Error("got the draft back although the message was sent, want it accepted")
			}
			p := d.state.Agent(id).Profile
			if p.Dialect != c.want || !strings.Contains(strings.Join(p.Warnings, "\n"), "but the agent speaks") {
				t.Errorf("got profile %+v, want dialect %s and a warning about the contradiction", p, c.want)
			}
			d.sendText(model.Target{Agent: id}, "again", model.SendOptions{})
			if got := l.methods(); len(got) != 3 || got[2] != c.sent[1] {
				t.Errorf("got requests %v after the second message, want one more, %s", got, c.sent[1])
			}
			d.finish()
		})
	}
}

func TestAMessageIsNotSentAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		says map[string]string
		pins a2a.Pins
	}{
		{"when work may have begun", map[string]string{"GetTask": noSuchTask, "SendMessage": reply10, "message/send": `"error":{"code":-32603,"message":"boom"}`}, a2a.Pins{}},
		{"when the agent speaks so and does not want it", map[string]string{"tasks/get": noSuchTask, "tasks/pushNotificationConfig/get": noSuchTask,
			"message/send": `"error":{"code":-32600,"message":"the task is over"}`}, a2a.Pins{}},
		{"when the user said how to speak", speaks10, a2a.Pins{Dialect: a2a.V03}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLoner(t, card03, c.says)
			d := newHarness(t, func(o *options) { o.Client = func(string) a2a.Options { return a2a.Options{Pins: c.pins} } })
			turn, sig := d.sendText(model.Target{Agent: d.openAgent(l.URL)}, "hello", model.SendOptions{})
			if sig.Sentence == "" || len(sessiontest.Problems(turn)) == 0 || !slices.Equal(l.methods(), []string{"message/send"}) {
				t.Errorf("got turn end %+v, requests %v; want a failure after one message/send", sig, l.methods())
			}
			given := slices.ContainsFunc(d.changes, func(c model.Change) bool { return givenBack(c) == turn })
			if started := strings.Contains(c.name, "begun"); given == started {
				t.Errorf("got draft returned %v, want it returned unless work has begun", given)
			}
			d.finish()
		})
	}
}

func TestAPinIsNeverOverridden(t *testing.T) {
	t.Parallel()
	l := newLoner(t, card03, speaks10)
	d := newHarness(t, nil)
	id := d.openAgent(l.URL)
	noted := func(it log.Item) bool { return it.Record.Note != nil && it.Record.Note.Type == log.NoteProfile }
	d.Pin(id, a2a.Pins{Dialect: a2a.V10, Endpoint: l.URL + "/pinned", Tenant: "acme"})
	d.until("the pin's note", noted)
	p := d.state.Agent(id).Profile
	if p.Dialect != a2a.V10 || p.Endpoint != l.URL+"/pinned" || p.Tenant != "acme" {
		t.Errorf("got profile %+v, want the pinned dialect, endpoint and tenant", p)
	}
	d.Reopen(id)
	d.waitForSignal(log.SignalOpened)
	if p := d.state.Agent(id).Profile; p.Dialect != a2a.V10 || p.Endpoint != l.URL+"/pinned" {
		t.Errorf("after discovery: got profile %+v, want the pins", p)
	}
	_, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
	if sig.Sentence != "" || !slices.Equal(l.methods(), []string{"SendMessage"}) {
		t.Errorf("got turn end %+v, requests %v; want no failure after one SendMessage", sig, l.methods())
	}
	d.Pin(id, a2a.Pins{})
	d.until("the end of the pin", noted)
	if p := d.state.Agent(id).Profile; p.Dialect != a2a.V03 {
		t.Errorf("without the pin: got profile %+v, want 0.3", p)
	}
	d.finish()
}

func TestAPinOpensWhatDetectionCannot(t *testing.T) {
	t.Parallel()
	l := newLoner(t, strings.Replace(card03, `"0.3.0"`, `"2.0"`, 1), map[string]string{"SendMessage": reply10})
	d := newHarness(t, nil)
	id := d.Open(l.URL)
	d.waitForSignal(log.SignalOpened)
	if a := d.state.Agent(id); a.Phase != model.Failed || !strings.Contains(a.Problem, "A2A 2.0") {
		t.Fatalf("got agent %+v, want failed because of A2A 2.0", a)
	}
	d.Pin(id, a2a.Pins{Dialect: a2a.V10})
	d.until("the pin's note", func(it log.Item) bool { return it.Record.Note != nil && it.Record.Note.Type == log.NoteProfile })
	if a := d.state.Agent(id); a.Phase != model.Ready {
		t.Fatalf("got agent %+v, want ready", a)
	}
	if _, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{}); sig.Sentence != "" {
		t.Errorf("got turn end %+v, want no failure", sig)
	}
	d.finish()
}

func TestTheWireSpeaksAgainstTheCard(t *testing.T) {
	t.Parallel()
	l := newLoner(t, card03, map[string]string{"message/send": reply10})
	d := newHarness(t, nil)
	id := d.openAgent(l.URL)
	d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
	d.sendText(model.Target{Agent: id}, "hello again", model.SendOptions{})
	p := d.state.Agent(id).Profile
	if p.Dialect != a2a.V03 || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "The card says A2A 0.3 but the wire shows 1.0") {
		t.Errorf("got profile %+v, want 0.3 and one warning about the contradiction", p)
	}
	if got := l.methods(); !slices.Equal(got, []string{"message/send", "message/send"}) {
		t.Errorf("got requests %v, want message/send twice", got)
	}
	d.finish()
}

func TestProbingAgainStandsBesideTheCard(t *testing.T) {
	t.Parallel()
	l := newLoner(t, card03, speaks10)
	d := newHarness(t, nil)
	id := d.openAgent(l.URL)
	d.ProbeDialect(id)
	d.until("the probe's note", func(it log.Item) bool { return it.Record.Note != nil && it.Record.Note.Type == log.NoteProfile })
	a := d.state.Agent(id)
	if a.Profile.Dialect != a2a.V03 || !strings.Contains(strings.Join(a.Profile.Warnings, "\n"), "probes indicate 1.0") {
		t.Errorf("got profile %+v, want 0.3 and a warning about the probes", a.Profile)
	}
	if !slices.ContainsFunc(a.Attempts, func(at a2a.Lookup) bool { return at.Probe == "GetTask" }) {
		t.Errorf("got attempts %+v, want one with the probe GetTask", a.Attempts)
	}
	d.finish()
}

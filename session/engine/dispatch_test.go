package engine

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/sessiontest"
)

const (
	event03    = `"result":{"kind":"message","messageId":"r1","role":"agent","parts":[{"kind":"text","text":"hi"}]}`
	task01     = `"result":{"id":"t1","sessionId":"s1","status":{"state":"completed"},"artifacts":[{"index":0,"parts":[{"type":"text","text":"hi"}]}]}`
	streamsAll = `"capabilities":{"streaming":true},`
	plainAll   = `"capabilities":{},`
)

// Whatever its card says, an agent gets requests in the dialect in which it answers.
func TestTheNextDialectIsTriedWhereAMethodDoesNotExist(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, version, capabilities string
		says                        map[string]string
		sent                        []string
		want                        a2a.DialectName
	}{
		{"1.0 that is 0.3", `"protocolVersion":"1.0",`, streamsAll, map[string]string{"message/send": reply03, "message/stream": event03},
			[]string{"SendStreamingMessage", "SendMessage", "message/stream"}, a2a.V03},
		{"0.3 that is 1.0 and does not stream", `"protocolVersion":"0.3.0",`, streamsAll, map[string]string{"SendMessage": reply10},
			[]string{"message/stream", "message/send", "SendStreamingMessage", "SendMessage"}, a2a.V10},
		{"0.3 that does not stream", `"protocolVersion":"0.3.0",`, streamsAll, map[string]string{"message/send": reply03},
			[]string{"message/stream", "message/send"}, a2a.V03},
		{"1.0 that is 0.1", `"protocolVersion":"1.0",`, plainAll, map[string]string{"tasks/send": task01},
			[]string{"SendMessage", "message/send", "tasks/send"}, a2a.V01},
		{"0.1 that is 0.3", `"protocolVersion":"0.1.0",`, plainAll, map[string]string{"message/send": reply03},
			[]string{"tasks/send", "SendMessage", "message/send"}, a2a.V03},
		{"no version", "", plainAll, map[string]string{"tasks/get": noSuchTask, "message/send": reply03}, []string{"message/send"}, a2a.V03},
		{"no version and 0.1 without webhooks", "", plainAll, map[string]string{"tasks/get": noSuchTask, "tasks/send": task01},
			[]string{"message/send", "SendMessage", "tasks/send"}, a2a.V01},
		{"a word for a version", `"protocolVersion":"banana",`, plainAll, map[string]string{"message/send": reply03}, []string{"message/send"}, a2a.V03},
		{"a version nobody speaks", `"protocolVersion":"7.0",`, plainAll, map[string]string{"GetTask": noSuchTask, "SendMessage": reply10}, []string{"SendMessage"}, a2a.V10},
	} {
		t.Run(c.name, func(t *testing.T) {
			card := strings.Replace(strings.Replace(card03, `"protocolVersion":"0.3.0",`, c.version, 1), plainAll, c.capabilities, 1)
			l := newLoner(t, card, c.says)
			d := newHarness(t, nil)
			id := d.openAgent(l.URL)
			turn, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
			p := d.state.Agent(id).Profile
			if sig.Sentence != "" || !slices.Equal(l.methods(), c.sent) || p.Dialect != c.want {
				t.Fatalf("got turn end %q, requests %v, profile %+v; want no failure, %v, dialect %s\n%s", sig.Sentence, l.methods(), p, c.sent, c.want, d.log())
			}
			if pr := sessiontest.Problems(turn); len(pr) > 1 || len(pr) == 1 && pr[0].Class != problem.ClassFallback {
				t.Errorf("got problems %+v, want at most one of class fallback", pr)
			}
			said := strings.Contains(strings.Join(p.Warnings, "\n"), "The card says A2A ")
			if said != (p.Claim != "" && p.Claim != c.want.Number()) {
				t.Errorf("got warnings %[2]q for claim %[1]q, want a contradiction only if the claim differs", p.Claim, p.Warnings)
			}
			proof := func(ev a2a.Evidence) bool {
				return ev.Field == "dialect" && ev.Value == string(c.want) && ev.Record != 0 && ev.Confidence == a2a.Certain && strings.HasSuffix(ev.Reason, "was answered")
			}
			if !slices.ContainsFunc(p.Evidence, proof) {
				t.Errorf("got evidence %+v, want a record that proves the dialect", p.Evidence)
			}
			n := len(l.methods())
			if d.sendText(model.Target{Agent: id}, "again", model.SendOptions{}); len(l.methods()) != n+1 {
				t.Errorf("got requests %v for the second message, want one", l.methods()[n:])
			}
			d.finish()
		})
	}
}

func TestNothingIsSentTwiceWhereTheMethodIsKnown(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		`"error":{"code":-32603,"message":"boom"}`, `"error":{"code":-32602,"message":"bad"}`, `"error":{"code":-32001,"message":"no task"}`,
	} {
		l := newLoner(t, card03, map[string]string{"message/send": answer, "SendMessage": reply10, "tasks/send": task01})
		d := newHarness(t, nil)
		_, sig := d.sendText(model.Target{Agent: d.openAgent(l.URL)}, "hello", model.SendOptions{})
		if sig.Sentence == "" || !slices.Equal(l.methods(), []string{"message/send"}) {
			t.Errorf("%s: got turn end %+v, requests %v; want a failure after one message/send", answer, sig, l.methods())
		}
		d.finish()
	}
}

// If an agent answers in no dialect, one sentence says so, the draft is returned, and the
// agent's profile is restored.
func TestWhereEveryDialectIsRefusedNothingChanges(t *testing.T) {
	t.Parallel()
	l := newLoner(t, card03, map[string]string{})
	d := newHarness(t, nil)
	id := d.openAgent(l.URL)
	turn, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
	for _, part := range []string{"0.3 over JSON-RPC, 1.0 over JSON-RPC and 0.1 over JSON-RPC", "nothing was started", "pin the dialect"} {
		if !strings.Contains(sig.Sentence, part) {
			t.Errorf("got sentence %q, want one with %q", sig.Sentence, part)
		}
	}
	if pr := sessiontest.Problems(turn); len(pr) != 1 || pr[0].Class != problem.ClassRPC || pr[0].Sentence != sig.Sentence || d.countReturnedDrafts(turn) != 1 {
		t.Errorf("got problems %+v, draft returned %d times; want one of class rpc, once", pr, d.countReturnedDrafts(turn))
	}
	if p := d.state.Agent(id).Profile; p.Dialect != a2a.V03 || len(p.Warnings) != 0 {
		t.Errorf("got profile %+v, want the earlier one of 0.3 without warnings", p)
	}
	d.finish()
}

// The dialect in which an agent has answered stays in use, whatever optional method it lacks or
// refuses later.
func TestADialectThatHasAnsweredIsLocked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		do   func(d *harness, l *loner, id a2a.AgentID)
	}{
		{"webhooks are listed", func(d *harness, _ *loner, id a2a.AgentID) { d.waitForTurnEnd(d.PushList(id, "t1", a2a.ListFilter{})) }},
		{"a webhook is registered", func(d *harness, _ *loner, id a2a.AgentID) {
			d.waitForTurnEnd(d.PushSet(id, "t1", a2a.PushConfig{URL: "http://127.0.0.1:1/"}))
		}},
		{"tasks are listed", func(d *harness, _ *loner, id a2a.AgentID) { d.waitForTurnEnd(d.List(id, a2a.ListFilter{}, nil)) }},
		{"the extended card is asked for", func(d *harness, _ *loner, id a2a.AgentID) { d.waitForTurnEnd(d.ExtendedCard(id)) }},
		{"a task is asked for", func(d *harness, _ *loner, id a2a.AgentID) { d.waitForTurnEnd(d.Get(id, "t1", 0, nil)) }},
		{"the agent is probed", func(d *harness, _ *loner, id a2a.AgentID) {
			d.ProbeDialect(id)
			d.until("the probe's note", func(it log.Item) bool { return it.Record.Note != nil && it.Record.Note.Type == log.NoteProfile })
		}},
		{"the card becomes a page", func(d *harness, l *loner, id a2a.AgentID) { l.become("<html>down</html>", 200); d.reopenAgent(id) }},
		{"the card becomes a 500", func(d *harness, l *loner, id a2a.AgentID) { l.become("boom", 500); d.reopenAgent(id) }},
		{"the card is torn", func(d *harness, l *loner, id a2a.AgentID) { l.become(`{"name":"Li`, 200); d.reopenAgent(id) }},
		{"the card is gone", func(d *harness, l *loner, id a2a.AgentID) { l.become("", 404); d.reopenAgent(id) }},
		{"the card is the same", func(d *harness, _ *loner, id a2a.AgentID) { d.reopenAgent(id) }},
	} {
		for _, version := range []string{"0.3.0", "1.0"} {
			t.Run(c.name+" "+version, func(t *testing.T) {
				l := newLoner(t, strings.Replace(card03, "0.3.0", version, 1), map[string]string{"message/send": reply03, "tasks/pushNotification/get": noSuchTask})
				d := newHarness(t, nil)
				id := d.openAgent(l.URL)
				d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
				c.do(d, l, id)
				n := len(l.methods())
				_, sig := d.sendText(model.Target{Agent: id}, "again", model.SendOptions{})
				if got := l.methods()[n:]; sig.Sentence != "" || !slices.Equal(got, []string{"message/send"}) {
					t.Errorf("got turn end %+v, requests %v; want no failure after one message/send\n%s", sig, got, d.log())
				}
				if a := d.state.Agent(id); a.Profile.Dialect != a2a.V03 || a.Phase != model.Ready {
					t.Errorf("got phase %v, profile %+v; want ready, 0.3", a.Phase, a.Profile)
				}
				d.finish()
			})
		}
	}
}

// A card that names other interfaces decides again.
func TestANewCardEndsTheLock(t *testing.T) {
	t.Parallel()
	l := newLoner(t, card03, map[string]string{"message/send": reply03})
	d := newHarness(t, nil)
	id := d.openAgent(l.URL)
	d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
	l.mu.Lock()
	l.card = strings.Replace(card03, "0.3.0", "1.0", 1)
	l.says = speaks10
	l.mu.Unlock()
	d.reopenAgent(id)
	if p := d.state.Agent(id).Profile; p.Dialect != a2a.V10 {
		t.Errorf("got profile %+v, want 1.0 as the new card says", p)
	}
	d.finish()
}

// reopenAgent discovers an agent again.
func (d *harness) reopenAgent(id a2a.AgentID) {
	d.t.Helper()
	d.Reopen(id)
	d.waitForSignal(log.SignalOpened)
}

// become replaces the card that the agent serves.
func (l *loner) become(body string, status int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.card, l.cardStatus = body, status
}

// For a card without an endpoint, the card's address is the endpoint once a probe has confirmed
// that.
func TestACardWithoutAnEndpointIsProbedWhereItCameFrom(t *testing.T) {
	t.Parallel()
	card := strings.Replace(card03, `"url":"{{url}}/rpc",`, "", 1)
	l := newLoner(t, card, speaks03)
	d := newHarness(t, nil)
	id := d.openAgent(l.URL)
	p := d.state.Agent(id).Profile
	if p.Endpoint != l.URL || p.Dialect != a2a.V03 || !strings.Contains(strings.Join(p.Warnings, "\n"), "is a guess") {
		t.Fatalf("got profile %+v, want the card's address, 0.3 and a warning about a guess", p)
	}
	if _, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{}); sig.Sentence != "" {
		t.Errorf("got turn end %+v, want no failure", sig)
	}
	d.finish()

	l = newLoner(t, card, map[string]string{})
	d = newHarness(t, nil)
	id = d.Open(l.URL)
	d.waitForSignal(log.SignalOpened)
	if a := d.state.Agent(id); a.Phase != model.Failed || !strings.Contains(a.Problem, "declares no endpoint") || len(l.methods()) != 0 {
		t.Errorf("got phase %v, problem %q, requests %v; want failed without an endpoint, no requests", a.Phase, a.Problem, l.methods())
	}
	d.finish()
}

// The documented dialect of Solace Agent Mesh has no method to get a task. It is recognised,
// and a warning names it.
func TestTheDocumentedWireOfAMeshIsRecognised(t *testing.T) {
	t.Parallel()
	sam := map[string]string{"tasks/cancel": noSuchTask,
		"tasks/send": `"result":{"id":"task_1","context_id":"c","status":{"state":"completed","message":{"role":"agent","parts":[{"text":"hi"}]},"timestamp":"2024-03-04T12:00:00Z"},"kind":"task"}`}
	card := `{"name":"OrderValidator","description":"d","url":"{{url}}/rpc","version":"1","capabilities":{},"skills":[{"id":"s","name":"S"}]}`
	for _, version := range []string{``, `"protocolVersion":"0.3.0",`, `"protocolVersion":"1.0",`} {
		l := newLoner(t, strings.Replace(card, `"version"`, version+`"version"`, 1), sam)
		d := newHarness(t, nil)
		id := d.openAgent(l.URL)
		_, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
		p := d.state.Agent(id).Profile
		if sig.Sentence != "" || p.Dialect != a2a.SAMDoc || slices.Contains(l.methods(), "tasks/sendSubscribe") {
			t.Errorf("card with version %q: got turn end %+v, requests %v, profile %+v; want success as sam-doc without tasks/sendSubscribe", version, sig, l.methods(), p)
		}
		if !strings.Contains(strings.Join(p.Warnings, "\n"), "sam-doc") {
			t.Errorf("card with version %q: got warnings %q, want one about sam-doc", version, p.Warnings)
		}
		d.finish()
	}
}

// The problem of a refusal names the user's pins, because they may be the reason.
func TestARefusalNamesThePins(t *testing.T) {
	t.Parallel()
	l := newLoner(t, card03, speaks10)
	d := newHarness(t, func(o *options) {
		o.Client = func(string) a2a.Options { return a2a.Options{Pins: a2a.Pins{Dialect: a2a.V03}} }
	})
	turn, sig := d.sendText(model.Target{Agent: d.openAgent(l.URL)}, "hello", model.SendOptions{})
	const want = "You pinned the dialect (0.3 over JSON-RPC)"
	if pr := sessiontest.Problems(turn); !strings.Contains(sig.Sentence, want) || len(pr) != 1 || !strings.Contains(pr[0].Sentence, want) {
		t.Errorf("got turn end %q, problems %+v; want both to say %q", sig.Sentence, pr, want)
	}
	d.finish()
}

package chain

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/lint"
)

// hop is a request to agent 1 and one to agent 2 that is sent for it.
func hop(w *wire, first, second request) (a, b a2a.ExchangeID) {
	first.agent, first.client, first.head = 1, "a", traced1+first.head
	second.agent, second.client = 2, "b"
	if first.text == "" {
		first.text = ask1
	}
	a = w.ask(first)
	w.says(a, "t1", "c1", "working")
	if second.text == "" {
		second.text, second.message = ask2, `"referenceTaskIds":["t1"]`
	}
	b = w.ask(second)
	w.says(b, "t2", "c2", "working")
	return a, b
}

// done lets both agents answer well.
func done(w *wire, a, b a2a.ExchangeID) {
	w.says(b, "t2", "c2", "completed")
	w.ends(b, a2a.Ended)
	w.says(a, "t1", "c1", "completed")
	w.ends(a, a2a.Ended)
}

// A hopCase has chains in which a rule fires, and others in which it does not.
type hopCase struct {
	rule          string
	fires, silent []func(w *wire)
}

// one is a chain of two requests.
func one(first, second request) func(*wire) {
	return func(w *wire) {
		a, b := hop(w, first, second)
		done(w, a, b)
	}
}

const uses = "A2A-Extensions: urn:cost\n"

var hopCases = []hopCase{
	{ruleCredential, []func(*wire){
		one(request{secrets: []a2a.Redaction{bearer("s")}}, request{head: traced2, secrets: []a2a.Redaction{bearer("s")}}),
		one(request{secrets: []a2a.Redaction{bearer("s", "https://agent1.example")}}, request{head: traced2, secrets: []a2a.Redaction{apiKey("s")}}),
		one(request{secrets: []a2a.Redaction{apiKey("s")}}, request{secrets: []a2a.Redaction{bearer("s", "https://agent1.example")}}),
	}, []func(*wire){
		one(request{secrets: []a2a.Redaction{bearer("s")}}, request{head: traced2, secrets: []a2a.Redaction{bearer("own")}}),
		one(request{secrets: []a2a.Redaction{bearer("s")}}, request{head: traced2}),
		one(request{secrets: []a2a.Redaction{bearer("s", "a", "b")}}, request{head: traced2, secrets: []a2a.Redaction{bearer("s", "a", "b")}}),
		one(request{secrets: []a2a.Redaction{bearer("s", "https://agent2.example/")}}, request{head: traced2, secrets: []a2a.Redaction{bearer("s", "https://agent2.example/")}}),
		one(request{secrets: []a2a.Redaction{{Name: "push token", Hash: "s"}}}, request{head: traced2, secrets: []a2a.Redaction{apiKey("s")}}),
	}},
	{ruleTrace, []func(*wire){one(request{}, request{}), one(request{}, request{head: foreign})}, []func(*wire){one(request{}, request{head: traced2})}},
	{ruleBaggage, []func(*wire){one(request{head: "Tracestate: a=1\nBaggage: user=7"}, request{head: traced2 + "Tracestate: a=1"})},
		[]func(*wire){one(request{head: "Tracestate: a=1"}, request{head: traced2 + "Tracestate: b=2,a=1"}), one(request{head: "Baggage: user=7"}, request{})}},
	{ruleExtension, []func(*wire){
		one(request{head: uses}, request{head: traced2}),
		func(w *wire) { w.declares(2, "urn:cost"); one(request{head: uses}, request{head: traced2})(w) },
	}, []func(*wire){
		one(request{head: uses}, request{head: traced2 + uses}),
		func(w *wire) { w.declares(2, "urn:other"); one(request{head: uses}, request{head: traced2})(w) },
	}},
	{ruleHeader, []func(*wire){
		one(request{head: "X-Tenant: red"}, request{head: traced2}),
		one(request{head: "Accept-Language: nb"}, request{head: traced2}),
	}, []func(*wire){
		one(request{head: "X-Tenant: red\nX-Forwarded-For: 10.0.0.1\nAccept: text/event-stream"}, request{head: traced2 + "X-Tenant: red\nX-Other: 1"}),
	}},
	{ruleMessage, []func(*wire){
		one(request{message: `"metadata":{"tenant":"red"}`}, request{head: traced2, text: ask1}),
		one(request{params: `"metadata":{"tenant":"red"}`}, request{head: traced2, text: ask1, message: `"metadata":{"tenant":"red"}`}),
		one(request{message: `"extensions":["urn:cost"]`}, request{head: traced2, text: ask1}),
	}, []func(*wire){
		one(request{message: `"metadata":{"tenant":"red"}`}, request{head: traced2, text: ask1, message: `"metadata":{"tenant":"blue","more":1}`}),
		one(request{message: `"metadata":{"tenant":"red"}`}, request{head: traced2, text: ask2}),
	}},
	{ruleProgress, []func(*wire){func(w *wire) {
		a, b := hop(w, request{}, request{head: traced2})
		w.after(slowCall)
		w.says(b, "t2", "c2", "working")
		done(w, a, b)
	}}, []func(*wire){
		one(request{}, request{head: traced2}),
		func(w *wire) {
			a, b := hop(w, request{}, request{head: traced2})
			w.after(slowCall)
			w.says(b, "t2", "c2", "working")
			w.says(a, "t1", "c1", "working")
			done(w, a, b)
		},
	}},
	{ruleFailure, []func(*wire){
		func(w *wire) {
			a, b := hop(w, request{}, request{head: traced2})
			w.says(b, "t2", "c2", "failed")
			w.ends(b, a2a.Ended)
			w.says(a, "t1", "c1", "completed")
		},
		func(w *wire) {
			a, b := hop(w, request{}, request{head: traced2})
			w.ends(b, a2a.Cut)
			w.says(a, "t1", "c1", "completed")
		},
		func(w *wire) { // the task ends where its client polls
			a, b := hop(w, request{op: a2a.OpSend}, request{head: traced2})
			w.ends(a, a2a.Ended)
			w.fails(b)
			w.ends(b, a2a.Ended)
			poll := w.ask(request{op: a2a.OpGet, agent: 1, client: "a", task: "t1"})
			w.says(poll, "t1", "c1", "completed")
		},
	}, []func(*wire){
		one(request{}, request{head: traced2}),
		func(w *wire) {
			a, b := hop(w, request{}, request{head: traced2})
			w.fails(b)
			w.ends(b, a2a.Ended)
			w.says(a, "t1", "c1", "failed")
		},
		func(w *wire) { // the agent itself left the call
			a, b := hop(w, request{}, request{head: traced2})
			w.put(a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, Exchange: b, End: &a2a.End{Reason: a2a.Cut, Class: a2a.ClassClient}}, a2a.Update{})
			w.says(a, "t1", "c1", "completed")
		},
		func(w *wire) { // a second attempt succeeds
			a, b := hop(w, request{}, request{head: traced2})
			w.fails(b)
			w.ends(b, a2a.Ended)
			again := w.ask(request{agent: 2, client: "b", head: traced2, text: ask2})
			w.says(again, "t3", "c2", "completed")
			w.ends(again, a2a.Ended)
			w.says(a, "t1", "c1", "completed")
		},
	}},
	{ruleCancel, []func(*wire){canceled(false, 2*time.Second)}, []func(*wire){canceled(true, 2*time.Second), canceled(false, 0), one(request{}, request{head: traced2})}},
	{ruleDeadline, []func(*wire){left(a2a.Cut, a2a.ClassClient, 9*time.Second), left(a2a.TimedOut, "", 9*time.Second)},
		[]func(*wire){left(a2a.Cut, a2a.ClassCut, 9*time.Second), left(a2a.Cut, a2a.ClassClient, 0)}},
	{ruleLoop, []func(*wire){func(w *wire) {
		hop(w, request{}, request{head: traced2})
		w.ask(request{agent: 1, client: "c", head: traced3, text: "again"})
	}}, []func(*wire){func(w *wire) {
		a, b := hop(w, request{}, request{head: traced2})
		done(w, a, b)
		w.ask(request{agent: 1, client: "c", head: traced3, text: "again"})
	}}},
}

// canceled is a chain whose first task is canceled, while the second one goes on for some time.
func canceled(both bool, more time.Duration) func(*wire) {
	return func(w *wire) {
		a, b := hop(w, request{}, request{head: traced2})
		w.ends(w.ask(request{op: a2a.OpCancel, agent: 1, client: "a", task: "t1"}), a2a.Ended)
		if both {
			w.ends(w.ask(request{op: a2a.OpCancel, agent: 2, client: "b", task: "t2"}), a2a.Ended)
		}
		w.after(more)
		done(w, a, b)
	}
}

// left is a chain whose caller leaves some time before the second agent is done.
func left(reason a2a.EndReason, class string, before time.Duration) func(*wire) {
	return func(w *wire) {
		a, b := hop(w, request{}, request{head: traced2})
		w.after(time.Minute)
		w.put(a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, Exchange: a, End: &a2a.End{Reason: reason, Class: class}}, a2a.Update{})
		w.after(before)
		w.says(b, "t2", "c2", "completed")
		w.ends(b, a2a.Ended)
	}
}

func TestEveryHopRuleFiresAndStaysSilent(t *testing.T) {
	for _, c := range hopCases {
		r, ok := lint.Lookup(c.rule)
		if !ok {
			t.Fatalf("%s is no rule", c.rule)
		}
		for i, play := range c.fires {
			w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
			play(w)
			got := w.of(c.rule)
			if len(got) != 1 || got[0].Fix != r.Fix || got[0].Severity > r.Severity || !strings.Contains(got[0].Message, "#") {
				t.Errorf("%s, chain %d: got %+v, want one finding with its fix, which names the other exchange", c.rule, i, got)
			}
		}
		for i, play := range c.silent {
			w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
			play(w)
			if got := w.of(c.rule); len(got) != 0 {
				t.Errorf("%s, silent chain %d: got %+v, want none", c.rule, i, got)
			}
		}
	}
}

// A join by time alone may be wrong; what follows from it is an info.
func TestWeakJoinsHaveMildFindings(t *testing.T) {
	w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
	a := w.ask(request{agent: 1, client: "a", head: traced1, text: ask1})
	b := w.ask(request{agent: 2, client: "b", text: ask2})
	got := w.of(ruleTrace)
	if w.link(b).Strength != Weak || len(got) != 1 || got[0].Severity != a2a.Info || !strings.Contains(got[0].Message, "nothing else") {
		t.Errorf("got %+v below #%d, want an info that says why", got, a)
	}
}

func TestChangesOfAHopAreListed(t *testing.T) {
	w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
	_, b := hop(w, request{head: "X-Tenant: red\nAccept-Language: nb\nA2A-Version: 1.0\n" + uses, secrets: []a2a.Redaction{apiKey("s")}, message: `"metadata":{"a":1,"b":2}`},
		request{head: traced2 + "X-Tenant: blue\nX-New: 1\nA2A-Version: 0.3\n", secrets: []a2a.Redaction{apiKey("s")}, text: ask1, message: `"metadata":{"b":3,"c":4}`})
	var got []string
	for _, c := range w.forest.Node(b).Changes {
		got = append(got, c.String())
	}
	want := "drops extension urn:cost, changes header A2A-Version, drops header Accept-Language, changes header X-Tenant, adds header X-New, " +
		"passes on credential header X-Api-Key, drops metadata message.a, changes metadata message.b, adds metadata message.c"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got %s\nwant %s", text, want)
	}
}

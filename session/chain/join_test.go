package chain

import (
	"testing"

	"parley/a2a"
)

// dialects are those in which requests of chains are written, each with its binding.
var dialects = []struct {
	dialect a2a.DialectName
	binding a2a.Binding
}{
	{a2a.V01, a2a.BindingJSONRPC}, {a2a.V02, a2a.BindingJSONRPC}, {a2a.V03, a2a.BindingJSONRPC}, {a2a.V10, a2a.BindingJSONRPC},
	{a2a.V03REST, a2a.BindingREST}, {a2a.V10REST, a2a.BindingREST}, {a2a.V10, a2a.BindingGRPC},
}

// A chain of three agents is found in every dialect, and what a hop dropped and passed on is named.
func TestAChainOfThreeAgentsIsJoined(t *testing.T) {
	for _, d := range dialects {
		w := newWire(t, d.dialect, d.binding)
		a := w.ask(request{agent: 1, client: "browser", head: traced1 + "X-Tenant: red", secrets: []a2a.Redaction{bearer("secret")}, text: ask1})
		w.says(a, "t1", "c1", "working")
		b := w.ask(request{agent: 2, client: "python", head: traced2 + "X-Tenant: red", secrets: []a2a.Redaction{apiKey("own")}, text: ask2})
		w.says(b, "t2", "c2", "working")
		c := w.ask(request{agent: 3, client: "node", head: traced3, secrets: []a2a.Redaction{apiKey("own")}, text: "Saturday"})
		w.says(c, "t3", "c3", "completed")
		w.ends(c, a2a.Ended)
		got := w.ask(request{op: a2a.OpGet, agent: 3, client: "node", task: "t3"})
		w.ends(got, a2a.Ended)
		w.says(b, "t2", "c2", "completed")
		w.ends(b, a2a.Ended)
		w.says(a, "t1", "c1", "completed")
		w.ends(a, a2a.Ended)

		if l := w.link(b); l.Parent != a || l.Strength != Sure || l.Why() == "" {
			t.Errorf("%s: got %+v for the second request, want it sure below #%d", d.dialect, l, a)
		}
		if l := w.link(c); l.Parent != b || l.Strength != Sure {
			t.Errorf("%s: got %+v for the third request, want it sure below #%d", d.dialect, l, b)
		}
		if l := w.link(got); l.Parent != c || !l.Follows {
			t.Errorf("%s: got %+v for a get, want it to follow #%d", d.dialect, l, c)
		}
		if got := w.found[c]; len(of(got, ruleCredential)) != 1 || len(of(got, ruleHeader)) != 1 || len(of(got, severalAgents)) != 0 {
			t.Errorf("%s: got %+v in the third request, want the credential that was passed on, the dropped header, and neither twice", d.dialect, got)
		}
		if got := w.found[b]; len(of(got, ruleCredential)) != 0 || len(of(got, ruleHeader)) != 0 {
			t.Errorf("%s: got %+v in the second request, want nothing about it", d.dialect, got)
		}
	}
}

func of(found []a2a.Finding, rule string) (all []a2a.Finding) {
	for _, f := range found {
		if f.Rule == rule {
			all = append(all, f)
		}
	}
	return all
}

// Each case has a request to agent 1, and another one, to agent 2, while it is open.
func TestEvidenceJoinsRequests(t *testing.T) {
	const context = `"contextId":"7f3a11b9-02c8"`
	for name, c := range map[string]struct {
		first, second request
		want          Strength
	}{
		"one trace":                          {request{client: "a", head: traced1, text: ask1}, request{client: "b", head: traced2, text: ask2}, Sure},
		"one trace, clients alike":           {request{client: "a", head: traced1, text: ask1}, request{client: "a", head: traced2, text: ask2}, Likely},
		"one trace of Zipkin":                {request{client: "a", head: "X-B3-Traceid: a3ce929d0e0e4736\n", text: ask1}, request{client: "b", head: "B3: a3ce929d0e0e4736-b7ad6b7169203331-1\n", text: ask2}, Sure},
		"a trace in the metadata":            {request{client: "a", head: traced1, text: ask1}, request{client: "b", text: ask2, message: `"metadata":{"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01"}`}, Sure},
		"a task that is referred to":         {request{client: "a", text: ask1}, request{client: "a", text: ask2, message: `"referenceTaskIds":["t1"]`}, Sure},
		"the context of the agent":           {request{client: "a", text: ask1}, request{client: "a", text: ask2, message: `"contextId":"c1"`}, Sure},
		"a context of the client":            {request{client: "a", text: ask1, message: context}, request{client: "a", text: ask2, message: context}, Likely},
		"the same text":                      {request{client: "a", text: ask1}, request{client: "a", text: ask1}, Likely},
		"the same message":                   {request{client: "a", text: "yes", message: `"messageId":"m-1"`}, request{client: "a", text: "no", message: `"messageId":"m-1"`}, Likely},
		"the same credential":                {request{client: "a", text: ask1, secrets: []a2a.Redaction{apiKey("k")}}, request{client: "b", text: ask2, secrets: []a2a.Redaction{apiKey("k")}}, Likely},
		"the same credential, clients alike": {request{client: "a", text: ask1, secrets: []a2a.Redaction{apiKey("k")}}, request{client: "a", text: ask2, secrets: []a2a.Redaction{apiKey("k")}}, None},
		"the tap, as the user said":          {request{client: "a", text: ask1}, request{client: "a", from: "tap1", text: ask2}, Likely},
		"the tap and the trace":              {request{client: "a", head: traced1, text: ask1}, request{client: "a", from: "tap1", head: traced2, text: ask2}, Sure},
		"the tap of another agent":           {request{client: "a", head: traced1, text: ask1}, request{client: "b", from: "tap9", head: traced2, text: ask2}, None},
		"time alone":                         {request{client: "a", text: ask1}, request{client: "b", text: ask2}, Weak},
		"time alone, clients alike":          {request{client: "a", text: ask1}, request{client: "a", text: ask2}, None},
		"time alone, two traces":             {request{client: "a", head: traced1, text: ask1}, request{client: "b", head: foreign, text: ask2}, None},
		"a short text":                       {request{client: "a", text: "yes"}, request{client: "a", text: "yes"}, None},
	} {
		w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
		c.first.agent, c.second.agent = 1, 2
		a := w.ask(c.first)
		w.says(a, "t1", "c1", "working")
		b := w.ask(c.second)
		got := w.link(b)
		if got.Strength != c.want || (got.Parent == a) != (c.want > None) {
			t.Errorf("%s: got %s below #%d (%s), want %s", name, got.Strength, got.Parent, got.Why(), c.want)
		}
	}
}

// What a client does after an exchange is over is not a part of it.
func TestExchangesThatAreOverHaveNoChildren(t *testing.T) {
	w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
	a := w.ask(request{agent: 1, client: "a", head: traced1, text: ask1})
	w.says(a, "t1", "c1", "completed")
	early := w.ask(request{agent: 2, client: "b", head: traced2, text: ask2})
	w.says(early, "t2", "c2", "completed")
	w.ends(early, a2a.Ended)
	w.ends(a, a2a.Ended)
	late := w.ask(request{agent: 3, client: "b", head: traced3, text: ask1, message: `"referenceTaskIds":["t1"],"contextId":"c1"`})
	for _, x := range []a2a.ExchangeID{early, late} {
		if got := w.link(x); got.Parent != 0 {
			t.Errorf("got %+v for a request after the task was over, want no parent", got)
		}
	}
}

// An agent may answer at once and work on; who polls its task keeps it alive.
func TestATaskThatWorksOnIsAParent(t *testing.T) {
	w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
	a := w.ask(request{op: a2a.OpSend, agent: 1, client: "a", head: traced1, text: ask1})
	w.says(a, "t1", "c1", "working")
	w.ends(a, a2a.Ended)
	w.after(patience / 2)
	poll := w.ask(request{op: a2a.OpGet, agent: 1, client: "a", task: "t1"})
	w.says(poll, "t1", "c1", "working")
	w.ends(poll, a2a.Ended)
	w.after(patience / 2)
	b := w.ask(request{agent: 2, client: "b", head: traced2, text: ask2})
	if got := w.link(b); got.Parent != a || got.Strength != Sure {
		t.Errorf("got %+v, want it below #%d, whose task works", got, a)
	}
	w.after(2 * patience)
	if got := w.link(w.ask(request{agent: 3, client: "c", head: traced3, text: ask2 + "!"})); got.Parent == a {
		t.Errorf("got %+v, want no parent that nobody heard of for long", got)
	}
	asks := w.ask(request{agent: 1, client: "a", head: foreign, text: ask1})
	w.says(asks, "t4", "c4", "input-required")
	w.ends(asks, a2a.Ended)
	if got := w.link(w.ask(request{agent: 2, client: "b", head: foreign, text: ask2})); got.Parent != 0 {
		t.Errorf("got %+v, want no parent whose agent waits for its own client", got)
	}
}

// Where two exchanges are equally likely there is no join; nested ones are told apart by clients.
func TestTwoParentsAreNoParent(t *testing.T) {
	w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
	w.ask(request{agent: 1, client: "a", text: ask1})
	w.ask(request{agent: 2, client: "a", text: ask2, head: foreign})
	both := w.ask(request{agent: 3, client: "b", text: ask1, message: `"contextId":"x"`})
	if got := w.link(both); got.Strength != Likely {
		t.Fatalf("got %+v, want the one with the same text", got)
	}
	w = newWire(t, a2a.V10, a2a.BindingJSONRPC)
	first := w.ask(request{agent: 1, client: "a", text: ask1})
	second := w.ask(request{agent: 2, client: "a", text: ask1, from: "elsewhere"})
	got := w.link(w.ask(request{agent: 3, client: "b", text: ask1}))
	if got.Parent != 0 || len(got.Or) != 2 || got.Or[0] != first || got.Or[1] != second || got.Why() == "" {
		t.Errorf("got %+v, want no parent, and both named", got)
	}
}

func TestNestedExchangesAreToldApart(t *testing.T) {
	for name, c := range map[string]struct {
		third string // its client
		want  int
		or    int
	}{
		"its client differs from both":             {"c", 2, 0},
		"its client is like that of the inner one": {"b", 1, 0},
	} {
		w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
		a := w.ask(request{agent: 1, client: "a", head: traced1, text: ask1})
		b := w.ask(request{agent: 2, client: "b", head: traced2, text: ask2})
		got := w.link(w.ask(request{agent: 3, client: c.third, head: traced3, text: "Saturday"}))
		if want := []a2a.ExchangeID{0, a, b}[c.want]; got.Parent != want || len(got.Or) != c.or {
			t.Errorf("%s: got %+v, want it below #%d", name, got, want)
		}
	}
	w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
	a := w.ask(request{agent: 1, client: "go", head: traced1, text: ask1, secrets: []a2a.Redaction{apiKey("k")}})
	b := w.ask(request{agent: 2, client: "go", head: traced2, text: ask2, secrets: []a2a.Redaction{apiKey("own")}})
	c := w.ask(request{agent: 3, client: "go", head: traced3, text: "Saturday", secrets: []a2a.Redaction{apiKey("own")}})
	if got := w.link(c); got.Parent != a || len(got.Or) != 1 || got.Or[0] != b || got.Strength != Likely {
		t.Errorf("got %+v, want it below #%d, perhaps by way of #%d", got, a, b)
	}
	if got := of(w.found[c], ruleCredential); len(got) != 0 {
		t.Errorf("got %+v, want nothing: an agent may use its own key twice", got)
	}
	if got := of(w.found[c], severalAgents); len(got) != 1 {
		t.Errorf("got %+v, want the key that two agents got", got)
	}
	d := w.ask(request{agent: 4, client: "go", head: "Traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-d9cf8d9381425553-01", text: "?", secrets: []a2a.Redaction{apiKey("k")}})
	if got := of(w.found[d], ruleCredential); len(got) != 1 {
		t.Errorf("got %+v, want the credential of #%d, whose descendant it is in any case", got, a)
	}
}

// A client that calls an agent on its own, too, is not taken for an agent by its trace.
func TestClientsThatCallAgentsThemselves(t *testing.T) {
	w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
	alone := w.ask(request{agent: 2, client: "go", text: ask2})
	w.says(alone, "t0", "c0", "completed")
	w.ends(alone, a2a.Ended)
	w.ask(request{agent: 1, client: "go", head: traced1, text: ask1})
	if got := w.link(w.ask(request{agent: 2, client: "go", head: traced2, text: ask2})); got.Parent != 0 {
		t.Errorf("got %+v, want no parent: the client calls both", got)
	}
}

// A connection that an agent used once is its own.
func TestConnectionsAreRemembered(t *testing.T) {
	w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
	a := w.ask(request{agent: 1, client: "a", head: traced1, text: ask1})
	b := w.ask(request{agent: 2, client: "b", conn: 7, head: traced2, text: ask2})
	w.ends(b, a2a.Ended)
	w.ends(a, a2a.Ended)
	again := w.ask(request{agent: 1, client: "b", text: ask1})
	w.ask(request{agent: 4, client: "z", text: "something else"})
	if got := w.link(w.ask(request{agent: 2, client: "b", conn: 7, text: ask2})); got.Parent != again && got.Strength > Weak {
		t.Errorf("got %+v, want it below #%d or nowhere", got, again)
	}
}

func TestTraceContextsAreRead(t *testing.T) {
	const trace, span = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	for value, want := range map[string]string{
		"00-" + trace + "-" + span + "-01":            trace,
		"cc-" + trace + "-" + span + "-01-more":       trace,
		"ff-" + trace + "-" + span + "-01":            "",
		"00-00000000000000000000000000000000-" + span: "",
		"00-" + trace + "-0000000000000000-01":        "",
		"00-" + trace[1:] + "-" + span + "-01":        "",
		"00-" + trace + "-" + span:                    "",
		"":                                            "",
		"----":                                        "",
	} {
		if got := parseTraceparent(value); got.trace != want {
			t.Errorf("%q: got %q, want %q", value, got.trace, want)
		}
	}
}

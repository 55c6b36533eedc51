package chain

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

// random is a session of many clients and agents that repeat each other's ids.
func random(w *wire, rng *rand.Rand, steps int) {
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	tasks := []string{"t1", "t2", "t3", "", "t4"}
	var all []a2a.ExchangeID
	for range steps {
		w.after(time.Duration(rng.IntN(3000)) * time.Millisecond)
		switch n := rng.IntN(10); {
		case n < 4 || len(all) == 0:
			q := request{
				op: a2a.Op(pick("stream", "send", "get", "cancel", "card", "list", "subscribe", "stream", "stream")), agent: a2a.AgentID(rng.IntN(5)),
				client: pick("a", "b", "", "c\x1b[31m"), from: pick("", "", "", "tap1", "tap2"), conn: uint64(rng.IntN(3)),
				head: pick("", traced1, traced2, foreign, uses, "Traceparent: 00-1\n", "X-Tenant: red\n"), text: pick(ask1, ask2, "yes", ""), task: pick(tasks...),
			}
			if rng.IntN(2) == 0 {
				q.message = fmt.Sprintf(`"referenceTaskIds":[%q,%q,7],"taskId":%q,"contextId":%q,"metadata":{"a":%d}`, pick(tasks...), pick(tasks...), pick(tasks...), pick("c1", "c2", ""), rng.IntN(2))
			}
			if rng.IntN(3) == 0 {
				q.secrets = []a2a.Redaction{apiKey(pick("k", "l", ""))}
			}
			all = append(all, w.ask(q))
		case n < 8:
			w.says(all[rng.IntN(len(all))], pick(tasks...), pick("c1", "c2", ""), pick("working", "completed", "failed", "input-required", "canceled"))
		case n < 9:
			w.fails(all[rng.IntN(len(all))])
		default:
			w.ends(all[rng.IntN(len(all))], a2a.EndReason(pick("ended", "cut", "cancelled", "timeout", "refused")))
		}
	}
}

// verify checks what holds in every forest.
func verify(t *testing.T, f *Forest) {
	t.Helper()
	lines := f.Lines(func(id a2a.AgentID) string { return fmt.Sprint("agent ", id) }, time.Time{})
	if len(lines) != f.Len() {
		t.Fatalf("got %d lines for %d exchanges, want each once", len(lines), f.Len())
	}
	seen := map[a2a.ExchangeID]bool{}
	for _, l := range lines {
		n := l.Node
		if seen[n.Exchange] || l.Depth > maxDepth {
			t.Fatalf("got exchange #%d twice, or in depth %d", n.Exchange, l.Depth)
		}
		seen[n.Exchange] = true
		if n.Link.Parent >= n.Exchange || n.Link.Parent == 0 && n.Link.Strength != None {
			t.Fatalf("got %+v for #%d, want an earlier parent", n.Link, n.Exchange)
		}
		if p := f.Node(n.Link.Parent); n.Link.Parent != 0 && (p == nil || !n.Link.Follows && p.Agent == n.Agent) {
			t.Fatalf("got %+v for #%d, want another agent as its parent", n.Link, n.Exchange)
		}
	}
}

func TestRandomSessionsMakeTrees(t *testing.T) {
	for seed := range uint64(20) {
		w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
		random(w, rand.New(rand.NewPCG(seed, 1)), 300)
		verify(t, w.forest)
		again := newWire(t, a2a.V10, a2a.BindingJSONRPC)
		random(again, rand.New(rand.NewPCG(seed, 1)), 300)
		for id, found := range w.found {
			if fmt.Sprint(found) != fmt.Sprint(again.found[id]) {
				t.Fatalf("seed %d: got %v and %v for record %d, want the same twice", seed, found, again.found[id], id)
			}
		}
	}
}

// What is remembered is bounded, whatever comes: exchanges that never end, each with other ids.
func TestHostileSessionsAreForgotten(t *testing.T) {
	j := New()
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	ids := make([]string, 0, maxItems)
	for i := range manyExchanges {
		ids = ids[:0]
		for k := range maxItems {
			ids = append(ids, fmt.Sprintf(`"x%d-%d"`, i, k))
		}
		call := &a2a.Call{Agent: a2a.AgentID(i % 7), Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC,
			Tapped: &a2a.Tapped{Tap: fmt.Sprint("tap", i%7), Client: fmt.Sprint("c", i), Connection: uint64(i)}}
		body := fmt.Sprintf(`{"jsonrpc":"2.0","params":{"message":{"messageId":"m%d","contextId":"c%d","referenceTaskIds":[%s],"parts":[{"text":"some text that is long enough %d"}]}}}`,
			i, i%3, strings.Join(ids[:i%maxItems], ","), i)
		id := a2a.RecordID(2*i + 1)
		j.Add(&a2a.Record{ID: id, Exchange: id, Kind: a2a.KindRequest, Time: now, Call: call, Raw: []byte(body)}, &a2a.Update{})
		u := a2a.Update{Events: []a2a.Event{{Kind: a2a.EventTask, TaskID: fmt.Sprint("t", i), ContextID: fmt.Sprint("d", i), Task: &a2a.Task{Status: a2a.Status{Word: "working", State: a2a.StateWorking}}}}}
		j.Add(&a2a.Record{ID: id + 1, Exchange: id, Kind: a2a.KindEvent, Time: now, Call: call}, &u)
		if i%2 == 0 {
			j.Add(&a2a.Record{ID: id + 1, Exchange: id, Kind: a2a.KindEnd, Time: now, Call: call, End: &a2a.End{Reason: a2a.Ended}}, &a2a.Update{})
		}
	}
	if len(j.open) > maxAlive || len(j.giving) > maxAlive || len(j.queue) > 2*maxAlive || len(j.tasks) > 2*maxAlive || len(j.index) > 10*maxAlive || j.routes.learned > maxRoutes+1 {
		t.Errorf("got %d open, %d giving, %d queued, %d tasks, %d keys and %d routes, want a bound",
			len(j.open), len(j.giving), len(j.queue), len(j.tasks), len(j.index), j.routes.learned)
	}
}

// An agent that calls itself through others without end makes no endless chain.
func TestEndlessChainsAreCut(t *testing.T) {
	w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
	for i := range 3 * maxDepth {
		w.ask(request{agent: a2a.AgentID(i%2 + 1), client: fmt.Sprint("c", i), head: traced1, text: "again"})
	}
	verify(t, w.forest)
	if got := w.of(ruleLoop); len(got) == 0 {
		t.Error("got no finding, want the loop")
	}
}

func FuzzRequests(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","params":{"message":{"parts":[{"text":"x"},{"file":{}}],"metadata":{"a":[]},"referenceTaskIds":[1,"t"]}}}`), "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	f.Add([]byte(`{"message":{"content":7,"metadata":[]}}`), "\xff")
	f.Fuzz(func(t *testing.T, body []byte, trace string) {
		w := newWire(t, a2a.V10, a2a.BindingREST)
		for agent := range a2a.AgentID(2) {
			call := &a2a.Call{Agent: agent + 1, Op: a2a.OpStream, Tapped: &a2a.Tapped{Tap: trace, Client: trace}}
			w.put(a2a.Record{Kind: a2a.KindRequest, Call: call, Raw: body, Head: &a2a.Head{Header: map[string][]string{"Traceparent": {trace}, trace: {trace}}}}, a2a.Update{})
		}
		verify(t, w.forest)
	})
}

package chain

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

func TestLinesDrawTheTree(t *testing.T) {
	w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
	a, b := hop(w, request{head: "X-Tenant: red", secrets: []a2a.Redaction{bearer("s")}}, request{head: traced2, secrets: []a2a.Redaction{bearer("s")}})
	w.after(time.Second)
	w.ends(w.ask(request{op: a2a.OpGet, agent: 2, client: "b", task: "t2"}), a2a.Ended)
	w.fails(b)
	w.ends(b, a2a.Ended)
	w.says(a, "t1", "c1", "working")
	w.ask(request{agent: 3, client: "", text: "alone", from: "tap9"})
	names := map[a2a.AgentID]string{1: "Planner", 2: "Weather"}
	var got []string
	for _, l := range w.forest.Lines(func(id a2a.AgentID) string { return names[id] }, w.now) {
		got = append(got, l.String())
	}
	want := []string{
		"#1 a → Planner · stream · working · 1 s so far",
		"  #3 Planner → Weather · stream · it was answered with InternalError · 1 s · sure: refers to task t1 of #1, trace 4bf92f3577b…, the same credential as #1, while #1 was open · " +
			"drops header X-Tenant · passes on credential header Authorization · HOP-001 · HOP-005 · STRM-006",
		"    #5 Planner → Weather · get · answered · 1 ms · about task t2 of #3",
		"#10 client → tap3 · stream · open · 0 ms so far",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if w.forest.Len() != 4 || len(w.forest.Roots()) != 2 || w.forest.Version() == 0 {
		t.Errorf("got %d exchanges and roots %v, want 4 and 2", w.forest.Len(), w.forest.Roots())
	}
}

// A join that may be wrong has a question mark.
func TestLinesSayWhatIsNotSure(t *testing.T) {
	w := newWire(t, a2a.V10, a2a.BindingJSONRPC)
	w.ask(request{agent: 1, client: "a", text: ask1})
	w.ask(request{agent: 2, client: "b", text: ask2})
	lines := w.forest.Lines(func(a2a.AgentID) string { return "" }, w.now)
	if got := lines[1].Text; !strings.HasPrefix(got, "#2 tap1? → tap2") || !strings.Contains(got, "weak: nothing else but #1 was open") {
		t.Errorf("got %s, want a question mark and the reason", got)
	}
}

package log

import (
	"testing"

	"parley/a2a"
)

func TestFindingsAreCountedByRuleAndMutedOnesAreNot(t *testing.T) {
	log := New()
	log.Append(Item{Record: a2a.Record{ID: 1}, Findings: []a2a.Finding{
		{Rule: "STAT-001", Severity: a2a.Error, Message: "first"}, {Rule: "SSE-005", Severity: a2a.Warning}, {Rule: "STAT-001", Severity: a2a.Error}}})
	log.Append(Item{Record: a2a.Record{ID: 2}})
	log.Append(Item{Record: a2a.Record{ID: 3}, Findings: []a2a.Finding{{Rule: "STAT-001", Severity: a2a.Warning}, {Rule: "CASE-002"}}})
	f := log.Findings()
	var order []string
	for _, c := range f.Rules() {
		order = append(order, c.Rule)
	}
	if got := len(order); got != 3 || order[0] != "STAT-001" || order[1] != "SSE-005" || order[2] != "CASE-002" {
		t.Fatalf("got rules %v, want STAT-001, SSE-005, CASE-002", order)
	}
	c := f.Rules()[0]
	if c.Counts != [3]int{0, 1, 2} || c.First.Message != "first" || len(c.Records) != 2 || c.Records[1] != 3 || c.Worst() != a2a.Error {
		t.Errorf("got count %+v, want 1 warning and 2 errors in 2 records", c)
	}
	if e, w, i := f.Count(a2a.Error), f.Count(a2a.Warning), f.Count(a2a.Info); e != 2 || w != 2 || i != 1 {
		t.Errorf("got %d errors, %d warnings, %d infos; want 2, 2, 1", e, w, i)
	}
	before, mutes := f.Version(), f.Mutes()
	f.Mute("STAT-001", true)
	if f.Mutes() == mutes {
		t.Error("Mutes did not change with a mute, want another number")
	}
	if f.Version() == before || !f.Muted("STAT-001") || f.Count(a2a.Error) != 0 || f.Count(a2a.Warning) != 1 {
		t.Errorf("after the mute: got %d errors, %d warnings; want 0, 1 and another version", f.Count(a2a.Error), f.Count(a2a.Warning))
	}
	if got := f.Shown(log.At(3)); len(got) != 1 || got[0].Rule != "CASE-002" || len(log.At(3).Findings) != 2 {
		t.Errorf("got shown findings %v of record 3, want CASE-002 alone", got)
	}
	if worst, ok := f.Flag(log.At(1)); !ok || worst != a2a.Warning {
		t.Errorf("got flag %v, %v of record 1; want warning", worst, ok)
	}
	if _, ok := f.Flag(log.At(2)); ok {
		t.Error("got a flag for a record without findings")
	}
	log.Append(Item{Record: a2a.Record{ID: 4}, Findings: []a2a.Finding{{Rule: "STAT-001", Severity: a2a.Error}}})
	if f.Count(a2a.Error) != 0 {
		t.Error("got findings of a muted rule counted after another record")
	}
	f.Mute("STAT-001", false)
	if f.Count(a2a.Error) != 3 {
		t.Errorf("got %d errors, want 3", f.Count(a2a.Error))
	}
}

func TestFindingsAreCountedByAgent(t *testing.T) {
	l := New()
	for id, agent := range []a2a.AgentID{1, 2, 0} {
		r := a2a.Record{ID: a2a.RecordID(id + 1), Exchange: a2a.ExchangeID(id + 1), Kind: a2a.KindRequest}
		l.SetOwner(&r, Owner{Agent: agent})
		l.Append(Item{Record: r, Findings: []a2a.Finding{{Rule: "STAT-001", Severity: a2a.Error}, {Rule: "SSE-005", Severity: a2a.Warning}}[:id%2+1]})
	}
	f := l.Findings()
	for agent, want := range map[a2a.AgentID][2]int{1: {1, 0}, 2: {1, 1}, 0: {1, 0}, 3: {}} {
		if e, w := f.CountOf(agent, a2a.Error), f.CountOf(agent, a2a.Warning); e != want[0] || w != want[1] {
			t.Errorf("agent %d: got %d errors and %d warnings, want %v", agent, e, w, want)
		}
	}
	f.Mute("STAT-001", true)
	if e := f.CountOf(1, a2a.Error); e != 0 || f.Count(a2a.Error) != 0 {
		t.Errorf("after the mute: got %d errors of agent 1 and %d in all, want none", e, f.Count(a2a.Error))
	}
}

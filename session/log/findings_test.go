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
		t.Fatalf("rules %v", order)
	}
	c := f.Rules()[0]
	if c.Counts != [3]int{0, 1, 2} || c.First.Message != "first" || len(c.Records) != 2 || c.Records[1] != 3 || c.Worst() != a2a.Error {
		t.Errorf("%+v", c)
	}
	if e, w, i := f.Count(a2a.Error), f.Count(a2a.Warning), f.Count(a2a.Info); e != 2 || w != 2 || i != 1 {
		t.Errorf("%d errors, %d warnings, %d remarks", e, w, i)
	}
	before, mutes := f.Version(), f.Mutes()
	f.Mute("STAT-001", true)
	if f.Mutes() == mutes {
		t.Error("nobody can see that a rule was muted")
	}
	if f.Version() == before || !f.Muted("STAT-001") || f.Count(a2a.Error) != 0 || f.Count(a2a.Warning) != 1 {
		t.Errorf("muted: %d errors, %d warnings", f.Count(a2a.Error), f.Count(a2a.Warning))
	}
	if got := f.Shown(log.At(3)); len(got) != 1 || got[0].Rule != "CASE-002" || len(log.At(3).Findings) != 2 {
		t.Errorf("shown of 3: %v", got)
	}
	if worst, ok := f.Flag(log.At(1)); !ok || worst != a2a.Warning {
		t.Errorf("the flag of 1 is %v, %v", worst, ok)
	}
	if _, ok := f.Flag(log.At(2)); ok {
		t.Error("a record without findings has a flag")
	}
	log.Append(Item{Record: a2a.Record{ID: 4}, Findings: []a2a.Finding{{Rule: "STAT-001", Severity: a2a.Error}}})
	if f.Count(a2a.Error) != 0 {
		t.Error("a muted rule is heard again by itself")
	}
	f.Mute("STAT-001", false)
	if f.Count(a2a.Error) != 3 {
		t.Errorf("%d errors", f.Count(a2a.Error))
	}
}

package chain

import (
	"testing"

	"parley/a2a"
)

// Records of Parley's own calls cost a forest nothing, however many exchanges it has.
func TestForestIgnoresOwnCallsWithoutAllocating(t *testing.T) {
	records, updates := session(100)
	f := NewForest()
	for i := range records {
		f.Add(&records[i], &updates[i], nil)
	}
	before, version := f.Len(), f.Version()
	call := &a2a.Call{Agent: 1, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}
	u := a2a.Update{Events: []a2a.Event{{Kind: a2a.EventTask, TaskID: "t", Task: &a2a.Task{}}}}
	shown := []a2a.Finding{{Rule: "TASK-001", Severity: a2a.Error}}
	first := a2a.RecordID(len(records) + 1)
	for _, kind := range []a2a.RecordKind{a2a.KindRequest, a2a.KindHead, a2a.KindEvent, a2a.KindEnd} {
		r := a2a.Record{ID: first, Exchange: first, Kind: kind, Call: call, Raw: requestBody(1, 1)}
		if n := testing.AllocsPerRun(100, func() { f.Add(&r, &u, shown) }); n != 0 {
			t.Errorf("got %v allocations for a record of kind %v, want none", n, kind)
		}
	}
	if f.Len() != before || f.Version() != version {
		t.Errorf("got %d exchanges in version %d, want %d in version %d", f.Len(), f.Version(), before, version)
	}
}

package log_test

import (
	"testing"

	"parley/a2a"
	"parley/session/log"
)

// A row's description must not cost time or memory in proportion to the record.
func TestDescribingManyPartsReadsOne(t *testing.T) {
	parts := make([]a2a.Part, 100_000)
	for i := range parts {
		parts[i] = a2a.Part{Kind: a2a.PartData, Data: []byte(`{"a":[1,2,3],"b":{}}`)}
	}
	it := log.Item{Record: a2a.Record{Kind: a2a.KindBody, Raw: []byte("{}")}, Update: a2a.Update{Events: []a2a.Event{{Kind: a2a.EventMessage, Message: &a2a.Message{Parts: parts}}}}}
	if got := log.Describe(&it); got != "message {2}" {
		t.Errorf("got row %q, want message {2}", got)
	}
	if n := testing.AllocsPerRun(3, func() { log.Describe(&it) }); n > 50 {
		t.Errorf("got %v allocations, want at most 50", n)
	}
}

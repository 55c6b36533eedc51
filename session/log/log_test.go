package log

import (
	"testing"

	"parley/a2a"
)

func TestAViewOfALogStaysAsItWas(t *testing.T) {
	l := New()
	for i := range logChunk + 10 {
		l.Append(Item{Record: a2a.Record{ID: a2a.RecordID(i + 1)}})
	}
	v := l.View()
	done := make(chan bool)
	go func() {
		ok := true
		for id := a2a.RecordID(1); int(id) <= v.Len(); id++ {
			ok = ok && v.At(id).Record.ID == id
		}
		done <- ok
	}()
	for i := range 3 * logChunk {
		l.Append(Item{Record: a2a.Record{ID: a2a.RecordID(logChunk + 11 + i)}})
	}
	if !<-done || v.Len() != logChunk+10 {
		t.Errorf("got other content in a view of %d records, want that of the log at that time", v.Len())
	}
}

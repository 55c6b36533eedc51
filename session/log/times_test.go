package log_test

import (
	"testing"

	"parley/a2a"
	"parley/internal/tape"
)

// Times and the order of exchanges are known without rebuilding the items of old chunks.
func TestTimesOfPackedRecords(t *testing.T) {
	f := tape.New()
	for range 3 {
		f.Put(5, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Raw: []byte(`{"jsonrpc":"2.0","id":"1","method":"SendStreamingMessage"}`)})
		for range 900 {
			f.Event(3, `{"jsonrpc":"2.0","id":"1","result":{"artifactUpdate":{"taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"text":"word"}]}}}}`)
		}
	}
	l := f.State.Log
	for id := a2a.RecordID(1); int(id) <= l.Len(); id++ {
		if got, want := l.TimeOf(id), l.At(id).Record.Time; !got.Equal(want) {
			t.Fatalf("record %d: got time %v, want %v", id, got, want)
		}
	}
	if !l.TimeOf(0).IsZero() || !l.TimeOf(9999).IsZero() {
		t.Error("got a time of a record that does not exist, want none")
	}
	for i, want := range []a2a.ExchangeID{1, 902, 1803} {
		if got := l.Streams()[i].Exchange; got != want {
			t.Errorf("got exchange %d at %d, want %d", got, i, want)
		}
	}
}

package journal

import (
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/sessiontest"
)

func BenchmarkPut(b *testing.B) {
	f := log.NewFeed()
	r := NewRecorder(f, nil)
	rec := sessiontest.ChunkRecord()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		r.Put(rec, a2a.Update{})
		if n++; n%1000 == 0 {
			taken(f)
		}
	}
}

func BenchmarkReplay100k(b *testing.B) {
	path := benchFile(b)
	b.ReportAllocs()
	for b.Loop() {
		feed := log.NewFeed()
		if openRecording(b, path).Replay(b.Context(), feed, Unpaced); feed.Len() != benchRecords {
			b.Fatal(feed.Len())
		}
	}
}

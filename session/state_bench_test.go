package session

import (
	"bytes"
	"testing"

	"parley/a2a"
)

// TestApplyCostsTheChunkAlone counts allocations and copied bytes of a chunk in an
// artifact that already has many: they must not grow with what is there.
func TestApplyCostsTheChunkAlone(t *testing.T) {
	call := callOf(a2a.OpStream, 1)
	measure := func(before int) float64 {
		p := newTape()
		x := p.ask(call, "hi")
		for range before {
			p.event(x, call, chunkOf("a", "a few words of text", true))
		}
		return testing.AllocsPerRun(200, func() { p.event(x, call, chunkOf("a", "a few words of text", true)) })
	}
	few, many := measure(100), measure(20_000)
	if many > few+3 {
		t.Errorf("a chunk costs %.0f allocations after 100 chunks and %.0f after 20,000", few, many)
	}
}

// TestTextIsNeverCopied checks that the artifact's text moves only when its room
// doubles: amortised, a byte is copied once.
func TestTextIsNeverCopied(t *testing.T) {
	call := callOf(a2a.OpStream, 1)
	p := newTape()
	x := p.ask(call, "hi")
	p.event(x, call, chunkOf("a", "start ", false))
	a := p.state.Task(1, "t").Artifacts[0]
	moves, first := 0, &a.Text[0]
	for range 10_000 {
		p.event(x, call, chunkOf("a", "a few words of text", true))
		if &a.Text[0] != first {
			moves, first = moves+1, &a.Text[0]
		}
	}
	if moves > 40 {
		t.Errorf("the text of 10,000 chunks was moved %d times", moves)
	}
}

// applyChunks applies n chunks of one artifact that were decoded before.
func applyChunks(b *testing.B, item Item, x a2a.ExchangeID, s *State) {
	b.Helper()
	id := a2a.RecordID(s.Log.Len())
	b.ReportAllocs()
	for b.Loop() {
		id++
		item.Record.ID, item.Record.Exchange = id, x
		s.Apply(item)
	}
}

func BenchmarkApplyChunk(b *testing.B) {
	call := callOf(a2a.OpStream, 1)
	p := newTape()
	x := p.ask(call, "hi")
	p.event(x, call, chunkOf("a", "", false))
	r := chunkRecord()
	r.Call, r.Data = call, bytes.TrimSpace(bytes.TrimPrefix(r.Raw, []byte("data: ")))
	u := a2a.Decode(call, a2a.Input{Body: r.Data, Stream: true})
	u.Events[0].TaskID, u.Events[0].Artifact.Key = "t", "a"
	applyChunks(b, Item{Record: r, Update: u}, x, p.state)
}

// BenchmarkApplyChunkFloor keeps the items and appends their text.
func BenchmarkApplyChunkFloor(b *testing.B) {
	r := chunkRecord()
	u := a2a.Decode(nil, a2a.Input{Body: bytes.TrimPrefix(r.Raw, []byte("data: ")), Stream: true})
	var items []Item
	var text []byte
	b.ReportAllocs()
	for b.Loop() {
		items = append(items, Item{Record: r, Update: u})
		text = append(text, u.Events[0].Artifact.Parts[0].Text...)
	}
	if len(items) == 0 || len(text) == 0 {
		b.Fatal("nothing was kept")
	}
}

func BenchmarkPut(b *testing.B) {
	f := NewFeed()
	r := NewRecorder(f, nil)
	rec := chunkRecord()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		r.Put(rec, a2a.Update{})
		if n++; n%1000 == 0 {
			f.take(0)
		}
	}
}

func BenchmarkReplay100k(b *testing.B) {
	path := benchFile(b)
	b.ReportAllocs()
	for b.Loop() {
		feed := NewFeed()
		if replayInto(b, path, feed, nil); feed.Len() != benchRecords {
			b.Fatal(feed.Len())
		}
	}
}

package model_test

import (
	"bytes"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// TestApplyCostsTheChunkAlone counts allocations and copied bytes per chunk in an artifact with
// many chunks: they must not grow.
func TestApplyCostsTheChunkAlone(t *testing.T) {
	call := sessiontest.CallOf(a2a.OpStream, 1)
	measure := func(before int) float64 {
		p := sessiontest.NewTape()
		x := p.Ask(call, "hi")
		for range before {
			p.Event(x, call, sessiontest.ChunkOf("a", "a few words of text", true))
		}
		return testing.AllocsPerRun(200, func() { p.Event(x, call, sessiontest.ChunkOf("a", "a few words of text", true)) })
	}
	few, many := measure(100), measure(20_000)
	if many > few+3 {
		t.Errorf("got %.0f allocations per chunk after 100 chunks, %.0f after 20,000; want the same", few, many)
	}
}

// TestTextIsNeverCopied checks that the artifact's text is copied only when its capacity
// doubles: amortised, a byte is copied once.
func TestTextIsNeverCopied(t *testing.T) {
	call := sessiontest.CallOf(a2a.OpStream, 1)
	p := sessiontest.NewTape()
	x := p.Ask(call, "hi")
	p.Event(x, call, sessiontest.ChunkOf("a", "start ", false))
	a := p.State.Task(1, "t").Artifacts[0]
	moves, first := 0, &a.Text[0]
	for range 10_000 {
		p.Event(x, call, sessiontest.ChunkOf("a", "a few words of text", true))
		if &a.Text[0] != first {
			moves, first = moves+1, &a.Text[0]
		}
	}
	if moves > 40 {
		t.Errorf("the text of 10,000 chunks was moved %d times, want at most 40", moves)
	}
}

// applyChunks applies n chunks of one artifact that were decoded before.
func applyChunks(b *testing.B, item log.Item, x a2a.ExchangeID, s *model.State) {
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
	call := sessiontest.CallOf(a2a.OpStream, 1)
	p := sessiontest.NewTape()
	x := p.Ask(call, "hi")
	p.Event(x, call, sessiontest.ChunkOf("a", "", false))
	r := sessiontest.ChunkRecord()
	r.Call, r.Data = call, bytes.TrimSpace(bytes.TrimPrefix(r.Raw, []byte("data: ")))
	u := a2a.Decode(call, a2a.Input{Body: r.Data, Stream: true})
	u.Events[0].TaskID, u.Events[0].Artifact.Key = "t", "a"
	applyChunks(b, log.Item{Record: r, Update: u}, x, p.State)
}

// BenchmarkApplyChunkFloor stores the items and appends their text.
func BenchmarkApplyChunkFloor(b *testing.B) {
	r := sessiontest.ChunkRecord()
	u := a2a.Decode(nil, a2a.Input{Body: bytes.TrimPrefix(r.Raw, []byte("data: ")), Stream: true})
	var items []log.Item
	var text []byte
	b.ReportAllocs()
	for b.Loop() {
		items = append(items, log.Item{Record: r, Update: u})
		text = append(text, u.Events[0].Artifact.Parts[0].Text...)
	}
	if len(items) == 0 || len(text) == 0 {
		b.Fatal("got no items or no text")
	}
}

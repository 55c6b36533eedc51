package log_test

import (
	"bytes"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// settled is an item without its monotonic clock, which packing removes.
func settled(it *log.Item) log.Item {
	out := *it
	out.Record.Time = out.Record.Time.Round(0)
	return out
}

func TestOldItemsAreReadAsTheyWerePut(t *testing.T) {
	for seed := range uint64(4) {
		items := sessiontest.NewFramer(seed).Items(8_000)
		l := log.New()
		for i := range items {
			l.Append(items[i])
		}
		packed, scan := 0, l.View().Scan()
		for i := range items {
			id := items[i].Record.ID
			want, got := settled(&items[i]), settled(l.At(id))
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: record %d: got\n%+v, want\n%+v", seed, id, got, want)
			}
			if l.ExchangeOf(id) != want.Record.Exchange {
				t.Fatalf("record %d: got exchange %d, want %d", id, l.ExchangeOf(id), want.Record.Exchange)
			}
			if log.IsPacked(l, id) {
				packed++
			}
			seen := scan.At(id)
			if !bytes.Equal(seen.Record.Raw, want.Record.Raw) || !seen.Record.Time.Equal(want.Record.Time) || log.Describe(seen) != log.Describe(&want) ||
				seen.Record.ID != id || seen.Record.Call != want.Record.Call || !reflect.DeepEqual(seen.Findings, want.Findings) {
				t.Fatalf("seed %d: record %d: got scanned item %+v, want %+v", seed, id, seen, want)
			}
		}
		if packed < len(items)/2 {
			t.Errorf("seed %d: got %d of %d items packed, want at least half", seed, packed, len(items))
		}
	}
}

// TestALogIsReadWhileItPacks needs the race detector to find anything.
func TestALogIsReadWhileItPacks(t *testing.T) {
	items := sessiontest.NewFramer(9).Items(4_000)
	l := log.New()
	var readers sync.WaitGroup
	for i := range items {
		l.Append(items[i])
		if i%1000 != 500 {
			continue
		}
		v := l.View()
		readers.Go(func() {
			scan := v.Scan()
			for id := a2a.RecordID(1); int(id) <= v.Len(); id++ {
				if it := v.At(id); it.Record.ID != id || !bytes.Equal(it.Record.Raw, scan.At(id).Record.Raw) {
					t.Errorf("record %d: got item %+v, want that of the scanner", id, it)
				}
			}
		})
	}
	readers.Wait()
}

// TestAnItemStaysWhatItWasForWhoHoldsIt compares items before and after their chunks are packed
// and other items replace them in the cache.
func TestAnItemStaysWhatItWasForWhoHoldsIt(t *testing.T) {
	items := sessiontest.NewFramer(5).Items(6_000)
	l := log.New()
	var held []*log.Item
	for i := range items {
		p := l.Append(items[i])
		if i%10 == 0 {
			held = append(held, p, l.At(a2a.RecordID(i/2+1)))
		}
	}
	for _, it := range held {
		if want := settled(&items[it.Record.ID-1]); !reflect.DeepEqual(settled(it), want) {
			t.Fatalf("record %d: got %+v after packing, want %+v", it.Record.ID, it, want)
		}
	}
}

// TestAChunkCostsTheLogLittleMemory measures the memory of chunks in a log.
func TestAChunkCostsTheLogLittleMemory(t *testing.T) {
	const records = 20_000
	m := sessiontest.NewFramer(1)
	x, begin := m.Open()
	l := log.New()
	for i := range begin {
		l.Append(begin[i])
	}
	before := sessiontest.HeapInUse()
	for i := range records {
		l.Append(m.Words(x, i))
	}
	whole := int64(log.ChunkSize * (log.WholeChunks + 1) * 2_000)
	if each := (sessiontest.HeapInUse() - before - whole) / records; each > 120 {
		t.Errorf("got %d bytes per chunk in the log, want at most 120", each)
	}
	if l.Len() != records+2 {
		t.Errorf("got %d records, want %d", l.Len(), records+2)
	}
}

// TestPackingIsBounded makes every chunk that of another artifact.
func TestPackingIsBounded(t *testing.T) {
	m := sessiontest.NewFramer(2)
	x, begin := m.Open()
	l := log.New()
	for i := range begin {
		l.Append(begin[i])
	}
	for i := range 3 * log.MaxShapes {
		l.Append(m.Frame(x, fmt.Sprintf("data: "+`{"jsonrpc":"2.0","id":"q-%d","result":{"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a%d","parts":[{"text":"x"}]}}}}`+"\n\n", x, i)))
	}
	if n := l.KnownShapes(); n > log.MaxShapes {
		t.Errorf("got %d known shapes, want at most %d", n, log.MaxShapes)
	}
	for id := a2a.RecordID(1); int(id) <= l.Len(); id++ {
		if log.IsPacked(l, id) {
			t.Fatalf("record %d is packed although that saves nothing", id)
		}
	}
}

func BenchmarkLogAppend(b *testing.B) {
	m := sessiontest.NewFramer(1)
	x, begin := m.Open()
	l := log.New()
	for i := range begin {
		l.Append(begin[i])
	}
	it := m.Frame(x, string(sessiontest.ChunkRecord().Raw))
	b.ReportAllocs()
	for b.Loop() {
		it.Record.ID = a2a.RecordID(l.Len() + 1)
		l.Append(it)
	}
}

// BenchmarkLogAt reads old items in order, each once.
func BenchmarkLogAt(b *testing.B) {
	l := log.New()
	items := sessiontest.NewFramer(1).Items(20_000)
	for i := range items {
		l.Append(items[i])
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		l.At(a2a.RecordID(n%18_000 + 1))
		n++
	}
}

func BenchmarkLogScan(b *testing.B) {
	l := log.New()
	items := sessiontest.NewFramer(1).Items(20_000)
	for i := range items {
		l.Append(items[i])
	}
	scan := l.View().Scan()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		scan.At(a2a.RecordID(n%18_000 + 1))
		n++
	}
}

// TestASessionKeepsLittleOfAChunk measures the memory of chunks in the whole state: log, fold,
// artifact, anchors and streams.
func TestASessionKeepsLittleOfAChunk(t *testing.T) {
	const records = 20_000
	m := sessiontest.NewFramer(1)
	x, begin := m.Open()
	m.Calls[x].Conversation, m.Calls[x].Turn = 1, 1
	s := model.NewState()
	for i := range begin {
		s.Apply(begin[i])
	}
	before := sessiontest.HeapInUse()
	for i := range records {
		s.Apply(m.Words(x, i))
	}
	whole := int64(log.ChunkSize * (log.WholeChunks + 1) * 2_000)
	if each := (sessiontest.HeapInUse() - before - whole) / records; each > 200 {
		t.Errorf("got %d bytes per chunk in a session, want at most 200", each)
	}
	if a := s.Task(1, "91c2e0d4-77f1-4c55-9a2f-0f6f3a1b2c3d").Artifacts[0]; a.Chunks != records {
		t.Errorf("got %d chunks in the artifact, want %d", a.Chunks, records)
	}
}

package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"sync"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/sse"
)

// A framer makes the records of streams as a client does.
type framer struct {
	rng   *rand.Rand
	last  a2a.RecordID
	now   time.Time
	calls map[a2a.ExchangeID]*a2a.Call
}

func newFramer(seed uint64) *framer {
	return &framer{rng: rand.New(rand.NewPCG(seed, 3)), now: time.Now(), calls: map[a2a.ExchangeID]*a2a.Call{}}
}

// record numbers a record of an exchange.
func (m *framer) record(x a2a.ExchangeID, r a2a.Record) a2a.Record {
	m.last++
	m.now = m.now.Add(time.Duration(m.rng.IntN(5e6)))
	r.ID, r.Exchange, r.Call, r.Dir, r.Time = m.last, x, m.calls[x], a2a.In, m.now
	return r
}

// open begins an exchange with a request and a head.
func (m *framer) open() (x a2a.ExchangeID, items []Item) {
	x = m.last + 1
	m.calls[x] = &a2a.Call{Agent: 1, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}
	request := m.record(x, a2a.Record{Kind: a2a.KindRequest, Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"q-%d","method":"SendStreamingMessage"}`, x)})
	head := m.record(x, a2a.Record{Kind: a2a.KindHead, Head: &a2a.Head{Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}}})
	return x, []Item{{Record: request}, {Record: head}}
}

// frame makes an event of what follows each other on the wire.
func (m *framer) frame(x a2a.ExchangeID, wire string) Item {
	f, _ := sse.NewDecoder(bytes.NewReader([]byte(wire))).Next()
	if f.Data == nil {
		f.Data = []byte{}
	}
	r := m.record(x, a2a.Record{Kind: a2a.KindEvent, Raw: bytes.Clone(f.Raw), Data: bytes.Clone(f.Data), Torn: f.Torn})
	if f.ID != "" || f.Event != "" || f.Retry != "" {
		r.SSE = &a2a.SSEFields{ID: f.ID, Event: f.Event, Retry: f.Retry}
	}
	if m.rng.IntN(500) == 0 {
		r.SSE = &a2a.SSEFields{ID: f.ID, Event: f.Event, Retry: f.Retry, LateLF: true}
	}
	in := a2a.Input{Body: r.Data, Status: 200, ContentType: "text/event-stream", RPCID: fmt.Sprintf(`"q-%d"`, x), Stream: true, Torn: f.Torn, Unprefixed: f.Unprefixed, Event: f.Event}
	return Item{Record: r, Update: a2a.Decode(r.Call, in)}
}

// event makes an event as agents send it, or nearly.
func (m *framer) event(x a2a.ExchangeID) Item {
	text, _ := json.Marshal([]string{"some words ", "", "\n\n# Titel\n", `a "quoted" word`, "Grüße 日本 🙂", "<tag>"}[m.rng.IntN(6)] + fmt.Sprint(m.rng.IntN(1000)))
	part, result := `{"text":`+string(text)+`}`, ""
	switch m.rng.IntN(40) {
	case 0:
		part = `{"data":{"n":1}}`
	case 1:
		part += `,{"text":"more","mediaType":"text/plain"}`
	case 2:
		result = `{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`
	case 3:
		part = `{"kind":"text","text":1}`
	}
	if result == "" {
		result = fmt.Sprintf(`{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a%d","parts":[%s]},"append":%v,"metadata":{"seq":%d}}}`,
			m.rng.IntN(3), part, m.rng.IntN(50) > 0, m.last)
	}
	id := fmt.Sprintf(`"q-%d"`, x)
	if m.rng.IntN(30) == 0 {
		id = `"other"` // the decoder remarks on it
	}
	data := `{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`
	switch m.rng.IntN(20) {
	case 0:
		return m.frame(x, ": beat\r\ndata: "+data+"\r\n\r\n")
	case 1:
		return m.frame(x, ": beat\n\n: beat\nevent: chunk\ndata:"+data+"\n\n")
	case 2:
		return m.frame(x, "data: "+data[:20]+"\ndata: "+data[20:]+"\n\n")
	case 3:
		return m.frame(x, "data: "+data+"\n")
	case 4, 5, 6, 7, 8:
		return m.frame(x, fmt.Sprintf("id: %d\nretry: 30\ndata: %s\n\n", m.last, data))
	default:
		return m.frame(x, "data: "+data+"\n\n")
	}
}

// items makes items of a few streams that run at the same time.
func (m *framer) items(n int) (items []Item) {
	var open []a2a.ExchangeID
	for range 3 {
		x, begin := m.open()
		open, items = append(open, x), append(items, begin...)
	}
	for len(items) < n {
		it := m.event(open[m.rng.IntN(len(open))])
		it.Findings = it.Update.Findings
		switch m.rng.IntN(60) {
		case 0:
			it.Findings = append(it.Findings[:len(it.Findings):len(it.Findings)], a2a.Finding{Rule: "TEST-001", Offset: m.rng.IntN(9)})
		case 1:
			it.Record.Redactions = []a2a.Redaction{{Name: "secret", Original: "x"}}
		case 2:
			it.Record.Time = time.Date(9999, 1, 1, 0, 0, 0, m.rng.IntN(1e9), time.UTC)
		case 3:
			it.Record.Time = it.Record.Time.In(time.FixedZone("far", 3600))
		case 4:
			it.Artifact = "named"
		case 5:
			it.Update.Events = nil // not what the decoder says
		}
		items = append(items, it)
	}
	return items
}

// settled is an item as it can be compared: a packed one has lost the monotonic clock.
func settled(it *Item) Item {
	out := *it
	out.Record.Time = out.Record.Time.Round(0)
	return out
}

// isPacked reports whether a log works an item out when it is asked for.
func isPacked(l *Log, id a2a.RecordID) bool {
	c, i := l.find(id)
	return c.whole.Load() == nil && c.packed.rows[i].shape != nil
}

func TestOldItemsAreReadAsTheyWerePut(t *testing.T) {
	for seed := range uint64(4) {
		items := newFramer(seed).items(8_000)
		l := NewLog()
		for i := range items {
			l.append(items[i])
		}
		packed, scan := 0, l.View().Scan()
		for i := range items {
			id := items[i].Record.ID
			want, got := settled(&items[i]), settled(l.At(id))
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: record %d is\n%+v, want\n%+v", seed, id, got, want)
			}
			if l.ExchangeOf(id) != want.Record.Exchange {
				t.Fatalf("record %d is said to belong to %d", id, l.ExchangeOf(id))
			}
			if isPacked(l, id) {
				packed++
			}
			seen := scan.At(id)
			if !bytes.Equal(seen.Record.Raw, want.Record.Raw) || !seen.Record.Time.Equal(want.Record.Time) || Describe(seen) != Describe(&want) ||
				seen.Record.ID != id || seen.Record.Call != want.Record.Call || !reflect.DeepEqual(seen.Findings, want.Findings) {
				t.Fatalf("seed %d: record %d is scanned as %+v, want %+v", seed, id, seen, want)
			}
		}
		if packed < len(items)/2 {
			t.Errorf("seed %d: only %d of %d items are packed", seed, packed, len(items))
		}
	}
}

// TestALogIsReadWhileItPacks needs the race detector to find anything.
func TestALogIsReadWhileItPacks(t *testing.T) {
	items := newFramer(9).items(4_000)
	l := NewLog()
	var readers sync.WaitGroup
	for i := range items {
		l.append(items[i])
		if i%1000 != 500 {
			continue
		}
		v := l.View()
		readers.Go(func() {
			scan := v.Scan()
			for id := a2a.RecordID(1); int(id) <= v.Len(); id++ {
				if it := v.At(id); it.Record.ID != id || !bytes.Equal(it.Record.Raw, scan.At(id).Record.Raw) {
					t.Errorf("record %d is %+v", id, it)
				}
			}
		})
	}
	readers.Wait()
}

// TestAnItemStaysWhatItWasForWhoHoldsIt holds items over the packing of their chunks and
// over others that take their place.
func TestAnItemStaysWhatItWasForWhoHoldsIt(t *testing.T) {
	items := newFramer(5).items(6_000)
	l := NewLog()
	var held []*Item
	for i := range items {
		p := l.append(items[i])
		if i%10 == 0 {
			held = append(held, p, l.At(a2a.RecordID(i/2+1)))
		}
	}
	for _, it := range held {
		if want := settled(&items[it.Record.ID-1]); !reflect.DeepEqual(settled(it), want) {
			t.Fatalf("record %d became %+v", it.Record.ID, it)
		}
	}
}

// words makes chunk i of an artifact, as most are: 35 bytes of text in a frame of 330.
func (m *framer) words(x a2a.ExchangeID, i int) Item {
	const data = `{"jsonrpc":"2.0","id":"q-%d","result":{"artifactUpdate":{"taskId":"91c2e0d4-77f1-4c55-9a2f-0f6f3a1b2c3d","contextId":"7f3a11b9-02c8-4b0e-8d55-1a2b3c4d5e6f","artifact":{"artifactId":"itinerary","parts":[{"text":"London, %05d to 17 October, a bag. "}]},"append":true}}}`
	return m.frame(x, fmt.Sprintf("id: %d\ndata: "+data+"\n\n", i, x, i))
}

// TestAChunkCostsTheLogLittleMemory counts what a log keeps of chunks.
func TestAChunkCostsTheLogLittleMemory(t *testing.T) {
	const records = 20_000
	m := newFramer(1)
	x, begin := m.open()
	l := NewLog()
	for i := range begin {
		l.append(begin[i])
	}
	before := heapInUse()
	for i := range records {
		l.append(m.words(x, i))
	}
	whole := int64(logChunk * (logWhole + 1) * 2_000)
	if each := (heapInUse() - before - whole) / records; each > 120 {
		t.Errorf("the log keeps %d bytes of a chunk", each)
	}
	if l.Len() != records+2 {
		t.Error(l.Len())
	}
}

// TestPackingIsBounded makes every chunk that of another artifact.
func TestPackingIsBounded(t *testing.T) {
	m := newFramer(2)
	x, begin := m.open()
	l := NewLog()
	for i := range begin {
		l.append(begin[i])
	}
	for i := range 3 * maxShapes {
		l.append(m.frame(x, fmt.Sprintf("data: "+`{"jsonrpc":"2.0","id":"q-%d","result":{"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a%d","parts":[{"text":"x"}]}}}}`+"\n\n", x, i)))
	}
	if n := len(l.packer.shapes); n > maxShapes {
		t.Errorf("%d shapes are known", n)
	}
	for id := a2a.RecordID(1); int(id) <= l.Len(); id++ {
		if isPacked(l, id) {
			t.Fatalf("record %d is packed, which is no smaller", id)
		}
	}
}

func BenchmarkLogAppend(b *testing.B) {
	m := newFramer(1)
	x, begin := m.open()
	l := NewLog()
	for i := range begin {
		l.append(begin[i])
	}
	it := m.frame(x, string(chunkRecord().Raw))
	b.ReportAllocs()
	for b.Loop() {
		it.Record.ID = a2a.RecordID(l.Len() + 1)
		l.append(it)
	}
}

// BenchmarkLogAt reads old items in order, each once.
func BenchmarkLogAt(b *testing.B) {
	l := NewLog()
	items := newFramer(1).items(20_000)
	for i := range items {
		l.append(items[i])
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		l.At(a2a.RecordID(n%18_000 + 1))
		n++
	}
}

func BenchmarkLogScan(b *testing.B) {
	l := NewLog()
	items := newFramer(1).items(20_000)
	for i := range items {
		l.append(items[i])
	}
	scan := l.View().Scan()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		scan.At(a2a.RecordID(n%18_000 + 1))
		n++
	}
}

// TestASessionKeepsLittleOfAChunk counts what all of the state keeps of chunks: log, fold,
// artifact, anchors and streams.
func TestASessionKeepsLittleOfAChunk(t *testing.T) {
	const records = 20_000
	m := newFramer(1)
	x, begin := m.open()
	m.calls[x].Conversation, m.calls[x].Turn = 1, 1
	s := NewState()
	for i := range begin {
		s.Apply(begin[i])
	}
	before := heapInUse()
	for i := range records {
		s.Apply(m.words(x, i))
	}
	whole := int64(logChunk * (logWhole + 1) * 2_000)
	if each := (heapInUse() - before - whole) / records; each > 200 {
		t.Errorf("a session keeps %d bytes of a chunk", each)
	}
	if a := s.Task(1, "91c2e0d4-77f1-4c55-9a2f-0f6f3a1b2c3d").Artifacts[0]; a.Chunks != records {
		t.Errorf("the artifact has %d chunks", a.Chunks)
	}
}

// append adds an item with what was found in it.
func (l *Log) append(it Item) *Item {
	p := l.add(it)
	l.index(p)
	return p
}

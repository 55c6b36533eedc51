package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/sessiontest"
)

// TestBytesAreEscapedAsJSONDemands compares with a standard parser, with the byte to escape at
// every position in a word.
func TestBytesAreEscapedAsJSONDemands(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pool := []string{`"`, `\`, "\n", "\r", "\t", "\x00", "\x1b", "\x1f", " ", "a", "some words", "\x7f", "ü", "日本", "🙂", "{", "!"}
	for range 20_000 {
		var text string
		for range rng.IntN(24) {
			text += pool[rng.IntN(len(pool))]
		}
		out, ascii := appendEscaped([]byte(`"`), []byte(text))
		var back string
		if err := json.Unmarshal(append(out, '"'), &back); err != nil || back != text {
			t.Fatalf("%q: got JSON string %s (%v), want one with the same text", text, out, err)
		}
		if want := !strings.ContainsFunc(text, func(r rune) bool { return r > 0x7f }); ascii != want {
			t.Fatalf("%q: got ASCII %v, want %v", text, ascii, want)
		}
	}
}

// TestFramesOfStreamsAreWrittenAsTheyAre writes parallel streams with one writer, and compares
// each frame with that of a new writer.
func TestFramesOfStreamsAreWrittenAsTheyAre(t *testing.T) {
	for seed := range uint64(4) {
		var w lineWriter
		learned := 0
		for i, it := range sessiontest.NewFramer(seed).Items(6_000) {
			r := it.Record
			if i%97 == 0 {
				r.Raw = append(bytes.Clone(r.Raw), 0xff) // in base64
			}
			if got, want := w.append(nil, &r), new(lineWriter).append(nil, &r); !bytes.Equal(got, want) {
				t.Fatalf("seed %d: record %d: got line\n%swant\n%s", seed, r.ID, got, want)
			}
		}
		for i := range w.likes {
			if len(w.likes[i].raw) > 0 {
				learned++
			}
		}
		if learned != 3 {
			t.Errorf("seed %d: got %d streams with a pattern, want 3", seed, learned)
		}
	}
}

func BenchmarkLine(b *testing.B) {
	var w lineWriter
	var line []byte
	m := sessiontest.NewFramer(1)
	x, _ := m.Open()
	var items []log.Item
	for i := range 100 {
		items = append(items, m.Words(x, i))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		line = w.append(line[:0], &items[i%len(items)].Record)
	}
}

func TestTimesAreWrittenAsRFC3339(t *testing.T) {
	var w lineWriter
	base := time.Date(2026, 11, 20, 14, 2, 7, 0, time.FixedZone("far", 3600))
	for _, at := range []time.Time{
		{}, base, base.Add(1), base.Add(time.Millisecond), base.Add(999999999), base.Add(time.Second), base.Add(-time.Second - 50),
		time.Unix(0, 0), time.Unix(-1, 5e8), time.Date(9999, 12, 31, 23, 59, 59, 120, time.UTC),
	} {
		line := w.append(nil, &a2a.Record{Kind: a2a.KindNote, Time: at})
		if want := `"time":"` + at.UTC().Format(time.RFC3339Nano) + `"}`; !bytes.Contains(line, []byte(want)) {
			t.Errorf("got line %s, want one with %s", line, want)
		}
	}
}

// giants are records whose lines are not built in memory: text, and bytes that are not text.
func giants() []a2a.Record {
	text := strings.Repeat("some \"quoted\" words\n\x1b ü 日本 ", journalGiant/20)
	return []a2a.Record{
		{ID: 1, Exchange: 1, Kind: a2a.KindRequest, Dir: a2a.Out, Time: sessiontest.Epoch, Call: &a2a.Call{Op: a2a.OpStream}, Raw: []byte(`{"a":1}`)},
		{ID: 2, Exchange: 1, Kind: a2a.KindEvent, Dir: a2a.In, Time: sessiontest.Epoch, Raw: []byte("data: " + text + "\n\n"), SSE: &a2a.SSEFields{ID: "4"}},
		{ID: 3, Exchange: 1, Kind: a2a.KindEvent, Dir: a2a.In, Time: sessiontest.Epoch, Raw: []byte("data: x\n\n")},
		{ID: 4, Exchange: 1, Kind: a2a.KindBody, Dir: a2a.In, Time: sessiontest.Epoch, Torn: true, Raw: []byte(text + "\xff")},
	}
}

func TestAGiantsLineIsWrittenBitByBit(t *testing.T) {
	var w lineWriter
	for _, r := range giants() {
		if len(r.Raw) < journalGiant {
			continue
		}
		var out counter
		if err := writeGiant(&out, &r); err != nil {
			t.Fatal(err)
		}
		if want := w.append(nil, &r); !bytes.Equal(out.Bytes(), want) || w.size(&r) != int64(len(want)) {
			t.Errorf("record %d: got %d written bytes, want %d; size returned %d", r.ID, out.Len(), len(want), w.size(&r))
		}
		if out.most > 2*journalBatch {
			t.Errorf("record %d: got a write of %d bytes, want at most %d", r.ID, out.most, 2*journalBatch)
		}
	}
}

// A counter records the longest write.
type counter struct {
	bytes.Buffer
	most int
}

func (c *counter) Write(p []byte) (int, error) {
	c.most = max(c.most, len(p))
	return c.Buffer.Write(p)
}

func TestGiantsStandInTheirPlaceInAJournal(t *testing.T) {
	s := &sink{gate: make(chan struct{})} // so that all are queued
	j := startJournal(s, Options{})
	r := NewRecorder(log.NewFeed(), j)
	for _, rec := range giants() {
		r.Put(rec, a2a.Update{})
	}
	close(s.gate)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	var got []a2a.Record
	err := Read(bytes.NewReader(append(appendHeader(nil, sessiontest.Epoch), s.buf.Bytes()...)), func(r a2a.Record) error { got = append(got, r); return nil })
	if err != nil || len(got) != 4 {
		t.Fatalf("got %d records (%v), want 4", len(got), err)
	}
	for i, want := range giants() {
		if !bytes.Equal(got[i].Raw, want.Raw) || got[i].Kind != want.Kind {
			t.Errorf("record %d: got a %s of %d bytes, want a %s of %d", i+1, got[i].Kind, len(got[i].Raw), want.Kind, len(want.Raw))
		}
	}
}

func TestAGiantThatDoesNotFitTheFileIsNotBegun(t *testing.T) {
	s := &sink{}
	j := startJournal(s, Options{MaxBytes: journalGiant})
	feed := log.NewFeed()
	r := NewRecorder(feed, j)
	for _, rec := range giants() {
		r.Put(rec, a2a.Update{})
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(s.buf.Bytes(), []byte("\n")); n != 1 || !bytes.HasSuffix(s.buf.Bytes(), []byte("\n")) {
		t.Errorf("got %d lines, want the one that fits", n)
	}
	if got := signals(t, feed); len(got) != 1 || got[0].Class != JournalStopped {
		t.Errorf("got signals %+v, want one of class journal-stopped", got)
	}
}

func TestAGiantThatTheDiskRefusesStopsTheJournal(t *testing.T) {
	refused := errors.New("refused")
	s := &sink{err: refused, room: journalGiant}
	j := startJournal(s, Options{})
	feed := log.NewFeed()
	r := NewRecorder(feed, j)
	for _, rec := range giants() {
		r.Put(rec, a2a.Update{})
	}
	if err := j.Close(); err != refused {
		t.Errorf("Close: got error %v, want %v", err, refused)
	}
	if s.buf.Len() > s.room {
		t.Errorf("got %d bytes written after the disk refused them, want 0", s.buf.Len()-s.room)
	}
}

// TestRecordingAnEventAllocatesNothing counts the allocations that recording adds to an event:
// its line is built in reused memory, also that of a message that is not JSON.
func TestRecordingAnEventAllocatesNothing(t *testing.T) {
	carried := sessiontest.ChunkRecord()
	carried.Binary = &a2a.Binary{Kind: "lf.a2a.v1.StreamResponse", Bytes: carried.Raw}
	for _, rec := range []a2a.Record{sessiontest.ChunkRecord(), carried} {
		count := func(j *Journal) float64 {
			feed := log.NewFeed()
			r := NewRecorder(feed, j)
			for range 5_000 {
				r.Put(rec, a2a.Update{})
			}
			taken(feed)
			return testing.AllocsPerRun(2_000, func() { r.Put(rec, a2a.Update{}) })
		}
		j := newJournal("session.jsonl", discard{}, Options{Now: clock()})
		go j.run()
		defer j.Close()
		if without, with := count(nil), count(j); with > without+0.1 {
			t.Errorf("got %v allocations with a journal, want the %v without one", with, without)
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func (discard) Close() error { return nil }

func ExampleJournal() {
	var w lineWriter
	r := a2a.Record{ID: 7, Exchange: 5, Kind: a2a.KindEvent, Dir: a2a.In, Time: time.Date(2026, 11, 20, 14, 2, 7, 120e6, time.UTC), Raw: []byte("data: {\"a\":1}\n\n")}
	fmt.Printf("%s", w.append(nil, &r))
	// Output: {"id":7,"exchange":5,"kind":"event","dir":"in","time":"2026-11-20T14:02:07.12Z","raw":"data: {\"a\":1}\n\n"}
}

// A record says how its body was coded, which counts towards its size.
func TestTheSizeOfACodedRecordIsThatOfItsLine(t *testing.T) {
	r := a2a.Record{ID: 1, Kind: a2a.KindBody, Time: sessiontest.Epoch, Raw: []byte(`{"a":1}`), Coding: &a2a.ContentCoding{Names: "gzip", Size: 12, Bytes: []byte("\x1f\x8b\x08\x00 no gzip")}}
	line := new(lineWriter).append(nil, &r)
	if size := new(lineWriter).size(&r); size != int64(len(line)) {
		t.Errorf("got size %d, want %d", size, len(line))
	}
	got, err := new(lineParser).record(bytes.TrimSuffix(line, []byte("\n")))
	if err != nil || !reflect.DeepEqual(got.Coding, r.Coding) || !bytes.Equal(got.Raw, r.Raw) {
		t.Errorf("got %+v (%v) from the journal, want %+v", got.Coding, err, r.Coding)
	}
}

package filter

import (
	"bytes"
	"fmt"
	"testing"

	"parley/a2a"
)

// long is a log of n records of a stream.
func long(n int) *recording {
	f := newRecording()
	f.request(0, "SendStreamingMessage", `{}`)
	for i := range n - 1 {
		f.event(i%300, fmt.Sprintf(`{"artifactUpdate":{%s,"append":true,"artifact":{"artifactId":"essay","name":"essay.md","parts":[{"text":"some words of an essay, number %d "}]},"lastChunk":false,"metadata":{"model":"a-model-of-some-kind","seq":%d}}}`, ids, i, i))
	}
	return f
}

const benchRecords = 20_000

// BenchmarkFloor searches every body once for exact bytes, which is the minimum.
func BenchmarkFloor(b *testing.B) {
	items := long(benchRecords).State.Log.View().Scan()
	var bodies [][]byte
	for id := a2a.RecordID(1); items.At(id) != nil; id++ {
		bodies = append(bodies, bytes.Clone(items.At(id).Record.Raw))
	}
	for b.Loop() {
		for i := range bodies {
			if bytes.Contains(bodies[i], []byte("no such text")) {
				b.Fatal("a body contains the text, want none")
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchRecords), "ns/record")
}

func BenchmarkMatch(b *testing.B) {
	f := long(benchRecords)
	env, view := f.env(), f.State.Log.View()
	for _, text := range []string{"quack", "number", `"no such text"`, "/no such (text|word)/", "kind:status", "state:working,completed", "task:ffff", "gap>1h", "size>100k itinerary", "error or finding:E"} {
		b.Run(text, func(b *testing.B) {
			flt, err := Parse(text)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				items := view.Scan()
				for id := a2a.RecordID(1); int(id) <= view.Len(); id++ {
					flt.Match(items.At(id), env)
				}
			}
			each := float64(b.Elapsed().Nanoseconds()) / float64(b.N*benchRecords)
			b.ReportMetric(each, "ns/record")
			b.ReportMetric(each*100_000, "100k-ns")
		})
	}
}

// TestOldRecordsAreListedAsTheyWere compares matches of original items with those of the
// scanner's reduced items.
func TestOldRecordsAreListedAsTheyWere(t *testing.T) {
	f := long(4000)
	env, view := f.env(), f.State.Log.View()
	items := view.Scan()
	for _, text := range []string{
		"number", `"number 7"`, `"essay.md +3"`, "artifact:essay", "artifact=essay.md", "artifact:other", "task:91c2", "ctx:7f3a", "kind:artifact", "kind:event dir:in",
		"method:stream", "agent:desk", "size>330", "size<335 seq", "gap<5ms", "since:2s", "error", "finding", "state:working", "/number [0-9]5 /", "not number", "marked",
	} {
		flt, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for id := a2a.RecordID(1); int(id) <= view.Len(); id++ {
			if got, want := flt.Match(items.At(id), env), flt.Match(view.At(id), env); got != want {
				t.Fatalf("%s: record %d: got match %v by the scanner, %v by the whole item", text, id, got, want)
			}
		}
	}
	if items.At(2000) == view.At(2000) {
		t.Error("got no packed record, want some")
	}
}

func BenchmarkSeen(b *testing.B) {
	f := long(1000)
	var s Values
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		s.Add(f.State.Log.At(a2a.RecordID(i%1000 + 1)))
		i++
	}
}

// TestAFilterAllocatesNothingForOldRecords counts the allocations of a filter over all records
// of a long stream: none, except for the newest, which are not packed.
func TestAFilterAllocatesNothingForOldRecords(t *testing.T) {
	const records, newest = 8000, 640
	f := long(records)
	env, view := f.env(), f.State.Log.View()
	for _, text := range []string{"quack", `"no such text"`, "task:ffff", "kind:status", "state:working"} {
		flt, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		n := testing.AllocsPerRun(5, func() {
			items := view.Scan()
			for id := a2a.RecordID(1); int(id) <= view.Len(); id++ {
				flt.Match(items.At(id), env)
				asked++
			}
		})
		if asked != 6*records {
			t.Fatalf("%s: got %d matches, want %d", text, asked, 6*records)
		}
		if n > 5*newest {
			t.Errorf("%s: got %v allocations for %d records, want at most %d", text, n, records, 5*newest)
		}
	}
}

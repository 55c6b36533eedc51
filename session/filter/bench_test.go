package filter

import (
	"bytes"
	"fmt"
	"testing"

	"parley/a2a"
)

// long is a log of n records of a stream.
func long(n int) *tape {
	f := newTape()
	f.request(0, "SendStreamingMessage", `{}`)
	for i := range n - 1 {
		f.event(i%300, fmt.Sprintf(`{"artifactUpdate":{%s,"append":true,"artifact":{"artifactId":"essay","name":"essay.md","parts":[{"text":"some words of an essay, number %d "}]},"lastChunk":false,"metadata":{"model":"a-model-of-some-kind","seq":%d}}}`, ids, i, i))
	}
	return f
}

const benchRecords = 20_000

// BenchmarkFloor is one search for exact bytes in every body: nothing can look at all of
// them in less.
func BenchmarkFloor(b *testing.B) {
	view := long(benchRecords).state.Log.View()
	for b.Loop() {
		for id := a2a.RecordID(1); int(id) <= view.Len(); id++ {
			if bytes.Contains(view.At(id).Record.Raw, []byte("no such text")) {
				b.Fatal("found")
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchRecords), "ns/record")
}

func BenchmarkMatch(b *testing.B) {
	f := long(benchRecords)
	env, view := f.env(), f.state.Log.View()
	for _, text := range []string{"quack", "number", `"no such text"`, "/no such (text|word)/", "kind:status", "state:working,completed", "task:ffff", "gap>1h", "size>100k itinerary", "error or finding:E"} {
		b.Run(text, func(b *testing.B) {
			flt, err := Parse(text)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				for id := a2a.RecordID(1); int(id) <= view.Len(); id++ {
					flt.Match(view.At(id), env)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchRecords), "ns/record")
		})
	}
}

func BenchmarkSeen(b *testing.B) {
	f := long(1000)
	var s Seen
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		s.Add(f.state.Log.At(a2a.RecordID(i%1000 + 1)))
		i++
	}
}

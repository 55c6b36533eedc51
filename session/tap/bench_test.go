package tap

import (
	"bytes"
	"fmt"
	"net/url"
	"testing"

	"parley/a2a"
	"parley/a2a/sse"
	"parley/session/journal"
	"parley/session/log"
)

// chunks returns a stream of so many chunks of text, one event a piece.
func chunks(n int) (pieces [][]byte) {
	for i := range n {
		pieces = append(pieces, fmt.Appendf(nil, `data: {"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"text":"word %07d "}]}}}}`+"\n\n", i))
	}
	return pieces
}

// quiet returns a tap whose records are thrown away, and what throws them away.
func quiet(t testing.TB) (*Tap, func()) {
	feed := log.NewFeed()
	tap := New(Options{Target: &url.URL{Scheme: "http", Host: "127.0.0.1:1"}, Recorder: journal.NewRecorder(feed, nil)})
	return tap, func() {
		if _, err := feed.Next(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
}

// The cost of an event does not depend on what came before it: a stream of twice the length costs
// twice the allocations.
func TestTheCostOfAnEventIsConstant(t *testing.T) {
	request := rpc("1", "SendStreamingMessage", message("go", ""))
	allocations := func(n int) float64 {
		pieces, tap, drop := chunks(n), (*Tap)(nil), func() {}
		tap, drop = quiet(t)
		return testing.AllocsPerRun(3, func() {
			play(t, tap, request, pieces)
			drop()
		}) / float64(n)
	}
	short, long := allocations(2000), allocations(16_000)
	if long > short+1 || long > 12 {
		t.Errorf("got %.1f allocations an event in a stream of 2,000 events, %.1f in one of 16,000, want as many and at most 12", short, long)
	}
}

// BenchmarkTap records a stream of 10,000 events.
func BenchmarkTap(b *testing.B) {
	request, pieces := rpc("1", "SendStreamingMessage", message("go", "")), chunks(10_000)
	tap, drop := quiet(b)
	b.ReportAllocs()
	for b.Loop() {
		play(b, tap, request, pieces)
		drop()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/event")
}

// BenchmarkFloorDecode only divides and decodes the same stream.
func BenchmarkFloorDecode(b *testing.B) {
	stream := bytes.Join(chunks(10_000), nil)
	call := &a2a.Call{Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}
	b.ReportAllocs()
	for b.Loop() {
		d := sse.NewDecoder(bytes.NewReader(stream))
		var decoder a2a.Decoder
		for {
			f, err := d.Next()
			if err != nil {
				break
			}
			decoder.Decode(call, a2a.Input{Body: f.Data, Status: 200, ContentType: "text/event-stream", Stream: true})
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/event")
}

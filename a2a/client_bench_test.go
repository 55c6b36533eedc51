package a2a_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"time"

	"parley/a2a"
)

// BenchmarkStream reads 2,000 events over loopback. Its floor is the same exchange with the
// body discarded.
func BenchmarkStream(b *testing.B) {
	body := bytes.Repeat([]byte(status("WORKING")), 2000)
	agent := serve(b, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(body)
	})
	b.Run("floor", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		for b.Loop() {
			resp, err := http.Post(agent.URL, "application/json", http.NoBody)
			if err != nil {
				b.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
	})
	b.Run("client", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		events := 0
		o := a2a.Options{
			Trace: a2a.Trace{Put: func(a2a.Record, a2a.Update) a2a.RecordID { return 1 }, Now: time.Now},
			NewID: func() string { return "id-1" },
		}
		c := a2a.NewClient(profile(a2a.V10, agent.URL), nil, o)
		defer c.Close()
		for b.Loop() {
			out := c.Do(b.Context(), request(a2a.OpStream), a2a.Hooks{})
			if out.Err != nil {
				b.Fatal(out.Err)
			}
			events += out.Events
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
	})
}

// BenchmarkCall measures one plain call. Its floor is the same POST by net/http.
func BenchmarkCall(b *testing.B) {
	agent := serve(b, answer(200, "application/json", taskAnswer))
	b.Run("floor", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			resp, err := http.Post(agent.URL, "application/json", bytes.NewReader([]byte(taskAnswer)))
			if err != nil {
				b.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
	})
	b.Run("client", func(b *testing.B) {
		b.ReportAllocs()
		o := a2a.Options{
			Trace: a2a.Trace{Put: func(a2a.Record, a2a.Update) a2a.RecordID { return 1 }, Now: time.Now},
			NewID: func() string { return "id-1" },
		}
		c := a2a.NewClient(profile(a2a.V10, agent.URL), nil, o)
		defer c.Close()
		for b.Loop() {
			if out := c.Do(b.Context(), request(a2a.OpGet), a2a.Hooks{}); out.Err != nil {
				b.Fatal(out.Err)
			}
		}
	})
}

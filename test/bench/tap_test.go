package bench

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/session/journal"
	sessionlog "parley/session/log"
	"parley/session/tap"
	"parley/session/tap/relay"
)

// between is how a client reaches the agent of these benchmarks: directly, or through something.
var between = map[string]func(b *testing.B, agent *url.URL) (base string){
	"direct": func(_ *testing.B, agent *url.URL) string { return agent.String() },
	// The smallest proxy that a program in Go can have. It shows and records nothing.
	"proxy": func(b *testing.B, agent *url.URL) string {
		proxy := httputil.NewSingleHostReverseProxy(agent)
		proxy.ErrorLog = log.New(io.Discard, "", 0)
		server := httptest.NewServer(proxy)
		b.Cleanup(server.Close)
		return server.URL
	},
	"relay": func(b *testing.B, agent *url.URL) string { return startTap(b, agent, nil) },
	// A tap that masks, decodes and records everything in a session file.
	"tap": func(b *testing.B, agent *url.URL) string {
		file, err := journal.Create(filepath.Join(b.TempDir(), "tap.jsonl"), journal.Options{Now: time.Now})
		if err != nil {
			b.Fatal(err)
		}
		feed := sessionlog.NewFeed()
		recorder := journal.NewRecorder(feed, file)
		go func() {
			for {
				if _, err := feed.Next(b.Context(), 0); err != nil {
					return
				}
			}
		}()
		b.Cleanup(func() { _ = file.Close() })
		return startTap(b, agent, tap.New(tap.Options{Target: agent, Recorder: recorder}))
	},
}

func startTap(b *testing.B, agent *url.URL, o relay.Observer) string {
	r, err := relay.Start(b.Context(), relay.Options{Target: agent, Observer: o})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(r.Close)
	return r.URL()
}

// behind starts an agent and what is between it and a client.
func behind(b *testing.B, way string, agent http.HandlerFunc) (base string) {
	server := httptest.NewServer(agent)
	b.Cleanup(server.Close)
	target, err := url.Parse(server.URL)
	if err != nil {
		b.Fatal(err)
	}
	return between[way](b, target)
}

var ways = []string{"direct", "proxy", "relay", "tap"}

// BenchmarkTapDelay measures a request and its answer on a connection that is open.
func BenchmarkTapDelay(b *testing.B) {
	for _, way := range ways {
		b.Run(way, func(b *testing.B) {
			answer := fmt.Appendf(nil, chunk, `"1"`)
			base := behind(b, way, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write(answer)
			})
			const body = `{"jsonrpc":"2.0","id":"1","method":"GetTask","params":{"id":"91c2e0d4-77f1-4c55-9a2f-0f6f3a1b2c3d"}}`
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				resp, err := http.Post(base+"/a2a", "application/json", strings.NewReader(body))
				if err != nil {
					b.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
				took = append(took, time.Since(began))
			}
			reportDelays(b, took)
		})
	}
}

// BenchmarkTapEvent measures from an event that the agent writes until the client has it.
func BenchmarkTapEvent(b *testing.B) {
	for _, way := range ways {
		b.Run(way, func(b *testing.B) {
			next := make(chan bool)
			event := fmt.Appendf(nil, "data: "+chunk+"\n\n", `"1"`)
			base := behind(b, way, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				w.(http.Flusher).Flush()
				for range next {
					_, _ = w.Write(event)
					w.(http.Flusher).Flush()
				}
			})
			resp, err := http.Get(base + "/stream")
			if err != nil {
				b.Fatal(err)
			}
			var took []time.Duration
			buf := make([]byte, len(event))
			for b.Loop() {
				began := time.Now()
				next <- true
				if _, err := io.ReadFull(resp.Body, buf); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			close(next)
			_ = resp.Body.Close()
			reportDelays(b, took)
		})
	}
}

func reportDelays(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2]), "p50-ns")
	b.ReportMetric(float64(took[len(took)*99/100]), "p99-ns")
}

// BenchmarkTapStream measures a stream of many events, each of which the agent writes by itself, and
// what the heap takes meanwhile.
func BenchmarkTapStream(b *testing.B) {
	for _, way := range ways {
		b.Run(way+"-100k", func(b *testing.B) { streamThrough(b, way, events) })
	}
	b.Run("tap-1M", func(b *testing.B) { streamThrough(b, "tap", 10*events) })
}

func streamThrough(b *testing.B, way string, events int) {
	event := fmt.Appendf(nil, "data: "+chunk+"\n\n", `"1"`)
	base := behind(b, way, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range events {
			_, _ = w.Write(event)
			w.(http.Flusher).Flush()
		}
	})
	runtime.GC()
	idle := heap()
	var most atomic.Uint64
	computed := cpu(b, os.Getpid())
	for b.Loop() {
		resp, err := http.Post(base+"/stream", "application/json", http.NoBody)
		if err != nil {
			b.Fatal(err)
		}
		n, lines := 0, bufio.NewReaderSize(resp.Body, 64<<10)
		for {
			line, err := lines.ReadSlice('\n')
			if err != nil {
				break
			}
			if len(line) > 1 {
				if n++; n%(events/10) == 0 {
					runtime.GC()
					most.Store(max(most.Load(), heap()))
				}
			}
		}
		_ = resp.Body.Close()
		if n != events {
			b.Fatalf("got %d events, want %d", n, events)
		}
	}
	b.ReportMetric(float64(b.N*events)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*events), "ns/event")
	b.ReportMetric(float64((cpu(b, os.Getpid())-computed).Nanoseconds())/float64(b.N*events), "cpu-ns/event")
	b.ReportMetric((float64(most.Load())-float64(idle))/(1<<20), "heap-MB")
}

// heap returns the bytes of live objects and of garbage that was not collected yet.
func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

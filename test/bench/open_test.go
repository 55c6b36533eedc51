package bench

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
)

// writeJournal writes a journal of one stream with this many records and returns its name.
func writeJournal(b *testing.B, records int) string {
	b.Helper()
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	path := filepath.Join(b.TempDir(), "stream.jsonl")
	j, err := journal.Create(path, journal.Options{Now: func() time.Time { return now }})
	if err != nil {
		b.Fatal(err)
	}
	feed := log.NewFeed()
	recorder := journal.NewRecorder(feed, j)
	call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC, Endpoint: "http://127.0.0.1:4000/"}
	x := a2a.ExchangeID(0)
	put := func(kind a2a.RecordKind, dir a2a.Direction, r a2a.Record) {
		now = now.Add(3 * time.Millisecond)
		r.Kind, r.Dir, r.Time, r.Call, r.Exchange = kind, dir, now, call, x
		if id := recorder.Put(r, a2a.Update{}); x == 0 {
			x = id
		}
		if _, err := feed.Next(b.Context(), 0); err != nil {
			b.Fatal(err)
		}
	}
	put(a2a.KindRequest, a2a.Out, a2a.Record{Head: &a2a.Head{Method: "POST", URL: call.Endpoint}, Raw: []byte(`{"jsonrpc":"2.0","id":"c41f-1","method":"SendStreamingMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"plan a trip"}]}}}`)})
	put(a2a.KindHead, a2a.In, a2a.Record{Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"text/event-stream"}}}})
	event := func(result string) {
		put(a2a.KindEvent, a2a.In, a2a.Record{Raw: []byte(`data: {"jsonrpc":"2.0","id":"c41f-1","result":` + result + "}\n\n")})
	}
	const ids = `"taskId":"91c2e0d4-77f1-4c55-9a2f-0f6f3a1b2c3d","contextId":"7f3a11b9-02c8-4b0e-8d55-1a2b3c4d5e6f"`
	for i := range records - 4 {
		end := " "
		if i%12 == 11 {
			end = `.\n\n`
		}
		event(fmt.Sprintf(`{"artifactUpdate":{%s,"artifact":{"artifactId":"itinerary","name":"itinerary.md","parts":[{"text":"London, %d to 17 October, one bag%s"}]},"append":%t}}`, ids, i, end, i > 0))
	}
	event(`{"statusUpdate":{` + ids + `,"status":{"state":"TASK_STATE_COMPLETED"}}}`)
	put(a2a.KindEnd, a2a.In, a2a.Record{End: &a2a.End{Reason: a2a.Ended}})
	if err := j.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkOpen opens a recorded session. It reports the time from exec to the first rows, the
// time until all records can be reached, and the resident memory then.
func BenchmarkOpen(b *testing.B) {
	const records = 100_000
	program, path := build(b, "parley", releaseEnv), writeJournal(b, records)
	b.Run("parley", func(b *testing.B) {
		first, all, computed, resident := time.Hour, time.Hour, time.Hour, 0.0
		for b.Loop() {
			began := time.Now()
			s := startScreen(b, program, "open", path)
			shows := func(what string) func() bool {
				return func() bool {
					for y := range screenHeight {
						if strings.Contains(s.row(y, 0, screenWidth), what) {
							return true
						}
					}
					return false
				}
			}
			first = min(first, s.until("the first rows", shows("artifact itinerary.md")).Sub(began))
			all = min(all, s.until("all records", shows("100,000 records")).Sub(began))
			computed = min(computed, cpu(b, s.cmd.Process.Pid))
			time.Sleep(2 * time.Second) // temporary memory is released
			resident = memory(b, s.cmd.Process.Pid)
			stop(s.cmd)
		}
		b.ReportMetric(float64(first.Nanoseconds()), "first-ns")
		b.ReportMetric(float64(all.Nanoseconds()), "indexed-ns")
		b.ReportMetric(float64(computed.Nanoseconds()), "computed-ns")
		b.ReportMetric(resident, "resident-MB")
	})
	b.Run("floor", func(b *testing.B) {
		least := time.Hour
		for b.Loop() {
			began := time.Now()
			text, err := os.ReadFile(path)
			if err != nil || bytes.Count(text, []byte("\n")) != records+1 {
				b.Fatal("the journal differs from what was written: ", err)
			}
			least = min(least, time.Since(began))
		}
		b.ReportMetric(float64(least.Nanoseconds()), "indexed-ns")
	})
}

// memory returns the resident memory of a process in MiB.
func memory(b *testing.B, pid int) float64 {
	b.Helper()
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		b.Skip("this system has no /proc to tell resident memory")
	}
	_, after, _ := strings.Cut(string(data), "VmRSS:")
	n, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		b.Fatal(err)
	}
	return float64(n) / 1024
}

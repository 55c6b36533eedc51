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
	return writeTurns(b, records, records)
}

// writeTurns writes a journal of turns with a task and a stream of so many records each, a hundred
// in each conversation, and returns its name.
func writeTurns(b *testing.B, records, each int) string {
	b.Helper()
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	path := filepath.Join(b.TempDir(), "stream.jsonl")
	j, err := journal.Create(path, journal.Options{Now: func() time.Time { return now }})
	if err != nil {
		b.Fatal(err)
	}
	feed := log.NewFeed()
	recorder := journal.NewRecorder(feed, j)
	for turn := 1; turn <= records/each; turn++ {
		writeTurn(turn, each, func(r a2a.Record) a2a.RecordID {
			now = now.Add(3 * time.Millisecond)
			r.Time = now
			id := recorder.Put(r, a2a.Update{})
			if _, err := feed.Next(b.Context(), 0); err != nil {
				b.Fatal(err)
			}
			return id
		})
	}
	if err := j.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// writeTurn puts the records of a turn.
func writeTurn(turn, records int, put func(a2a.Record) a2a.RecordID) {
	const perConversation = 100
	conversation := a2a.ConversationID(1 + (turn-1)/perConversation)
	call := &a2a.Call{Agent: 1, Conversation: conversation, Turn: a2a.TurnID(turn), Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC, Endpoint: "http://127.0.0.1:4000/"}
	x := put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Head: &a2a.Head{Method: "POST", URL: call.Endpoint}, Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"c41f-1","method":"SendStreamingMessage","params":{"message":{"messageId":"m%d","role":"ROLE_USER","parts":[{"text":"plan a trip"}]}}}`, turn)})
	answer := func(kind a2a.RecordKind, r a2a.Record) {
		r.Kind, r.Dir, r.Call, r.Exchange = kind, a2a.In, call, x
		put(r)
	}
	answer(a2a.KindHead, a2a.Record{Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"text/event-stream"}}}})
	event := func(result string) {
		answer(a2a.KindEvent, a2a.Record{Raw: []byte(`data: {"jsonrpc":"2.0","id":"c41f-1","result":` + result + "}\n\n")})
	}
	ids := fmt.Sprintf(`"taskId":"91c2e0d4-77f1-4c55-9a2f-%012d","contextId":"7f3a11b9-02c8-4b0e-8d55-%012d"`, turn, conversation)
	for i := range records - 4 {
		end := " "
		if i%12 == 11 {
			end = `.\n\n`
		}
		event(fmt.Sprintf(`{"artifactUpdate":{%s,"artifact":{"artifactId":"itinerary","name":"itinerary.md","parts":[{"text":"London, %d to 17 October, one bag%s"}]},"append":%t}}`, ids, i, end, i > 0))
	}
	event(`{"statusUpdate":{` + ids + `,"status":{"state":"TASK_STATE_COMPLETED"}}}`)
	answer(a2a.KindEnd, a2a.Record{End: &a2a.End{Reason: a2a.Ended}})
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
			first = min(first, s.until("the first rows", shows("· London, ")).Sub(began))
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
	b.Run("floor", func(b *testing.B) { readEachByte(b, path, records) })
}

// readEachByte reports how long it takes to read a recording and look at each of its bytes.
func readEachByte(b *testing.B, path string, records int) {
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

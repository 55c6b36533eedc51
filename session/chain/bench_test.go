package chain

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"parley/a2a"
)

// session returns the records of n chains of three exchanges each, with their updates.
func session(n int) (records []a2a.Record, updates []a2a.Update) {
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	put := func(r a2a.Record, u a2a.Update) a2a.RecordID {
		r.ID, r.Time = a2a.RecordID(len(records)+1), now.Add(time.Duration(len(records))*time.Millisecond)
		if r.Exchange == 0 {
			r.Exchange = r.ID
		}
		records, updates = append(records, r), append(updates, u)
		return r.ID
	}
	for i := range n {
		var open []a2a.RecordID
		var calls []*a2a.Call
		for hop := range 3 {
			call := &a2a.Call{Agent: a2a.AgentID(hop + 1), Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC,
				Tapped: &a2a.Tapped{Tap: fmt.Sprint("tap", hop), Client: fmt.Sprint("client ", hop)}}
			head := &a2a.Head{Header: map[string][]string{"Traceparent": {fmt.Sprintf("00-%032x-%016x-01", i+1, hop+1)}, "Content-Type": {"application/json"}, "X-Tenant": {"red"}}}
			x := put(a2a.Record{Kind: a2a.KindRequest, Call: call, Head: head, Raw: requestBody(i, hop)}, a2a.Update{})
			open, calls = append(open, x), append(calls, call)
		}
		for hop := 2; hop >= 0; hop-- {
			ev := a2a.Event{Kind: a2a.EventTask, TaskID: fmt.Sprint("t", i, hop), ContextID: "c", Task: &a2a.Task{Status: a2a.Status{Word: "completed", State: a2a.StateCompleted}}}
			put(a2a.Record{Kind: a2a.KindEvent, Exchange: open[hop], Call: calls[hop]}, a2a.Update{Events: []a2a.Event{ev}})
			put(a2a.Record{Kind: a2a.KindEnd, Exchange: open[hop], Call: calls[hop], End: &a2a.End{Reason: a2a.Ended}}, a2a.Update{})
		}
	}
	return records, updates
}

func requestBody(i, hop int) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"%d","method":"SendStreamingMessage","params":{"message":{"messageId":"m%d-%d","role":"ROLE_USER",`+
		`"parts":[{"text":"What is the weather in Oslo on Saturday, %d times?"}],"metadata":{"tenant":"red"}}}}`, i, i, hop, i)
}

// BenchmarkJoiner joins 100,000 exchanges in chains of three. For comparison it measures how long the
// standard library takes to validate their requests as JSON.
func BenchmarkJoiner(b *testing.B) {
	for _, chains := range [...]int{3_333, 33_333} {
		records, updates := session(chains)
		b.Run(fmt.Sprintf("join/%d", 3*chains), func(b *testing.B) {
			for b.Loop() {
				j := New()
				for i := range records {
					j.Add(&records[i], &updates[i])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(3*chains), "ns/exchange")
		})
		b.Run(fmt.Sprintf("floor/%d", 3*chains), func(b *testing.B) {
			for b.Loop() {
				for i := range records {
					if len(records[i].Raw) > 0 && !json.Valid(records[i].Raw) {
						b.Fatal("got invalid JSON")
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(3*chains), "ns/exchange")
		})
	}
}

// BenchmarkOwn gives the joiner records of Parley's own requests, which it ignores.
func BenchmarkOwn(b *testing.B) {
	r, u := a2a.Record{Kind: a2a.KindEvent, Call: &a2a.Call{Op: a2a.OpStream}}, a2a.Update{}
	j := New()
	for b.Loop() {
		j.Add(&r, &u)
	}
}

package ui

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/log"
	"parley/ui/control"
)

// stall reports that the stream of the newest turn has brought nothing for a while.
func (d *desk) stall(after time.Duration) {
	turns := d.model.state.Conversation(1).Turns
	d.wait(after)
	d.send(batchMsg{Items: []log.Item{{Signal: &log.Signal{
		Kind: log.SignalStall, Time: d.model.opts.Now(), Agent: 1, Conversation: 1, Turn: turns[len(turns)-1].ID, After: after,
	}}}})
}

// put applies a record of a stream at the present time.
func (d *desk) put(r a2a.Record) a2a.RecordID {
	d.t.Helper()
	r.ID, r.Time = a2a.RecordID(d.model.state.Log.Len()+1), d.model.opts.Now()
	if r.Kind == a2a.KindRequest {
		r.Exchange = r.ID
	}
	it := log.Item{Record: r}
	if r.Kind == a2a.KindEvent {
		it.Update = a2a.Decode(r.Call, a2a.Input{Body: r.Data, Stream: true})
	}
	d.send(batchMsg{Items: []log.Item{it}})
	return r.ID
}

// until waits for words on the screen.
func (d *desk) until(words string) {
	d.t.Helper()
	for range 50 {
		if strings.Contains(d.text(), words) {
			return
		}
		d.wait(100 * time.Millisecond)
	}
	d.t.Fatalf("got no %q on the screen, want it:\n%s", words, d.text())
}

// top returns the header.
func (d *desk) top() string { return panetest.Text(d.rows()[:1]) }

// reads pages through the conversation and fails unless it has all these words.
func (d *desk) reads(words ...string) {
	d.t.Helper()
	d.press("g")
	all := d.text()
	for range 9 {
		d.press("pgdown")
		all += d.text()
	}
	panetest.Sees(d.t, all, words...)
}

// A stall is told in the same words by the chip, the wire and the stream view from two seconds on; it counts
// on in all of them, and the header's rate is 0. The conversation reports it later.
func TestAStallIsToldAlikeEverywhere(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {200, 60}} {
		bubble(t, size.w, size.h, Options{}, func(d *desk) {
			d.book(midStream)
			for _, word := range []string{"no bytes", "silent", "stalled"} {
				if strings.Contains(d.text(), word) {
					t.Fatalf("got a stall too early:\n%s", d.text())
				}
			}
			d.until("silent 2 s")
			panetest.Sees(t, d.top(), "silent 2 s", "‖ stalled")
			d.stall(a2a.StallAfter)
			d.until("silent 10 s")
			if size.w > 100 {
				panetest.Sees(t, d.top(), "silent 10 s", "‖ stalled")
				panetest.Sees(t, d.text(), "│ ‖ no bytes for ", "── ‖ silent 10 s")
			}
			d.model.setFocus(control.OnWire)
			d.press("z")
			panetest.Sees(t, d.top(), "silent 10 s")
			if strings.Count(d.text(), "silent 10 s") < 2 || strings.Count(d.text(), "silent ") != strings.Count(d.text(), "silent 10 s") {
				t.Errorf("%d columns: got a zoomed pane without the stall, or with another one:\n%s", size.w, d.text())
			}
			d.press("z")
			if size.w == 200 {
				panetest.Sees(t, d.top(), "0 ev/s")
			}
			d.model.setFocus(control.OnWire)
			d.press("s")
			d.sees("‖ silent 10 s")
			if size.w > 100 {
				d.sees("0/s now")
			}
		})
	}
}

// The header's rate is that of the last seconds.
func TestTheHeadersRateIsThatOfTheLastSeconds(t *testing.T) {
	t.Parallel()
	bubble(t, 200, 60, Options{}, func(d *desk) {
		d.book(midStream)
		s := d.model.state.Log.Stream(d.model.conversation().Stream)
		if s.Rate(d.model.opts.Now()) == 0 {
			t.Fatal("got no rate of a stream that runs")
		}
		d.wait(5 * time.Second)
		panetest.Sees(t, d.top(), "59 events · 0 ev/s")
	})
}

// A cut that was repaired stays in the state line, with the records and the time between, in
// the conversation and in the stream view.
func TestARepairedCutStaysInTheStory(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ class, words string }{{a2a.ClassCut, "↯ cut after #100"}, {a2a.ClassSevered, "↯ you cut after #100"}} {
		bubble(t, 200, 60, Options{}, func(d *desk) {
			d.book(midStream)
			call := *d.model.state.Log.At(midStream).Record.Call
			task := d.model.tasks.All()[0]
			x := d.model.state.Log.At(midStream).Record.Exchange
			d.put(a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, Exchange: x, Call: &call, End: &a2a.End{Reason: a2a.Cut, Class: c.class, Sentence: "The connection broke after 25 kB. Get the task."}})
			panetest.Sees(t, d.top(), strings.TrimPrefix(c.words, "↯ "))
			d.wait(1200 * time.Millisecond)
			call.Op, call.TaskID = a2a.OpSubscribe, task.ID
			x = a2a.ExchangeID(d.put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: &call, Raw: []byte(`{"jsonrpc":"2.0","id":"9","method":"SubscribeToTask"}`)}))
			data := `{"jsonrpc":"2.0","id":"9","result":{"statusUpdate":{"taskId":"` + task.ID + `","contextId":"` + task.ContextID + `","status":{"state":"TASK_STATE_COMPLETED"}}}}`
			d.put(a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Exchange: x, Call: &call, Raw: []byte("data: " + data + "\n\n"), Data: []byte(data)})
			d.put(a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, Exchange: x, Call: &call, End: &a2a.End{Reason: a2a.Ended}})
			d.model.setFocus(control.OnChat)
			d.press("z")
			d.reads("── "+c.words+" ── resumed ── ✓ completed", "Parley resubscribed to the task: after #100 it went on 1.3 s later at #103.")
			d.press("z")
			d.model.setFocus(control.OnWire)
			d.press("G", "s") // paging through the conversation has moved the selection
			d.sees(strings.TrimPrefix(c.words, "↯ ") + " · resubscribed 1.2 s later")
		})
	}
}

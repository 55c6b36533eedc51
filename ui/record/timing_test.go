package record

import (
	"math"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
)

func TestTimingTellsPhasesAndGaps(t *testing.T) {
	f := booking()
	v := openView(f, 5, 100, 40)
	press(v, "4")
	has(t, v, "name lookup             1 ms        1 ms", "connect                 3 ms        4 ms", "TLS                    12 ms       16 ms", "request sent            1 ms       17 ms", "first byte             23 ms       40 ms",
		"head                    1 ms       41 ms", "first event             2 ms       43 ms", "first artifact         2.1 s       2.1 s", "end                    92 ms       2.2 s", "ended",
		"3 events, 485 B", "1.3 events/s, 217 B/s", "the longest 2.1 s before record 4", "      4       2.1 s      +2.1 s █ artifact fares")
	press(v, "G")
	if got := press(v, "enter"); got != (Select{6}) {
		t.Errorf("enter on the last step returned %#v, want Select of record 6", got)
	}
	got, _ := press(v, "y").(Copy)
	if !strings.Contains(got.Text, "4\t2.1 s\t+2.1 s\tartifact fares") || !strings.Contains(got.Text, "first byte took 23 ms, at 40 ms") {
		t.Errorf("y copied %q, want the phases and the steps", got.Text)
	}
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "GET", URL: "http://h/"}})
	v.Show(f.State.Log.At(7))
	has(t, v, "newest record", "not over")
	f.Exchange = 0
	v.Show(f.State.Log.At(f.Put(0, a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: "pin"}})))
	has(t, v, "not part of an exchange")
}

// The cursor of the timing is on a phase, a figure or a step, never on a heading or a blank row, and both
// columns of the phases have room in a narrow pane.
func TestTheCursorOfATimingPassesOverHeadings(t *testing.T) {
	v := openView(booking(), 5, 34, 9)
	press(v, "4")
	marked := func() string {
		for _, row := range v.Lines(true)[1:] {
			if strings.HasPrefix(row, v.st.Selected.On) {
				return strings.Join(strings.Fields(panetest.Text([]string{row})), " ")
			}
		}
		return ""
	}
	has(t, v, "                    took       at", "request sent        1 ms    17 ms")
	var down, up []string
	for range 24 {
		down = append(down, marked())
		press(v, "j")
	}
	for range 24 {
		press(v, "k")
		up = append(up, marked())
	}
	for _, rows := range [][]string{down, up} {
		for _, row := range rows {
			if row == "" || strings.HasPrefix(row, "took") || strings.HasPrefix(row, "record") {
				t.Errorf("got %q under the cursor, want no heading and no blank row: %q", row, rows)
			}
		}
	}
	if down[0] != "name lookup 1 ms 1 ms" || up[len(up)-1] != down[0] {
		t.Errorf("got %q first and %q after the way back, want the first phase", down[0], up[len(up)-1])
	}
	has(t, v, "took       at") // the heading is there again
	press(v, "G", "g")
	has(t, v, "took       at")
}

func TestGapsOfALongStreamAreDrawnLazily(t *testing.T) {
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://h/"}})
	for range 20_000 {
		f.Event(1, `{"result":{}}`)
	}
	v := openView(f, 100, 80, 30)
	press(v, "4")
	v.Lines(true)
	n := testing.AllocsPerRun(3, func() {
		f.Event(1, `{"result":{}}`)
		v.Move(100)
		v.Lines(true)
	})
	if n > 2000 {
		t.Errorf("a frame makes %v allocations, want at most 2000", n)
	}
	press(v, "G")
	has(t, v, "20005")
	got, _ := press(v, "y").(Copy)
	if n := strings.Count(got.Text, "\n"); n < 20_005 || !strings.Contains(got.Text, "\n20005\t") {
		t.Errorf("y copied %d lines, want at least 20005", n)
	}
}

func TestAnEndTellsWhatHadCome(t *testing.T) {
	f := booking()
	has(t, openView(f, 6, 80, 20), "ended  the agent closed", "took   2.2 s\ncame   3 events, 485 B\nrate   1.3 events/s, 217 B/s\nstate  completed")
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://h/"}})
	f.Event(5, `{"jsonrpc":"2.0","id":"1","result":{"statusUpdate":{"taskId":"t2","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}`)
	id := f.Put(0, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Cut, Sentence: "It broke."}})
	has(t, openView(f, id, 80, 20), "It broke.", "state  working  the task was not over")
	f.Exchange = 0
	v := openView(f, f.Put(0, a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: "opened", Attrs: map[string]string{"record": "3", "agent": "1"}}}), 80, 20)
	if got := press(v, "j", "j", "j", "enter"); got != (Select{3}) {
		t.Errorf("enter on a note's record returned %#v, want Select of record 3", got)
	}
}

func TestAnEndLeadsToTheStreamThatWentOn(t *testing.T) {
	f := booking()
	request := func(op a2a.Op) {
		f.Call = &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: op, Dialect: "1.0", TaskID: "t2"}
		f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://h/"}})
		f.Put(1, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Header: map[string][]string{"Content-Type": {"text/event-stream"}}}})
		f.Event(5, `{"jsonrpc":"2.0","id":"1","result":{"statusUpdate":{"taskId":"t2","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}`)
	}
	request(a2a.OpStream)
	end := f.Put(0, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Cut}})
	v := openView(f, end, 80, 20)
	hasNot(t, v, "continued")
	request(a2a.OpSubscribe)
	has(t, v, "continued by  the stream of record 11")
	press(v, "G")
	if got := press(v, "enter"); got != (Select{11}) {
		t.Errorf("enter returned %#v, want Select of record 11", got)
	}
}

// The times of a recording may be in any order.
func TestAbsurdTimesAreDrawn(t *testing.T) {
	for _, took := range []time.Duration{math.MaxInt64, math.MinInt64, -1, 1} {
		f := tape.New()
		f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "GET", URL: "http://h/"}})
		f.Now = f.Now.Add(1)
		f.Put(0, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Timing: &a2a.Timing{
			DNS: took, Connect: took, TLS: took, Sent: took, FirstByte: took}}})
		v := openView(f, 2, 120, 40)
		v.SetTab(Timing)
		exact(t, v, 120, 40)
	}
}

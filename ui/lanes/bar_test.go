package lanes

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/ui/styles"
)

// course describes the segments of an exchange.
func course(x *part, now time.Time) string {
	var out []string
	for _, g := range x.segments(now) {
		kind := [...]string{running: "run", stalled: "stall", broken: "broken", retrying: "retry"}[g.kind]
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %v-%v %s", kind, g.from, g.to, strings.TrimSpace(g.first+" "+g.label))))
	}
	return strings.Join(out, "; ")
}

// The course of an exchange says how long it took, and when what went wrong began.
func TestTheSegmentsOfAnExchange(t *testing.T) {
	for _, c := range []struct {
		name string
		want string
		then func(f *recording)
	}{
		{"ended", "run 0s-153ms first 50 ms 153 ms", func(f *recording) { f.End(3, a2a.Ended) }},
		{"cut later", "run 0s-150ms first 50 ms; broken 150ms-1.05s cut 900 ms", func(f *recording) { f.End(900, a2a.Cut) }},
		{"cut at once", "run 0s-150ms first 50 ms; broken 150ms-150ms cut", func(f *recording) { f.End(0, a2a.Cut) }},
		{"timed out", "run 0s-150ms first 50 ms; broken 150ms-5.15s timed out 5 s", func(f *recording) { f.End(5000, a2a.TimedOut) }},
		{"cut by the user", "run 0s-150ms first 50 ms; broken 150ms-250ms you cut 100 ms", func(f *recording) {
			f.Put(100, a2a.Record{Kind: a2a.KindEnd, End: &a2a.End{Reason: a2a.Cut, Class: a2a.ClassSevered}})
		}},
		{"closed by Parley", "run 0s-250ms first 50 ms 250 ms", func(f *recording) { f.End(100, a2a.Cancelled) }},
		{"open", "run 0s-650ms first 50 ms 650 ms", func(f *recording) { f.Now = f.Now.Add(500 * time.Millisecond) }},
		{"stalled", "run 0s-150ms first 50 ms; stall 150ms-15.15s 15 s", func(f *recording) { f.Now = f.Now.Add(15 * time.Second) }},
	} {
		f := newRecording()
		x := f.request(0, call(1, 1, 1, a2a.OpStream), "SendStreamingMessage")
		f.head(50)
		f.chunk(100, "t")
		c.then(f)
		p, _ := newPane(f, dark(), 100, 20)
		p.SetNow(f.Now, false)
		p.update()
		if got := course(p.session.byID[x], p.now); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	f := newRecording()
	x := f.request(0, call(1, 1, 1, a2a.OpSend), "SendMessage")
	f.End(20, a2a.Refused)
	p, _ := newPane(f, dark(), 100, 20)
	p.update()
	if got := course(p.session.byID[x], p.now); got != "broken 0s-20ms refused" {
		t.Errorf("got %q for a refused request", got)
	}
}

// cutAndResumed returns a session with a stream that was cut 900 ms after its last event, and another one
// that continues it, which begins so many milliseconds later.
func cutAndResumed(later int) (f *recording, first, second a2a.ExchangeID) {
	f = newRecording()
	first = f.request(0, call(1, 1, 1, a2a.OpStream), "SendStreamingMessage")
	f.head(3)
	f.status(5, "t1", "WORKING")
	for range 9 {
		f.chunk(100, "t1")
	}
	f.End(900, a2a.Cut)
	again := call(1, 1, 1, a2a.OpSubscribe)
	again.TaskID = "t1"
	second = f.request(later, again, "SubscribeToTask")
	f.head(3)
	for range 5 {
		f.chunk(100, "t1")
	}
	f.status(10, "t1", "COMPLETED")
	f.End(1, a2a.Ended)
	return f, first, second
}

// A stream and the one that continues it are one lane: a cut is a block with the time since the last event,
// and a dotted line leads to the new beginning.
func TestAStreamAndItsContinuationAreOneLane(t *testing.T) {
	f, first, second := cutAndResumed(1300)
	p, _ := newPane(f, dark(), 160, 20)
	bar := lineOf(t, p, first)
	for _, want := range []string{"→ first 3 ms █", "█ ↯ cut 900 ms ┄", "┄ retry 1.3 s ┄", "┄↻███", "██ 514 ms ✓"} {
		if !strings.Contains(bar, want) {
			t.Errorf("got lane %q without %q", bar, want)
		}
	}
	if p.index[first] != p.index[second] || p.count() != 1 {
		t.Errorf("got %d lanes for a stream and its continuation, want one", p.count())
	}
	if red := p.St.FailedArea.Text.On + " ↯ cut 900 ms "; !strings.Contains(strings.Join(p.Lines(), ""), red) {
		t.Errorf("got no block in the colour of failures")
	}
	// The cursor goes through the records of both.
	p.Select(f.State.Log.Exchange(first)[0])
	for _, x := range []a2a.ExchangeID{first, second} {
		for _, id := range f.State.Log.Exchange(x) {
			if got := p.current(); got != id || p.sel != x {
				t.Fatalf("got record %d of exchange %d, want %d of %d", got, p.sel, id, x)
			}
			press(p, "n")
		}
	}
	press(p, "N")
	for range f.State.Log.Exchange(second) {
		press(p, "N")
	}
	if got := p.current(); f.State.Log.ExchangeOf(got) != first {
		t.Errorf("got record %d on the way back, want one of exchange %d", got, first)
	}
	sees(t, p, "took 1.8 s", "cut after #")
	// A continuation that seems to begin before the cut has a lane of its own.
	f, first, second = cutAndResumed(-500)
	if p, _ = newPane(f, dark(), 160, 20); p.count() != 2 || p.index[first] == p.index[second] {
		t.Errorf("got %d lanes where the clock went back, want two", p.count())
	}
	panetest.Exact(t, p.Lines(), 160, 20)
}

// What does not fit into a bar stands beside it, and the sign of the end stays whatever the room is.
func TestWordsThatDoNotFitIntoABarStandBesideIt(t *testing.T) {
	f := newRecording()
	long := f.request(0, call(1, 1, 1, a2a.OpStream), "SendStreamingMessage")
	f.head(40)
	f.status(4000, "t", "COMPLETED")
	f.End(1, a2a.Ended)
	short := f.request(100, call(1, 1, 2, a2a.OpSend), "SendMessage")
	f.body(50, `{"task":{"id":"u","contextId":"c","status":{"state":"TASK_STATE_FAILED"}}}`)
	f.End(1, a2a.Ended)
	for _, c := range []struct {
		w           int
		long, short string
	}{
		{160, "→ first 40 ms ██", "→█ 51 ms ✕"},
		{100, "██ 4 s ✓", "→█ 51 ms ✕"},
		{28, "██ 4 s ✓", "✕"},
		{20, "██ 4 s ✓", "✕"},
	} {
		p, _ := newPane(f, dark(), c.w, 20)
		if got := lineOf(t, p, long); !strings.Contains(got, c.long) {
			t.Errorf("%d columns: got lane %q, want %q in it", c.w, got, c.long)
		}
		if got := lineOf(t, p, short); !strings.HasSuffix(got, c.short) {
			t.Errorf("%d columns: got lane %q, want it to end with %q", c.w, got, c.short)
		}
	}
}

// A bar has the colour of its agent. Without colours it is made of signs, on a selected row also.
func TestABarHasTheColourOfItsAgent(t *testing.T) {
	p, _ := newPane(threeAgents(), dark(), 120, 30)
	rows := strings.Join(p.Lines(), "\n")
	for i, agent := range []int{0, 1, 2} {
		if on := p.St.TagAreas[agent].Fill.On + "█"; !strings.Contains(rows, on) {
			t.Errorf("got no bar of agent %d in the colour of its tag", i+1)
		}
	}
	for _, g := range []styles.Glyphs{styles.Unicode(), styles.ASCII()} {
		st := styles.New(mono().Theme, g)
		p, _ := newPane(threeAgents(), st, 120, 30)
		for range p.count() {
			if text := screen(p); strings.Count(text, g[styles.Solid]+g[styles.Solid]) < 20 || !strings.Contains(text, g[styles.Cut]) {
				t.Errorf("got no bars without colours:\n%s", text)
			}
			press(p, "j")
		}
	}
}

// Agents of one name have their tags, others have none.
func TestOnlyAgentsOfOneNameHaveTheirTags(t *testing.T) {
	p, _ := newPane(threeAgents(), dark(), 120, 30)
	if text := screen(p); strings.Contains(text, "TD Travel") || strings.Contains(text, "Scri Scribe") {
		t.Errorf("got tags beside names that differ:\n%s", text)
	}
	p.names.Agent = func(id a2a.AgentID) string { return []string{"", "Desk", "Desk", "Old Clerk"}[id] }
	sees(t, p, "▌ TD Desk", "▌ Scri Desk", "▌ Old Clerk")
}

// The details stand directly below the lanes.
func TestTheDetailsFollowTheLanes(t *testing.T) {
	f, first, _ := cutAndResumed(100)
	p, _ := newPane(f, dark(), 100, 40)
	rows := strings.Split(panetest.Text(p.Lines()), "\n")
	if got := rows[headRows+leastOf+1]; !strings.HasPrefix(got, fmt.Sprintf("#%d SendStreamingMessage", first)) {
		t.Errorf("got %q below the lane, which is given some rows, and the rule, want what is selected", got)
	}
}

// The result of a comparison is that of the check that the log names.
func TestABarSaysWhatTheCheckFound(t *testing.T) {
	f := withRequests()
	stream := f.State.Log.Streams()[5]
	p, _ := newPane(f, dark(), 160, 20)
	if got := lineOf(t, p, stream.Exchange); !strings.HasSuffix(got, "check ✓") {
		t.Errorf("got lane %q, want the result of the check", got)
	}
	ids := f.State.Log.Exchange(f.State.Log.Streams()[6].Exchange)
	f.State.Log.At(ids[len(ids)-1]).Findings = []a2a.Finding{{Rule: a2a.ComparisonRule}}
	p, _ = newPane(f, dark(), 160, 20)
	if got := lineOf(t, p, stream.Exchange); !strings.HasSuffix(got, "⚑ differs") {
		t.Errorf("got lane %q, want that the task differs", got)
	}
}

// While the window follows an open stream, whose end is in the last cell, how long it has been at work stands
// in the bar.
func TestWordsOfAnOpenBarStandInItAtTheEdge(t *testing.T) {
	f := newRecording()
	x := f.request(0, call(1, 1, 1, a2a.OpStream), "SendStreamingMessage")
	f.head(50)
	for range 40 {
		f.chunk(100, "t")
	}
	p, _ := newPane(f, dark(), 80, 20)
	p.SetNow(f.Now, false)
	if got := lineOf(t, p, x); !strings.HasSuffix(got, "██ 4 s ●") {
		t.Errorf("got lane %q, want words behind it", got)
	}
	press(p, "+", "f")
	if got := lineOf(t, p, x); !strings.HasSuffix(got, "██ 4 s ●") || len([]rune(got)) != p.window.cells-2 { // the cursor is behind
		t.Errorf("got lane %q at the edge of the window, want words in it", got)
	} else if strings.Contains(got, "first") {
		t.Errorf("got lane %q, want no first byte where the request is not in the window", got)
	}
}

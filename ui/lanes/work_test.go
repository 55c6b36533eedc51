package lanes

import (
	"fmt"
	"math/bits"
	"sync"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/log"
)

const (
	manyExchanges = 1000
	manyEvents    = 1000 // of each
)

// million returns a session with a million events in a thousand exchanges that overlap, of which the
// last has not ended.
var million = sync.OnceValue(func() *log.Log {
	l := log.New()
	at := time.Date(2026, 11, 20, 14, 2, 3, 0, time.UTC)
	put := func(x a2a.ExchangeID, r a2a.Record, u a2a.Update) {
		r.ID, r.Time = a2a.RecordID(l.Len()+1), at
		if r.Exchange = x; x == 0 {
			r.Exchange = r.ID
		}
		it := l.Add(log.Item{Record: r, Update: u})
		l.Index(it)
		l.SetOwner(&it.Record, log.Owner{Agent: r.Call.Agent, Conversation: r.Call.Conversation})
		l.AddToStream(it)
	}
	const beside = 50 // exchanges at a time
	for first := 0; first < manyExchanges; first += beside {
		var open [beside]a2a.ExchangeID
		var calls [beside]*a2a.Call
		for i := range open {
			n := first + i
			calls[i] = &a2a.Call{Agent: a2a.AgentID(n%7 + 1), Conversation: a2a.ConversationID(n%31 + 1), Turn: a2a.TurnID(n + 1), Op: a2a.OpStream, Dialect: a2a.V10}
			put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: calls[i], Raw: []byte(`{"jsonrpc":"2.0","id":"1","method":"SendStreamingMessage"}`)}, a2a.Update{})
			open[i] = a2a.ExchangeID(l.Len())
		}
		data := []byte(`{"jsonrpc":"2.0","id":"1","result":{"artifactUpdate":{"taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"text":"word "}]}}}}`)
		raw := fmt.Appendf(nil, "data: %s\n\n", data)
		u := a2a.Decode(calls[0], a2a.Input{Body: data, Stream: true, RPCID: `"1"`})
		for range manyEvents {
			at = at.Add(20 * time.Millisecond)
			for i, x := range open {
				put(x, a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Call: calls[i], Raw: raw, Data: data}, u)
			}
		}
		for i, x := range open {
			if first+i < manyExchanges-1 {
				put(x, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, Call: calls[i], End: &a2a.End{Reason: a2a.Ended}}, a2a.Update{})
			}
		}
	}
	return l
})

// large returns a pane of that session in a terminal of 200×60.
func large() *Pane {
	l := million()
	p := New(dark(), &fakeWire{log: l}, names())
	p.SetLog(l)
	p.SetSize(196, 56)
	return p
}

// workOf returns what f makes the pane do, with the frame after it.
func workOf(p *Pane, f func()) work {
	p.work = work{}
	f()
	p.Lines()
	return p.work
}

// A frame costs its window, whatever the session has.
func TestTheWorkOfAFrameDependsOnItsWindow(t *testing.T) {
	p := large()
	first := workOf(p, func() {})
	rows, cells := p.parts().List, p.window.cells
	// Of each lane in the window, each cell takes a few binary searches at most.
	most := rows * cells * 2 * (bits.Len(manyEvents) + 1)
	if first.lanes == 0 || first.lanes > rows || first.probes > most || first.steps > rows*cells {
		t.Errorf("got %+v for the first frame, want at most %d lanes and %d probes", first, rows, most)
	}
	if first.rows != 1 {
		t.Errorf("got %d lists of the rows, want one", first.rows)
	}
	const few = 100 // to find the record under the cursor
	for _, c := range []struct {
		name  string
		lanes int
		f     func()
	}{
		{"nothing", 0, func() {}},
		{"note and help", 0, func() { p.Note(); p.ShortHelp() }},
		{"one lane down", 3, func() { press(p, "j") }},
		{"cursor", 1, func() { press(p, "l") }},
		{"a page down", rows + 1, func() { press(p, "pgdown") }},
		{"end of the list", rows + 1, func() { press(p, "G") }},
		{"zoom", rows + 1, func() { press(p, "g", "+", "+") }},
		{"pan", rows + 1, func() { press(p, "L") }},
		{"span", rows + 1, func() { press(p, "v", "l") }},
		{"whole session", rows + 1, func() { press(p, "v", "0") }},
	} {
		got := workOf(p, c.f)
		if got.lanes > c.lanes || got.probes > few+c.lanes*cells*2*(bits.Len(manyEvents)+1) || got.rows > 0 {
			t.Errorf("%s: got %+v, want at most %d lanes", c.name, got, c.lanes)
		}
		if again := workOf(p, func() {}); again.lanes > 0 || again.probes > few || again.steps > 0 {
			t.Errorf("the frame after %s: got %+v, want no lane drawn again", c.name, again)
		}
	}
	panetest.Exact(t, p.Lines(), 196, 56)
}

// A record that comes draws one lane again, as long as the window stays.
func TestANewRecordDrawsItsLaneAgain(t *testing.T) {
	f := threeAgents()
	p, _ := newPane(f, dark(), 196, 56)
	press(p, "+")
	p.Lines()
	essay := f.State.Log.Streams()[2].Exchange
	got := workOf(p, func() {
		for range 100 {
			f.in(essay).chunk(0, "t2")
		}
	})
	if got.lanes != 1 || got.rows != 0 {
		t.Errorf("got %+v for a hundred new records, want one lane drawn again", got)
	}
}

func TestAFrameOfKnownLanesAllocatesLittle(t *testing.T) {
	p := large()
	p.Lines()
	rows := float64(p.parts().List)
	if n := testing.AllocsPerRun(10, func() { p.Lines() }); n > 40*rows {
		t.Errorf("got %.0f allocations for a frame of %.0f rows in which nothing changed, want at most 40 a row", n, rows)
	}
}

func BenchmarkFrame(b *testing.B) {
	p := large()
	p.Lines()
	keys := func(names ...string) func(i int) { return func(i int) { press(p, names[i%len(names)]) } }
	for _, c := range []struct {
		name string
		f    func(i int)
	}{
		{"still", func(int) {}},
		{"scroll", keys("pgdown", "pgup")},
		{"zoom", keys("+", "-")},
		{"span", keys("v", "l", "l", "l", "l", "v")},
		{"pan", keys("+", "L", "H", "L", "H", "0")},
	} {
		b.Run(c.name, func(b *testing.B) {
			p.span = span{}
			press(p, "0", "g")
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				c.f(i)
				p.Lines()
			}
		})
	}
}

package lanes

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/ui/styles"
)

func TestASessionWithoutRecordsIsDrawnInAnySize(t *testing.T) {
	for _, w := range []int{0, 1, 5, 20, 76, 196} {
		for _, h := range []int{0, 1, 2, 4, 20, 56} {
			p, _ := newPane(newRecording(), dark(), w, h)
			panetest.Exact(t, p.Lines(), w, h)
		}
	}
	p, _ := newPane(newRecording(), dark(), 76, 20)
	sees(t, p, "Each exchange appears here as a lane")
	if p.Note() != "0 exchanges · whole session" {
		t.Errorf("got note %q", p.Note())
	}
	for _, k := range []string{"j", "l", "H", "n", "v", "enter", "y", "m", "+", "-", "z", "w", "f", "0", "G"} {
		if in := press(p, k); in != nil {
			t.Errorf("got %+v for %s, want nothing", in, k)
		}
	}
	p.Select(1)
	p.Select(0)
}

func TestHostileNamesAreDrawnInAnySize(t *testing.T) {
	const evil = "\x1b]52;c;AAAA\x07\x1b[2J\u202eone\ntwo\tthree\u200b漢字🙂\xff"
	f := threeAgents()
	f.request(5, call(1, 1, 9, a2a.OpStream), evil+strings.Repeat("x", 3000))
	f.event(3, `{"statusUpdate":{"taskId":"`+"\u202e"+`","contextId":"c","status":{"state":"\u001b[31mODD\n"}}}`)
	for _, st := range []*styles.Styles{dark(), mono()} {
		for _, w := range []int{1, 3, 20, 23, 24, 40, 76, 116, 196} {
			for _, h := range []int{1, 2, 3, 5, 9, 20, 56} {
				p, wire := newPane(f, st, w, h)
				p.names.Agent = func(a2a.AgentID) string { return evil + strings.Repeat("漢", 1<<16) }
				p.names.Conversation = func(a2a.ConversationID) string { return evil }
				wire.mark(1, 2, 60)
				for _, k := range []string{"j", "l", "v", "l", "+", "+", "n", "v", "z", "G", "f", "H", "-", "L", "m", "y", "space", "k", "space"} {
					press(p, k)
					panetest.Exact(t, p.Lines(), w, h)
				}
				panetest.Plain(t, p.Title(), p.Note())
				in := press(p, "y").(Copy)
				if strings.Contains(in.Text, "\x1b") || strings.Contains(in.Text, "\u202e") {
					t.Fatalf("got a copied text with controls: %q", in.Text)
				}
			}
		}
	}
}

// An exchange without end lasts until now, in a recording until its newest record.
func TestAnExchangeWithoutEnd(t *testing.T) {
	f := newRecording()
	x := f.request(0, call(1, 1, 1, a2a.OpStream), "SendStreamingMessage")
	f.head(50)
	f.chunk(50, "t")
	p, _ := newPane(f, dark(), 76, 20)
	p.SetNow(f.Now.Add(3*time.Second), false)
	if _, got := rowsOf(t, p, x); !strings.Contains(got, "▃┊┊┊┊┊") || p.session.end != 3100*time.Millisecond {
		t.Errorf("got lane %q until %v, want a silence of three seconds", got, p.session.end)
	}
	sees(t, p, "took 3.1 s", ", silent 3 s")
	p, _ = newPane(f, dark(), 76, 20)
	p.SetNow(f.Now, true)
	if got := lineOf(t, p, x); !strings.HasSuffix(got, "█ 100 ms ●") || p.session.end != 100*time.Millisecond {
		t.Errorf("got lane %q until %v in a recording, want it to end with its newest record", got, p.session.end)
	}
	lonely := newRecording()
	lonely.request(0, call(1, 1, 1, a2a.OpStream), "SendStreamingMessage")
	p, _ = newPane(lonely, dark(), 76, 20)
	p.SetNow(lonely.Now, true)
	if got := lineOf(t, p, 1); !strings.Contains(got, "→█") {
		t.Errorf("got lane %q of a request alone, want its sign and the growing end", got)
	}
}

// A clock that goes backwards costs no record and no frame.
func TestTheClockGoesBackwards(t *testing.T) {
	f := newRecording()
	first := f.request(0, call(1, 1, 1, a2a.OpStream), "SendStreamingMessage")
	f.head(50)
	for range 10 {
		f.chunk(100, "t")
	}
	f.Now = f.Now.Add(-time.Hour)
	for range 10 {
		f.chunk(100, "t")
	}
	f.End(10, a2a.Ended)
	second := f.request(10, call(1, 1, 2, a2a.OpStream), "SendStreamingMessage")
	f.End(1000, a2a.Ended)
	p, _ := newPane(f, dark(), 120, 20)
	panetest.Exact(t, p.Lines(), 120, 20)
	if p.session.begin >= 0 || !strings.Contains(screen(p), "│-") {
		t.Errorf("got a session that begins at %v, want the time before its first record:\n%s", p.session.begin, screen(p))
	}
	for _, x := range []a2a.ExchangeID{first, second} {
		if got := strings.TrimSpace(lineOf(t, p, x)); got == "" || got == "…" {
			t.Errorf("exchange %d: got lane %q, want it visible", x, got)
		}
	}
	for range 12 {
		press(p, "+", "n", "j", "N", "l", "v")
		panetest.Exact(t, p.Lines(), 120, 20)
	}
	p.Select(1)
	for range len(f.State.Log.Exchange(first)) {
		press(p, "n")
	}
	if ids := f.State.Log.Exchange(first); p.current() != ids[len(ids)-1] {
		t.Errorf("got record %d at the end, want %d", p.current(), ids[len(ids)-1])
	}
	p.Select(second1(f, second))
	press(p, "v")
	if in := press(p, "enter").(Filter); !strings.Contains(in.Text, "until:20") {
		t.Errorf("got filter %q before the first record, want the time of day", in.Text)
	}
}

// second1 returns the first record of an exchange.
func second1(f *recording, x a2a.ExchangeID) a2a.RecordID { return f.State.Log.Exchange(x)[0] }

// Recordings may have any times.
func TestTimesFarAwayAreDrawn(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 100 {
		f := newRecording()
		for i := range 8 {
			f.Now = []time.Time{f.Now, {}, time.Unix(1<<40, 0), time.Unix(-1<<40, 0), time.Unix(1<<33, 5), f.Now.Add(time.Nanosecond)}[rng.IntN(6)]
			f.request(0, call(1, 1, a2a.TurnID(i), []a2a.Op{a2a.OpStream, a2a.OpStream, a2a.OpCard, a2a.OpCancel}[rng.IntN(4)]), "SendStreamingMessage")
			if i > 0 && rng.IntN(3) == 0 { // it may continue another one
				again := call(1, 1, 1, a2a.OpSubscribe)
				again.TaskID = "t"
				f.request(0, again, "SubscribeToTask")
			}
			f.chunk(rng.IntN(1000), "t")
			if rng.IntN(3) > 0 {
				f.End(1, a2a.Cut)
			}
		}
		p, wire := newPane(f, dark(), 20+rng.IntN(100), 20)
		wire.mark(1, 4, 9)
		for range 30 {
			press(p, []string{"+", "-", "n", "N", "j", "k", "H", "L", "h", "l", "v", "z", "f", "0", "y", "space", "G"}[rng.IntN(17)])
			panetest.Exact(t, p.Lines(), p.W, p.H)
			if rng.IntN(8) == 0 {
				p.SetSize(5+rng.IntN(190), 20)
			}
		}
	}
}

// Lanes that stall stand above the others, the longest silence first. The cursor stays on its lane, and lanes move
// once a second at most.
func TestTheLongestSilenceComesFirst(t *testing.T) {
	f := newRecording()
	var x [4]a2a.ExchangeID
	for i := range x {
		x[i] = f.request(0, call(a2a.AgentID(i+1), a2a.ConversationID(i+1), a2a.TurnID(i+1), a2a.OpStream), "SendStreamingMessage")
		f.head(50)
		f.chunk(50, "t")
	}
	p, _ := newPane(f, dark(), 100, 30)
	order := func() (all []a2a.ExchangeID) {
		p.Lines()
		for _, e := range p.entries {
			all = append(all, p.rows[e].lane.last().s.Exchange)
		}
		return all
	}
	later := func(d time.Duration, want ...int) {
		t.Helper()
		p.SetNow(f.Now.Add(d), false)
		for i, got := range order() {
			if got != x[want[i]] {
				t.Errorf("%v later: got exchange %d in row %d, want %d", d, got, i, x[want[i]])
			}
		}
	}
	later(time.Second, 0, 1, 2, 3)
	p.choose(2)
	later(3*time.Second, 0, 1, 2, 3)
	f.in(x[0]).chunk(2500, "t")
	f.in(x[1]).chunk(100, "t")
	later(1500*time.Millisecond, 2, 3, 0, 1)
	if got := p.part().s.Exchange; got != x[2] || p.selected != 0 {
		t.Errorf("got exchange %d in row %d selected, want %d in row 0", got, p.selected, x[2])
	}
	f.in(x[2]).chunk(1000, "t")
	later(0, 2, 3, 0, 1) // in the same second
	later(time.Second, 3, 0, 1, 2)
	later(4*time.Second, 3, 0, 1, 2)
	p.SetNow(f.Now, true)
	if got := order(); got[0] != x[0] {
		t.Errorf("got exchange %d first in a recording, want %d", got[0], x[0])
	}
}

func TestAStallIsAWarning(t *testing.T) {
	f := newRecording()
	x := f.request(0, call(1, 1, 1, a2a.OpStream), "SendStreamingMessage")
	f.head(50)
	f.chunk(50, "t")
	p, _ := newPane(f, dark(), 76, 20)
	p.SetNow(f.Now.Add(12*time.Second), false)
	if got := lineOf(t, p, x); !strings.HasPrefix(got, "→█┊┊") || !strings.HasSuffix(got, "┊█ ‖ 12 s") {
		t.Errorf("got lane %q of a stalled stream, want the stall from the last event on", got)
	}
	if rows := strings.Join(p.Lines(), ""); !strings.Contains(rows, p.St.WaitingArea.Text.On+"┊") || !strings.Contains(rows, p.St.Waiting.On+"‖") {
		t.Error("got no stall in the colour of warnings")
	}
	sees(t, p, ", silent 12 s")

	f.chunk(12_500, "t")
	p, _ = newPane(f, dark(), 76, 20)
	p.SetNow(f.Now.Add(time.Millisecond), false)
	if rows := strings.Join(p.Lines(), ""); strings.Contains(rows, p.St.WaitingArea.Text.On) || !strings.Contains(rows, p.St.Dim.On+"┊") {
		t.Error("after the stall: got a pause in the colour of warnings, want a dim one")
	}
}

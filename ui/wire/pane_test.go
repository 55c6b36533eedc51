package wire

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/golden"
	"parley/internal/tape"
	"parley/internal/units"
	"parley/session/log"
	"parley/themes"
	"parley/ui/styles"
)

func TestFrames(t *testing.T) {
	for _, theme := range []themes.Theme{themes.Dark(), themes.Mono()} {
		for _, w := range []int{40, 62, 100} {
			p := openPane(booking(), theme, w, 41)
			p.Select(10)
			exact(t, p, w, 41)
			golden.Compare(t, fmt.Sprintf("pretty_%s_%d", theme.Name, w), strings.Join(p.Lines(), "\n"))
		}
	}
	p := openPane(booking(), themes.Dark(), 62, 24)
	p.Select(10)
	for _, tab := range []string{"raw", "headers", "timing", "findings"} {
		press(p, "l")
		golden.Compare(t, tab+"_dark_62", strings.Join(p.Lines(), "\n"))
	}
}

func TestRowsShowTheStreamWhileItIsOpen(t *testing.T) {
	whole := booking()
	f := tape.New()
	p := openPane(f, themes.Mono(), 62, 30)
	has(t, p, "no records yet")
	for id := a2a.RecordID(1); int(id) <= whole.State.Log.Len(); id++ {
		f.State.Apply(*whole.State.Log.At(id))
		p.AddRecords(id)
		if p.Selected() != id {
			t.Fatalf("record %d is selected, want %d", p.Selected(), id)
		}
		has(t, p, fmt.Sprintf("── %d ", id))
	}
	has(t, p, "→ SendStreamingMessage", "+96 ms ▁ ← ▤ itinerary.md  London, 10 to 17L", "+2.1 s █ · | SK 805 |␣␣                          12 B W", "── ttfb 41 ms · artifact 349 ms · gap max 2.1 s", "ended  the agent closed")
	if got := p.Note(); got != "11 records · follow" {
		t.Errorf("note is %q, want %q", got, "11 records · follow")
	}
}

func TestTimesCountWithinTheExchange(t *testing.T) {
	f := booking()
	first := f.Exchange
	f.Put(5000, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "GET", URL: "http://h/.well-known/agent-card.json"}})
	second := f.Exchange
	f.Exchange = first
	f.Event(70, result(`{}`))
	f.Exchange = second
	f.Put(30, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 404, Proto: "HTTP/2.0"}})
	p := openPane(f, themes.Mono(), 62, 40)
	has(t, p, "  12          ▾ → GET /.well-known/agent-card.json  ✕ 100 ms", "  13  +5.07 s █ ←", "  14  +100 ms   ← 404")
	press(p, "t")
	has(t, p, "        t     record", "  11  +2.65 s ▁ ← end", "  14  +100 ms   ← 404")
	press(p, "t")
	has(t, p, "time     record", "  11 14:02:05.645 ▁ ← end")
	p.SetNow(f.Now.In(time.FixedZone("", 3600)))
	has(t, p, "  11 15:02:05.645 ▁ ← end")
	press(p, "t")
	has(t, p, "Δt     record")
}

func TestSpansFitTheirColumn(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "+0 ms", 500 * time.Microsecond: units.Duration(500 * time.Microsecond), 41 * time.Millisecond: "+41 ms", 185 * time.Second: "+3 min", 26 * time.Hour: "+1 d 2 h", 23*time.Hour + 59*time.Minute: "+23 h",
		-3 * time.Millisecond: units.Duration(-3 * time.Millisecond), 2960 * time.Millisecond: "+2.96 s", 12_340 * time.Millisecond: "+12.34 s",
	} {
		if got := durationText(d, spanCells); got != want {
			t.Errorf("durationText(%v) = %q, want %q", d, got, want)
		}
	}
	if got := durationText(12_340*time.Millisecond, shortSpan); got != "+12.3 s" {
		t.Errorf("got %q in a narrow row, want +12.3 s", got)
	}
}

func TestMovingUpPausesAndNothingIsSnatched(t *testing.T) {
	f := booking()
	p := openPane(f, themes.Mono(), 62, 24)
	press(p, "k", "k")
	if p.Selected() != 9 || p.Note() != "11 records · held" {
		t.Fatalf("record %d is selected, note %q; want 9, held", p.Selected(), p.Note())
	}
	others := func() string { // all rows but that of the exchange, which tells how long it takes
		rows := strings.Split(screen(p), "\n")
		return strings.Join(append(rows[:1:1], rows[2:]...), "\n")
	}
	before := others()
	for range 50 {
		p.AddRecords(f.Event(10, result(`{}`)))
	}
	if got := others(); got != before {
		t.Errorf("new records: got frame\n%[2]s\nwant the previous one\n%[1]s", before, got)
	}
	if p.Note() != "61 records · held · 50 new" {
		t.Errorf("note is %q, want %q", p.Note(), "61 records · held · 50 new")
	}
	p.SetSize(62, 30)
	if has(t, p, "── 9 "); p.Selected() != 9 {
		t.Errorf("SetSize selected record %d, want 9", p.Selected())
	}
	for _, key := range []string{"G", "f", "end"} {
		press(p, key)
		if p.Selected() != 61 || p.Note() != "61 records · follow" {
			t.Errorf("%s: record %d is selected, note %q; want 61, follow", key, p.Selected(), p.Note())
		}
		has(t, p, "  61   +10 ms")
		press(p, "f")
		if p.Note() != "61 records · held" {
			t.Errorf("after f the note is %q, want held", p.Note())
		}
		press(p, "g")
		has(t, p, "   1          ▾ →")
	}
	press(p, "G", "j")
	if p.Note() != "61 records · follow" {
		t.Errorf("after j at the newest record the note is %q, want follow", p.Note())
	}
}

func TestSelectShowsARecordAndClearsAFilterThatHidesIt(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 62, 24)
	press(p, "/", "m", "a", "p", ".", "p", "n", "g", "enter")
	if p.Note() != "1 of 11 · follow" || p.Selected() != 9 {
		t.Fatalf("note is %q, record %d; want 1 of 11, record 9", p.Note(), p.Selected())
	}
	p.Select(9)
	if p.Note() != "1 of 11 · follow" {
		t.Errorf("selecting a listed record changed the note to %q, want 1 of 11", p.Note())
	}
	p.Select(3)
	if p.Selected() != 3 || p.Note() != "11 records · held" {
		t.Errorf("record %d is selected, note %q; want 3, all records", p.Selected(), p.Note())
	}
	p.Select(99)
	if p.Selected() != 3 {
		t.Errorf("selecting a missing record selected %d, want 3", p.Selected())
	}
}

func TestAFrameDrawsOnlyItsRows(t *testing.T) {
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://h/"}})
	for range 100_000 {
		f.Event(1, `{}`)
	}
	p := New(styles.New(themes.Dark(), styles.Unicode()))
	drawn := 0
	p.describe = func(it *log.Item) (string, string) { drawn++; return log.Words(it) }
	p.SetLog(f.State.Log)
	p.SetSize(100, 60)
	window := p.listHeight()
	if drawn > 2*window+3 {
		t.Errorf("%d rows drawn before the first frame, want about twice the %d of the window", drawn, window)
	}
	count := func(what string, most int, act func()) {
		t.Helper()
		drawn = 0
		act()
		p.Lines()
		if drawn > most {
			t.Errorf("%s: %d rows drawn, want at most %d", what, drawn, most)
		}
	}
	count("first frame", window+3, func() {})
	count("nothing happened", 0, func() {})
	const head = 1 // the row of the exchange, which tells how many events came
	count("one record", 3+head, func() { p.AddRecords(f.Event(1, `{}`)) })
	count("burst", window+3+2*head, func() {
		for range 5000 {
			p.AddRecords(f.Event(1, `{}`))
		}
	})
	count("to the top", window+3, func() { press(p, "g") })
	count("one row down", 3, func() { press(p, "j") })
	count("page down", window+3, func() { press(p, "pgdown") })
	count("records while paused", 2*head, func() {
		for range 5000 {
			p.AddRecords(f.Event(1, `{}`))
		}
	})
	count("far away", window+3, func() { p.Select(60_000) })
}

func TestEveryKeyTheFooterNamesActs(t *testing.T) {
	for _, state := range [][]string{{}, {"k"}, {"g"}, {"g", "d"}, {"d"}, {"D", "k"}, {"/"}, {"/", "t", "enter"}, {"l", "l", "d", "k"}, {"s"}, {"s", "g"}, {"s", "esc"}, {"ctrl+f"}, {"ctrl+f", "m", "enter"}} {
		reach := func() *Pane {
			p := openPane(booking(), themes.Mono(), 62, 16)
			p.Select(9)
			press(p, state...)
			settle(p)
			return p
		}
		for _, b := range reach().ShortHelp() {
			if !b.Enabled() {
				continue
			}
			for _, name := range b.Keys() {
				p := reach()
				before, note := strings.Join(p.Lines(), "\n"), p.Note()
				if press(p, name) == nil && strings.Join(p.Lines(), "\n") == before && p.Note() == note && !p.Typing() {
					t.Errorf("after %v: footer key %q (%s) has no effect, want one", state, name, b.Help().Desc)
				}
			}
		}
	}
	p := New(styles.New(themes.Mono(), styles.ASCII()))
	p.SetSize(40, 20)
	for _, b := range p.ShortHelp() {
		if b.Enabled() && b.Help().Key != "/" {
			t.Errorf("footer of an empty pane shows key %q, want only /", b.Help().Key)
		}
	}
}

func TestASCIIFrameHasNoOtherCharacters(t *testing.T) {
	f := booking()
	p := New(styles.New(themes.Mono(), styles.ASCII()))
	p.SetLog(f.State.Log)
	p.SetSize(62, 24)
	p.Select(2)
	find(p, "map")
	settle(p)
	for _, key := range []string{"m", "-"} {
		press(p, key)
		for _, r := range screen(p) {
			if r > 0x7e {
				t.Fatalf("frame contains %q, want ASCII:\n%s", r, screen(p))
			}
		}
	}
}

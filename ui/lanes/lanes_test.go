package lanes

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/golden"
	"parley/internal/panetest"
	"parley/session/filter"
	"parley/session/log"
	"parley/ui/styles"
)

func TestFrames(t *testing.T) {
	for _, size := range []struct{ w, h int }{{80, 24}, {120, 40}, {200, 60}} {
		for name, st := range map[string]*styles.Styles{"dark": dark(), "ascii": mono()} {
			name := fmt.Sprintf("%dx%d_%s", size.w, size.h, name)
			t.Run(name, func(t *testing.T) {
				p, wire := newPane(threeAgents(), st, size.w-4, size.h-2)
				wire.mark(5, 40)
				p.Lines()
				press(p, "j", "n", "n", "n", "v", "l", "l", "l", "l", "l", "l")
				panetest.Exact(t, p.Lines(), size.w-4, size.h-2)
				golden.Compare(t, name, frame(p))
			})
		}
	}
}

func TestThereIsOneLanePerExchangeByAgentAndConversation(t *testing.T) {
	p, _ := newPane(threeAgents(), dark(), 100, 30)
	text := screen(p)
	at := 0
	for _, words := range []string{"▌ Travel Desk", "▌ hi", "▌ Scribe", "▌ hi", "▌ Old Clerk", "▌ hi", "▌ Old Clerk", "▌ hi", "▌ Old Clerk delivery", "▸ 1 card request", "#4 Send"} {
		i := strings.Index(text[at:], words)
		if i < 0 {
			t.Fatalf("got no %q at its place:\n%s", words, text)
		}
		at += i + len(words)
	}
	if got, want := p.Note(), "7 exchanges · whole session"; got != want {
		t.Errorf("got note %q, want %q", got, want)
	}
}

// The bar and the signs of a lane tell how the exchange went.
func TestALaneShowsTheCourseOfItsExchange(t *testing.T) {
	f := threeAgents()
	p, _ := newPane(f, dark(), 260, 40)
	all := f.State.Log.Streams()
	for i, want := range [][2]string{
		1: {"→ first 41 ms █", "○"},               // submitted,
		2: {"→ first 60 ms █", "●"},               // working
		3: {"↯████┄┄┄ 900 ms ┄┄┄↻█", "┊┊┊┊┊┊┊┊▃"}, // cut after a pause, and continued in the same lane
		4: {"→╳ refused", ""},
		5: {"↻██ 702 ms ◐", "◐"}, // sent again
		6: {"←█ 1 ms ●", ""},     // a delivery
	} {
		if bar, beat := rowsOf(t, p, all[i].Exchange); !strings.Contains(bar, want[0]) || !strings.Contains(beat, want[1]) {
			t.Errorf("exchange %d: got lane %q, %q, want %q in it", all[i].Exchange, bar, beat, want)
		}
	}
	cut, beat := rowsOf(t, p, all[1].Exchange)
	open, _ := rowsOf(t, p, all[2].Exchange)
	if !strings.HasSuffix(cut, " 1.1 s ✓") || !strings.HasSuffix(beat, "✓ 26 ev · gap 2.5 s") {
		t.Errorf("got lane %q, %q of a completed task, want its state, and the figures of both streams", cut, beat)
	}
	if !strings.HasSuffix(open, "██ 9.7 s ●") {
		t.Errorf("got lane %q of an open stream, want how long it has been at work", open)
	}
	if block := p.St.Text.S(p.St.G[styles.Block]); !strings.Contains(strings.Join(p.Lines(), ""), block) {
		t.Errorf("got no growing end")
	}
}

// An exchange that brought nothing, or an error, has not the sign of one that went well.
func TestOnlyAnExchangeThatBroughtSomethingHasASignForIt(t *testing.T) {
	f := newRecording()
	f.request(0, call(1, 0, 0, a2a.OpCard), "")
	f.Put(5, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 404, Proto: "HTTP/1.1"}})
	f.body(5, `{}`)
	f.End(1, a2a.Ended)
	f.request(100, call(1, 0, 0, a2a.OpCard), "") // empty
	f.head(5)
	f.End(1, a2a.Ended)
	f.request(100, call(1, 0, 0, a2a.OpCard), "") // found
	f.head(5)
	f.body(5, `{}`)
	f.End(1, a2a.Ended)
	p, _ := newPane(f, dark(), 60, 20)
	sees(t, p, "3 card requests · 1 not found", "✕│✓")
}

func TestZoomKeepsTheCursorWhereItIs(t *testing.T) {
	p, _ := newPane(threeAgents(), dark(), 100, 30)
	press(p, "j", "n", "n", "n")
	at, column := p.at, p.column()
	for i := range 12 {
		cell := p.window.cell
		press(p, "+")
		if p.at != at || p.window.cell >= cell || p.window.cell < cell/3 || p.column() < column-1 || p.column() > column+1 {
			t.Fatalf("zoom %d: got cells of %v, was %v, and the cursor at %v in cell %d, want it at %v in cell %d", i, p.window.cell, cell, p.at, p.column(), at, column)
		}
		panetest.Exact(t, p.Lines(), 100, 30)
	}
	for range 20 {
		press(p, "-")
	}
	if !p.window.whole || p.at != at {
		t.Errorf("got window %+v with the cursor at %v, want the whole session and %v", p.window, p.at, at)
	}
	for range 60 {
		press(p, "+")
	}
	if p.window.cell != least {
		t.Errorf("got cells of %v at the end, want %v", p.window.cell, least)
	}
}

func TestTheWindowMovesWithTheCursor(t *testing.T) {
	p, _ := newPane(threeAgents(), dark(), 100, 30)
	press(p, "+", "+", "+", "H", "H", "H", "H", "H", "H", "H", "H", "H", "H", "H")
	if p.at != p.session.begin || p.window.from != 0 {
		t.Errorf("got the cursor at %v in a window from %v, want both at the beginning", p.at, p.window.from)
	}
	from := p.window.from
	for range p.window.cells {
		press(p, "l")
	}
	if p.window.from != from+p.window.cell {
		t.Errorf("got a window from %v after %d steps, want it one cell further than %v", p.window.from, p.window.cells, from)
	}
	for range 40 {
		press(p, "L")
	}
	if a := p.window.axis(); p.at != p.session.end || !a.Contains(p.at) || a.Edge(a.Cells-1) > p.session.end {
		t.Errorf("got the cursor at %v in %+v, want the end of the session %v in the last cell", p.at, a, p.session.end)
	}
	press(p, "0")
	if !p.window.whole {
		t.Error("got no whole session for 0")
	}
}

func TestFollowShowsTheEnd(t *testing.T) {
	f := threeAgents()
	p, _ := newPane(f, dark(), 100, 30)
	press(p, "+", "+", "+", "f")
	p.Lines()
	for range 50 {
		f.in(f.State.Log.Streams()[2].Exchange).chunk(100, "t2")
		p.SetNow(f.Now, false)
		p.Lines()
		if a := p.window.axis(); a.Cell(p.session.end) != a.Cells-1 || p.at != p.session.end {
			t.Fatalf("got the end %v in cell %d of %d and the cursor at %v, want both in the last", p.session.end, a.Cell(p.session.end), a.Cells, p.at)
		}
	}
	if p.Note() != "7 exchanges · follow" {
		t.Errorf("got note %q, want it to say that the window follows", p.Note())
	}
	press(p, "h")
	from := p.window.from
	f.chunk(5000, "t2")
	p.SetNow(f.Now, false)
	if p.Lines(); p.window.from != from {
		t.Errorf("got a window that moved from %v to %v after the cursor moved, want it to stay", from, p.window.from)
	}
}

// The filter of a span lists the records that the lanes show in it, and no others.
func TestASpanFiltersTheWire(t *testing.T) {
	f := threeAgents()
	p, _ := newPane(f, dark(), 100, 30)
	press(p, "j", "n", "n", "n", "v", "l", "l", "l", "l")
	begin, end, _ := p.span.bounds(p)
	in, ok := press(p, "enter").(Filter)
	if !ok || p.span.open {
		t.Fatalf("got intent %+v, want a filter and the span closed", in)
	}
	set, err := filter.Parse(in.Text)
	if err != nil {
		t.Fatalf("%s: %v", in.Text, err)
	}
	env, hits := &filter.Env{Start: f.State.Log.At(1).Record.Time}, 0
	for id := a2a.RecordID(1); int(id) <= f.State.Log.Len(); id++ {
		at := f.State.Log.TimeOf(id).Sub(f.State.Log.TimeOf(1))
		if got := set.Match(f.State.Log.At(id), env); got != (at >= begin && at <= end) {
			t.Errorf("record %d at %v: got %v for %s, which is from %v to %v", id, at, got, in.Text, begin, end)
		} else if got {
			hits++
		}
	}
	if hits == 0 {
		t.Errorf("%s lists nothing", in.Text)
	}
	sees(t, p, fmt.Sprintf("%d records", hits), "span +")
	if again := press(p, "w"); again != in {
		t.Errorf("got %+v for w, want the filter of the closed span, %+v", again, in)
	}
	press(p, "z")
	if a := p.window.axis(); a.From > begin || a.To() < end || a.Span > 3*(end-begin) {
		t.Errorf("got window %+v for the span from %v to %v, want it to fit", a, begin, end)
	}
	press(p, "v")
	if got := press(p, "esc"); got != nil || p.span.on {
		t.Errorf("got %+v for esc, want it to drop the span", got)
	}
	if got := press(p, "esc"); got != (Close{}) {
		t.Errorf("got %+v for esc, want Close", got)
	}
}

func TestASpanFromTheBeginningHasNoLowerLimit(t *testing.T) {
	p, _ := newPane(threeAgents(), dark(), 100, 30)
	p.Lines()
	press(p, "v", "l", "l")
	if in := press(p, "enter").(Filter); strings.Contains(in.Text, "since") {
		t.Errorf("got %q, want no since", in.Text)
	}
}

func TestTheFilterOfTheWireApplies(t *testing.T) {
	f := threeAgents()
	p, wire := newPane(f, dark(), 100, 30)
	press(p, "G")
	wire.list(func(it *log.Item) bool { return it.Record.Call != nil && it.Record.Call.Agent == 2 })
	if text := screen(p); strings.Contains(text, "Travel") || !strings.Contains(text, "Scribe") || p.Note() != "1 of 7 exchanges · filtered · whole session" {
		t.Errorf("got note %q and lanes of other agents, want only Scribe's:\n%s", p.Note(), text)
	}
	essay := f.State.Log.Streams()[2].Exchange
	wire.list(func(it *log.Item) bool { return it.Record.Exchange == essay && it.Record.Kind == a2a.KindRequest })
	row := p.Lines()[p.parts().Head+1]
	if !strings.Contains(row, p.St.G[styles.Online]) || strings.Contains(row, p.St.Agent.On+p.St.G[styles.Online]) {
		t.Errorf("got row %q, want a faint state because its record does not pass the filter", row)
	}
	wire.list(func(*log.Item) bool { return false })
	sees(t, p, "The filter of the wire hides every exchange.")
	for _, k := range []string{"j", "l", "n", "v", "enter", "y", "m", "+", "z", "w", "f", "0", "G"} {
		if in := press(p, k); in != nil {
			t.Errorf("got %+v for %s without lanes, want nothing", in, k)
		}
	}
	wire.list(nil)
	sees(t, p, "Travel Desk")
}

func TestTheTimeBetweenMarksIsShown(t *testing.T) {
	f := threeAgents()
	p, wire := newPane(f, dark(), 120, 30)
	p.Lines()
	if in := press(p, "j", "n", "n", "m"); in != (Mark{p.current()}) {
		t.Errorf("got %+v for m, want the record under the cursor", in)
	}
	last := a2a.RecordID(f.State.Log.Len())
	wire.mark(last, 5)
	sees(t, p, " 9.1 s ", "◆ #5 to #"+fmt.Sprint(last)+" 9.1 s")
	if _, got := rowsOf(t, p, f.State.Log.Streams()[1].Exchange); !strings.Contains(got, "◆") {
		t.Errorf("got lane %q without the mark of its record", got)
	}
}

func TestEnterGoesToTheRecordUnderTheCursor(t *testing.T) {
	f := threeAgents()
	p, _ := newPane(f, dark(), 100, 30)
	for _, id := range []a2a.RecordID{1, 8, 30, a2a.RecordID(f.State.Log.Len())} {
		p.Select(id)
		p.Lines()
		if got := press(p, "enter"); got != (Show{id}) {
			t.Errorf("got %+v after Select(%d), want Show of it", got, id)
		}
		sees(t, p, fmt.Sprintf("#%d ", id))
	}
	// Every record of a lane can be reached, forwards and backwards.
	x := f.State.Log.Streams()[2].Exchange
	ids := f.State.Log.Exchange(x)
	p.Select(ids[0])
	for _, id := range ids[1:] {
		if press(p, "n"); p.current() != id {
			t.Fatalf("got record %d for n, want %d", p.current(), id)
		}
	}
	press(p, "n")
	for i := len(ids) - 2; i >= 0; i-- {
		if press(p, "N"); p.current() != ids[i] {
			t.Fatalf("got record %d for N, want %d", p.current(), ids[i])
		}
	}
	// A cell shows its first record, an empty cell the nearest.
	p.Select(1)
	press(p, "j", "l")
	if id := p.current(); f.State.Log.ExchangeOf(id) != p.sel {
		t.Errorf("got record %d of another exchange than %d", id, p.sel)
	}
}

// The longest pause of the session is one key away, in whichever lane it is: that of an open exchange
// may still grow.
func TestALetterLeadsToTheLongestGap(t *testing.T) {
	f := threeAgents()
	p, _ := newPane(f, dark(), 100, 30)
	all := f.State.Log.Streams()
	open := all[2]
	ids := f.State.Log.Exchange(open.Exchange)
	var longest *log.Stream
	for _, s := range all {
		if longest == nil || s.Gaps.Max > longest.Gaps.Max {
			longest = s
		}
	}
	for _, c := range []struct {
		recording bool
		now       time.Duration
		want      a2a.RecordID
	}{
		{true, 0, longest.Gaps.After},
		{false, time.Hour, ids[len(ids)-1]},
		{false, 0, longest.Gaps.After},
	} {
		p.SetNow(f.State.Log.TimeOf(a2a.RecordID(f.State.Log.Len())).Add(c.now), c.recording)
		p.Select(1)
		if press(p, "M"); p.current() != c.want {
			t.Errorf("recording %t, %s later: got record %d, want %d", c.recording, c.now, p.current(), c.want)
		}
		sees(t, p, fmt.Sprintf("#%d ", c.want))
	}
	none, _ := newPane(newRecording(), dark(), 100, 30)
	if press(none, "M"); none.current() != 0 {
		t.Errorf("got record %d without a lane, want none", none.current())
	}
}

func TestASpanIsCopiedAsText(t *testing.T) {
	p, _ := newPane(threeAgents(), dark(), 100, 30)
	p.Lines()
	in := press(p, "y").(Copy)
	panetest.Sees(t, in.Text, "Travel Desk, Conversation 1", "SendStreamingMessage", "cut after #", "nothing for", "Old Clerk", "SubscribeToTask")
	if in.What != "the window" {
		t.Errorf("got a copy of %q, want the window", in.What)
	}
	p.Select(5)
	press(p, "v", "l")
	in = press(p, "y").(Copy)
	panetest.Sees(t, in.Text, "SendStreamingMessage")
	if strings.Contains(in.Text, "Old Clerk") || in.What != "the span" {
		t.Errorf("got a copy of %s with what came later:\n%s", in.What, in.Text)
	}
}

func TestTheMouseMovesTheCursor(t *testing.T) {
	p, _ := newPane(threeAgents(), dark(), 100, 30)
	p.Lines()
	left := tea.MouseClickMsg{Button: tea.MouseLeft}
	y := p.parts().Head + 3
	x := p.nameWidth() + 1 + 20
	if in := p.Mouse(left, x, y); in != nil || p.List.At != 3 || p.column() != 20 {
		t.Errorf("got %+v, row %d and cell %d for a click, want row 3 and cell 20", in, p.List.At, p.column())
	}
	if in := p.Mouse(left, x, y); in != (Show{p.current()}) {
		t.Errorf("got %+v for a second click, want Show", in)
	}
	if in := p.Mouse(left, x, p.parts().Head+2); in != nil || p.List.At != 3 {
		t.Errorf("got %+v and row %d for a click between two lanes, want nothing", in, p.List.At)
	}
	if in := p.Mouse(left, x+5, 0); in != nil || p.column() != 25 || p.List.At != 3 {
		t.Errorf("got cell %d and row %d for a click on the scale, want cell 25 of the same lane", p.column(), p.List.At)
	}
	p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelDown}, x, y)
	p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelRight}, x, y)
	if p.List.At != 6 || p.column() != 25+wheelCells {
		t.Errorf("got row %d and cell %d for the wheel, want row 6 and cell %d", p.List.At, p.column(), 25+wheelCells)
	}
	p.Mouse(left, x, y)
	p.Mouse(tea.MouseMotionMsg{Button: tea.MouseLeft}, x+10, y)
	p.Mouse(tea.MouseReleaseMsg{Button: tea.MouseLeft}, x+10, y)
	p.Mouse(tea.MouseMotionMsg{}, x+20, y)
	a := p.window.axis()
	if from, to, ok := p.span.cells(p, a); !ok || from != 20 || to != 31 || p.span.open {
		t.Errorf("got a span from %d to %d after a drag, want it closed and from 20 to 31", from, to)
	}
	for _, at := range [][2]int{{-5, -5}, {0, 0}, {99, 29}, {500, 500}, {0, 29}} {
		p.Mouse(left, at[0], at[1])
	}
}

func TestTheTimesOfTheScaleDiffer(t *testing.T) {
	for _, c := range []struct {
		at, step time.Duration
		want     string
	}{
		{0, time.Millisecond, "0 ms"},
		{0, time.Second, "0 s"},
		{340 * time.Millisecond, 20 * time.Millisecond, "340 ms"},
		{1500 * time.Microsecond, 500 * time.Microsecond, "1.5 ms"},
		{2340 * time.Millisecond, 20 * time.Millisecond, "2.34 s"},
		{65 * time.Second, time.Second, "1:05"},
		{65250 * time.Millisecond, 250 * time.Millisecond, "1:05.2"},
		{2*time.Hour + 65*time.Second, time.Second, "2:01:05"},
		{74*time.Hour + 65*time.Second, time.Minute, "3 d 02:01:05"},
		{-3 * time.Second, time.Second, "-3 s"},
	} {
		if got := timeText(c.at, c.step); got != c.want {
			t.Errorf("%v by %v: got %q, want %q", c.at, c.step, got, c.want)
		}
	}
	for cell := least; cell < farthest; cell = cellOf(cell + 1) {
		step := labelStep(cell * labelCells)
		if step < cell*labelCells || step > cell*labelCells*10 {
			t.Errorf("cells of %v: got labels every %v", cell, step)
		}
		if cellBelow(cell) != cell || cellOf(cell) != cell || cellBelow(cell+1) != cell {
			t.Errorf("%v is no length of a cell", cell)
		}
		seen := map[string]bool{}
		for i := range time.Duration(20) {
			text := timeText(i*step, step)
			if seen[text] {
				t.Errorf("got %q twice on a scale by %v", text, step)
			}
			seen[text] = true
		}
	}
}

// However the list scrolls, both rows of the selected lane are visible, and a click on either selects it.
func TestTheSelectedLaneIsVisible(t *testing.T) {
	f := newRecording()
	for i := range 30 {
		f.request(100, call(a2a.AgentID(i%3+1), 1, 1, a2a.OpStream), "SendStreamingMessage")
		f.head(10)
		f.chunk(5, "t")
	}
	p, _ := newPane(f, mono(), 76, headRows+footRows+9)
	for _, key := range []string{"g", "j", "j", "j", "j", "j", "pgdown", "pgdown", "G", "k", "k", "k", "k", "k", "k", "pgup", "pgup"} {
		press(p, key)
		rows := p.Lines()
		y := headRows + p.List.At - p.List.Top
		if y < headRows || y+1 >= headRows+p.parts().List {
			t.Fatalf("after %s: the selected lane is in row %d, want two visible rows", key, y)
		}
		for i, row := range rows {
			if got := strings.HasPrefix(row, p.St.Selected.On); got != (i == y || i == y+1) {
				t.Errorf("after %s: got row %d filled: %t, and the lane in row %d", key, i, got, y)
			}
		}
		if got := p.Scrolls()[0]; got.At != p.selected+1 || got.Of != 30 {
			t.Errorf("after %s: got lane %d of %d, want %d of 30", key, got.At, got.Of, p.selected+1)
		}
	}
	press(p, "g")
	p.Lines()
	for y, want := range []int{0, 0, 1, 1, 2} {
		if p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 1, headRows+y); p.selected != want {
			t.Errorf("got lane %d for a click on row %d, want %d", p.selected, y, want)
		}
	}
}

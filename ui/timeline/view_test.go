package timeline

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/golden"
	"parley/internal/units"
	"parley/session/log"
	"parley/themes"
	"parley/ui/styles"
)

// cutAndResumed returns a stream that was cut after a pause, and one that continued it.
func cutAndResumed() *recording {
	f := booking()
	f.End(1500, a2a.Cut)
	f.open(1000, a2a.OpSubscribe)
	f.chunk(30, "fares", "", "BA 763")
	f.status(500, "COMPLETED")
	f.End(20, a2a.Ended)
	return f
}

func TestFrames(t *testing.T) {
	open := booking()
	gone := booking()
	gone.End(300, a2a.Cancelled)
	light := styles.New(themes.Light(), styles.Unicode())
	for _, tt := range []struct {
		name string
		tape *recording
		late time.Duration
		st   *styles.Styles
		w, h int
	}{
		{"open_dark_64", open, 300 * time.Millisecond, dark(), 64, 22},
		{"silent_mono_64", open, 3 * time.Second, mono(), 64, 22},
		{"stalled_dark_64", open, 9 * time.Second, dark(), 64, 22},
		{"resumed_dark_64", cutAndResumed(), 0, dark(), 64, 28},
		{"resumed_mono_100", cutAndResumed(), 0, mono(), 100, 28},
		{"cancelled_light_40", gone, 0, light, 40, 14},
		{"low_mono_40", gone, 0, mono(), 40, 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := show(tt.tape, tt.st, tt.w, tt.h)
			v.SetNow(tt.tape.Now.Add(tt.late))
			exact(t, v)
			golden.Compare(t, tt.name, strings.Join(v.Lines(true), "\n")+"\n")
		})
	}
}

// The scale has its beginning, and no time beside the cursor but the cursor's own, wherever that is.
func TestTheScaleDoesNotGiveTheCursorTheTimeOfTheEnd(t *testing.T) {
	f := booking()
	f.End(300, a2a.Ended)
	for w := 12; w < 70; w++ {
		v := show(f, mono(), w, 22)
		for id := a2a.RecordID(f.State.Log.Len()); id >= 1; id-- {
			v.Show(id)
			exact(t, v)
			row := strings.TrimRight(strings.Split(screen(v), "\n")[3], " ")
			own := units.Duration(f.State.Log.At(id).Record.Time.Sub(f.State.Log.At(1).Record.Time))
			left, right, ok := strings.Cut(row, "^")
			if left = strings.TrimSpace(left); !ok || left != "" && left != "0" && strings.TrimSpace(strings.TrimPrefix(left, "0")) != own {
				t.Errorf("%d cells, record %d: got scale %q, want 0 and at most %s before the cursor", w, id, row, own)
			}
			if right != "" && right[0] != ' ' {
				t.Errorf("%d cells, record %d: got scale %q, want a space behind the cursor", w, id, row)
			}
		}
	}
}

func TestTheStallIsSaidAndTakenBack(t *testing.T) {
	f := booking()
	v := show(f, dark(), 64, 22)
	v.SetNow(f.Now.Add(12 * time.Second))
	if got := screen(v); !strings.Contains(got, "‖ silent 12 s") || !strings.Contains(got, "stalled · ") {
		t.Errorf("got no stall of 12 s, want one:\n%s", got)
	}
	f.chunk(12_000, "itinerary", "", "more")
	v.Show(v.Selected())
	if got := screen(v); strings.Contains(got, "stalled") || !strings.Contains(got, "stall: silent for 12 s") {
		t.Errorf("got a stall that lasts, want one that is over:\n%s", got)
	}
}

func TestTheCursorGoesThroughAllRecords(t *testing.T) {
	f := cutAndResumed()
	v := show(f, dark(), 64, 12)
	last := a2a.RecordID(f.State.Log.Len())
	for want := last; want >= 1; want-- {
		if got := v.Selected(); got != want {
			t.Fatalf("the cursor is on %d, want %d", got, want)
		}
		if !v.chain.covers(v.at, want) {
			t.Fatalf("got entry %d without record %d, want it covered", v.at, want)
		}
		exact(t, v)
		v.Step(-1)
	}
	for range last {
		v.Step(1)
	}
	if v.Selected() != last {
		t.Errorf("got cursor on record %d at the end, want %d", v.Selected(), last)
	}
	v.Step(1)
	if v.Selected() != last {
		t.Errorf("got cursor on record %d behind the end, want %d", v.Selected(), last)
	}
}

func TestTheCursorGoesThroughAllEntries(t *testing.T) {
	f := cutAndResumed()
	v := show(f, dark(), 64, 9)
	v.Move(-1000)
	if v.Selected() != 1 {
		t.Errorf("got record %d as the first entry, want 1", v.Selected())
	}
	for i := range v.entries() {
		if v.at != i {
			t.Fatalf("the cursor is on entry %d, want %d", v.at, i)
		}
		before := v.Selected()
		v.Show(before) // as a pane does on a click
		if v.at != i {
			t.Fatalf("showing record %d: got the cursor moved from entry %d to %d, want it to stay", before, i, v.at)
		}
		if v.at < v.top || v.at >= v.top+v.Room() {
			t.Fatalf("got entry %d outside of the window from %d, want it inside", v.at, v.top)
		}
		v.Move(1)
	}
	v.Move(1000)
	if int(v.Selected()) != f.State.Log.Len() {
		t.Errorf("got record %d as the last entry, want %d", v.Selected(), f.State.Log.Len())
	}
}

func TestClicks(t *testing.T) {
	f := cutAndResumed()
	v := show(f, dark(), 64, 28)
	lines := strings.Split(screen(v), "\n")
	at := func(words string) int {
		for y, line := range lines {
			if strings.Contains(line, words) {
				return y
			}
		}
		t.Fatalf("got no line with %q, want one", words)
		return 0
	}
	if v.Click(20, at("working")); v.Selected() != 4 {
		t.Errorf("click on working: got record %d, want 4", v.Selected())
	}
	if v.Click(0, 1); v.Selected() > 3 {
		t.Errorf("click on the lane's begin: got record %d, want at most 3", v.Selected())
	}
	if v.Click(63, 2); int(v.Selected()) != f.State.Log.Len() {
		t.Errorf("click on the lane's end: got record %d, want %d", v.Selected(), f.State.Log.Len())
	}
	before := v.Selected()
	if v.Click(3, 27) || v.Click(3, 0) || v.Click(3, -1) || v.Click(3, 99) || v.Selected() != before {
		t.Error("click outside of the entries: got the cursor moved, want it to stay")
	}
}

// The cost of a frame does not grow with the stream, and an unchanged frame is not drawn again.
func TestAnUnchangedFrameIsNotDrawnAgain(t *testing.T) {
	f := cutAndResumed()
	v := show(f, dark(), 64, 20)
	drawn := &v.Lines(true)[0]
	for i := range 10 {
		v.SetNow(v.now.Add(time.Second)) // both streams have ended
		v.Show(v.Selected())
		if &v.Lines(true)[0] != drawn {
			t.Fatalf("frame %d was drawn again, want the cached lines", i)
		}
	}
	if v.Move(-1); v.Lines(true)[0] == "" || &v.Lines(true)[0] == drawn {
		t.Error("got the previous frame after the cursor moved, want a new one")
	}
}

func TestRecordsWithoutAStream(t *testing.T) {
	f := newRecording()
	f.Exchange = 0
	note := f.Put(0, a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: "pin"}})
	v := show(f, dark(), 50, 8)
	for _, id := range []a2a.RecordID{note, 0, 99} {
		v.Show(id)
		exact(t, v)
		for _, move := range []func(){func() { v.Move(-1000) }, func() { v.Move(1000) }, func() { v.Move(3) }, func() { v.Step(1) }, func() { v.Page(-1) }, func() { v.Scroll(2) }, func() { v.Click(3, 3) }} {
			move()
		}
		if v.Streams() {
			t.Errorf("record %d: got a stream, want none", id)
		}
	}
	x := f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "GET", URL: "http://x/card"}})
	f.Put(9, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 404}})
	f.Put(1, a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte("<html>")})
	f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Ended}})
	v.SetSize(60, 14)
	v.Show(x)
	if got := screen(v); !strings.Contains(got, "404") || !strings.Contains(got, "closed by agent") {
		t.Errorf("got no timeline of a plain answer, want its status and its end:\n%s", got)
	}
}

// Whatever the input is, every frame fits and contains nothing that a terminal would execute.
func TestAnyStreamFits(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	nasty := []string{"\x1b[31m\x07", "\u202eevil", "ein\nzwei", strings.Repeat("長い", 50), "", "a\x00b"}
	for round := range 60 {
		f := newRecording()
		f.open(0, a2a.OpStream)
		for range rng.IntN(60) {
			word := nasty[rng.IntN(len(nasty))]
			wait := rng.IntN(3) * rng.IntN(9000)
			switch rng.IntN(7) {
			case 0:
				f.status(wait, fmt.Sprintf("X%d", rng.IntN(5)))
			case 1:
				f.chunk(wait, fmt.Sprint(rng.IntN(40)), word, "text")
			case 2:
				f.event(wait, `{"statusUpdate":{"taskId":"t","status":{"state":`+fmt.Sprintf("%q", word)+`}}}`)
			case 3:
				f.event(wait, word)
			case 4:
				f.End(wait, []a2a.EndReason{a2a.Ended, a2a.Cut, a2a.Refused, a2a.TimedOut, a2a.Cancelled, "odd"}[rng.IntN(6)])
			case 5:
				f.open(wait, a2a.OpSubscribe)
			default:
				f.Put(-wait, a2a.Record{Kind: a2a.RecordKind([]string{"odd", "note", "response", "body"}[rng.IntN(4)]), Raw: []byte(word)})
			}
		}
		v := show(f, []*styles.Styles{dark(), mono()}[round%2], 1, 1)
		for range 40 {
			v.SetSize(rng.IntN(100), rng.IntN(30))
			v.SetNow(f.Now.Add(time.Duration(rng.IntN(20)-5) * time.Second))
			v.Show(a2a.RecordID(rng.IntN(f.State.Log.Len() + 2)))
			exact(t, v)
			v.Click(rng.IntN(100), rng.IntN(30))
			v.Scroll(rng.IntN(20) - 10)
			exact(t, v)
			v.Step(1 - 2*rng.IntN(2))
			v.Page(1 - 2*rng.IntN(2))
			exact(t, v)
		}
	}
}

func BenchmarkLines(b *testing.B) {
	f := newRecording()
	f.open(0, a2a.OpStream)
	for i := range 20_000 {
		f.chunk(5, "a", "a.md", "text")
		if i%10 == 0 {
			f.status(1, "WORKING")
		}
	}
	v := show(f, dark(), 80, 24)
	for b.Loop() {
		f.Now = f.Now.Add(time.Second)
		v.SetNow(f.Now)
		v.Lines(true)
	}
}

func TestTheTextHoldsEverything(t *testing.T) {
	v := show(cutAndResumed(), dark(), 30, 5)
	text, what := v.Text()
	if what != "stream 1" {
		t.Errorf("got name %q, want stream 1", what)
	}
	for _, want := range []string{"SendStreamingMessage", "● working", "silent for 2.1 s", "cut off", "resubscribed 1 s later", "closed by agent", "first byte 40 ms"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the text, want it:\n%s", want, text)
		}
	}
	if strings.ContainsAny(text, "\x1b…") {
		t.Errorf("got truncated or painted text, want neither:\n%s", text)
	}
	exact(t, v) // and no input has changed
	if text, _ := New(dark()).Text(); text != "" {
		t.Errorf("empty view: got text %q, want none", text)
	}
}

func TestAVerdictStandsBehindTheStreamsThatItIsAbout(t *testing.T) {
	f := cutAndResumed()
	f.Exchange = 0
	f.Call = nil
	note := f.Put(5000, a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{
		Type: log.NoteVerdict, Attrs: map[string]string{"exchange": "1", "sentence": "Cut after 3 events."}}})
	v := show(f, dark(), 64, 28)
	if v.Selected() != note || !strings.Contains(screen(v), "verdict · Cut after 3 events.") {
		t.Errorf("got no verdict as the selected entry, want it:\n%s", screen(v))
	}
	if v.at != v.entries()-1 {
		t.Errorf("got cursor on entry %d, want %d", v.at, v.entries()-1)
	}
	exact(t, v)
	v.Move(-1)
	end := v.Selected()
	if v.Move(1); v.Selected() != note {
		t.Errorf("down from the end: got record %d, want %d", v.Selected(), note)
	}
	if v.Step(-1); v.Selected() != end {
		t.Errorf("before the verdict is record %d, want %d", v.Selected(), end)
	}
}

// A recording may contain a response without a request.
func TestAResponseWithoutAHeadIsDrawn(t *testing.T) {
	f := newRecording()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out})
	f.Put(5, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In})
	f.chunk(5, "a", "a.md", "text")
	v := show(f, dark(), 80, 24)
	exact(t, v)
	if got := screen(v); !strings.Contains(got, "response") {
		t.Errorf("got a plain answer without an entry, want one:\n%s", got)
	}
}

// While nothing streams, a new record is not compared with all earlier ones.
func TestFollowingLooksForStreamsOnce(t *testing.T) {
	f := newRecording()
	v := show(f, dark(), 80, 24)
	poll := func() a2a.RecordID {
		call := *f.Call
		call.Op = a2a.OpGet
		f.Call = &call
		return f.Put(5, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out})
	}
	for range 5 {
		id := poll()
		v.Follow(id)
		if v.noStreamUntil != id || v.Selected() != id {
			t.Fatalf("got timeline up to record %d and record %d selected, want %d in both", v.noStreamUntil, v.Selected(), id)
		}
	}
	f.open(5, a2a.OpStream)
	began := a2a.RecordID(f.State.Log.Len())
	if v.Follow(poll()); v.Selected() != began {
		t.Errorf("record %d is selected, want %d", v.Selected(), began)
	}
}

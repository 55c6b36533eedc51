package agents

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
	"parley/themes"
	"parley/ui/styles"
)

// While a stream is open its row tells how fast it is, later how much it was, in a recording always.
func TestTheRowOfAStreamTellsItsRateThenItsLength(t *testing.T) {
	f, list := busy(), many(3, "Agent")
	p := column(f, list, 26, 34, 0)
	panetest.Sees(t, panetest.Text(p.Lines()), "21 ev", " ev/s")
	p.SetAbout(About{State: f.State})
	panetest.Sees(t, panetest.Text(p.Lines()), " 61 ev\n")
	show(p, f, list, 4*time.Second)
	panetest.Sees(t, panetest.Text(p.Lines()), "‖ stalled")
	f.in(f.Exchange).End(1, a2a.Ended)
	show(p, f, list, time.Hour)
	if got := rowsWith(p, "61 ev"); len(got) != 1 || strings.Contains(got[0], "/s") {
		t.Errorf("got rows %q, want the number of events of the stream that has ended", got)
	}
	f.request(0, 3, a2a.OpStream, "")
	f.chunks(shapely-1, 10, "t4")
	show(p, f, list, 0)
	panetest.Sees(t, panetest.Text(p.Lines()), " 61 ev\n") // the new one has no shape yet
	f.End(10, a2a.Cut)
	f.request(0, 3, a2a.OpSubscribe, "t4")
	f.chunks(7, 10, "t4")
	f.End(10, a2a.Ended)
	p = column(f, list, 26, 34, time.Hour) // it sees both at once
	panetest.Sees(t, panetest.Text(p.Lines()), " 7 ev\n")
}

// The cells of an open stream keep what they have until they become twice as long, and all of its events count.
func TestASparkKeepsItsCellsWhileTheStreamGrows(t *testing.T) {
	st := styles.New(themes.Dark(), styles.Unicode())
	f := &recording{tape.New()}
	f.request(0, 1, a2a.OpStream, "")
	s, k, before, doubled := f.State.Log.Stream(f.Exchange), spark{}, "", 0
	for range 400 {
		f.chunks(2, 25, "t")
		now := []rune(k.draw(st, s, 9))
		if n := len([]rune(before)); len(now) < n {
			doubled++
		}
		if len(now) > 9 {
			t.Fatalf("got %d cells, want at most 9", len(now))
		}
		before = string(now)
	}
	if doubled == 0 || doubled > 7 {
		t.Errorf("got %d times longer cells in 20 s, want each twice as long as the last", doubled)
	}
	if strings.ContainsAny(before[:len(before)-3], "▁▂▃") {
		t.Errorf("got %q for a steady stream, want bars of about one height", before)
	}
	f.End(1, a2a.Ended)
	if got := len([]rune(k.draw(st, s, 9))); got < 8 {
		t.Errorf("got %d cells for a stream that has ended, want it to take the width", got)
	}
	for w := -3; w < 40; w++ {
		if got := len([]rune(k.draw(st, s, w))); got > max(w, 0) {
			t.Errorf("got %d cells in a width of %d", got, w)
		}
	}
}

package agents

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
	"parley/themes"
	"parley/ui/looks"
	"parley/ui/styles"
)

// lanesOf returns the rows of the lanes, without styles.
func lanesOf(p *Pane) []string {
	_, lanes, _ := strings.Cut(panetest.Text(p.Lines()), "lanes, newest 30 s\n")
	return strings.Split(lanes, "\n")
}

// A lane has the bars of what came in the colour of its agent, a sign where it was cut, continued, or ended,
// and nothing behind what is still open.
func TestALaneShowsHowExchangesWent(t *testing.T) {
	f := busy()
	p := column(f, many(3, "Agent"), 31, 34, 0) // a second a cell
	got := lanesOf(p)
	for i, want := range []string{" ▃◐", " ▄▅▄▁↯ ↻▅▄✓", " ▆▆▆▃"} {
		if !strings.Contains(got[i], want) {
			t.Errorf("lane %d: got %q, want %q in it", i+1, got[i], want)
		}
	}
	rows := p.Lines()
	for i, row := range rows[len(rows)-3:] {
		if tag := looks.Tag(p.st, a2a.AgentID(i+1)).On; !strings.Contains(row, tag) {
			t.Errorf("lane %d: got %q, want the colour %q", i+1, row, tag)
		}
	}
}

// While an exchange is open the lanes end now, otherwise with the newest record: then they stand still.
func TestLanesStandStillWhileNothingComes(t *testing.T) {
	f, list := busy(), many(3, "Agent")
	p := column(f, list, 31, 34, 0)
	frame := func(after time.Duration) string {
		show(p, f, list, after)
		return strings.Join(p.Lines(), "\n")
	}
	if frame(0) == frame(9*time.Second) {
		t.Error("got the same lanes 9 s later while a stream is open, want them to move")
	}
	f.in(f.Exchange).End(1, a2a.Ended)
	was := frame(0)
	for _, after := range []time.Duration{time.Millisecond, 31 * time.Second, 48 * time.Hour} {
		if frame(after) != was {
			t.Errorf("got another frame %v after the end, want the same", after)
		}
	}
	if !strings.Contains(was, "✓") {
		t.Errorf("got no sign of the end:\n%s", was)
	}
}

// Four agents have lanes at most: those that were sent something last, in the order of the list.
func TestTheNewestFourAgentsHaveLanes(t *testing.T) {
	f := &recording{tape.New()}
	for _, agent := range []a2a.AgentID{5, 3, 1, 2, 4, 3} {
		f.request(100, agent, a2a.OpSend, "")
		f.Put(5, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Ended}})
	}
	p := column(f, many(6, "Agent"), 30, 60, 0)
	p.SetStyles(styles.New(themes.Mono(), styles.Unicode()))
	p.SetAgents(p.agents)
	for i, row := range lanesOf(p)[:4] {
		if want := []string{"a1 ", "a2 ", "a3 ", "a4 "}[i]; !strings.HasPrefix(row, want) {
			t.Errorf("got lane %q, want one that begins with %q", row, want)
		}
	}
	p.SetAgents(p.agents[:1]) // the others are closed
	if got := lanesOf(p); len(got) > 1 && strings.Contains(strings.Join(got[1:], ""), "✓") {
		t.Errorf("got lanes %q, want none of agents that are closed", got)
	}
	if q := column(&recording{tape.New()}, many(6, "Agent"), 30, 60, 0); len(rowsWith(q, "lanes")) != 0 {
		t.Error("got lanes although nothing was sent")
	}
}

// Clocks go back, and records come from the future.
func TestLanesBearAnyTimes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		f := &recording{tape.New()}
		for range 12 {
			f.request(0, a2a.AgentID(rng.IntN(3)+1), a2a.OpStream, "")
			f.chunks(rng.IntN(6), 10, "t")
			if rng.IntN(2) == 0 {
				f.End(1, []a2a.EndReason{a2a.Ended, a2a.Cut, a2a.Refused, a2a.TimedOut, a2a.Cancelled}[rng.IntN(5)])
			}
			f.Now = f.Now.Add(time.Duration(rng.Int64N(1<<(1+rng.IntN(61))) - rng.Int64N(1<<(1+rng.IntN(61)))))
		}
		for _, w := range []int{3, 9, 20, 26} {
			p := column(f, many(3, "Agent"), w, 34, time.Duration(rng.Int64()))
			panetest.Exact(t, p.Lines(), w, 34)
			p.SetStyles(styles.New(themes.Mono(), styles.ASCII()))
			panetest.Exact(t, p.Lines(), w, 34)
		}
	}
}

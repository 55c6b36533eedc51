package agents

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
	"parley/session/model"
	"parley/themes"
	"parley/ui/styles"
)

// flagged returns a session with findings of all severities.
func flagged() *recording {
	f := busy()
	for _, s := range []a2a.Severity{a2a.Error, a2a.Warning, a2a.Warning, a2a.Info} {
		f.Put(0, a2a.Record{Kind: a2a.KindNote}, a2a.Finding{Rule: "R-" + s.String(), Severity: s, Message: "x"})
	}
	return f
}

// The facts fit into the narrowest column: what has no room stands closer, and loses what matters least.
func TestFactsFitTheColumn(t *testing.T) {
	f := flagged()
	p := column(f, many(3, "Agent"), 20, 34, 0)
	for w, want := range map[int][]string{
		20: {"recorded 245 kB", "findings ⚑1E 2W 1i", "tasks    ● 1 ◐ 1 ✓ 1"},
		22: {"recorded 116 · 245 kB", "findings ⚑ 1 E 2 W 1 i", "tasks    ● 1  ◐ 1  ✓ 1"},
		26: {"recorded 116 · 245 kB", "findings ⚑ 1 E  2 W  1 i", "tasks    ● 1  ◐ 1  ✓ 1"},
		16: {"recorded 245 kB", "findings ⚑1E 2W", "tasks    ●1 ◐1"},
	} {
		p.SetSize(w, 34)
		p.SetAbout(About{State: f.State, Now: f.Now, File: Recorded, Size: 245_000})
		p.SetAgents(many(3, "Agent"))
		panetest.Sees(t, panetest.Text(p.Lines()), want...)
		panetest.Exact(t, p.Lines(), w, 34)
	}
}

// The facts say whether the session is kept, and the sign of what works stands still there.
func TestFactsSayWhatIsKept(t *testing.T) {
	f, list := busy(), many(3, "Agent")
	p := column(f, list, 26, 34, 0)
	panetest.Sees(t, panetest.Text(p.Lines()), "session not recorded", "records  112", "findings none", "tasks    ● 1")
	p.SetSpinner("⣾")
	p.SetAbout(About{State: f.State, File: Opened})
	panetest.Sees(t, panetest.Text(p.Lines()), "records  112", "tasks    ● 1  ◐ 1  ✓ 1")
	f.in(f.Exchange).status(0, "t3", "FAILED")
	f.State.Log.Findings().Mute("R-warning", true)
	p.SetAbout(About{State: f.State})
	panetest.Sees(t, panetest.Text(p.Lines()), "◐ 1  ✕ 1  ✓ 1")
}

// The facts leave three blank rows below the agents, or are not there; the lanes go first.
func TestFactsLeaveBlankRows(t *testing.T) {
	f, list := busy(), many(3, "Agent")
	lists := 11 // rows of the agents when each has streamed
	for h := range 40 {
		p := column(f, list, 26, h, 0)
		got := panetest.Text(p.Lines())
		if has, want := strings.Contains(got, "session"), h >= lists+3+5; has != want {
			t.Errorf("height %d: got facts %t, want %t", h, has, want)
		}
		if has, want := strings.Contains(got, "lanes"), h >= lists+3+5+2+3; has != want {
			t.Errorf("height %d: got lanes %t, want %t", h, has, want)
		}
		panetest.Exact(t, p.Lines(), 26, h)
	}
	p := column(&recording{tape.New()}, nil, 26, 34, 0)
	if got := panetest.Text(p.Lines()); strings.Contains(got, "session") {
		t.Errorf("got facts without an agent:\n%s", got)
	}
}

// A frame costs the same in a session of any length.
func TestAColumnCostsTheSameAfterManyRecords(t *testing.T) {
	cost := func(records int) float64 {
		f, list := long(records)
		p := column(f, list, 26, 40, 0)
		return testing.AllocsPerRun(20, func() { frame(p, f, list) })
	}
	if few, lots := cost(100), cost(20_000); lots > few+20 {
		t.Errorf("got %.0f allocations after 100 records and %.0f after 20,000, want about as many", few, lots)
	}
}

// long returns a session with a stream of so many records.
func long(records int) (*recording, []*model.Agent) {
	f := &recording{tape.New()}
	for i := range a2a.AgentID(4) {
		f.request(0, i+1, a2a.OpStream, "")
		f.chunks(records/4, 5, "t")
	}
	return f, many(4, "Agent")
}

// frame draws a frame after another event, as while a stream is open.
func frame(p *Pane, f *recording, list []*model.Agent) {
	f.chunks(1, 5, "t")
	show(p, f, list, time.Millisecond)
	p.Lines()
}

func BenchmarkColumn(b *testing.B) {
	for _, records := range []int{100, 100_000} {
		b.Run(strconv.Itoa(records), func(b *testing.B) {
			f, list := long(records)
			p := column(f, list, 26, 40, 0)
			i := 0
			for b.Loop() { // a frame, without the cost of the record
				i++
				p.SetAbout(About{State: f.State, Now: f.Now.Add(time.Duration(i) * time.Millisecond)})
				p.SetAgents(list)
				p.Lines()
			}
		})
	}
}

// All is told without colours, and with ASCII.
func TestTheColumnTellsAllWithoutColours(t *testing.T) {
	p := column(flagged(), many(3, "Agent"), 26, 34, time.Second)
	p.SetStyles(styles.New(themes.Mono(), styles.ASCII()))
	p.SetAgents(p.agents)
	panetest.Sees(t, panetest.Text(p.Lines()), "|Agent a2", "21 ev", "! 1 E  2 W  1 i", "* 1  ? 1  + 1", "a1 ", "a2 ", "!@", "+\n")
}

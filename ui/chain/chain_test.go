package chain

import (
	"strings"
	"testing"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/styles"
)

func newPane(rows ...Row) *Pane {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(80, 14)
	p.SetRows(rows)
	return p
}

func press(p *Pane, names ...string) (last Intent) {
	for _, n := range names {
		last = p.Key(panetest.Key(n))
	}
	return last
}

func TestExchangesStandBelowTheOnesThatCausedThem(t *testing.T) {
	rows := []Row{
		{Exchange: 3, Text: "#3 client/1.0 → planner · stream · working", Open: true},
		{Exchange: 9, Depth: 1, Text: "#9 planner → desk · send · completed · equal text · HOP-001", Findings: true},
		{Exchange: 20, Text: "#20 client/1.0 → planner · get · 503", Failed: true},
	}
	p := newPane(rows...)
	text := panetest.Text(p.Lines())
	panetest.Sees(t, text, "#3 client/1.0 → planner", "#9 planner → desk", "⚑")
	lines := strings.Split(text, "\n")
	if at := func(s, sub string) int { return strings.Index(s, sub) }; at(lines[1], "#9") <= at(lines[0], "#3") {
		t.Errorf("got no indentation of what the first exchange caused:\n%s", text)
	}
	if got := press(p, "j", "enter"); got != (Show{9}) {
		t.Errorf("enter: got %+v, want exchange 9", got)
	}
	p.SetRows(append([]Row{{Exchange: 1, Text: "#1"}}, rows...))
	if got := press(p, "enter"); got != (Show{9}) {
		t.Errorf("got %+v after a row came before, want the cursor where it was", got)
	}
	if got := press(p, "y"); got != (Copy{"#1\n#3 client/1.0 → planner · stream · working\n  #9 planner → desk · send · completed · equal text · HOP-001\n#20 client/1.0 → planner · get · 503\n", "the chain"}) {
		t.Errorf("y: got %q", got)
	}
	if got := press(p, "q"); got != (Close{}) {
		t.Errorf("q: got %+v, want Close", got)
	}
}

func TestWithoutExchangesTheChainSaysWhatItShows(t *testing.T) {
	p := newPane()
	panetest.Sees(t, panetest.Text(p.Lines()), "No exchange has passed through a tap yet.")
	if got := press(p, "enter"); got != nil {
		t.Errorf("enter: got %+v without a row, want nothing", got)
	}
}

func TestHostileRowsAreDrawnInAnySize(t *testing.T) {
	evil := "\x1b[2J\x1b]0;x\a" + strings.Repeat("語\u202e", 900)
	p := newPane(Row{Exchange: 1, Text: evil, Findings: true, Failed: true}, Row{Exchange: 2, Depth: 1 << 20, Text: evil})
	for w := range 14 {
		for h := range 18 {
			p.SetSize(8*w, h)
			panetest.Exact(t, p.Lines(), 8*w, h)
			panetest.Sanitized(t, p.Lines())
			press(p, "j")
		}
	}
}

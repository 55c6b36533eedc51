package wire

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/tape"
	"parley/themes"
	"parley/ui/styles"
)

func TestMarksAreSeenAndGoneTo(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 62, 30)
	if say, ok := press(p, "'").(Say); !ok || !strings.Contains(say.Text, "m marks") {
		t.Errorf("without marks ' returned %v, want a hint", say)
	}
	for _, id := range []a2a.RecordID{3, 7, 10} {
		p.Select(id)
		press(p, "m")
	}
	has(t, p, "  ◆3 ", "  ◆7 ", " ◆10 ")
	for _, step := range []struct {
		key  string
		want a2a.RecordID
	}{{"'", 3}, {"'", 7}, {"\"", 3}, {"\"", 10}, {"j", 11}, {"'", 3}, {"g", 1}, {"\"", 10}, {"g", 1}, {"'", 3}} {
		if press(p, step.key); p.Selected() != step.want {
			t.Errorf("%s selected record %d, want %d", step.key, p.Selected(), step.want)
		}
	}
	press(p, "m")
	if p.Marked(3) || !p.Marked(7) || strings.Contains(screen(p), "◆3") {
		t.Error("m did not remove exactly the mark of record 3, want only 7 marked")
	}
	press(p, "-")
	has(t, p, "  ◆1          ▸ → Send")
	if press(p, "'"); p.Selected() != 7 {
		t.Errorf("' selected record %d, want 7 in a folded exchange", p.Selected())
	}
	p.setFilter("fares")
	if say, ok := press(p, "'").(Say); !ok || !strings.Contains(say.Text, "hides 2 marks") || p.Selected() != 8 {
		t.Errorf("' returned %v, record %d; want that 2 marks are hidden, record 8", say, p.Selected())
	}
	p.SetLog(booking().State.Log)
	if p.Marked(7) {
		t.Error("SetLog kept a mark of the previous log, want none")
	}
}

func TestAMarkIsSeenWhereNumbersAreNot(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 22, 30)
	p.Select(4)
	press(p, "m")
	has(t, p, "◆ working")
}

func TestFlagsTellTheGravestThatIsNotMuted(t *testing.T) {
	f := tape.New()
	request(f, 0, "x")
	finding := func(rule string, s a2a.Severity) a2a.Finding {
		return a2a.Finding{Rule: rule, Severity: s, Offset: -1, Message: "m"}
	}
	f.Event(1, result(`{}`), finding("A", a2a.Warning), finding("B", a2a.Error))
	f.Event(1, result(`{}`), finding("C", a2a.Info))
	p := openPane(f, themes.Mono(), 62, 30)
	row := func(y int) string { return strings.Split(screen(p), "\n")[y] }
	flags := func(want string) {
		t.Helper()
		got := ""
		for y := 1; y < 4 && row(y) != ""; y++ {
			if len([]rune(row(y))) < 62 {
				got += "-"
				continue
			}
			got += string([]rune(row(y))[61])
		}
		if got != want {
			t.Errorf("flags %q, want %q:\n%s", got, want, screen(p))
		}
	}
	flags("-Ei")
	f.State.Log.Findings().Mute("B", true)
	flags("-Wi")
	press(p, "-")
	flags("W")
	f.State.Log.Findings().Mute("A", true)
	flags("i")
	f.State.Log.Findings().Mute("C", true)
	flags("-")
	f.State.Log.Findings().Mute("B", false)
	flags("E")
}

func TestRowsAreColouredByWhatTheyMean(t *testing.T) {
	p := openPane(booking(), themes.Dark(), 100, 41)
	p.Select(1)
	st := styles.New(themes.Dark(), styles.Unicode())
	lines := strings.Join(p.Lines(), "\n")
	for _, want := range []string{
		st.Agent.S("working"), st.Text.S("input-required"), st.Dim.S("200 text/event-stream"), st.Text.S("▤ fares.json"), st.Dim.S("end · closed by agent"),
		st.Text.S("+2.1 s"), st.Faint.S("+91 ms"),
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("got a frame without %q, want it", want)
		}
	}
}

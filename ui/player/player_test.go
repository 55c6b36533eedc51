package player

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

func pane(ascii bool) *Pane {
	g := styles.Unicode()
	if ascii {
		g = styles.ASCII()
	}
	return New(styles.New(themes.Mono(), g))
}

func status() Status {
	return Status{
		Record: 421, Len: 1034, Complete: true, Checked: 1, At: 12*time.Second + 340*time.Millisecond, Last: 45 * time.Second, Speed: 0.25, Reached: 421, Played: 0.25,
		Ticks: func(w int) []Tick {
			ticks := make([]Tick, w)
			for i := range ticks {
				if i%5 == 0 {
					ticks[i] = Tick(i / 5 % 4)
				}
			}
			return ticks
		},
	}
}

// The line is exactly as wide as the screen, and names the record at any width.
func TestTheLineFitsEveryWidth(t *testing.T) {
	giant := status()
	giant.Record, giant.Len, giant.Reached, giant.At, giant.Last, giant.Complete, giant.Indexed = 999_999, 1_000_000, 999_999, 1000*time.Hour, 1001*time.Hour, false, 0.43
	seeks := giant
	seeks.Reached = 12
	for _, s := range []Status{status(), giant, seeks, {Ticks: status().Ticks}} {
		for _, ascii := range []bool{false, true} {
			for w := range 220 {
				p := pane(ascii)
				p.SetWidth(w)
				p.Show(s)
				if line := p.Line(); canvas.Width(line) != w {
					t.Fatalf("at %d cells: got %d cells: %q", w, canvas.Width(line), line)
				}
				p.Focus()
				line := panetest.Text([]string{p.Line()})
				if want := fmt.Sprintf("#%d", min(s.Record, 999)); w >= 30 && s.Record < 1000 && s.Record > 0 && !strings.Contains(line, want) {
					t.Errorf("at %d cells: got %q, want %s", w, line, want)
				}
				if ascii && strings.ContainsFunc(line, func(r rune) bool { return r > 126 }) {
					t.Errorf("got %q, want ASCII", line)
				}
			}
		}
	}
}

func TestTheLineShowsWhereOneIs(t *testing.T) {
	p := pane(false)
	p.SetWidth(80)
	s := status()
	p.Show(s)
	if got, want := panetest.Text([]string{p.Line()}), "  ‖ 0:12.3 / 0:45.0  #421 of 1,034  0.25×  ━━━━━│━━━●⚑────◆─────────│────⚑────◆"; !strings.HasPrefix(got, want[:60]) {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Playing, s.Complete, s.Indexed = true, false, 0.5
	if !p.Show(s) {
		t.Error("play changes the footer, want that said")
	}
	if got := panetest.Text([]string{p.Line()}); !strings.HasPrefix(got, "  ▸ 0:12.3") || !strings.Contains(got, "50 % read") {
		t.Errorf("got %q, want that it plays, and how much is read", got)
	}
	s.Complete, s.Checked = true, 0.25
	p.Show(s)
	if got := panetest.Text([]string{p.Line()}); !strings.Contains(got, "1,034, 25 % checked") {
		t.Errorf("got %q, want how much the rules have checked", got)
	}
	s.Reached = 3
	p.Show(s)
	if got := panetest.Text([]string{p.Line()}); !strings.Contains(got, "going to #421, at #3") {
		t.Errorf("got %q, want where it goes", got)
	}
	if in, _ := p.Press(panetest.Key("esc")); in != (Stop{}) {
		t.Errorf("got %v, want that esc stops", in)
	}
}

func TestTimesGrowWithTheRecording(t *testing.T) {
	for _, c := range []struct {
		d, long time.Duration
		want    string
	}{
		{0, 0, "0:00.0"}, {61*time.Second + 290*time.Millisecond, time.Minute * 2, "1:01.2"}, {time.Minute, time.Hour, "0:01:00"},
		{25*time.Hour + 61*time.Second, 26 * time.Hour, "1d 01:01:01"},
	} {
		if got := clock(c.d, c.long); got != c.want {
			t.Errorf("%v of %v: got %s, want %s", c.d, c.long, got, c.want)
		}
	}
}

func TestKeysOfTheLineNeedTheFocus(t *testing.T) {
	p := pane(false)
	p.SetWidth(80)
	p.Show(status())
	for _, c := range []struct {
		name    string
		all, in Intent // without and with the focus
	}{
		{"P", Play{}, Play{}}, {".", Step{1}, Step{1}}, {",", Step{-1}, Step{-1}}, {"[", Speed{-1}, Speed{-1}}, {"]", Speed{1}, Speed{1}},
		{"space", nil, Play{}}, {"h", nil, Skip{-5 * time.Second}}, {"up", nil, Skip{time.Minute}}, {"3", nil, GoToPart{0.3}}, {"0", nil, GoToPart{0}},
		{"n", nil, GoTo{"next finding"}}, {"m", nil, Mark{}}, {"x", nil, nil},
	} {
		p.Blur()
		if in, done := p.Press(panetest.Key(c.name)); in != c.all || done != (c.all != nil) {
			t.Errorf("%s without the focus: got %v, %v, want %v", c.name, in, done, c.all)
		}
		p.Focus()
		if in, done := p.Press(panetest.Key(c.name)); in != c.in || done != (c.in != nil) {
			t.Errorf("%s: got %v, %v, want %v", c.name, in, done, c.in)
		}
	}
	for _, name := range []string{"g", ":"} {
		p.Key(panetest.Key(name))
		if !p.Typing() || p.Cursor() == nil {
			t.Fatalf("%s opens no input", name)
		}
		p.Paste("#1\x1b[2J2\n")
		if in, _ := p.Press(panetest.Key("enter")); p.Typing() || in == nil {
			t.Errorf("got %v, want a place", in)
		}
		p.Key(panetest.Key(name))
		if in, _ := p.Press(panetest.Key("enter")); in != nil || p.Typing() {
			t.Errorf("got %v, want nothing for an empty input", in)
		}
	}
}

func TestAClickGoesWhereItIs(t *testing.T) {
	p := pane(false)
	p.SetWidth(80)
	p.Show(status())
	p.Line()
	if in := p.Click(p.bar.from); in != (GoToPart{0}) {
		t.Errorf("got %v, want the beginning", in)
	}
	if in := p.Click(p.bar.from + p.bar.w - 1); in != (GoToPart{1}) {
		t.Errorf("got %v, want the end", in)
	}
	if in := p.Click(1); in != (Play{}) {
		t.Errorf("got %v, want play", in)
	}
	if in := p.Click(8); in != (Take{}) {
		t.Errorf("got %v, want the focus alone", in)
	}
}

package activity

import (
	"strings"
	"testing"
	"time"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/styles"
)

func TestMain(m *testing.M) { panetest.Main(m) }

func TestHostileProgressIsDrawnInAnySize(t *testing.T) {
	evil := "\x1b[2J\x1b]0;x\a" + strings.Repeat("語\u202e\n", 60)
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	for _, of := range [][2]int{{0, 0}, {-5, -1}, {5, 3}, {1 << 40, 1}, {3, 7}} {
		p.SetProgress(Progress{Name: evil, About: evil, Note: evil, Done: of[0], Total: of[1], Elapsed: -time.Hour})
		for w := range 10 {
			for h := range 7 {
				p.SetSize(7*w, h)
				panetest.Exact(t, p.Lines(), 7*w, h)
				panetest.Sanitized(t, p.Lines())
			}
		}
	}
}

func TestTheBarShowsThePercentage(t *testing.T) {
	p := New(styles.New(themes.Mono(), styles.ASCII()))
	p.SetSize(17, 4)
	for done, want := range map[int]string{0: "----------    0 %", 5: "=====-----   50 %", 10: "==========  100 %", 99: "==========  100 %"} {
		p.SetProgress(Progress{Done: done, Total: 10})
		if got := panetest.Text(p.Lines()); !strings.Contains(got, want) {
			t.Errorf("%d of 10: got\n%s\nwant %q", done, got, want)
		}
	}
	if _, cancels := p.Key(panetest.Key("esc")).(Cancel); !cancels {
		t.Error("esc does not cancel")
	}
	if _, leaves := p.Key(panetest.Key("enter")).(Leave); !leaves {
		t.Error("enter does not leave")
	}
}

package composer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/internal/golden"
	"parley/themes"
	"parley/ui/styles"
)

func TestComposerLooksAsDesigned(t *testing.T) {
	for _, w := range []int{40, 64, 100} {
		for name, st := range map[string]*styles.Styles{
			"dark": styles.New(themes.Dark(), styles.Unicode()), "mono": styles.New(themes.Mono(), styles.ASCII()),
		} {
			c := New(st)
			c.Focus()
			c.SetTargets([]TargetChoice{answer, newTask}, 0)
			c.Paste("10 to 17 October, one bag\n안녕하세요 👩‍👩‍👧‍👦\tdone")
			c.SetSize(w, c.Height())
			exact(t, c, w, 4)
			reply := screenStyled(c)
			c.SetValue("")
			c.SetGhost("London")
			c.SetSize(w, c.Height())
			reply += screenStyled(c)
			c.SetTargets([]TargetChoice{away, answer}, 0)
			golden.Compare(t, fmt.Sprintf("composer-%s-%d", name, w), reply+screenStyled(c))
		}
	}
}

func TestTheTargetLineKeepsWhatMatters(t *testing.T) {
	long := TargetChoice{Kind: TargetNew, Label: "new task", Short: "new task", Why: "Travel Desk is not reachable; Parley watches it."}
	for _, tt := range []struct {
		w      int
		target TargetChoice
		ghost  string
		want   string
	}{
		{44, answer, "10 to 17 October, one bag", `^ reply to task 91c2  enter sends "10 to ~"`},
		{44, answer, "London", `^ reply to task 91c2  enter sends "London"`},
		{38, answer, "10 to 17 October, one bag", `^ reply to task 91c2  enter sends it`},
		{30, answer, "London", `^ reply to task 91c2`},
		{44, answer, "", `^ reply to task 91c2  same task and context`},
		{40, answer, "", `^ reply to task 91c2`},
		{14, answer, "", `^ reply to ~`},
		{44, long, "", `x cannot send: Travel Desk is not ~`},
		{80, answer, "London", `^ reply to task 91c2  enter sends "London" - ctrl+t new task`},
	} {
		c := open(tt.w, tt.target, newTask)
		c.SetGhost(tt.ghost)
		c.SetSize(tt.w, c.Height())
		exact(t, c, tt.w, c.h)
		if got := strings.TrimRight(ansi.Strip(c.Lines()[1]), " "); got != tt.want {
			t.Errorf("%d columns: got target line %q, want %q", tt.w, got, tt.want)
		}
	}
}

func screenStyled(c *Composer) string { return strings.Join(c.Lines(), "\n") + "\n" }

func TestResizeStormsKeepEveryRowExact(t *testing.T) {
	c := open(40, answer, newTask)
	c.Paste("안녕하세요 hello\tworld " + strings.Repeat("x", 90) + "\n\nlast")
	c.Paste(strings.Repeat("line\n", 1000))
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		w, h := rnd.IntN(120), rnd.IntN(14)
		c.SetSize(w, h)
		exact(t, c, w, h)
		if cur := c.Cursor(); cur != nil && (cur.X < 0 || cur.X >= w || cur.Y < 0 || cur.Y >= h) {
			t.Fatalf("got cursor %d,%d in %d×%d cells, want it inside", cur.X, cur.Y, w, h)
		}
	}
}

func FuzzKeysAndMouse(f *testing.F) {
	f.Add([]byte("hello\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a"))
	f.Add([]byte("\xad a\xad")) // soft hyphens
	names := []string{"enter", "up", "down", "left", "right", "home", "end", "backspace", "alt+enter", "ctrl+t", "ctrl+c", "ctrl+e", "ctrl+k", "ctrl+u",
		"ctrl+w", "alt+d", "alt+e", "pgup", "pgdown", "delete", "ctrl+a", "alt+b", "alt+f", "ctrl+home", "ctrl+end"}
	f.Fuzz(func(t *testing.T, input []byte) {
		c := open(20, answer, away, newTask)
		c.SetGhost("London\n안녕")
		w, h := 20, c.h
		for i, b := range input[:min(len(input), 80)] {
			switch {
			case int(b) < len(names):
				press(c, names[b])
			case b < 40:
				c.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, int(b)-25, i%9-1)
			case b < 60:
				w, h = int(b)-40, i%9
				c.SetSize(w, h)
			case b > 200:
				c.Paste(hostile[int(b)%12] + hostile[i%12])
			default:
				before := c.Value()
				c.Key(tea.KeyPressMsg{Code: rune(b), Text: string(rune(b))})
				if len(c.Value()) != len(before)+len(string(rune(b))) {
					t.Fatalf("key %q: got text %q from %q, want the character added", rune(b), c.Value(), before)
				}
			}
			exact(t, c, w, h)
			c.ShortHelp()
			if cur := c.Cursor(); cur != nil && (cur.X < 0 || cur.X >= w || cur.Y < 0 || cur.Y >= h) {
				t.Fatalf("got cursor %d,%d in %d×%d cells, want it inside", cur.X, cur.Y, w, h)
			}
		}
	})
}

func BenchmarkKey(b *testing.B) {
	for _, size := range []int{10, 5_000, 1_000_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			c := open(80, newTask)
			c.Paste(strings.Repeat("word ", size/5))
			for b.Loop() {
				press(c, "x")
				c.Lines()
				press(c, "backspace")
			}
		})
	}
}

func BenchmarkUnchangedLines(b *testing.B) {
	c := open(80, newTask)
	b.ReportAllocs()
	for b.Loop() {
		c.Lines()
	}
}

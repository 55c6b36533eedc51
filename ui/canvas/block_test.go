package canvas

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/internal/golden"
	"parley/themes"
	"parley/ui/styles"
)

func dark() *styles.Styles  { return styles.New(themes.Dark(), styles.Unicode()) }
func plain() *styles.Styles { return styles.New(themes.Mono(), styles.ASCII()) }

// checkBlock fails the test unless a block is exactly w by h and leaves nothing switched on.
func checkBlock(t *testing.T, rows []string, w, h int) {
	t.Helper()
	if len(rows) != max(h, 0) {
		t.Errorf("%d rows, want %d", len(rows), h)
	}
	for i, row := range rows {
		if Width(row) != max(w, 0) {
			t.Errorf("row %d is %d wide, want %d: %q", i, Width(row), w, row)
		}
		checkClosed(t, row)
	}
}

func TestBoxIsExactAtEverySize(t *testing.T) {
	content := []string{"short", strings.Repeat("long ", 50), "\x1b[31m한국어\x1b[m", "", "e", "f", "g"}
	for _, st := range []*styles.Styles{dark(), plain()} {
		for _, f := range []Frame{
			{}, {Title: "conversation", Focused: true}, {Title: "wire", Note: "11 records · follow"},
			{Title: "대화", Note: st.Waiting.S("한국어")}, {Note: "4"},
		} {
			for w := -1; w <= 40; w++ {
				for h := -1; h <= 6; h++ {
					checkBlock(t, Box(st, f, w, h, content), w, h)
				}
			}
		}
	}
}

func TestBoxLooks(t *testing.T) {
	content := []string{"The first row", "한국어 and more than fits in"}
	var out []string
	for _, f := range []Frame{
		{Title: "agents", Note: "4"},
		{Title: "conversation", Note: "Flight to London", Focused: true},
	} {
		for _, w := range []int{32, 20, 9, 3} {
			out = append(out, Box(dark(), f, w, 5, content)...)
		}
	}
	golden.Compare(t, "box", strings.Join(out, "\n"))
	golden.Compare(t, "box-ascii", strings.Join(Box(plain(), Frame{Title: "agents", Note: "4"}, 32, 5, content), "\n"))
}

func TestContentStaysClearOfTheBorder(t *testing.T) {
	iw, ih := Inner(20, 5)
	rows := Box(plain(), Frame{}, 20, 5, slices.Repeat([]string{strings.Repeat("x", iw)}, ih))
	if got, want := rows[1], "| "+strings.Repeat("x", 16)+" |"; got != want {
		t.Errorf("row %q, want %q", got, want)
	}
}

func TestColumnsPadsShortBlocks(t *testing.T) {
	got := Columns([]string{"ab", "cd", "ef"}, []string{"한"}, nil, []string{"\x1b[31mx\x1b[m", "y"})
	want := []string{"ab한\x1b[31mx\x1b[m", "cd  y", "ef   "}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Columns(); len(got) != 0 {
		t.Errorf("no blocks: got %q, want no rows", got)
	}
}

func TestOverlay(t *testing.T) {
	base := []string{"abcdef", "한국어", "\x1b[31mghijkl\x1b[m"}
	for _, tt := range []struct {
		name string
		x, y int
		box  []string
		want []string
	}{
		{"inside", 2, 0, []string{"XY"}, []string{"abXYef", "한국어", "\x1b[31mghijkl\x1b[m"}},
		{"halves wide characters", 1, 1, []string{"XY"}, []string{"abcdef", " XY 어", "\x1b[31mghijkl\x1b[m"}},
		{"keeps colours on both sides", 2, 2, []string{"XY"}, []string{"abcdef", "한국어", "\x1b[31mgh\x1b[mXY\x1b[31mkl\x1b[m"}},
		{"over the right edge", 5, 0, []string{"XYZ"}, []string{"abcdeX", "한국어", "\x1b[31mghijkl\x1b[m"}},
		{"over the left edge", -1, 0, []string{"XYZ"}, []string{"YZcdef", "한국어", "\x1b[31mghijkl\x1b[m"}},
		{"above and below", 0, -1, []string{"1", "2", "3", "4", "5"}, []string{"2bcdef", "3 국어", "4\x1b[31mhijkl\x1b[m"}},
		{"outside", 9, 0, []string{"XY"}, []string{"abcdef", "한국어", "\x1b[31mghijkl\x1b[m"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := slices.Clone(base)
			if got := Overlay(base, tt.box, tt.x, tt.y); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if !slices.Equal(base, before) {
				t.Errorf("got base %q after Overlay, want %q", base, before)
			}
		})
	}
}

func TestHighlightReachesBehindPaintedText(t *testing.T) {
	p := styles.Paint{On: "\x1b[48;2;0;0;1m"}
	for _, tt := range []struct{ in, want string }{
		{"plain", p.On + "plain" + reset},
		{"a\x1b[31mb\x1b[mc", p.On + "a\x1b[31mb\x1b[m" + p.On + "c" + reset},
		{"\x1b[0mx", p.On + "\x1b[0m" + p.On + "x" + reset},
		{"\x1b[0;1mx", p.On + "\x1b[0;1m" + p.On + "x" + reset},
		{"\x1b[49mx", p.On + "\x1b[49m" + p.On + "x" + reset},
		{"\x1b[38;5;0mx", p.On + "\x1b[38;5;0mx" + reset},
		{"\x1b[38;2;0;49;27mx", p.On + "\x1b[38;2;0;49;27mx" + reset},
	} {
		if got := Highlight(tt.in, p); got != tt.want {
			t.Errorf("Highlight(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := Highlight("x", styles.Paint{}); got != "x" {
		t.Errorf("no paint: got %q, want the text alone", got)
	}
}

func TestSelectRaisesFaintText(t *testing.T) {
	st := dark()
	got := Select(st.Text.S("row")+st.Faint.S(" 12 B"), st)
	if strings.Contains(got, st.Faint.On) || !strings.Contains(got, st.Dim.On+" 12 B") {
		t.Errorf("got faint text on a selected row, want it dim: %q", got)
	}
	if ansi.Strip(got) != "row 12 B" {
		t.Errorf("got other text, want it unchanged: %q", got)
	}
	if got := Select("row", plain()); got != "\x1b[7mrow\x1b[m" {
		t.Errorf("no colours: got %q, want reverse", got)
	}
}

func TestRect(t *testing.T) {
	r := Rect{X: 2, Y: 3, W: 4, H: 5}
	for _, tt := range []struct {
		x, y int
		want bool
	}{{2, 3, true}, {5, 7, true}, {6, 3, false}, {2, 8, false}, {1, 3, false}} {
		if got := r.Contains(tt.x, tt.y); got != tt.want {
			t.Errorf("Contains(%d, %d): got %v, want %v", tt.x, tt.y, got, tt.want)
		}
	}
}

// A row under a box keeps the cells on both sides, whatever is in both.
func TestARowUnderABoxKeepsTheCellsBesideIt(t *testing.T) {
	units := []string{"a", "b", " ", "é", "世", "👩\u200d👩\u200d👧", "\x1b[31m", "\x1b[1;7m", "\x1b[m", "\x1b]8;;http://x\a", "\x1b]8;;\a"}
	rng := rand.New(rand.NewPCG(1, 2))
	row := func(n int) string {
		var b strings.Builder
		for range rng.IntN(n) {
			b.WriteString(units[rng.IntN(len(units))])
		}
		return b.String()
	}
	for range 20_000 {
		under, line, x := row(15), row(7), rng.IntN(14)-3
		want, at, inside := under, max(x, 0), Skip(line, -x)
		if room := Width(under) - at; room > 0 {
			w := min(Width(inside), room)
			want = Fit(under, at) + Fit(inside, w) + Skip(under, at+w)
		}
		if got := Overlay([]string{under}, []string{line}, x, 0)[0]; ansi.Strip(got) != ansi.Strip(want) || Width(got) != Width(want) {
			t.Fatalf("got %q for %q over %q at %d, want the text of %q", got, line, under, x, want)
		}
	}
}

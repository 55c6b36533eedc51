package canvas

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestFitIsExact(t *testing.T) {
	for _, tt := range []struct {
		in   string
		w    int
		want string
	}{
		{"", 3, "   "},
		{"abc", 3, "abc"},
		{"abc", 5, "abc  "},
		{"abc", 2, "ab"},
		{"abc", 0, ""},
		{"abc", -1, ""},
		{"한국", 3, "한 "},
		{"한국", 1, " "},
		{"e\u0301x", 1, "e\u0301"},
		{"\x1b[31mabc\x1b[m", 2, "\x1b[31mab\x1b[m"},
		{"\x1b[31mabc\x1b[m", 3, "\x1b[31mabc\x1b[m"},
		{"\x1b[31mabc\x1b[m", 4, "\x1b[31mabc\x1b[m "},
		{"\x1b[31mab", 2, "\x1b[31mab\x1b[m"},
		{"\x1b[1m\x1b[31mab\x1b[0mcd", 3, "\x1b[1m\x1b[31mab\x1b[0mc"},
		{"ab\x1b[31mcd\x1b[m", 2, "ab\x1b[31m\x1b[m"},
		{"\x1b]8;;http://a/\x1b\\link\x1b]8;;\x1b\\", 2, "\x1b]8;;http://a/\x1b\\li\x1b]8;;\x1b\\"},
	} {
		if got := Fit(tt.in, tt.w); got != tt.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", tt.in, tt.w, got, tt.want)
		}
	}
}

func TestFitRightPadsInFront(t *testing.T) {
	for _, tt := range []struct {
		in   string
		w    int
		want string
	}{
		{"12", 4, "  12"},
		{"한", 3, " 한"},
		{"12345", 3, "123"},
		{"\x1b[31m1\x1b[m", 2, " \x1b[31m1\x1b[m"},
		{"1", 0, ""},
	} {
		if got := FitRight(tt.in, tt.w); got != tt.want {
			t.Errorf("FitRight(%q, %d) = %q, want %q", tt.in, tt.w, got, tt.want)
		}
	}
}

func TestEllipsizeMarksOnlyWhatWasCut(t *testing.T) {
	for _, tt := range []struct {
		in   string
		w    int
		want string
	}{
		{"itinerary", 9, "itinerary"},
		{"itinerary", 5, "itin…"},
		{"itinerary", 1, "…"},
		{"itinerary", 0, ""},
		{"한국어", 4, "한…"},
		{"\x1b[1mitinerary\x1b[m", 3, "\x1b[1mit…\x1b[m"},
	} {
		if got := Ellipsize(tt.in, tt.w, "…"); got != tt.want {
			t.Errorf("Ellipsize(%q, %d) = %q, want %q", tt.in, tt.w, got, tt.want)
		}
	}
	if got := Ellipsize("itinerary", 2, "..."); got != "it" {
		t.Errorf("mark wider than the room: got %q, want the text truncated", got)
	}
}

func TestSkipKeepsAttributes(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{
		{"abc", 1, "bc"},
		{"abc", 0, "abc"},
		{"abc", 3, ""},
		{"abc", 9, ""},
		{"한국", 1, " 국"},
		{"\x1b[31mabc\x1b[m", 1, "\x1b[31mbc\x1b[m"},
		{"\x1b[31ma\x1b[mbc", 2, "c"},
	} {
		if got := Skip(tt.in, tt.n); got != tt.want {
			t.Errorf("Skip(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

func TestFittingDoesNotAllocateForExactLines(t *testing.T) {
	line := "\x1b[31m" + strings.Repeat("abc한…", 10) + "\x1b[m"
	w := Width(line)
	if n := testing.AllocsPerRun(100, func() { Fit(line, w); Width(line) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

func TestFitStopsReadingWhereTheLineIsFull(t *testing.T) {
	long := strings.Repeat("日本語 text ", 100_000)
	if h := measure(long, 98); h.end > 400 || !h.more {
		t.Errorf("got %d bytes read for 98 cells, want at most 400 and more to come", h.end)
	}
}

func FuzzFit(f *testing.F) {
	f.Add("\x1b[31m한국 abc\x1b[m \x1b]8;;http://x/\x1b\\e\u0301", 5)
	f.Fuzz(func(t *testing.T, s string, w int) {
		w = (w%200 + 200) % 200
		line := strings.ReplaceAll(SanitizeRendered(s), "\n", " ")
		if g := ansi.StringWidth(line); Width(line) != g {
			t.Errorf("Width(%q): got %d, want %d as ansi says", line, Width(line), g)
		}
		for _, fit := range []func(string, int) string{Fit, FitRight} {
			got := fit(line, w)
			if Width(got) != w || ansi.StringWidth(got) != w || ansi.StringWidthWc(got) != w {
				t.Errorf("got %q, want %d cells", got, w)
			}
			if again := fit(got, w); again != got {
				t.Errorf("got %q, then %q, want it idempotent", got, again)
			}
			checkClosed(t, got)
		}
		if got := Ellipsize(line, w, "…"); Width(got) > w {
			t.Errorf("Ellipsize: got %q, want at most %d cells", got, w)
		}
		if got, want := Width(Skip(line, w)), max(Width(line)-w, 0); got != want {
			t.Errorf("Skip(%q, %d) is %d wide, want %d", line, w, got, want)
		}
	})
}

// checkClosed fails the test if a line leaves an attribute or a link switched on.
func checkClosed(t *testing.T, line string) {
	t.Helper()
	var b breaker
	b.trackStyle(line)
	if !b.open.closed() {
		t.Errorf("%q: got %q switched on at the end, want none", line, b.open.on())
	}
}

func BenchmarkFit(b *testing.B) {
	ascii := strings.Repeat("the quick brown fox ", 10)
	styled := strings.Repeat("\x1b[38;2;1;2;3mword\x1b[m ", 40)
	cjk := strings.Repeat("日本語한국어", 30)
	huge := strings.Repeat("the quick brown fox ", 50_000)
	for _, c := range []struct{ name, s string }{{"ascii", ascii}, {"styled", styled}, {"cjk", cjk}, {"1MB", huge}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				Fit(c.s, 98)
			}
		})
		b.Run(c.name+"/floor-ansi.Truncate", func(b *testing.B) {
			for b.Loop() {
				ansi.Truncate(c.s, 98, "")
			}
		})
	}
}

func BenchmarkWidth(b *testing.B) {
	s := strings.Repeat("\x1b[38;2;1;2;3mthe quick brown fox\x1b[m … 日本語 ", 20)
	b.Run("canvas", func(b *testing.B) {
		for b.Loop() {
			Width(s)
		}
	})
	b.Run("floor-ansi.StringWidth", func(b *testing.B) {
		for b.Loop() {
			ansi.StringWidth(s)
		}
	})
}

func BenchmarkSanitize(b *testing.B) {
	for _, c := range []struct{ name, s string }{
		{"clean-ascii", strings.Repeat("the quick brown fox\n", 500)},
		{"clean-cjk", strings.Repeat("日本語한국어\n", 500)},
		{"hostile", strings.Repeat("a\x1b]52;c;eA==\a\u202e👨\u200d👩 ", 300)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.s)))
			for b.Loop() {
				Sanitize(c.s)
			}
		})
	}
}

func TestEllipsizeWordsKeepsWordsWhole(t *testing.T) {
	for _, tt := range []struct {
		in   string
		w    int
		want string
	}{
		{"enter sends it", 14, "enter sends it"},
		{"enter sends it", 13, "enter sends …"},
		{"enter sends it", 12, "enter sends…"},
		{"enter   sends it", 12, "enter …"},
		{"incomprehensible", 8, "incompr…"},
		{"an incomprehensible word", 12, "an incompre…"},
		{"\x1b[1menter sends it\x1b[m", 13, "\x1b[1menter sends …\x1b[m"},
		{"한국어 한국어 한국어", 16, "한국어 한국어 …"},
		{"a b", 1, "…"}, {"a b", 0, ""}, {"", 3, ""},
	} {
		got := EllipsizeWords(tt.in, tt.w, "…")
		if got != tt.want || Width(got) > max(tt.w, 0) {
			t.Errorf("%q in %d cells: %q, want %q", tt.in, tt.w, got, tt.want)
		}
	}
}

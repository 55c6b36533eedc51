package styles_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/charmbracelet/x/ansi"

	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

func TestEveryGlyphIsOneCellInBothTables(t *testing.T) {
	uni, ascii := styles.Unicode(), styles.ASCII()
	for i := range uni {
		for _, s := range []string{uni[i], ascii[i]} {
			if utf8.RuneCountInString(s) != 1 || canvas.Width(s) != 1 || ansi.StringWidth(s) != 1 || ansi.StringWidthWc(s) != 1 {
				t.Errorf("glyph %d: got %q, want one cell", i, s)
			}
		}
		if c := ascii[i][0]; c <= 0x20 || c >= 0x7f {
			t.Errorf("glyph %d: got ASCII sign %q, want printable ASCII", i, ascii[i])
		}
		if got := canvas.SanitizeLine(uni[i]); got != uni[i] {
			t.Errorf("glyph %d: got %q changed by SanitizeLine, want it unchanged", i, uni[i])
		}
	}
}

// TestAmbiguousGlyphsAreTheReasonForASCII lists the glyphs that a terminal set up for East
// Asian text may draw in two cells. Without them only terminals without Unicode would need the
// ASCII table.
func TestAmbiguousGlyphsAreTheReasonForASCII(t *testing.T) {
	var ambiguous []string
	for _, s := range styles.Unicode() {
		r, _ := utf8.DecodeRuneInString(s)
		switch width.LookupRune(r).Kind() {
		case width.EastAsianAmbiguous:
			ambiguous = append(ambiguous, s)
		case width.EastAsianWide, width.EastAsianFullwidth:
			t.Errorf("got %s, which is two cells wide in every terminal, want only ambiguous glyphs", s)
		}
	}
	list := strings.Join(ambiguous, "")
	t.Logf("%d of %d glyphs are of ambiguous width: %s", len(ambiguous), len(styles.Unicode()), list)
	for _, s := range []string{"●", "→", "│", "█"} {
		if !strings.Contains(list, s) {
			t.Errorf("got %s, which is no longer ambiguous, want only ambiguous glyphs", s)
		}
	}
}

func TestStatesAndDirectionsDifferWithoutColour(t *testing.T) {
	for name, g := range map[string]styles.Glyphs{"unicode": styles.Unicode(), "ascii": styles.ASCII()} {
		for _, group := range [][]styles.Glyph{
			{styles.Online, styles.Idle, styles.Waiting, styles.Done, styles.Failed, styles.Canceled, styles.Rejected, styles.Authorize, styles.Unknown, styles.Ailing},
			{styles.Send, styles.Receive, styles.Reply, styles.Fork, styles.Flag},
			{styles.Folded, styles.Unfolded},
		} {
			seen := map[string]bool{}
			for _, i := range group {
				if seen[g[i]] {
					t.Errorf("%s: got two glyphs drawn as %q, want each of its own", name, g[i])
				}
				seen[g[i]] = true
			}
		}
	}
}

func TestSparkSpansTheBars(t *testing.T) {
	g := styles.Unicode()
	for _, tt := range []struct {
		v, limit int
		want     string
	}{{0, 10, "▁"}, {-5, 10, "▁"}, {10, 10, "█"}, {99, 10, "█"}, {5, 10, "▅"}, {3, 0, "▁"}} {
		if got := g.Spark(tt.v, tt.limit); got != tt.want {
			t.Errorf("Spark(%d, %d) = %s, want %s", tt.v, tt.limit, got, tt.want)
		}
	}
	if n := len(g.Spinner()); n != styles.Steps {
		t.Errorf("got %d spinner frames, want as many as Steps", n)
	}
}

// paints returns the paints of st by name.
func paints(st *styles.Styles) map[string]styles.Paint {
	all := map[string]styles.Paint{}
	v := reflect.ValueOf(*st)
	for i := range v.NumField() {
		if f := v.Type().Field(i); !f.IsExported() {
			continue
		}
		if p, ok := v.Field(i).Interface().(styles.Paint); ok {
			all[v.Type().Field(i).Name] = p
		}
	}
	return all
}

func TestPaintsCostNoCellsAndCloseWhatTheyOpen(t *testing.T) {
	for _, theme := range themes.All() {
		for name, p := range paints(styles.New(theme, styles.Unicode())) {
			got := p.S("word")
			if canvas.Width(got) != 4 || ansi.Strip(got) != "word" {
				t.Errorf("%s: %s paints %q, want the word in 4 cells", theme.Name, name, got)
			}
			if p.On != "" && !strings.HasSuffix(got, styles.Reset) {
				t.Errorf("%s: %s does not reset its colour: %q", theme.Name, name, got)
			}
			if p.S("") != "" {
				t.Errorf("%s: got %[3]q for an empty text painted as %[2]s, want nothing", theme.Name, name, p.S(""))
			}
		}
	}
}

func TestMonoUsesAttributesOnly(t *testing.T) {
	st := styles.New(themes.Mono(), styles.ASCII())
	for name, p := range paints(st) {
		for part := range strings.SplitSeq(strings.Trim(p.On, "\x1b[m"), ";") {
			if part != "" && part != "1" && part != "4" && part != "7" {
				t.Errorf("%s sets %q, want bold, underline or reverse only", name, p.On)
			}
		}
	}
	// What needs the user, the selection and the focus must differ from plain text.
	for _, p := range []styles.Paint{st.Waiting, st.Failed, st.Selected, st.Focus, st.Title, st.Cursor} {
		if p.On == "" {
			t.Error("got an empty paint, want one that differs from plain text")
		}
	}
}

// Behind a block of text stands a ground only where a colour of the theme can be one.
func TestABandIsABackgroundOnly(t *testing.T) {
	for _, theme := range themes.All() {
		for _, depth := range []themes.Depth{themes.Full, themes.Indexes256, themes.Indexes16, themes.NoColours} {
			got := styles.New(theme.In(depth), styles.Unicode()).Band.On
			want := depth < themes.Indexes16 && !theme.Colorless()
			if strings.HasPrefix(got, "\x1b[48;") != want || strings.Contains(got, "[38;") || !want && got != "" {
				t.Errorf("%s, depth %d: got band %q, want a background: %t", theme.Name, depth, got, want)
			}
		}
	}
}

func TestPaintsCombine(t *testing.T) {
	p := styles.Paint{On: "\x1b[31m"}
	if got := p.Bold().Underline().And(styles.Paint{On: "\x1b[42m"}).S("x"); got != "\x1b[31m\x1b[1m\x1b[4m\x1b[42mx\x1b[m" {
		t.Errorf("got %q, want every sequence in order before x", got)
	}
}

func TestPaintAllocatesOnlyItsResult(t *testing.T) {
	st := styles.New(themes.Dark(), styles.Unicode())
	word, painted := strings.Repeat("x", 40), ""
	if n := testing.AllocsPerRun(100, func() { painted = st.Accent.S(word) }); n > 1 {
		t.Errorf("S allocates %v times for %q, want at most 1", n, painted)
	}
}

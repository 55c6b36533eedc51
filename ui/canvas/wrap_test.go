package canvas

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   string
		w    int
		want []string
	}{
		{"nothing", "", 5, []string{""}},
		{"no room", "abc", 0, nil},
		{"short", "abc", 5, []string{"abc"}},
		{"words", "the quick brown fox", 10, []string{"the quick", "brown fox"}},
		{"exact", "the quick", 9, []string{"the quick"}},
		{"line feeds", "a\n\nb\n", 5, []string{"a", "", "b", ""}},
		{"long word", "abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"coloured long word", "\x1b[31mabcdef\x1b[m", 4, []string{"\x1b[31mabcd\x1b[m", "\x1b[31mef\x1b[m"}},
		{"long word in between", "ab cdefghijk lm", 4, []string{"ab", "cdef", "ghij", "k lm"}},
		{"many spaces", "ab      cd", 4, []string{"ab", "cd"}},
		{"trailing spaces", "abcd    ", 4, []string{"abcd"}},
		{"trailing spaces that fit", "ab  ", 4, []string{"ab  "}},
		{"indent", "  ab cd", 4, []string{"  ab", "cd"}},
		{"indent and long word", "  abcdef", 4, []string{"  ab", "cdef"}},
		{"indent wider than the line", "      ab", 4, []string{"ab"}},
		{"only spaces", "        ", 4, []string{""}},
		{"CJK", "日本語日本語", 5, []string{"日本", "語日", "本語"}},
		{"CJK beside words", "ab日本 cd", 5, []string{"ab日", "本 cd"}},
		{"closing punctuation", "日本。日", 4, []string{"日", "本。", "日"}},
		{"one column", "a日b", 1, []string{"a", "\ufffd", "b"}},
		{"combining", "e\u0301e\u0301e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
		{"family", "👨\u200d👩\u200d👧👨\u200d👩\u200d👧", 3, []string{"👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"}},
		{"attributes", "\x1b[31mone two\x1b[m x", 4, []string{"\x1b[31mone\x1b[m", "\x1b[31mtwo\x1b[m", "x"}},
		{"attributes over line feeds", "\x1b[31ma\nb\x1b[m", 4, []string{"\x1b[31ma\x1b[m", "\x1b[31mb\x1b[m"}},
		{"attributes in dropped spaces", "abcd \x1b[31m efgh\x1b[m", 4, []string{"abcd", "\x1b[31mefgh\x1b[m"}},
		{"link", "\x1b]8;;http://a/\x1b\\one two\x1b]8;;\x1b\\", 4,
			[]string{"\x1b]8;;http://a/\x1b\\one\x1b]8;;\x1b\\", "\x1b]8;;http://a/\x1b\\two\x1b]8;;\x1b\\"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Wrap(tt.in, tt.w)
			if len(got) != len(tt.want) {
				t.Fatalf("Wrap(%q, %d) = %q, want %q", tt.in, tt.w, got, tt.want)
			}
			for i := range got {
				if got[i] != tt.want[i] {
					t.Errorf("line %d: %q, want %q", i, got[i], tt.want[i])
				}
			}
		})
	}
}

func TestLongWordsBreakAtTheirJoints(t *testing.T) {
	for _, tt := range []struct {
		text string
		w    int
		want string
	}{
		{"https://agent.example/a2a/v1/tasks?state=working", 20, "https://agent.\nexample/a2a/v1/\ntasks?state=working"},
		{"see https://agent.example/a2a/v1", 20, "see\nhttps://agent.\nexample/a2a/v1"},
		{"http://127.0.0.1:39311/.well-known/agent-card.json", 31, "http://127.0.0.1:39311/\n.well-known/agent-card.json"}, // a slash before a hyphen
		{"abcdefghijklmnop", 6, "abcdef\nghijkl\nmnop"},
		{"a/bcdefghijklmnop", 6, "a/bcde\nfghijk\nlmnop"}, // the joint would leave most of the line empty
	} {
		if got := strings.Join(Wrap(tt.text, tt.w), "\n"); got != tt.want {
			t.Errorf("Wrap(%q, %d):\n got %q\nwant %q", tt.text, tt.w, got, tt.want)
		}
	}
}

func TestWrapOfPlainTextSharesIt(t *testing.T) {
	s := strings.Repeat("the quick brown fox ", 200)
	if n := testing.AllocsPerRun(50, func() { Wrap(s, 40) }); n > 2 {
		t.Errorf("%v allocations, want at most 2 for all lines together", n)
	}
}

func TestAttributesWithoutEndDoNotMultiply(t *testing.T) {
	s := strings.Repeat("\x1b[1mx ", 5000)
	size := 0
	for _, line := range Wrap(s, 1) {
		size += len(line)
	}
	if limit := 5000 * (penLimit + len("\x1b[1mx\x1b[m")); size > limit {
		t.Errorf("%d bytes became %d, want at most %d", len(s), size, limit)
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("  the \x1b[31mquick日本。 \x1b[1mbrown\x1b[m fox\n\ne\u0301 👨\u200d👩", 7)
	f.Fuzz(func(t *testing.T, s string, w int) {
		w = (w%40+40)%40 + 1
		text := SanitizeRendered(s)
		var kept strings.Builder
		for _, line := range Wrap(text, w) {
			if Width(line) > w {
				t.Errorf("got %q, want at most %d cells", line, w)
			}
			if strings.Contains(line, "\n") {
				t.Errorf("got a line feed in %q, want none", line)
			}
			checkClosed(t, line)
			kept.WriteString(line)
		}
		if w > 1 && letters(kept.String()) != letters(text) {
			t.Errorf("wrapped %q: got %q, want all of its letters", text, kept.String())
		}
	})
}

// letters returns the characters that must survive wrapping.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '\n' {
			return -1
		}
		return r
	}, ansi.Strip(s))
}

func BenchmarkWrap(b *testing.B) {
	s := strings.Repeat("the quick brown fox jumps over the lazy dog ", 2500)
	b.Run("canvas", func(b *testing.B) {
		b.SetBytes(int64(len(s)))
		for b.Loop() {
			Wrap(s, 78)
		}
	})
	b.Run("floor-ansi.Wrap", func(b *testing.B) {
		b.SetBytes(int64(len(s)))
		for b.Loop() {
			ansi.Wrap(s, 78, "")
		}
	})
}

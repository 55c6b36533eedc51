package canvas

import (
	"maps"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func TestSanitizeMakesHostileTextHarmless(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "Book me a flight", "Book me a flight"},
		{"line feeds stay", "a\nb\n", "a\nb\n"},
		{"CRLF and CR are line ends", "a\r\nb\rc", "a\nb\nc"},
		{"Unicode line ends", "a\u2028b\u2029c\u0085d", "a\nb\nc\nd"},
		{"tab", "a\tb", "a    b"},
		{"C0", "a\x00b\x07c\x7f", "a␀b␇c␡"},
		{"C1", "a\u0084b", "a\ufffdb"},
		{"SGR", "\x1b[31mred\x1b[0m", "⟨ESC⟩red⟨ESC⟩"},
		{"cursor", "a\x1b[2J\x1b[1;1Hb\x1b[?25lc", "a⟨ESC⟩⟨ESC⟩b⟨ESC⟩c"},
		{"CSI with intermediates", "a\x1b[1 qb", "a⟨ESC⟩b"},
		{"title", "a\x1b]0;evil\ab", "a⟨ESC 9 B⟩b"},
		{"clipboard", "a\x1b]52;c;ZXZpbA==\x1b\\b", "a⟨ESC 17 B⟩b"},
		{"link", "\x1b]8;;http://evil/\x1b\\text\x1b]8;;\x1b\\", "⟨ESC 19 B⟩text⟨ESC 7 B⟩"},
		{"C1 CSI", "a\u009b31mb", "a⟨ESC⟩b"},
		{"C1 OSC ended by C1 ST", "a\u009d0;evil\u009cb", "a⟨ESC 10 B⟩b"},
		{"raw C1 byte", "a\x9b31mb", "a\ufffd31mb"},
		{"DCS, APC, PM, SOS", "a\x1bPq\x1b\\b\x1b_x\x1b\\c\x1b^y\x1b\\d\x1bXz\x1b\\e", "a⟨ESC 5 B⟩b⟨ESC 5 B⟩c⟨ESC 5 B⟩d⟨ESC 5 B⟩e"},
		{"charset and reset", "a\x1b(0b\x1bcc\x1b7d", "a⟨ESC⟩b⟨ESC⟩c⟨ESC⟩d"},
		{"cut in a CSI", "a\x1b[31", "a⟨ESC⟩"},
		{"lone ESC", "a\x1b", "a⟨ESC⟩"},
		{"no terminator hides nothing", "a\x1b]0;the rest of the answer", "a⟨ESC⟩0;the rest of the answer"},
		{"ESC breaks a string off", "a\x1b]0;x\x1b[31mb", "a⟨ESC⟩0;x⟨ESC⟩b"},
		{"bidi", "user\u202egnp.exe", "user⟨U+202E⟩gnp.exe"},
		{"isolates and marks", "\u2066\u2069\u200e\u200f\u061c", "⟨U+2066⟩⟨U+2069⟩⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩"},
		{"tags", "a\U000e0041", "a⟨U+E0041⟩"},
		{"control behind a byte that is not UTF-8", "0\xf0\bH", "0\ufffd␈H"},
		{"line end behind a byte that is not UTF-8", "é\xf0\nH", "é\ufffd\nH"},
		{"escape behind a byte that is not UTF-8", "0\xf0\x1b[2JH", "0\ufffd⟨ESC⟩H"},
		{"invalid UTF-8", "a\xffb\xc3", "a\ufffdb\ufffd"},
		{"U+FFFD itself", "a\ufffdb", "a\ufffdb"},
		{"soft hyphen, BOM", "\ufeffa\u00adb", "ab"},
		{"combining", "e\u0301", "e\u0301"},
		{"zalgo", "e" + strings.Repeat("\u0301", 50), "e" + strings.Repeat("\u0301", 8)},
		{"zero-width flood", "a" + strings.Repeat("\u200b", 50) + "b", "a" + strings.Repeat("\u200b", 8) + "b"},
		{"Hangul", "한국어", "한국어"},
		{"conjoining Hangul is composed", "\u1112\u1161\u11ab", "한"},
		{"Hangul without a final", "\u1100\u1161", "가"},
		{"flag", "🇫🇷", "🇫🇷"},
		{"half a flag", "🇫", "\ufffd"},
		{"family", "👨\u200d👩\u200d👧", "👨👩👧"},
		{"skin tone", "👍🏽", "👍"},
		{"emoji selector", "❤\ufe0f", "❤"},
		{"keycap", "1\ufe0f\u20e3", "1\u20e3"},
		{"region flag", "🏴\U000e0067\U000e0062\U000e007f", "🏴"},
		{"Devanagari", "नि", "न\u200bि"},
		{"a mark after a removed sequence", "❤\x1b[m\ufe0f", "❤⟨ESC⟩"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Sanitize(tt.in); got != tt.want {
				t.Errorf("Sanitize(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestSanitizeLineHasNoLineEnd(t *testing.T) {
	if got, want := SanitizeLine("a\nb\r\nc\rd\u2028e\tf"), "a b c d e    f"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSanitizeRenderedKeepsOwnSequencesOnly(t *testing.T) {
	const end = "\x1b]8;;\x1b\\"
	for _, tt := range []struct{ name, in, want string }{
		{"SGR", "\x1b[1;38;2;1;2;3mx\x1b[0m", "\x1b[1;38;2;1;2;3mx\x1b[0m"},
		{"colour number 8 and 5", "\x1b[38;5;8mx\x1b[m", "\x1b[38;5;8mx\x1b[m"},
		{"underline style", "\x1b[4:3mx\x1b[m", "\x1b[4:3mx\x1b[m"},
		{"conceal", "\x1b[8mx\x1b[0m", "⟨ESC⟩x\x1b[0m"},
		{"blink in a list", "\x1b[1;5mx", "⟨ESC⟩x"},
		{"private SGR", "\x1b[>4;2mx", "⟨ESC⟩x"},
		{"cursor", "\x1b[2Jx", "⟨ESC⟩x"},
		{"https link", "\x1b]8;;https://a.example/b?c=d\x1b\\x" + end, "\x1b]8;;https://a.example/b?c=d\x1b\\x" + end},
		{"link with id", "\x1b]8;id=1;http://a/\ax" + end, "\x1b]8;id=1;http://a/\ax" + end},
		{"file link", "\x1b]8;;file:///etc/passwd\x1b\\x" + end, "⟨ESC 25 B⟩x" + end},
		{"script link", "\x1b]8;;javascript:alert(1)\x1b\\x" + end, "⟨ESC 26 B⟩x" + end},
		{"link that looks like another", "\x1b]8;;https://good.example@evil.example/\x1b\\x", "⟨ESC 41 B⟩x"},
		{"link with a space", "\x1b]8;;http://a b/\x1b\\x", "⟨ESC 18 B⟩x"},
		{"link without host", "\x1b]8;;http:///x\x1b\\x", "⟨ESC 16 B⟩x"},
		{"bidi in a link", "\x1b]8;;http://a/\u202e\x1b\\x", "⟨ESC 19 B⟩x"},
		{"endless SGR", "\x1b[" + strings.Repeat("1;", 200) + "1mx", "⟨ESC⟩x"},
		{"endless link", "\x1b]8;;http://a/" + strings.Repeat("b", 3000) + "\x1b\\x", "⟨ESC 3016 B⟩x"},
		{"clipboard", "\x1b]52;c;ZXZpbA==\ax", "⟨ESC 16 B⟩x"},
		{"title", "\x1b]2;evil\ax", "⟨ESC 9 B⟩x"},
		{"bidi", "\u202ex", "⟨U+202E⟩x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := SanitizeRendered(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSanitizeDoesNotAllocateForCleanText(t *testing.T) {
	for _, s := range []string{
		strings.Repeat("The quick brown fox.\n", 100),
		"한국어 日本語 中文 Grüße Привет ελληνικά e\u0301",
		"✓ done ⚑ … → 🚀 🇫🇷",
	} {
		if n := testing.AllocsPerRun(100, func() { Sanitize(s) }); n != 0 {
			t.Errorf("%.20q: %v allocations, want 0", s, n)
		}
	}
}

func TestPlainWidthAgreesWithTheTables(t *testing.T) {
	covered := 0
	for r := rune(0x20); r <= unicode.MaxRune; r++ {
		w := plainWidth(r)
		if w == 0 || !utf8.ValidRune(r) {
			continue
		}
		covered++
		s := string(r)
		if g, wc := ansi.StringWidth(s), ansi.StringWidthWc(s); g != w || wc != w {
			t.Errorf("%U: got plainWidth %d, want %d by cluster and %d by code point", r, w, g, wc)
		}
		for _, pair := range []string{"a" + s, s + "a", s + s, "…" + s, s + "…", "가" + s, s + "가"} {
			_, first := utf8.DecodeRuneInString(pair)
			if cluster, _ := ansi.FirstGraphemeCluster(pair, ansi.GraphemeWidth); len(cluster) != first {
				t.Errorf("%U: got one cluster in %q, want two", r, pair)
			}
		}
	}
	if covered < 40000 {
		t.Errorf("got %d runes on the fast path, want at least 40000", covered)
	}
}

func TestNoRuneIsMeasuredInTwoWaysOnceSanitized(t *testing.T) {
	for r := rune(0); r <= 0xe01ff; r++ {
		switch {
		case r == 0x20000:
			r = 0xe0000 // ideographs, then unassigned code points
		case r > 0x3000 && r < 0x1f000:
			r += 4 // rare scripts, in long runs of the same kind: one in five is enough
		}
		if plainWidth(r) > 0 {
			continue // has its own test
		}
		s := string(r)
		checkSanitized(t, s, SanitizeLine(s))
		s = "a" + s + s + "ก"
		checkSanitized(t, s, SanitizeLine(s))
		if t.Failed() {
			t.Fatalf("got the first wrong width at %U, want none", r)
		}
	}
}

// checkSanitized fails the test unless every line of the output of Sanitize is as documented.
func checkSanitized(t *testing.T, in, out string) {
	t.Helper()
	for _, r := range out {
		if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || unicode.Is(unicode.Bidi_Control, r) || r == 0x2028 || r == 0x2029 {
			t.Errorf("%q: got %U in %q, want it removed", in, r, out)
		}
	}
	if !utf8.ValidString(out) {
		t.Errorf("%q: got %q, want valid UTF-8", in, out)
	}
	for line := range strings.SplitSeq(out, "\n") {
		w, g, wc := Width(line), ansi.StringWidth(line), ansi.StringWidthWc(line)
		if w != g || w != wc {
			t.Errorf("%q: got width %[3]d for %[2]q, want %[4]d by cluster and %[5]d by code point", in, line, w, g, wc)
		}
	}
	if again := Sanitize(out); again != out {
		t.Errorf("%q: got %q, then %q, want it idempotent", in, out, again)
	}
}

func TestRowsAreExactWhereAmbiguousCharactersAreWide(t *testing.T) {
	if !AmbiguousIsWide() {
		// The environment is read at the start of the program.
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self, "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), "RUNEWIDTH_EASTASIAN=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("got %v, want success:\n%s", err, out)
		}
		return
	}
	for _, in := range append(hostile, international...) {
		line := SanitizeLine(in)
		checkSanitized(t, in, line)
		checkBlock(t, Box(plain(), Frame{Title: line, Note: line}, 30, 4, Wrap(line, 26)), 30, 4)
	}
}

func FuzzSanitize(f *testing.F) {
	for _, s := range []string{
		"a\x1b]52;c;eA==\x07b", "\u202eabc", "👨\u200d👩🏽\u200d👧", "\u1112\u1161\u11ab", "क्षि", "e\u0301\u0301", "🇫🇷🇩", "\xff\xfe",
		"\x1b[m\u093f", "\u0600\u0600a", "กำ", "ｶﾞ", "\x1b[8m\x1b]8;;http://x/\x1b\\", "\u200b\u200b\u093f", "1\ufe0f\u20e3", "\u115f\u1160\u11a8",
		"0\xf0\bH", "é\xf0\x9f\r\n\x07",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkSanitized(t, s, Sanitize(s))
		checkControls(t, s, Sanitize(s))
		checkSanitized(t, s, SanitizeLine(s))
		if line := SanitizeLine(s); strings.Contains(line, "\n") {
			t.Errorf("%q: got line end in %q, want none", s, line)
		}
		checkRendered(t, s, SanitizeRendered(s))
	})
}

// checkControls fails the test unless a mark replaces every control and every escape sequence,
// and every line end remains.
func checkControls(t *testing.T, in, out string) {
	t.Helper()
	want, got := map[rune]int{}, map[rune]int{}
	for i := 0; i < len(in); {
		r, n := utf8.DecodeRuneInString(in[i:])
		switch {
		case r == esc:
			n, _ = escape(in[i:])
			want[mark]++
		case classify(max(r, utf8.RuneSelf)) == introducer:
			n = escapeC1(in[i:])
			want[mark]++
		case r == '\r' && strings.HasPrefix(in[i+1:], "\n"): // counts as one with the line feed
		case r == '\r' || classify(max(r, utf8.RuneSelf)) == lineEnd:
			want['\n']++
		case r == 0x7f:
			want['␡']++
		case classify(max(r, utf8.RuneSelf)) == numbered:
			want[mark]++
		case r < ' ' && r != '\t' && r != '\n':
			want['␀'+r]++
		case isSign(r):
			want[r]++
		}
		i += n
	}
	for _, r := range out {
		if isSign(r) {
			got[r]++
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("%q: controls %v, want %v, in %q", in, got, want, out)
	}
}

// mark is the first rune of the marks that replace escape sequences and numbered characters.
const mark = '⟨'

// isSign reports whether r represents a control, or is the line feed, which stays.
func isSign(r rune) bool { return r == '\n' || r == mark || r >= '␀' && r <= '␟' || r == '␡' }

// checkRendered fails the test if escape sequences other than SGR and links are left.
func checkRendered(t *testing.T, in, out string) {
	t.Helper()
	if again := SanitizeRendered(out); again != out {
		t.Errorf("%q: got %q, then %q, want it idempotent", in, out, again)
	}
	for rest := out; rest != ""; {
		if rest[0] != esc {
			rest = rest[1:]
			continue
		}
		n, kind := escape(rest)
		if kind == escapeOther {
			t.Errorf("%q: got escape sequence %q in %q, want it removed", in, rest[:n], out)
		}
		rest = rest[n:]
	}
	if !strings.Contains(out, "\x1b") {
		checkSanitized(t, in, out)
	}
}

func TestTypedTextHasNoMarks(t *testing.T) {
	if got, want := SanitizeTyped("a\x1b[31mb\nc\x1b]0;t\ad"), "ab cd"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

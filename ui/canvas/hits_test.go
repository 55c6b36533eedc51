package canvas_test

import (
	"bytes"
	"strings"
	"testing"

	"parley/ui/canvas"
	"parley/ui/styles"
)

func TestHitsArePaintedAcrossPaints(t *testing.T) {
	red, hit := styles.Paint{On: "\x1b[31m"}, styles.Paint{On: "\x1b[7m"}
	find := func(word string) canvas.Finder {
		return func(text []byte) (int, int) {
			i := bytes.Index(text, []byte(word))
			return i, i + len(word)
		}
	}
	for _, c := range []struct{ line, word, want string }{
		{"one two", "two", "one \x1b[m\x1b[7mtwo\x1b[m"},
		{"one two", "three", "one two"},
		{red.S("ab") + "c", "bc", "\x1b[31ma\x1b[m\x1b[7mbc\x1b[m"},
		{red.S("abc"), "b", "\x1b[31ma\x1b[m\x1b[7mb\x1b[m\x1b[31mc\x1b[m"},
		{"aaa", "a", strings.Repeat("\x1b[m\x1b[7ma", 3) + "\x1b[m"},
		{"e\u0301x", "x", "e\u0301\x1b[m\x1b[7mx\x1b[m"},
		{"e\u0301x", "\u0301", "\x1b[m\x1b[7me\u0301\x1b[m" + "x"},
		{"", "a", ""},
	} {
		got := canvas.HighlightHits(c.line, find(c.word), hit)
		if got = strings.ReplaceAll(got, "\x1b[m\x1b[m", "\x1b[m"); got != strings.ReplaceAll(c.want, "\x1b[m\x1b[m", "\x1b[m") {
			t.Errorf("%q in %q:\ngot  %q\nwant %q", c.word, c.line, got, c.want)
		}
		if canvas.Width(got) != canvas.Width(c.line) {
			t.Errorf("%q: got another width, want the same", c.line)
		}
	}
	for _, wrong := range []canvas.Finder{nil, func([]byte) (int, int) { return 0, 0 }, func([]byte) (int, int) { return 3, 99 }, func([]byte) (int, int) { return -1, -1 }} {
		if got := canvas.HighlightHits("text", wrong, hit); got != "text" {
			t.Errorf("wrong hits: got %q, want the line unchanged", got)
		}
	}
}

// A part gets the ground, and keeps its colours.
func TestHighlightPart(t *testing.T) {
	red, ground := styles.Paint{On: "\x1b[31m"}, styles.Paint{On: "\x1b[44m"}
	for _, c := range []struct {
		line     string
		from, to int
		want     string
	}{
		{"one two", 4, 7, "one \x1b[44mtwo\x1b[m"},
		{"one two", 0, 3, "\x1b[44mone\x1b[m two"},
		{"a" + red.S("bc") + "d", 2, 4, "a\x1b[31mb\x1b[44mc\x1b[m\x1b[44md\x1b[m"},
		{"a" + red.S("bc") + "d", 1, 2, "a\x1b[31m\x1b[44mb\x1b[m\x1b[31mc\x1b[md"},
		{"one", 3, 9, "one"}, {"one", 2, 2, "one"}, {"one", 2, 1, "one"}, {"", 0, 4, ""},
		{"日本", 3, 6, "日\x1b[44m本\x1b[m"},
	} {
		if got := canvas.HighlightPart(c.line, c.from, c.to, ground); got != c.want || canvas.Width(got) != canvas.Width(c.line) {
			t.Errorf("%q from %d to %d: got %q, want %q", c.line, c.from, c.to, got, c.want)
		}
	}
	if got := canvas.HighlightPart("one", 0, 3, styles.Paint{}); got != "one" {
		t.Errorf("got %q without a ground, want the line", got)
	}
}

package request

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"parley/internal/panetest"
)

func TestTheEditorEdits(t *testing.T) {
	for _, c := range []struct {
		name, text string
		keys       []string
		want       string
	}{
		{"typing", "ab", []string{"right", "x"}, "axb"},
		{"backspace joins", "ab\ncd", []string{"down", "backspace"}, "abcd"},
		{"delete joins", "ab\ncd", []string{"end", "delete"}, "abcd"},
		{"a cluster is one", "e\u0301👩‍👩‍👧x", []string{"right", "delete"}, "e\u0301x"},
		{"backspace takes a cluster", "e\u0301👩‍👩‍👧x", []string{"end", "left", "backspace"}, "e\u0301x"},
		{"indent", "{}", []string{"right", "enter", "x"}, "{\n  x\n}"},
		{"indent continues", "  a", []string{"end", "enter", "b"}, "  a\n  b"},
		{"a step back", "    a", []string{"right", "right", "right", "right", "backspace"}, "  a"},
		{"word before", `"key": "some words"`, []string{"end", "alt+backspace", "alt+backspace"}, `"key": "`},
		{"word after", `a bc d`, []string{"right", "alt+d"}, `a d`},
		{"to the end", "abc\nd", []string{"right", "ctrl+k"}, "a\nd"},
		{"to the start", "abc\nd", []string{"end", "ctrl+u"}, "\nd"},
		{"column is kept", "abcdef\n\nxyz!", []string{"end", "down", "down", "-"}, "abcdef\n\nxyz!-"},
		{"wide columns", "語語語\nabcdef", []string{"right", "right", "down", "-"}, "語語語\nabcd-ef"},
		{"bytes that are no text stay", "a\xff\x00b", []string{"right", "right", "x"}, "a\xffx\x00b"},
		{"undo takes back a stretch", "", []string{"a", "b", "c", "alt+u"}, ""},
		{"undo step by step", "x y", []string{"end", "a", "b", "ctrl+u", "c", "alt+u", "alt+u"}, "x yab"},
		{"undo joins and breaks", "ab\ncd", []string{"down", "backspace", "enter", "alt+u", "alt+u"}, "ab\ncd"},
		{"undo of nothing", "ab", []string{"alt+u", "x"}, "xab"},
		{"undo, elsewhere", "ab", []string{"x", "end", "y", "alt+u"}, "xab"},
		{"end of text", "a\nb", []string{"alt+>", "x"}, "a\nbx"},
		{"words", "aa bb cc", []string{"alt+right", "alt+right", "x", "alt+left", "y"}, "aa ybbx cc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			b.pane.Open(draft())
			b.pane.edit.Set(c.text)
			b.press(c.keys...)
			if got := b.pane.edit.Text(); got != c.want {
				t.Errorf("got text %q, want %q", got, c.want)
			}
		})
	}
}

// After any key the cursor is in the text, in the window and at the start of a character.
func TestTheCursorStaysInTheText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", " ", "{", "}", "\"", "語", "e\u0301", "\t", "👩‍👩‍👧", "\xff", "\n", "\u202e"}
	keys := []string{
		"left", "right", "up", "down", "home", "end", "enter", "backspace", "delete", "alt+left", "alt+right", "alt+backspace",
		"alt+d", "ctrl+k", "ctrl+u", "pgup", "pgdown", "alt+<", "alt+>",
	}
	b := newBench(t)
	b.pane.Open(draft())
	for range 4000 {
		if random.IntN(2) == 0 {
			b.pane.edit.Insert(alphabet[random.IntN(len(alphabet))])
		} else {
			b.press(keys[random.IntN(len(keys))])
		}
		if random.IntN(20) == 0 {
			b.pane.SetSize(1+random.IntN(50), 1+random.IntN(20))
		}
		e := &b.pane.edit
		if e.Row < 0 || e.Row >= len(e.Lines) || e.Col < 0 || e.Col > len(e.Line()) {
			t.Fatalf("got cursor at %d:%d, want it inside %d lines", e.Row, e.Col, len(e.Lines))
		}
		if e.Col < len(e.Line()) && !utf8.RuneStart(e.Line()[e.Col]) {
			t.Fatalf("got cursor inside a character of %q at %d, want it between two", e.Line(), e.Col)
		}
		b.text()
		panetest.CursorInside(t, b.pane.Cursor(), b.pane.w, b.pane.h)
	}
}

// Undo restores the original text change by change.
func TestEverythingIsTakenBack(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	keys := []string{"a", "{", "left", "right", "up", "down", "enter", "backspace", "delete", "alt+backspace", "alt+d", "ctrl+k", "ctrl+u", "end"}
	for range 50 {
		b := newBench(t)
		b.pane.Open(draft())
		was := b.pane.edit.Text()
		for range 60 {
			b.press(keys[random.IntN(len(keys))])
		}
		for b.pane.edit.TakeBack() {
		}
		if got := b.pane.edit.Text(); got != was {
			t.Fatalf("after undoing everything the text is %q, want %q", got, was)
		}
	}
}

package markdown

import (
	"strings"
	"testing"
)

// Rows as the user sees them, without colours.
func TestLayout(t *testing.T) {
	tests := []struct {
		name, text string
		w          int
		want       string
	}{
		{"blocks are a blank row apart", "# A\npara\n***\n", 10, "# A\n\npara\n\n──────────"},
		{"lines of a paragraph stay lines", "one\ntwo\n", 10, "one\ntwo"},
		{"items hang", "- one two three\n- four\n", 10, "• one two\n  three\n• four"},
		{"numbers align", "9. a\n10. b\n", 12, " 9. a\n10. b"},
		{"loose items", "- a\n\n  b\n- c\n", 10, "• a\n\n  b\n\n• c"},
		{"tasks", "- [x] a\n- [ ] b\n", 10, "✓ a\n○ b"},
		{"nested lists", "1. a\n   - b\n     - c\n", 16, "1. a\n   • b\n     • c"},
		{"an empty item", "-\n- a\n", 10, "• \n• a"},
		{"quotes", "> one two three\n>\n> > four\n", 12, "│ one two\n│ three\n│ \n│ │ four"},
		{"code is set in and not rewrapped as words", "```\na  b\n\n c\n```\n", 12, "  a  b\n  \n   c"},
		{"code in an item", "- a\n\n  ```\n  b\n  ```\n", 12, "• a\n\n    b"},
		{"html is text", "<p>\na\n</p>\n", 12, "<p>\na\n</p>"},
		{"definitions are not shown", "[a]: b\n\npara\n", 12, "para"},
		{"no room to indent", "- - - a\n", 11, "• •\n  •\n  a"},
		{
			"a table", "| Flight | Seats | Gate |\n|---|--:|:-:|\n| OS 411 | 9 | B |\n| BA 7 | 112 | C31 |\n", 60,
			"Flight     Seats     Gate\n" +
				"─────────────────────────\n" +
				"OS 411         9      B\n" +
				"BA 7         112     C31",
		},
		{
			"a table with little room", "| Name | What it is |\n|---|---|\n| a | some long words |\n", 17,
			"Name  What it is\n" +
				"─────────────────\n" +
				"a     some long\n" +
				"      words",
		},
		{
			"a table with no room", "| Aa | Bb | Cc |\n|---|---|---|\n| one word | two | three |\n| x | | z |\n", 11,
			"Aa one word\nBb two\nCc three\n\nAa x\nCc z",
		},
		{
			"a table that keeps its words", "| Flight | Departs | Remarks |\n|---|---|---|\n| OS 411 | 07:35 | the seat is by the window |\n", 30,
			"Flight  Departs  Remarks\n" +
				"──────────────────────────────\n" +
				"OS 411  07:35    the seat is\n" +
				"                 by the window",
		},
		{
			"a table of narrow words", "| Flight | Carrier | Gate |\n|---|---|---|\n| OS 411 | Austrian | B 12 |\n", 22,
			"Flight  Carrier   Gate\n" +
				"──────────────────────\n" +
				"OS 411  Austrian  B 12",
		},
		{
			"a table whose longest word breaks", "| Flight | Link |\n|---|---|\n| OS 411 | abcdefghijklmnopqrst |\n", 20,
			"Flight  Link\n" +
				"────────────────────\n" +
				"OS 411  abcdefghijkl\n" +
				"        mnopqrst",
		},
		{
			"a table whose every word would break", "| Flight | Carrier | Booked |\n|---|---|---|\n| OS 411 | Austrian | nothing |\n", 20,
			"Flight OS 411\nCarrier Austrian\nBooked nothing",
		},
		{"a table of headings", "|a|b|\n|-|-|\n", 20, "a     b\n───────"},
		{"a heading hangs behind its mark", "## Three ways to get there", 20, "## Three ways to get\n   there"},
		{"a heading with little room", "## Three ways", 10, "Three ways"},
		{"an image", "![alt](http://a.example/i.png)", 40, "▣ alt http://a.example/i.png"},
	}
	for _, test := range tests {
		rows := Render(dark(), test.text, test.w)
		checkRows(t, rows, test.w, test.text)
		if got := plainText(rows); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestLooks(t *testing.T) {
	st := dark()
	tests := []struct{ name, text, want string }{
		{"headings are bold behind the mark of their level", "## Head", st.Accent.S("##") + " \x1b[38;2;200;208;230;1mHead"},
		{"code spans stand on their own ground", "a `b`", ";48;2;38;43;64mb"},
		{"keywords", "```go\nfunc\n```", st.Accent.S("func")},
		{"strings", "```json\n\"a\" \n```", st.OK.S(`"a"`)},
		{"numbers", "```python\n42\n```", st.Number.S("42")},
		{"comments", "```sh\n# c\n```", st.Faint.S("# c")},
		{"a language nobody knows", "```nosuch\nfunc\n```", st.Text.S("func")},
		{"no language", "```\nfunc\n```", st.Text.S("func")},
		{"added lines", "```diff\n+a\n```", st.OK.S("+a")},
		{"a table's heading is dim", "|h|\n|-|\n|a|", st.Dim.S("h")},
		{"quotes are dim", "> q", st.Dim.S("q")},
		{"addresses are faint", "[a](http://x.example)", "125;134;159m"},
	}
	for _, test := range tests {
		if got := strings.Join(Render(st, test.text, 40), "\n"); !strings.Contains(got, test.want) {
			t.Errorf("%s: no %q in %q, want it", test.name, test.want, got)
		}
	}
}

func TestPlainTextStaysInOrderAtEveryWidth(t *testing.T) {
	text := strings.Join(corpus, "\n\n")
	for w := 1; w < 60; w++ {
		checkRows(t, Render(dark(), text, w), w, "corpus")
	}
}

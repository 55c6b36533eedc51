package markdown

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// within fails the test if f takes so long that it hangs, not if it is slow.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatalf("%s: rendering still runs after a minute, want it to end", what)
	}
}

func TestHostileTextComesToAnEnd(t *testing.T) {
	units := []string{
		">", "> ", "- ", "1. ", "[a](", "[", "![", "[a][b]", "[a](b)[", "*", "*a ", "a**b", "*_a", "**a *b ", "`a", "` `` ",
		"<", "<a ", "<!--", "&", "&#27;", "\\", "~~a ", " www.a", "a@", "a@b.c ", "a ", "a", "a\n", "a\n\n", "- a\n", "- a\n\n",
		"# a\n", "a\n=\n", "[a]: b\n", "|-", "|-|-|\n", "> a\nb\n", "```\n\n", "```go\n", "<div>\n\n", "\u0301", "\u200d", "日",
		"\x1b[31mx", "\x1b]8;;http://a\x07", "\u202e", "\x00", "\xff", "\r", "\t",
		strings.Repeat("a|", 31) + "a\n" + strings.Repeat("-|", 31) + "-\n" + strings.Repeat("x\n", 250) + "\n",
		strings.Repeat("a|", 3000) + "a\n" + strings.Repeat("-|", 3000) + "-\n" + strings.Repeat("x\n", 1000),
	}
	for _, unit := range units {
		for _, size := range []int{170, 3 << 10} {
			text := strings.Repeat(unit, size/len(unit)+1)
			within(t, fmt.Sprintf("%.20q", unit), func() {
				checkRows(t, Render(dark(), text, 60), 60, unit)
			})
		}
	}
}

func TestDeepNestingAcrossLinesComesToAnEnd(t *testing.T) {
	var list strings.Builder
	for depth := range 150 {
		list.WriteString(strings.Repeat("  ", depth) + "- a\n")
	}
	var code strings.Builder
	for i := range 400 {
		code.WriteString(strings.Repeat(" ", i*3) + strings.Repeat("- ", 70) + "\n")
	}
	for _, text := range []string{list.String(), code.String()} {
		within(t, "nested list", func() { checkRows(t, Render(dark(), text, 60), 60, "nested list") })
	}
}

func TestWhatIsTooMuchIsShownAsItsSource(t *testing.T) {
	tests := map[string]string{
		"depth":       strings.Repeat("> ", 17) + "*deep*\n",
		"siblings":    strings.Repeat("- *item*\n", 501),
		"lines":       strings.Repeat("*line*\n", 501),
		"size":        strings.Repeat("*word* ", 6000),
		"inline":      strings.Repeat("*a **b ", 10) + strings.Repeat(" b** a*", 10),
		"large table": "a|b\n-|-\n" + strings.Repeat("*x*|y\n", 501),
	}
	for name, text := range tests {
		rows := Render(dark(), text, 200)
		checkRows(t, rows, 200, name)
		if shown := plainText(rows); !strings.Contains(shown, "*") {
			t.Errorf("%s: got %.80q, want the source text", name, shown)
		}
		if text += "\n\n*fine*\n"; strings.Contains(plainText(Render(dark(), text, 200)[len(rows):]), "*") {
			t.Errorf("%s: got the paragraph behind it as source, want it rendered", name)
		}
	}
}

func TestWhatIsNotTooMuchIsRendered(t *testing.T) {
	tests := map[string]string{
		"depth":    strings.Repeat("> ", 14) + "*deep*\n",
		"lists":    strings.Repeat("- ", 14) + "*deep*\n",
		"siblings": strings.Repeat("- *item*\n", 500),
		"size":     strings.Repeat("*word* ", 4600),
	}
	for name, text := range tests {
		if shown := plainText(Render(dark(), text, 80)); strings.Contains(shown, "*") {
			t.Errorf("%s: got the source %.80q, want it rendered", name, shown)
		}
	}
}

func TestAnOversizeCodeBlockStillLooksLikeCode(t *testing.T) {
	rows := Render(dark(), "```go\n"+strings.Repeat("func f() {}\n", 4000)+"```\n", 40)
	if len(rows) != 4000 || plainText(rows[:1]) != "  func f() {}" {
		t.Errorf("got %d rows, the first %q, want 4000 rows of code", len(rows), rows[0])
	}
}

func TestNothingUnsafeReachesTheScreen(t *testing.T) {
	tests := []string{
		"\x1b]0;title\x07 \x1b]52;c;aGk=\x07 \x1b[2J \x9b31m \u202e \x07",
		"&#27;[2J &#x1b;]0;title&#7; &#155;31m &#x9b;2J &Tab;&NewLine; &#x202E; &lrm; &rlm; &#0; &#13;",
		"`&#27;[2J` *&#27;[31m* **&#27;c** ~~&#27;c~~ # &#27;c",
		"[a&#27;[2Jb](http://x.example/&#27;]0;t&#7;) ![&#27;[2J](&#27;[2J) <http://x.example/&#27;[2J>",
		"[a](javascript:alert(1)) [b](file:///etc/passwd) [c](data:text/html,x) ![d](vscode://x)",
		"|&#27;[2J|\n|-|\n|&#27;[2J|\n",
		"- [ ] &#27;[2J\n\n# &#27;[2J\n\n> &#27;[2J\n",
		"```\n&#27;[2J\n```\n\n    &#27;[2J\n\n<div>&#27;[2J</div>\n",
		"[r]: http://x.example/&#27;[2J '&#27;[2J'\n\n[r]\n",
		"\\&#27;[2J \\\x1b[2J &#27\\;[2J",
	}
	for _, text := range tests {
		rows := Render(dark(), text, 60)
		checkRows(t, rows, 60, text)
		all := strings.Join(rows, "\n")
		for _, bad := range []string{"\x1b[2J", "\x1b]0", "\x1b]52", "\x1bc", "\x9b", "\u202e", "\u200e", "\x07\x07", "8;;javascript", "8;;file", ";data:"} {
			if strings.Contains(all, bad) {
				t.Errorf("got unsanitized %q on the screen from %q, want none: %q", bad, text, all)
			}
		}
		if strings.Contains(all, "\x1b[31m") || strings.Contains(all, "\x1b[2J") {
			t.Errorf("got an agent's own style on the screen from %q, want none: %q", text, all)
		}
	}
}

func TestEntitiesAndEscapesStandForTheirCharacters(t *testing.T) {
	tests := map[string]string{
		`\* \_ \$ \\ \& \" \a`:                 `* _ $ \ & " \a`,
		"&amp; &copy; &#65; &#x42;":            "& © A B",
		"&amp;copy; &nosuch; AT&T a&b;":        "&copy; &nosuch; AT&T a&b;",
		"`&amp; \\*`":                          `&amp; \*`,
		"a < b > c <b>bold</b> <br>":           "a < b > c <b>bold</b> <br>",
		"**&amp;lt;** *\\\\x*":                 `&lt; \x`,
		"~~&amp;amp;~~":                        "&amp;",
		"# &amp;amp; `&lt;`":                   "# &amp; &lt;",
		"```\n&amp; \\*\n```":                  `  &amp; \*`,
		"<div>\n&amp; <b>\n</div>":             "<div>\n&amp; <b>\n</div>",
		"[x \\* y](http://a.example)":          "x * y http://a.example",
		"![a \\* &amp; b](http://a.example)":   "▣ a * & b http://a.example",
		"[http://a.example](http://a.example)": "http://a.example",
		"[safe.example](http://real.example/)": "safe.example http://real.example/",
		"soft\nbreak  \nhard":                  "soft\nbreak\nhard",
		"http://a.example/x_y_z*q":             "http://a.example/x_y_z*q",
	}
	for text, want := range tests {
		if got := plainText(Render(dark(), text, 60)); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

func TestLinksLeadToTheWebOnly(t *testing.T) {
	rows := strings.Join(Render(dark(), "[a](https://a.example/p?q=1) [b](javascript:x)", 80), "")
	if !strings.Contains(rows, ";https://a.example/p?q=1\x07") && !strings.Contains(rows, ";https://a.example/p?q=1\x1b\\") {
		t.Errorf("got no link in %q, want one", rows)
	}
	if strings.Count(rows, "javascript") != 1 {
		t.Errorf("javascript must be seen, not followed: %q", rows)
	}
}

// The host of an address is named wherever the address hides it.
func TestALinkNamesTheHostThatIsMeant(t *testing.T) {
	far := "https://login.bank.example." + strings.Repeat("a.", 200) + "evil.example/"
	for to, want := range map[string]string{
		"https://bank.example@evil.example:8443/x": "(leads to evil.example:8443)",
		"https://\u0430pple.com/":                  "(leads to xn--pple-43d.com)",
		"https://bank\u3002evil.example/":          "(leads to bank.evil.example)",
		far:                                        ".a.a.evil.example)",
		"https://bank.example./":                   "",
		"http://[::1]:80/":                         "",
		"https://Bank.Example?x":                   "",
		"javascript:alert(1)//https://a.example":   "",
	} {
		for _, form := range []string{"[bank.example](<" + to + ">)", "![bank.example](<" + to + ">)", "<" + to + ">", "[x][r]\n\n[r]: <" + to + ">"} {
			got := plainText(Render(dark(), form, 1000))
			if !strings.Contains(got, want) || strings.Contains(got, "leads to") != (want != "") || !strings.Contains(got, to) {
				t.Errorf("%.100q is shown as %q, want %q in it", form, got, want)
			}
		}
	}
}

// A removed style or link leaves a mark.
func TestEveryRemovedSequenceLeavesAMark(t *testing.T) {
	for _, seq := range []string{
		"\x1b[8m", "\x1b[5m", "\x1b[31m", "\x1b]8;;javascript:x\a", "\x1b]8;;https://a.example/\x1b\\", "\u009b8m", "\x1b]52;c;aGk=\a", "\x1bPq\x1b\\",
		"&#27;[8m", "&#27;[31m", "&#x1b;]8;;http://a.example/&#7;", "\u202e", "\U000e0041", "&#x202e;",
	} {
		for _, form := range []string{"a%sb", "# a%sb", "*a%sb*", "[a%sb](http://x.example)", "![a%sb](http://x.example)", "|a%sb|\n|-|\n|a%sb|", "> a%sb", "- a%sb"} {
			text := strings.ReplaceAll(form, "%s", seq)
			got := plainText(Render(dark(), text, 80))
			if !strings.Contains(got, "⟨ESC") && !strings.Contains(got, "⟨U+") {
				t.Errorf("%q: got %q, want a mark in place of the control character", text, got)
			}
		}
	}
}

func FuzzStream(f *testing.F) {
	for i, text := range corpus {
		f.Add(text, uint8(40+i), uint16(i*37))
	}
	f.Add(strings.Repeat(">", 80)+"x", uint8(20), uint16(9))
	f.Fuzz(func(t *testing.T, text string, width uint8, at uint16) {
		if len(text) > 4<<10 {
			text = text[:4<<10]
		}
		w := 1 + int(width)
		s := still()
		k := min(int(at), len(text))
		for _, chunk := range []string{text[:k], text[k:]} {
			s.Append([]byte(chunk))
			checkRows(t, s.Lines(w), w, text)
			// The open end, complete blocks, and those blocks again for late references: a
			// limit on the work for any text.
			if given := settle(s, w); given > 3*s.Len()*expansion {
				t.Fatalf("got %d bytes rendered for a text of %d, want at most three times its expansion", given, s.Len())
			}
			checkRows(t, s.Lines(w), w, text)
		}
		s.Close()
		settle(s, w)
		if want := Render(dark(), text, w); !slices.Equal(s.Lines(w), want) {
			compare(t, text, w, s.Lines(w), want)
		}
	})
}

// expansion is the largest growth of one byte by sanitising: an invalid byte becomes three, and
// a character of three bytes becomes a mark of twelve.
const expansion = 8

func TestMonoTellsApartByAttributes(t *testing.T) {
	rows := Render(mono(), "# Head\n\n`code` *em* **strong** ~~gone~~ [l](http://a.example)\n\n```go\nfunc f() {} // c\n```\n\n|a|\n|-|\n|b|\n", 60)
	for _, row := range rows {
		if strings.Contains(row, "38;2") || strings.Contains(row, "48;2") {
			t.Errorf("got a colour in %q, want none", row)
		}
	}
	for i, words := range map[int][]string{
		0: {"\x1b[4;1mHead"},
		2: {"`code`", "\x1b[3mem", "\x1b[1mstrong", "\x1b[9mgone", "\x1b[4ml\x1b"},
	} {
		for _, want := range words {
			if !strings.Contains(rows[i], want) {
				t.Errorf("no %q in %q, want it", want, rows[i])
			}
		}
		if strings.ContainsAny(strings.NewReplacer("`code`", "", "\x1b[1m#\x1b[m \x1b[4;1mHead", "").Replace(rows[i]), "`*~#") {
			t.Errorf("got Markdown's markup in %q, want it rendered", rows[i])
		}
	}
}

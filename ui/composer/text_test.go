package composer

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// hostile are texts that the way to the screen could damage.
var hostile = []string{
	"", " ", "\n", "\n\n\n", "\t", "a\tb", "\x1b[31mred\x1b]0;title\a", "\x00\x01\x7f", "\u0085\u009b31m", "\uFFFD", "\uFEFFbom",
	"\u202Eevil\u2066x\u2069", "a\u200Bb", "👩‍👩‍👧‍👦 안녕하세요", "e\u0301\u0301\u0301", "\U00100041 \U0010FFFF", "\U000F0001 nerd",
	strings.Repeat("long ", 3000), strings.Repeat("안", 7000), strings.Repeat("\t", 9000), strings.Repeat("x", 100_000),
	strings.Repeat("\n", 100_000), strings.Repeat("line of text\n", 100_000),
}

func TestNothingOfAPasteIsLost(t *testing.T) {
	for _, text := range hostile {
		c := open(40, newTask)
		c.Paste("before ")
		c.Paste(text)
		c.Paste(" after")
		want := "before " + text + " after"
		if got := c.Value(); got != want {
			t.Errorf("%.40q: got %d bytes, %.60q, want %d", text, len(got), got, len(want))
		}
		c.SetSize(40, c.Height())
		exact(t, c, 40, c.Height())
		for _, line := range c.Lines() {
			if painted := sgr.ReplaceAllString(line, ""); strings.ContainsFunc(painted, unshowable) {
				t.Errorf("%.40q: row has control characters: %q", text, line)
			}
		}
		if strings.TrimSpace(want) == "" {
			continue
		}
		if sent := press(c, "enter").(Send); sent.Draft.Text != want {
			t.Errorf("%.40q: got another text sent, want the pasted one", text)
		}
	}
}

func TestLineEndsOfAllKindsAreOneLineEach(t *testing.T) {
	c := open(40, newTask)
	c.Paste("a\r\nb\rc\nd\r\n\r\ne")
	if got := c.Value(); got != "a\nb\nc\nd\n\ne" {
		t.Errorf("got text %q, want a newline for each line end", got)
	}
}

func TestInvalidUTF8BecomesVisible(t *testing.T) {
	c := open(40, newTask)
	c.Paste("a\xff\xfeb")
	if got := c.Value(); !utf8.ValidString(got) || !strings.HasPrefix(got, "a\uFFFD") || !strings.HasSuffix(got, "b") {
		t.Errorf("got text %q, want U+FFFD for invalid bytes", got)
	}
}

func TestALargePasteIsFoldedIntoOneMarkAndDescribed(t *testing.T) {
	c := open(60, newTask)
	c.Paste("see ")
	c.Paste(strings.Repeat("line\n", 99_999) + "line")
	c.Paste(" here")
	c.SetSize(60, c.Height())
	if got := screen(c); !strings.Contains(got, "> see = here") || !strings.Contains(got, "100,000 lines - 500 kB") {
		t.Errorf("got a screen without the mark of the paste and its size:\n%s", got)
	}
	press(c, "left", "left", "left", "left", "left", "backspace")
	if c.Value() != "see  here" {
		t.Errorf("got text %.40q after the mark was deleted, want %q", c.Value(), "see  here")
	}
	c.Paste("x") // drops pastes without a rune
	if len(c.folds) != 0 {
		t.Errorf("got %d stored pastes after the mark was deleted, want none", len(c.folds))
	}
}

func TestManyPastesAreCounted(t *testing.T) {
	c := open(60, newTask)
	var want strings.Builder
	for i := range 6 {
		text := fmt.Sprintf("%d%s", i, strings.Repeat("y", inlineRunes))
		want.WriteString(text)
		c.Paste(text)
	}
	if c.Value() != want.String() {
		t.Error("got another text, want all pastes in order")
	}
	c.SetSize(60, c.Height())
	if got := screen(c); !strings.Contains(got, "4 more pastes") {
		t.Errorf("got a screen that does not count 4 more pastes:\n%s", got)
	}
}

func TestTypingNeverStopsHoweverMuchIsThere(t *testing.T) {
	c := open(40, newTask)
	want := strings.Repeat("z", inlineRunes)
	c.Paste(want)
	for range 300 {
		press(c, "k")
		want += "k"
	}
	for range 150 {
		press(c, "ctrl+j")
		want += "\n"
	}
	if c.Value() != want {
		t.Errorf("got %d bytes of text, want %d: keys were lost", len(c.Value()), len(want))
	}
}

func TestTheEditorsTextComesBackWhole(t *testing.T) {
	c := open(40, newTask)
	for _, text := range hostile {
		if c.SetValue(text); c.Value() != text {
			t.Errorf("got text %.40q, want %.40q", c.Value(), text)
		}
	}
}

func TestDamageFreeRunesStayInline(t *testing.T) {
	f := folds{}
	if got := f.encode("\U000F0001", 0, 0); got != "\U000F0001" || len(f) != 0 {
		t.Errorf("got %q for a rune of plane 15, want it inline", got)
	}
	if got := f.encode("\U00100041", 0, 0); got == "\U00100041" || f.decode(got) != "\U00100041" {
		t.Errorf("got %q for a rune of plane 16, want one that stands for it", got)
	}
}

func FuzzPasteIsExact(f *testing.F) {
	for _, text := range hostile {
		if len(text) < 2000 {
			f.Add(text, "x")
		}
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		c := open(30, newTask)
		c.Paste(a)
		c.Paste(b)
		// Each piece is made valid on its own.
		want := lineEnds.Replace(strings.ToValidUTF8(a, "\uFFFD")) + lineEnds.Replace(strings.ToValidUTF8(b, "\uFFFD"))
		if got := c.Value(); got != want {
			t.Fatalf("%q and %q: got text %q, want %q", a, b, got, want)
		}
		c.SetSize(30, c.Height())
		exact(t, c, 30, c.Height())
	})
}

// The text area's own search for a word loops forever if there is none.
func TestAWordBackWhereThereIsNone(t *testing.T) {
	for _, text := range []string{"", " ", "\n", " \n \n\t"} {
		c := open(40, newTask)
		c.SetValue(text)
		press(c, "alt+left", "alt+b")
		if c.Value() != text {
			t.Errorf("got text %q after moving back by words, want %q", c.Value(), text)
		}
		press(c, "x")
		if c.Value() != "x"+text {
			t.Errorf("got text %q, want x at the beginning", c.Value())
		}
	}
	c := open(40, newTask)
	c.SetValue("one two\n ")
	press(c, "alt+b", "alt+b", "x")
	if c.Value() != "xone two\n " {
		t.Errorf("got text %q after two words back, want x before the first word", c.Value())
	}
}

// One key deletes or passes a whole cluster, and cut text can be pasted again, including folded
// pastes; a cut secret is not stored.
func TestKeysGoByWhatStandsInOnePlace(t *testing.T) {
	for _, cluster := range []string{"👩‍👩‍👧‍👦", "👍🏽", "e\u0301"} {
		c := open(60, newTask)
		c.Paste("one\na" + cluster + "b")
		if press(c, "left", "backspace"); c.Value() != "one\nab" {
			t.Errorf("got text %q after backspace, want the cluster deleted", c.Value())
		}
		c.Paste(cluster)
		if press(c, "left", "delete", "left", "backspace"); c.Value() != "oneab" {
			t.Errorf("got text %q after delete, want the cluster and the line end deleted", c.Value())
		}
	}
	giant := strings.Repeat("many lines\n", 300)
	c := open(60, newTask)
	c.Paste("all of ")
	c.Paste(giant)
	press(c, "ctrl+u")
	if !c.Empty() {
		t.Fatalf("got text %q after ctrl+u, want none", c.Value())
	}
	if press(c, "x", "ctrl+y"); c.Value() != "xall of "+giant {
		t.Errorf("got %d bytes after ctrl+y, want %d", len(c.Value()), len("xall of "+giant))
	}
	c = open(60, newTask)
	c.Hide(true)
	c.Paste("secret")
	press(c, "ctrl+u")
	if c.Hide(false); c.Value() != "" {
		t.Fatalf("got text %q after ctrl+u, want none", c.Value())
	}
	if press(c, "ctrl+y"); c.Value() != "" {
		t.Errorf("got text %q after ctrl+y, want none: a secret is not stored", c.Value())
	}
}

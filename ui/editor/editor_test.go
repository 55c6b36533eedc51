package editor

import (
	"strings"
	"testing"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/keys"
	"parley/ui/styles"
)

func TestAPasteIsInsertedWhole(t *testing.T) {
	e := New()
	e.Insert("ab")
	e.GoTo(0, 1)
	big := strings.Repeat("{\"k\": \"v\"}\n", 100_000)
	e.Insert(big)
	if e.Text() != "a"+big+"b" || e.Row != 100_000 || e.Col != 0 {
		t.Errorf("after a paste the cursor is at %d:%d, want the whole text and 100000:0", e.Row, e.Col)
	}
}

func BenchmarkAKeyInALineOfAMegabyte(b *testing.B) {
	e := New()
	e.Set(strings.Repeat("x", 1<<20))
	e.h = 20
	e.GoTo(0, 1<<19)
	text := keys.TextKeys()
	for b.Loop() {
		e.Key(panetest.Key("right"), text)
		e.reveal(80)
	}
}

func TestTheGutterHasTheNumberAndTheMarkOfALine(t *testing.T) {
	st := styles.New(themes.Mono(), styles.ASCII())
	e := New()
	e.Set(strings.Repeat("line\n", 99)) // the hundredth line is empty
	for _, c := range []struct {
		row, w int
		mark   string
		want   string
	}{
		{0, 40, " ", "  1   "},
		{8, 40, "!", "  9 ! "},
		{99, 30, " ", "100   "},
		{0, 29, "!", ""}, // too narrow for a gutter
	} {
		if got := e.number(c.row, c.w, c.mark, st.Text); got != c.want || e.gutter(c.w) != len(c.want) || e.textWidth(c.w) != c.w-len(c.want) {
			t.Errorf("line %d in %d cells: got %q, want %q; gutter %d, text width %d", c.row, c.w, got, c.want, e.gutter(c.w), e.textWidth(c.w))
		}
	}
	if got := e.textWidth(0); got != 1 {
		t.Errorf("TextWidth(0) = %d, want 1", got)
	}
}

func TestPointingGoesToTheByteThatIsShownThere(t *testing.T) {
	for _, c := range []struct{ row, x, w, wantCol int }{
		{0, 2, 20, 6},  // no gutter
		{1, 3, 20, 3},  // the second half of 국
		{1, 3, 40, 0},  // the first cell behind the gutter
		{1, 0, 40, 0},  // in the gutter
		{1, 30, 40, 9}, // behind the line
	} {
		e := New()
		e.Set("abcdefgh\n한국어")
		e.Left = 4 // of the first line, the cursor's
		e.point(c.row, c.x, c.w)
		if e.Row != c.row || e.Col != c.wantCol {
			t.Errorf("cell %d of line %d in %d: cursor is at %d:%d, want column %d", c.x, c.row, c.w, e.Row, e.Col, c.wantCol)
		}
	}
}

func TestPointingTwiceBetweenFramesStaysInTheText(t *testing.T) {
	e := New()
	e.Set(strings.Repeat("long ", 40) + "\nshort")
	e.Left = 100
	e.point(1, 3, 20)
	e.point(1, 3, 20)
	if e.Row != 1 || e.Col > len("short") {
		t.Errorf("cursor is at %d:%d, want inside line 1", e.Row, e.Col)
	}
}

func TestWhatWasCutIsInsertedAgain(t *testing.T) {
	const family = "👩‍👩‍👧"
	for cut, want := range map[string]string{
		"ctrl+w": "two" + family + "one ", "alt+backspace": "two" + family + "one ", "ctrl+u": family + "one two",
		"backspace": family + "one tw", "ctrl+k": family + "one two",
	} {
		e := New()
		e.Insert(family + "one two")
		press(&e, cut)
		press(&e, "home")
		press(&e, "ctrl+y")
		if got := e.Text(); got != want {
			t.Errorf("%s and ctrl+y result in %q, want %q", cut, got, want)
		}
	}
	e := New()
	e.Insert("one two")
	press(&e, "home")
	press(&e, "ctrl+k")
	press(&e, "ctrl+y")
	press(&e, "ctrl+y")
	if e.Text() != "one twoone two" {
		t.Errorf("text after two yanks is %q, want %q", e.Text(), "one twoone two")
	}
}

// press presses a key by its name.
func press(e *Editor, name string) { e.Key(panetest.Key(name), keys.TextKeys()) }

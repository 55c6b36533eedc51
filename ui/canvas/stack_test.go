package canvas

import (
	"slices"
	"strings"
	"testing"
)

func TestARuleIsAsWideAsItIsAskedFor(t *testing.T) {
	for _, w := range []int{-1, 0, 1, 40} {
		for _, rule := range []string{Rule(dark(), w), Rule(plain(), w)} {
			checkBlock(t, []string{rule}, w, 1)
		}
	}
}

func TestABlockIsExactAndLeavesItsRowsAlone(t *testing.T) {
	rows := []string{"short", strings.Repeat("long ", 50), "\x1b[31m한국어\x1b[m", "", "e"}
	before := slices.Clone(rows)
	for w := -1; w <= 12; w++ {
		for h := -1; h <= 8; h++ {
			checkBlock(t, Block(rows, w, h), w, h)
			checkBlock(t, Block(rows[:2], w, h), w, h) // there is room after them
		}
	}
	if !slices.Equal(rows, before) {
		t.Errorf("got rows %q, want them unchanged: %q", rows, before)
	}
}

func TestAStackCutsWhatIsFarthestFromItsRules(t *testing.T) {
	head, list, foot := []string{"h1", "h2"}, []string{"l1", "l2", "l3"}, []string{"f1", "f2"}
	for _, c := range []struct {
		head, list, foot int
		want             string
	}{
		{3, 3, 3, "h1|h2|--|l1|l2|l3|--|f1|f2"},
		{2, 2, 2, "h2|--|l1|l2|--|f1"},
		{1, 1, 1, "--|l1|--"},
		{0, 4, 0, "l1|l2|l3|  "},
		{0, 0, 4, "--|f1|f2|  "},
		{-1, -1, -1, ""},
	} {
		rows := Stack(plain(), 2, Part{head, c.head}, Part{list, c.list}, Part{foot, c.foot})
		checkBlock(t, rows, 2, max(0, c.head)+max(0, c.list)+max(0, c.foot))
		if got := strings.Join(rows, "|"); got != c.want {
			t.Errorf("%d, %d and %d rows: %q, want %q", c.head, c.list, c.foot, got, c.want)
		}
	}
}

func TestTheSelectedEntryIsMarked(t *testing.T) {
	for _, selected := range []bool{false, true} {
		row := Entry(dark(), dark().Faint.S("한국어 and more"), 9, selected)
		checkBlock(t, []string{row}, 9, 1)
		if marked := strings.Contains(row, dark().Selected.On); marked != selected {
			t.Errorf("selected %t: got %q, want the highlight only if selected", selected, row)
		}
	}
}

func TestAParagraphIsPaintedRowByRow(t *testing.T) {
	p := dark().Faint
	if got, want := Paragraph("some words here", 10, p), []string{p.S("some words"), p.S("here")}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Paragraph("some words", 1, p), []string{p.S("some"), p.S("words")}; !slices.Equal(got, want) {
		t.Errorf("in one cell: %q, want %q", got, want)
	}
}

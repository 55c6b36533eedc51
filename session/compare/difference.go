package compare

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"parley/internal/units"
	"parley/session/model"
)

// A Line is a line of a comparison.
type Line struct {
	Mark byte // one of the marks
	Text string
}

// The marks of lines.
const (
	First   byte = '-' // only on the first side
	Second  byte = '+' // only on the second side
	Both    byte = ' ' // on both sides
	Heading byte = '#' // the heading of what follows
	Words   byte = '.' // words of Parley about both sides
)

// A Text is the comparison of two texts, line by line.
type Text struct {
	Lines  []Line
	Differ int  // lines that are in one text only
	Cut    bool // only the beginning of one was compared
}

// Turns compares the answers of two turns.
func Turns(first, second *model.Turn) Text {
	return texts(newAnswer(first, first.Blocks), newAnswer(second, second.Blocks), nil, false)
}

// texts compares the texts of two answers.
func texts(first, second *answer, ignore Pointers, pathless bool) Text {
	a, cutA := write(first, ignore, pathless)
	b, cutB := write(second, ignore, pathless)
	t := Text{Lines: difference(a, b), Cut: cutA || cutB}
	for _, l := range t.Lines {
		if l.Mark != Both {
			t.Differ++
		}
	}
	return t
}

// difference compares two texts line by line. The edits concern whole lines, in their order.
func difference(a, b string) []Line {
	if a == b {
		return mark(nil, Both, a)
	}
	var out []Line
	same := 0 // where the lines begin that no edit has reached
	for _, e := range udiff.Lines(a, b) {
		out = mark(out, Both, a[same:e.Start])
		out = mark(out, First, a[e.Start:e.End])
		out = mark(out, Second, e.New)
		same = e.End
	}
	return mark(out, Both, a[same:])
}

// mark adds the lines of a text with a mark.
func mark(to []Line, with byte, text string) []Line {
	for l := range strings.Lines(text) {
		to = append(to, Line{with, strings.TrimSuffix(l, "\n")})
	}
	return to
}

// Verdict says in one sentence how the answers differ.
func (t *Text) Verdict() string {
	switch {
	case t.Differ > 0 && t.Cut:
		return "The answers differ in " + units.Plural(t.Differ, "line") + ". They are large: only the beginning is compared."
	case t.Differ > 0:
		return "The answers differ in " + units.Plural(t.Differ, "line") + "."
	case t.Cut:
		return "Both answers begin the same. They are large: only the beginning is compared."
	case len(t.Lines) == 0:
		return "Both answers are empty."
	default:
		return "Both answers are the same."
	}
}

// around is how many equal lines are listed before and after different ones.
const around = 2

// excerpt returns the different lines with a few equal ones around them; a line with the mark
// Words says how many were left out.
func excerpt(lines []Line) (out []Line) {
	near := make([]bool, len(lines))
	for i, l := range lines {
		if l.Mark == Both {
			continue
		}
		for j := max(0, i-around); j <= min(len(lines)-1, i+around); j++ {
			near[j] = true
		}
	}
	for i := 0; i < len(lines); {
		if near[i] {
			out = append(out, lines[i])
			i++
			continue
		}
		from := i
		for i < len(lines) && !near[i] {
			i++
		}
		if i-from == 1 {
			out = append(out, lines[from])
			continue
		}
		out = append(out, Line{Words, "  " + units.Plural(i-from, "equal line")})
	}
	return out
}

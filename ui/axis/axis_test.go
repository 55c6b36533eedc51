package axis

import (
	"math/rand/v2"
	"testing"
	"time"

	"parley/ui/styles"
)

func TestACellBeginsAtItsEdge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		a := Axis{From: time.Duration(rng.Int64N(1<<40) - 1<<39), Span: time.Duration(rng.Int64N(1<<rng.IntN(58)+1) + 1), Cells: rng.IntN(300) + 1}
		for range 10 {
			cell := rng.IntN(a.Cells)
			at := a.Edge(cell)
			if a.Span >= time.Duration(a.Cells) && (a.Cell(at) != cell || cell > 0 && a.Cell(at-1) != cell-1) {
				t.Fatalf("%+v: got cells %d and %d around the edge of cell %d", a, a.Cell(at-1), a.Cell(at), cell)
			}
			if got := a.Cell(a.Time(cell)); a.Span > 10*time.Duration(a.Cells) && got != cell {
				t.Fatalf("%+v: got cell %d for the middle of cell %d", a, got, cell)
			}
		}
		if a.Cell(a.From-1) != 0 || a.Cell(a.To()) != a.Cells-1 || a.Contains(a.To()) || !a.Contains(a.From) {
			t.Fatalf("%+v: got cells %d and %d outside, want the first and the last", a, a.Cell(a.From-1), a.Cell(a.To()))
		}
	}
	if (Axis{}).Cell(1) != 0 || (Axis{}).Edge(3) != 0 || (Axis{}).Time(0) != 0 {
		t.Error("got a cell of an empty axis, want 0")
	}
}

func TestARowJoinsSignsOfOnePaint(t *testing.T) {
	red, none := styles.Paint{On: "\x1b[31m"}, styles.Paint{}
	r := NewRow(8)
	r.Fill(-3, 3, "-", red)
	r.Text(4, "ab", none)
	r.Put(99, "x", red)
	r.Put(-1, "x", red)
	if got, want := r.String(), "\x1b[31m---\x1b[m ab  "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Shade(5, 20, func(p styles.Paint) styles.Paint { return p.And(red) })
	if got, want := r.String(), "\x1b[31m---\x1b[m a\x1b[31mb  \x1b[m"; got != want {
		t.Errorf("got %q with shade, want %q", got, want)
	}
	if got := r.Sign(4) + r.Sign(-1) + r.Sign(99) + r.Sign(0); got != "a-" {
		t.Errorf("got signs %q, want those of two cells, and none outside", got)
	}
	r.Reset(3)
	if got := r.String(); got != "   " {
		t.Errorf("got %q after a reset, want three blanks", got)
	}
	r.Reset(-1)
	if got := r.String(); got != "" {
		t.Errorf("got %q without cells, want nothing", got)
	}
}

// Package table shows rows of named values in columns: CSV, and JSON arrays whose
// elements are objects of one shape.
//
//	t, ok := table.CSV(text, ',')          // or table.JSON(&doc)
//	l := t.Fit(st, w, 0)                   // columns that fit into w cells, from the first
//	lines := append(l.Head(), l.Row(0), l.Row(1))
//
// A [Table] knows where its rows begin and reads one when it is asked for it, so that
// what is drawn costs the rows that are seen, however many there are. Nothing is hidden:
// what a row has too much stands in its last column, and a cell that does not fit ends in
// an ellipsis; [Table.Cells] has all of it.
package table

import (
	"cmp"
	"slices"
	"strconv"

	"parley/ui/canvas"
)

// A Table is rows in columns. It does not change.
type Table struct {
	name  string
	names []string
	rows  rows
	wide  []int  // cells that each column needs, as far as the sample tells
	right []bool // columns of numbers
}

// A Cell is one value of a row.
type Cell struct {
	Text   string
	Number bool
	// None is set where a row has no such value; Text tells it from an empty one: null,
	// or nothing.
	None bool
}

// rows are where the values come from.
type rows interface {
	len() int
	// cells puts the values of row i into cells, of which there is one per column. Of
	// each it reads at most most bytes, if that is positive.
	cells(i int, cells []Cell, most int)
	// span returns where in the source row i stands.
	span(i int) (from, to int)
}

const (
	// MaxColumns is how many columns a table has at most.
	MaxColumns = 256
	// sampled is how many rows, of the first and of the last ones each, tell how wide
	// columns are.
	sampled = 100
	// shown is how many bytes of a cell are read to draw it.
	shown = 512
)

// newTable returns the table of rows whose columns have names.
func newTable(names []string, rows rows) *Table {
	t := &Table{names: names, rows: rows, wide: make([]int, len(names)), right: make([]bool, len(names))}
	for i, name := range names {
		t.wide[i] = max(canvas.Width(canvas.SanitizeLine(head(name))), 1)
	}
	filled, numbers := make([]int, len(names)), make([]int, len(names))
	cells := make([]Cell, len(names))
	for i := 0; i < rows.len(); i++ {
		if i == sampled {
			i = max(i, rows.len()-sampled)
		}
		rows.cells(i, cells, shown)
		for j, c := range cells {
			t.wide[j] = max(t.wide[j], canvas.Width(canvas.SanitizeLine(c.Text)))
			if !c.None && c.Text != "" {
				filled[j]++
				if c.Number {
					numbers[j]++
				}
			}
		}
	}
	for j := range names {
		t.right[j] = filled[j] > 0 && numbers[j]*10 >= filled[j]*9
	}
	return t
}

// Len returns how many rows there are.
func (t *Table) Len() int { return t.rows.len() }

// Name returns what the whole of it is called, empty if it has no name.
func (t *Table) Name() string { return t.name }

// Names returns the names of the columns as they came.
func (t *Table) Names() []string { return t.names }

// Cells returns the values of row i, whole.
func (t *Table) Cells(i int) []Cell {
	cells := make([]Cell, len(t.names))
	t.rows.cells(i, cells, 0)
	return cells
}

// Span returns where in the source row i stands.
func (t *Table) Span(i int) (from, to int) { return t.rows.span(i) }

// named returns names of which none is empty: a column without one has its number.
func named(names []string) []string {
	for i, name := range names {
		names[i] = cmp.Or(name, "column "+strconv.Itoa(i+1))
	}
	return slices.Clip(names)
}

// head returns as much of a text as is drawn.
func head(s string) string { return s[:min(len(s), shown)] }

// number reports whether a text reads as a number.
func number(s string) bool {
	const longest = 40
	if s == "" || len(s) > longest || s[0] > '9' {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

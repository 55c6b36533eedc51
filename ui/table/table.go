// Package table shows rows of named values in columns: CSV, and JSON arrays whose
// elements are objects of one shape.
//
//	t, ok := table.CSV(text, ',')          // or table.JSON(&doc)
//	l := t.Fit(st, w, 0)                   // columns that fit into w cells, from the first
//	lines := append(l.Head(), l.Row(0), l.Row(1))
//
// A [Table] stores the offsets of its rows and reads a row on demand, so that drawing costs
// only the visible rows. Nothing is lost: the last column shows a row's surplus values, and an
// ellipsis marks a cell that does not fit; [Table.Cells] returns it whole.
package table

import (
	"cmp"
	"slices"
	"strconv"

	"parley/ui/canvas"
)

// A Table is rows in columns. It is immutable.
type Table struct {
	name  string
	names []string
	rows  rows
	wide  []int  // cells that each column needs, measured in the sample
	right []bool // right-aligned columns: those of numbers
}

// A Cell is one value of a row.
type Cell struct {
	Text   string
	Number bool
	// None is set if the row has no value here: then Text is null or empty.
	None bool
}

// rows are the source of the values.
type rows interface {
	len() int
	// cells stores the values of row i in cells, which has one element per column. It reads at
	// most most bytes of each, unless most is 0.
	cells(i int, cells []Cell, most int)
	// span returns the range of row i in the source.
	span(i int) (from, to int)
}

const (
	// MaxColumns is the largest number of columns of a table.
	MaxColumns = 256
	// sampleRows is how many rows, both of the first and of the last ones, are measured for the
	// widths of columns.
	sampleRows = 100
	// maxCellBytes is how many bytes of a cell are read to draw it.
	maxCellBytes = 512
)

// newTable returns a table of rows with the names of its columns.
func newTable(names []string, rows rows) *Table {
	t := &Table{names: names, rows: rows, wide: make([]int, len(names)), right: make([]bool, len(names))}
	for i, name := range names {
		t.wide[i] = max(canvas.Width(canvas.SanitizeLine(head(name))), 1)
	}
	filled, numbers := make([]int, len(names)), make([]int, len(names))
	cells := make([]Cell, len(names))
	for i := 0; i < rows.len(); i++ {
		if i == sampleRows {
			i = max(i, rows.len()-sampleRows)
		}
		rows.cells(i, cells, maxCellBytes)
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

// Name returns the name of the table, empty if it has none.
func (t *Table) Name() string { return t.name }

// Names returns the names of the columns, unsanitised.
func (t *Table) Names() []string { return t.names }

// Cells returns the values of row i, whole.
func (t *Table) Cells(i int) []Cell {
	cells := make([]Cell, len(t.names))
	t.rows.cells(i, cells, 0)
	return cells
}

// Span returns the range of row i in the source.
func (t *Table) Span(i int) (from, to int) { return t.rows.span(i) }

// columnNames replaces empty names by the column's number.
func columnNames(names []string) []string {
	for i, name := range names {
		names[i] = cmp.Or(name, "column "+strconv.Itoa(i+1))
	}
	return slices.Clip(names)
}

// head returns the part of a text that is drawn.
func head(s string) string { return s[:min(len(s), maxCellBytes)] }

// number reports whether a text is a number.
func number(s string) bool {
	const longest = 40
	if s == "" || len(s) > longest || s[0] > '9' {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

package markdown

import (
	"sort"
	"strings"

	extast "github.com/yuin/goldmark/extension/ast"

	"parley/ui/canvas"
	"parley/ui/styles"
)

const (
	minGap, maxGap = 2, 5 // cells between two columns
	minColumn      = 4    // narrower columns are not worth having
)

// table renders n as columns under a heading and a hairline. Columns are as wide
// as their widest cell; if that is too much the widest give way and their cells
// wrap. Where even that cannot work every row becomes a list of named values.
func (p *painter) table(n *extast.Table, w int) []string {
	var grid [][]string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		cells := make([]string, len(n.Alignments))
		i := 0
		for c := row.FirstChild(); c != nil && i < len(cells); i++ {
			next := c.NextSibling()
			cells[i] = p.cell(c, len(grid) == 0)
			c = next
		}
		grid = append(grid, cells)
	}
	if len(grid) == 0 || len(n.Alignments) == 0 {
		return nil
	}
	widths, gap := columns(grid, w)
	if widths == nil {
		return p.records(grid, w)
	}
	total := gap * (len(widths) - 1)
	for _, width := range widths {
		total += width
	}
	var rows []string
	for i, cells := range grid {
		rows = append(rows, tableRow(cells, widths, n.Alignments, gap)...)
		if i == 0 {
			rows = append(rows, p.st.Hairline.S(strings.Repeat(p.st.G[styles.Horizontal], total)))
		}
	}
	return rows
}

// columns returns the width of each column of grid so that rows fit into w cells,
// and the gap between columns; nil if they cannot fit.
func columns(grid [][]string, w int) (widths []int, gap int) {
	natural := make([]int, len(grid[0]))
	for _, cells := range grid {
		for i, cell := range cells {
			natural[i] = max(natural[i], canvas.Width(cell), 1)
		}
	}
	gaps := len(natural) - 1
	// The widest cap on a column with which all fit.
	over := sort.Search(w, func(limit int) bool { return capped(natural, limit+1)+gaps*minGap > w })
	if over == 0 {
		return nil, 0
	}
	widths = make([]int, len(natural))
	sum, cut := 0, false
	for i, width := range natural {
		widths[i] = min(width, over)
		sum += widths[i]
		cut = cut || width > over
	}
	if cut && over < minColumn {
		return nil, 0
	}
	gap = minGap
	if gaps > 0 {
		gap = min(max((w-sum)/gaps, minGap), maxGap)
	}
	return widths, gap
}

// capped returns the sum of widths, none counted for more than limit.
func capped(widths []int, limit int) int {
	sum := 0
	for _, width := range widths {
		sum += min(width, limit)
	}
	return sum
}

// tableRow renders one row of a table, as high as its highest cell.
func tableRow(cells []string, widths []int, align []extast.Alignment, gap int) []string {
	wrapped := make([][]string, len(cells))
	height := 0
	for i, cell := range cells {
		wrapped[i] = wrap(cell, widths[i])
		height = max(height, len(wrapped[i]))
	}
	rows := make([]string, height)
	for y := range rows {
		var row strings.Builder
		pending := 0 // blanks that stay away at the end of a row
		for i, lines := range wrapped {
			text := ""
			if y < len(lines) {
				text = lines[y]
			}
			space := max(widths[i]-canvas.Width(text), 0)
			before := 0
			switch align[i] {
			case extast.AlignRight:
				before = space
			case extast.AlignCenter:
				before = space / 2
			}
			pending += before
			if text != "" {
				row.WriteString(strings.Repeat(" ", pending))
				row.WriteString(text)
				pending = 0
			} else {
				pending += canvas.Width(text)
			}
			pending += space - before + gap
		}
		rows[y] = row.String()
	}
	return rows
}

// records renders the rows of a table below each other, each cell with its
// column's name.
func (p *painter) records(grid [][]string, w int) []string {
	var rows []string
	for _, cells := range grid[1:] {
		var record []string
		for i, cell := range cells {
			if cell != "" {
				record = append(record, wrap(strings.TrimSpace(grid[0][i]+" "+cell), w)...)
			}
		}
		rows = join(rows, record, true)
	}
	if len(grid) == 1 {
		rows = wrap(strings.Join(grid[0], " "), w)
	}
	return rows
}

package markdown

import (
	"sort"
	"strings"

	extast "github.com/yuin/goldmark/extension/ast"

	"parley/ui/canvas"
)

const (
	minGap, maxGap = 2, 5 // cells between two columns
	minColumn      = 4    // narrower columns are useless
	minPiece       = 6    // a word in shorter pieces is unreadable
)

// table renders n as columns under a heading and a hairline. Columns are as wide as their
// widest cell. If that is too wide, the widest columns shrink and their cells wrap, between
// words if possible. If that does not fit either, every row becomes a list of named values.
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
	total := gap*(len(widths)-1) + sum(widths)
	var rows []string
	for i, cells := range grid {
		rows = append(rows, tableRow(cells, widths, n.Alignments, gap)...)
		if i == 0 {
			rows = append(rows, canvas.Rule(p.st, total))
		}
	}
	return rows
}

// columns returns the width of each column of grid so that rows fit into w cells,
// and the gap between columns; nil if they cannot fit.
func columns(grid [][]string, w int) (widths []int, gap int) {
	natural := measure(grid, canvas.Width)
	gaps := len(natural) - 1
	room := w - gaps*minGap
	widths = natural
	if sum(natural) > room {
		widths = squeeze(grid, natural, room)
	}
	if widths == nil {
		return nil, 0
	}
	gap = minGap
	if gaps > 0 {
		gap = min(max((w-sum(widths))/gaps, minGap), maxGap)
	}
	return widths, gap
}

// squeeze returns widths narrower than natural that fit into room: the widest columns shrink
// first, and none becomes narrower than its longest word. If that is still too wide, the
// longest words are broken; nil if the pieces would be too short.
func squeeze(grid [][]string, natural []int, room int) []int {
	least := measure(grid, longestWord)
	for i := range least {
		least[i] = min(max(least[i], minColumn), natural[i])
	}
	widths := make([]int, len(natural))
	if sum(least) > room {
		limit := widest(room, func(limit int) int {
			for i, width := range least {
				widths[i] = min(width, limit)
			}
			return sum(widths)
		})
		if limit < minPiece {
			return nil
		}
		return widths
	}
	widest(room, func(limit int) int {
		for i, width := range natural {
			widths[i] = max(min(width, limit), least[i])
		}
		return sum(widths)
	})
	return widths
}

// widest applies the highest column limit with which all columns fit into room, and returns it.
func widest(room int, apply func(limit int) int) int {
	limit := sort.Search(max(room, 0), func(limit int) bool { return apply(limit+1) > room })
	apply(limit)
	return limit
}

// measure returns the highest measure of the cells of each column, at least 1.
func measure(grid [][]string, cells func(string) int) []int {
	out := make([]int, len(grid[0]))
	for _, row := range grid {
		for i, cell := range row {
			out[i] = max(out[i], cells(cell), 1)
		}
	}
	return out
}

func longestWord(cell string) int {
	longest := 0
	for word := range strings.SplitSeq(cell, " ") {
		longest = max(longest, canvas.Width(word))
	}
	return longest
}

func sum(widths []int) int {
	total := 0
	for _, width := range widths {
		total += width
	}
	return total
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
		pending := 0 // blanks, which are omitted at the end of a row
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

// records renders the rows of a table below each other, each cell with the name of its column.
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

// Package footer chooses the keys that the last row of the screen names.
//
// The left end has what is most useful now: as many keys as fit, the most useful first to stay. The
// right end has the same keys always, which lead to all the others.
package footer

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"

	"parley/ui/action"
	"parley/ui/canvas"
)

const (
	wide   = 160 // columns from which keys have their wide words
	narrow = 100 // columns below which words may become shorter so that one more key fits
)

// gap is the number of columns between two keys.
const gap = 2

// Fit returns the keys for a row of w columns, which begins and ends with a blank one. The keys of
// left leave in the order of their ranks, the highest first, and stand in the order of their places.
// Then comes pane, which leads to the next pane if there is one and leaves when only one key of left
// would remain beside it. Right has what leads to all other keys: the last stays longest.
func Fit(left, pane, right []action.Hint, w int) []key.Binding {
	f := fitting{room: w - 2, wide: w >= wide, narrow: w < narrow}
	byRank := make([]*action.Hint, len(left))
	for i := range left {
		byRank[i] = &left[i]
	}
	slices.SortStableFunc(byRank, func(a, b *action.Hint) int { return cmp.Compare(a.Rank, b.Rank) })
	for i := range slices.Backward(right) {
		f.add(&right[i])
	}
	if len(byRank) > 0 {
		f.add(byRank[0])
		byRank = byRank[1:]
	}
	for i := range pane {
		f.add(&pane[i])
	}
	for i := range byRank {
		if !f.add(byRank[i]) {
			break // what is less useful does not take its place
		}
	}
	return f.keys(left, pane, right)
}

// A fitting is a row in which keys find room.
type fitting struct {
	room   int // columns that are left
	wide   bool
	narrow bool
	taken  []taken
}

// A taken key stands in the row in certain words.
type taken struct {
	hint  *action.Hint
	words string
}

// add puts a key into the row, and reports whether there is room for it. If need be, keys that have
// shorter words are said in those.
func (f *fitting) add(h *action.Hint) bool {
	words := cmp.Or(h.Short, h.Keys.Help().Desc)
	if f.wide {
		words = cmp.Or(h.Wide, h.Keys.Help().Desc)
	}
	n := f.width(h, words)
	if n > f.room+f.spare() && f.narrow && h.Least != "" {
		words = h.Least
		n = f.width(h, words)
	}
	if n > f.room+f.spare() && len(f.taken) > 0 {
		return false
	}
	if n > f.room {
		f.shorten()
	}
	f.room -= n
	f.taken = append(f.taken, taken{h, words})
	return true
}

// width returns how many columns a key takes in the row.
func (f *fitting) width(h *action.Hint, words string) int {
	n := canvas.Width(h.Keys.Help().Key) + 1 + canvas.Width(words)
	if len(f.taken) > 0 {
		n += gap
	}
	return n
}

// spare returns how many columns shorter words would free.
func (f *fitting) spare() (n int) {
	if !f.narrow {
		return 0
	}
	for _, t := range f.taken {
		if t.hint.Least != "" {
			n += canvas.Width(t.words) - canvas.Width(t.hint.Least)
		}
	}
	return n
}

// shorten says keys in their shortest words.
func (f *fitting) shorten() {
	f.room += f.spare()
	for i := range f.taken {
		f.taken[i].words = cmp.Or(f.taken[i].hint.Least, f.taken[i].words)
	}
}

// keys returns the keys of the row in their places.
func (f *fitting) keys(left, pane, right []action.Hint) []key.Binding {
	order := make([]*action.Hint, 0, len(left)+len(pane)+len(right))
	for i := range left {
		order = append(order, &left[i])
	}
	slices.SortStableFunc(order, func(a, b *action.Hint) int { return cmp.Compare(a.Place, b.Place) })
	for _, end := range [...][]action.Hint{pane, right} {
		for i := range end {
			order = append(order, &end[i])
		}
	}
	var out []key.Binding
	for _, h := range order {
		if i := slices.IndexFunc(f.taken, func(t taken) bool { return t.hint == h }); i >= 0 {
			b := h.Keys
			b.SetHelp(b.Help().Key, f.taken[i].words)
			out = append(out, b)
		}
	}
	return out
}

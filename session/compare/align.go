package compare

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// A pair is an element of each of two lists, by its index; -1 for none.
type pair struct{ first, second int }

// maxHunk is how many elements are aligned by their texts where no text of its own divides them.
const maxHunk = 2000

// align pairs the elements of two lists that have the same text, or the same number in its place,
// in order; between these, by their order alone. It reports whether a long section was aligned by order alone, because none
// of its texts occurs once on both sides. Its cost grows little faster than the lists.
func align[K comparable](first, second []K) (pairs []pair, guessed bool) {
	from := pair{}
	for _, anchor := range append(anchors(first, second), pair{len(first), len(second)}) {
		section, guess := alignSection(first, second, from, anchor)
		pairs, guessed = append(pairs, section...), guessed || guess
		if anchor.first < len(first) && anchor.second < len(second) {
			pairs = append(pairs, anchor)
		}
		from = pair{anchor.first + 1, anchor.second + 1}
	}
	return pairs, guessed
}

// anchors returns the elements whose texts occur once on both sides, as many as have the same
// order on both.
func anchors[K comparable](first, second []K) []pair {
	type place struct{ n, m, j int }
	places := make(map[K]place, len(first))
	for _, text := range first {
		p := places[text]
		p.n++
		places[text] = p
	}
	for j, text := range second {
		if p, found := places[text]; found {
			p.m++
			p.j = j
			places[text] = p
		}
	}
	var all []pair
	for i, text := range first {
		if p := places[text]; p.n == 1 && p.m == 1 {
			all = append(all, pair{i, p.j})
		}
	}
	return longestRise(all)
}

// longestRise returns the longest selection of pairs that rises on the second side; on the first
// all do.
func longestRise(all []pair) []pair {
	var ends []int // of the best selection of each length, by its index in all
	before := make([]int, len(all))
	for i, p := range all {
		n := sort.Search(len(ends), func(n int) bool { return all[ends[n]].second >= p.second })
		if before[i] = -1; n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	var out []pair
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		out = append(out, all[i])
	}
	slices.Reverse(out)
	return out
}

// alignSection aligns the elements from one pair up to another.
func alignSection[K comparable](first, second []K, from, to pair) (pairs []pair, guessed bool) {
	if from.first == to.first || from.second == to.second {
		return inOrder(nil, from, to), false
	}
	if max(to.first-from.first, to.second-from.second) > maxHunk {
		return inOrder(nil, from, to), true
	}
	numbers := map[K]int{}
	a, b := numbered(numbers, first[from.first:to.first]), numbered(numbers, second[from.second:to.second])
	at := from
	for _, e := range udiff.Lines(a, b) {
		same := strings.Count(a[:e.Start], "\n") + from.first - at.first
		pairs = inOrder(pairs, at, pair{at.first + same, at.second + same})
		at = pair{at.first + same, at.second + same}
		end := pair{at.first + strings.Count(a[e.Start:e.End], "\n"), at.second + strings.Count(e.New, "\n")}
		pairs = inOrder(pairs, at, end)
		at = end
	}
	return inOrder(pairs, at, to), false
}

// numbered writes each text as a line with its number, which equal texts share.
func numbered[K comparable](numbers map[K]int, texts []K) string {
	var b strings.Builder
	for _, text := range texts {
		n, known := numbers[text]
		if !known {
			n = len(numbers)
			numbers[text] = n
		}
		b.WriteString(strconv.Itoa(n) + "\n")
	}
	return b.String()
}

// inOrder pairs the elements of a section by their order.
func inOrder(pairs []pair, from, to pair) []pair {
	for from.first < to.first || from.second < to.second {
		p := pair{-1, -1}
		if from.first < to.first {
			p.first = from.first
			from.first++
		}
		if from.second < to.second {
			p.second = from.second
			from.second++
		}
		pairs = append(pairs, p)
	}
	return pairs
}

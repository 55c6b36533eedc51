package palette

import (
	"strings"
	"unicode/utf8"

	"parley/ui/canvas"
)

const (
	// maxNear is how many similar entries are suggested.
	maxNear = 3
	// maxCompared is the longest text, in runes, that is compared with names.
	maxCompared = 40
)

// nearest returns the entries whose name or slash word is most similar to a text that matches
// nothing.
func nearest(text string, entries []Entry) []match {
	want := []rune(strings.ToLower(strings.TrimPrefix(text, "/")))
	if len(want) > maxCompared {
		return nil
	}
	most := 1 + len(want)/4 // differences
	var out []match
	for d := 1; d <= most && len(out) == 0; d++ {
		for i := range entries {
			e := &entries[i]
			if len(out) < maxNear && e.Why == "" && (differences(want, e.Name) == d || e.Word != "" && differences(want, e.Word) == d) {
				out = append(out, match{entry: e})
			}
		}
	}
	return out
}

// differences returns how many characters must be added, removed, replaced or swapped to turn a
// text into a name.
func differences(want []rune, name string) int {
	if n := utf8.RuneCountInString(name); n > 2*maxCompared {
		return n
	}
	got := []rune(strings.ToLower(name))
	before, last, row := make([]int, len(got)+1), make([]int, len(got)+1), make([]int, len(got)+1)
	for j := range last {
		last[j] = j
	}
	for i, r := range want {
		row[0] = i + 1
		for j, g := range got {
			cost := 1
			if r == g {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && r == got[j-1] && want[i-1] == g {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(got)]
}

// nothing says that nothing matches, what is similar, and what enter would do.
func (p *Palette) nothing() string {
	words := "nothing matches"
	if len(p.near) > 0 && !(p.taken && p.other != "") {
		var names []string
		for _, m := range p.near {
			names = append(names, canvas.SanitizeLine(m.entry.Name))
		}
		return words + "; did you mean " + strings.Join(names, " or ") + "? " + p.keys.Down.Help().Key + " selects it"
	}
	if p.other != "" {
		words += "; " + p.other
	}
	return words
}

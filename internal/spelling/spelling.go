// Package spelling finds which name a mistyped word may stand for.
package spelling

import (
	"strings"
	"unicode/utf8"
)

// MaxWord is the longest word, in runes, for which names are found: more is a sentence.
const MaxWord = 40

// Most returns how many differences a word of n runes may have from the name that it stands for.
func Most(n int) int { return 1 + n/4 }

// Nearest returns the name with the fewest differences from a word, the first of several, and
// whether it has few enough to be meant.
func Nearest[W ~string](word string, names []W) (name W, ok bool) {
	want := []rune(strings.ToLower(word))
	if len(want) > MaxWord {
		return name, false
	}
	least := Most(len(want)) + 1
	for _, w := range names {
		if d := Differences(want, string(w)); d < least && d < utf8.RuneCountInString(string(w)) {
			name, least, ok = w, d, true
		}
	}
	return name, ok
}

// Differences returns how many characters must be added, removed, replaced or swapped with their
// neighbours to turn a word in lower case into a name. The case of the name does not count. For a
// name that is much longer than a word, it returns the length of the name.
func Differences(want []rune, name string) int {
	if n := utf8.RuneCountInString(name); n > 2*MaxWord {
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

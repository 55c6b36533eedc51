package chat

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// lookAhead is how far behind the line before a line's words are looked for.
const lookAhead = 4096

// align returns, for each drawn line, the offset in source of what it shows.
// Rendering moves, wraps and drops characters but keeps the order of words, so
// the first word of a line is looked for behind the place of the line before. A
// line without a word that can be found stands where the one before does.
func align(lines []string, source []byte) []int {
	offsets := make([]int, len(lines))
	at := 0
	for i, line := range lines {
		begin, end := -1, at
		rest := ansi.Strip(line)
		for tries := 0; tries < 4; tries++ {
			var word string
			if word, rest = nextWord(rest); word == "" {
				break
			}
			window := source[end:min(end+lookAhead, len(source))]
			if found := bytes.Index(window, []byte(word)); found >= 0 {
				if begin < 0 {
					begin = end + found
				}
				end += found + len(word)
			}
		}
		offsets[i] = max(begin, at)
		if begin < 0 {
			offsets[i] = at
		}
		at = end
	}
	return offsets
}

// nextWord returns the first run of letters and digits in s and what follows it.
func nextWord(s string) (word, rest string) {
	start := -1
	for i, r := range s {
		inWord := r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
		if inWord && start < 0 {
			start = i
		}
		if !inWord && start >= 0 {
			return s[start:i], s[i:]
		}
	}
	if start >= 0 {
		return s[start:], ""
	}
	return "", ""
}

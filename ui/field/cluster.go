package field

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Cluster returns how many characters of the grapheme cluster at the cursor stand before and
// behind it, such as those of a joined emoji or of a letter with its marks. The cursor is
// before character col of the line.
func Cluster(line string, col int) (before, behind int) {
	for at := 0; line != ""; {
		c, _ := ansi.FirstGraphemeCluster(line, ansi.GraphemeWidth)
		if c == "" {
			_, size := utf8.DecodeRuneInString(line)
			c = line[:size]
		}
		end := at + utf8.RuneCountInString(c)
		if at < col {
			before = col - at
		}
		if end > col {
			return before, end - col
		}
		at, line = end, line[len(c):]
	}
	return min(before, col), 0
}

// removed returns the text that a deletion removed.
func removed(before, after string) string {
	b, a := []rune(before), []rune(after)
	if len(a) >= len(b) {
		return ""
	}
	start := 0
	for start < len(a) && a[start] == b[start] {
		start++
	}
	return string(b[start : start+len(b)-len(a)])
}

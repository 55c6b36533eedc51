package canvas

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the number of cells that s, one line, takes on the screen.
// Escape sequences take none.
func Width(s string) int { return ansi.StringWidth(s) }

// Fit returns the line s cut or padded with spaces to exactly w cells.
func Fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	s = ansi.Truncate(s, w, "")
	return s + strings.Repeat(" ", w-Width(s))
}

// FitRight is [Fit] with the padding in front: for numbers.
func FitRight(s string, w int) string {
	if w <= 0 {
		return ""
	}
	s = ansi.Truncate(s, w, "")
	return strings.Repeat(" ", w-Width(s)) + s
}

// Ellipsize returns s if it takes at most w cells, else its beginning followed by
// mark (an ellipsis), in at most w cells together.
func Ellipsize(s string, w int, mark string) string {
	if w <= 0 {
		return ""
	}
	return ansi.Truncate(s, w, mark)
}

// Skip returns the line s without its first n cells, attributes kept: for
// scrolling sideways.
func Skip(s string, n int) string { return ansi.TruncateLeft(s, n, "") }

// Wrap breaks text, which may hold line breaks and SGR sequences, into lines of
// at most w cells. Words stay whole unless they are longer than a line. Every
// line stands alone: attributes are closed at its end and opened again on the next.
func Wrap(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	return strings.Split(ansi.Wrap(s, w, ""), "\n")
}

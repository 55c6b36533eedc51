package canvas

import "strings"

// Width returns the number of cells that s, one line, takes on the screen.
// Escape sequences take none.
func Width(s string) int {
	width := 0
	for i := 0; i < len(s); {
		if n := plainRun(s[i:]); n > 0 {
			i += n
			width += n
			continue
		}
		n, w := next(s[i:])
		i += n
		width += w
	}
	return width
}

// A head is the beginning of a line, measured.
type head struct {
	end   int  // bytes in it
	width int  // cells it takes
	more  bool // visible text follows
	open  pen  // what it leaves switched on
}

// measure finds the longest beginning of s that fits in w cells, and reads no further.
func measure(s string, w int) head {
	h := head{}
	for h.end < len(s) {
		if n := min(plainRun(s[h.end:]), w-h.width); n > 0 {
			h.end += n
			h.width += n
			continue
		}
		n, uw := next(s[h.end:])
		if h.width+uw > w || uw > 0 && h.width == w {
			h.more = true
			return h
		}
		if s[h.end] == esc {
			h.open.read(s[h.end : h.end+n])
		}
		h.end += n
		h.width += uw
	}
	return h
}

// Fit returns the line s cut or padded with spaces to exactly w cells. A space replaces a wide
// character that would be cut in half.
func Fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	h := measure(s, w)
	if h.width == w && h.end == len(s) && h.open.closed() {
		return s
	}
	return s[:h.end] + h.open.off() + spaces(w-h.width)
}

// FitRight is [Fit] with the padding in front: for numbers.
func FitRight(s string, w int) string {
	if w <= 0 {
		return ""
	}
	h := measure(s, w)
	if h.width == w && h.end == len(s) && h.open.closed() {
		return s
	}
	return spaces(w-h.width) + s[:h.end] + h.open.off()
}

// Ellipsize returns s if it takes at most w cells, otherwise its beginning followed by mark (an
// ellipsis), in at most w cells together. The mark has the paint of the text that it replaces.
func Ellipsize(s string, w int, mark string) string {
	if w <= 0 {
		return ""
	}
	h := measure(s, w)
	if !h.more {
		return s[:h.end] + h.open.off()
	}
	mw := Width(mark)
	if mw > w {
		mark, mw = "", 0
	}
	h = measure(s, w-mw)
	return s[:h.end] + mark + h.open.off()
}

// EllipsizeWords is [Ellipsize] that cuts between words, with a space in front of
// the mark, unless that would leave less than half of the width.
func EllipsizeWords(s string, w int, mark string) string {
	if h := measure(s, max(w, 0)); !h.more {
		return Ellipsize(s, w, mark)
	}
	h := measure(s, w-1-Width(mark))
	cut := strings.LastIndexByte(s[:min(h.end+1, len(s))], ' ')
	if cut < 0 || Width(s[:cut]) < w/2 {
		return Ellipsize(s, w, mark)
	}
	h = measure(s, Width(strings.TrimRight(s[:cut], " ")))
	return s[:h.end] + " " + mark + h.open.off()
}

// Skip returns the line s without its first n cells, with attributes kept: for horizontal
// scrolling. A space replaces half of a wide character.
func Skip(s string, n int) string {
	if n <= 0 {
		return s
	}
	var open pen
	width, i := 0, 0
	for i < len(s) && width < n {
		un, uw := next(s[i:])
		if s[i] == esc {
			open.read(s[i : i+un])
		}
		i += un
		width += uw
	}
	if i == len(s) {
		return spaces(width - n)
	}
	return open.on() + spaces(width-n) + s[i:]
}

// spaces returns n spaces, none when n is negative.
func spaces(n int) string {
	const run = "                                                                                                                                "
	switch {
	case n <= 0:
		return ""
	case n <= len(run):
		return run[:n]
	}
	return strings.Repeat(" ", n)
}

package start

import (
	"strings"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// The name of the program in three rows, in half blocks and in ASCII.
var (
	blockMark = [...]string{
		"█▀▀▄  ▄▀▀█  █▄▀▀  █   ▄▀▀▄  █  █",
		"█▄▄▀  █  █  █     █   █▀▀▀  ▀▄▄█",
		"█      ▀▀▀  ▀     ▀▀   ▀▀▀   ▄▄▀",
	}
	plainMark = [...]string{
		" _    _   _  |   _",
		"|_)  (_| |   |  (/_  \\/",
		"|                    /",
	}
)

const (
	markHeight = len(blockMark)
	markGap    = 4 // between the mark and words beside it
)

// wordmark draws the name of the program in rows of one width, its columns in a gradient.
func wordmark(st *styles.Styles) []string {
	mark, w := blockMark, 0
	if st.G[styles.Solid] != "█" {
		mark = plainMark
	}
	for _, row := range mark {
		w = max(w, canvas.Width(row))
	}
	paints, out := st.Gradient(w), make([]string, 0, markHeight)
	for _, row := range mark {
		var b strings.Builder
		for x, sign := range []rune(canvas.Fit(row, w)) {
			if sign == ' ' {
				b.WriteRune(sign)
				continue
			}
			b.WriteString(paints[x].S(string(sign)))
		}
		out = append(out, b.String())
	}
	return out
}

package cli

import (
	"bufio"
	"io"
	"strings"
	"unicode/utf8"

	"parley/session/compare"
)

// printDiff writes a result to standard output.
func (a *app) printDiff(r *compare.Result, output string) error {
	if output == "json" {
		raw, err := r.JSON()
		if err != nil {
			return internal("The result cannot be written as JSON: %s.", err.Error())
		}
		return a.print(append(escapeUnsafe(raw), '\n'))
	}
	out := bufio.NewWriter(a.streams.Out)
	colours := plain
	if isTerminal(a.streams.Out) && a.env.get("NO_COLOR") == "" {
		colours = coloured
	}
	writeDiff(out, r, colours)
	if err := out.Flush(); err != nil {
		return writeFault(err)
	}
	return nil
}

// A palette has the escape sequences of the marks.
type palette map[byte]string

var (
	plain    = palette{}
	coloured = palette{compare.First: "\x1b[31m", compare.Second: "\x1b[32m", compare.Heading: "\x1b[1m"}
)

// paint returns a text in the colour of a mark.
func (p palette) paint(mark byte, text string) string {
	if c := p[mark]; c != "" {
		return c + text + "\x1b[0m"
	}
	return text
}

// writeDiff writes a result as text. The writer keeps its error.
func writeDiff(w io.StringWriter, r *compare.Result, p palette) {
	put := func(mark byte, text string) { _, _ = w.WriteString(p.paint(mark, clean(text)) + "\n") }
	put(compare.First, "- "+r.First.Name+": "+r.First.About)
	put(compare.Second, "+ "+r.Second.Name+": "+r.Second.About)
	put(compare.Words, "")
	for _, l := range r.Lines() {
		switch l.Mark {
		case compare.Words, compare.Heading:
			for _, row := range wrapWords(clean(l.Text), pipeWidth) {
				put(l.Mark, row)
			}
		default:
			put(l.Mark, string(l.Mark)+" "+l.Text)
		}
	}
}

// wrapWords divides a sentence into rows of at most width letters, unless a word is longer. The
// next rows begin with two spaces.
func wrapWords(text string, width int) (rows []string) {
	if utf8.RuneCountInString(text) <= width {
		return []string{text}
	}
	row, n := "", 0
	for word := range strings.SplitSeq(text, " ") {
		letters := utf8.RuneCountInString(word)
		if n > 0 && n+1+letters > width {
			rows, row, n = append(rows, row), "  "+word, letters+2
			continue
		}
		if n > 0 {
			row, n = row+" ", n+1
		}
		row, n = row+word, n+letters
	}
	return append(rows, row)
}

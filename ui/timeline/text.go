package timeline

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// textWidth is the largest width of the lines of [View.Text].
const textWidth = 100

// Text returns the whole view as plain text, and a name for it.
func (v *View) Text() (text, what string) {
	v.load()
	if !v.Streams() {
		return "", "nothing"
	}
	whole := *v
	whole.w, whole.at = textWidth, -1
	whole.h = 1 + whole.entries()
	rows := []string{whole.rule(false)}
	a := whole.axis()
	rows = append(rows, whole.sparkline(a), whole.states(a))
	rows = append(rows, whole.figures()...)
	for i := range whole.entries() {
		rows = append(rows, whole.entry(i))
	}
	if whole.chain.last().Open() {
		rows = append(rows, whole.live())
	}
	for i, row := range rows {
		rows[i] = strings.TrimRight(ansi.Strip(row), " ")
	}
	first := whole.chain.streams[0].Exchange
	return strings.Join(rows, "\n") + "\n", "stream " + strconv.FormatUint(uint64(first), 10)
}

package styles

// Reset ends what a [Paint] began: it puts every attribute and colour back.
const Reset = "\x1b[m"

// A Paint is a way to draw a piece of one line. The zero Paint leaves text as it
// is.
type Paint struct {
	On string // the SGR sequence that switches it on; empty for none
}

// S returns s painted. s is a piece of a single line; what follows it is drawn
// plainly again. An empty s stays empty.
func (p Paint) S(s string) string {
	if p.On == "" || s == "" {
		return s
	}
	return p.On + s + Reset
}

// And returns a paint that applies p and then q, which wins where both set the
// same thing.
func (p Paint) And(q Paint) Paint { return Paint{On: p.On + q.On} }

// Bold returns p in bold.
func (p Paint) Bold() Paint { return Paint{On: p.On + "\x1b[1m"} }

// Underline returns p underlined.
func (p Paint) Underline() Paint { return Paint{On: p.On + "\x1b[4m"} }

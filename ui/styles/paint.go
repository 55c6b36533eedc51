package styles

// Reset ends a [Paint]: it resets every attribute and colour.
const Reset = "\x1b[m"

// A Paint draws a piece of one line. The zero Paint leaves text unchanged.
type Paint struct {
	On string // the SGR sequence that begins it; empty for none
}

// S returns s painted. s is a piece of a single line; the text after it is plain again. An
// empty s stays empty.
func (p Paint) S(s string) string {
	if p.On == "" || s == "" {
		return s
	}
	return p.On + s + Reset
}

// And returns a paint that applies p and then q, which wins where both set the same attribute.
func (p Paint) And(q Paint) Paint { return Paint{On: p.On + q.On} }

// Bold returns p in bold.
func (p Paint) Bold() Paint { return Paint{On: p.On + "\x1b[1m"} }

// Underline returns p underlined.
func (p Paint) Underline() Paint { return Paint{On: p.On + "\x1b[4m"} }

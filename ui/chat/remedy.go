package chat

import (
	"strconv"

	"parley/session"
)

// A Remedy is what can be tried with an agent that nobody knows how to speak to.
type Remedy uint8

// The remedies.
const (
	PinDialect   Remedy = iota // the user decides how it is spoken to
	ProbeAgain                 // its endpoint is asked how it speaks
	WriteRequest               // the user writes what is sent
	remedyCount
)

// String says what the remedy is.
func (r Remedy) String() string {
	return [...]string{"pin a dialect, whatever the card says", "ask the endpoint again how it speaks", "write a request by hand"}[r]
}

// stuck reports whether the agent was found and cannot be spoken to.
func (p *Pane) stuck() bool { return p.agent != nil && p.agent.Phase == session.Failed }

// remedies offers what can be tried, a line and a digit for each.
func (p *Pane) remedies() []string {
	if !p.stuck() {
		return nil
	}
	k, mod := p.ink, ""
	if !p.focused {
		mod = "alt+"
	}
	lines := make([]string, 0, remedyCount)
	for r := range remedyCount {
		lines = append(lines, k.cut(k.st.Accent.Bold().S(mod+strconv.Itoa(int(r)+1))+"  "+k.st.Text.S(r.String()), p.w))
	}
	return lines
}

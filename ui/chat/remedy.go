package chat

import (
	"strconv"

	"parley/session/model"
)

// A Remedy can be tried with an agent whose dialect is unknown.
type Remedy uint8

// The remedies.
const (
	PinDialect   Remedy = iota // the user pins a dialect
	ProbeAgain                 // Parley probes its endpoint
	WriteRequest               // the user writes the request
	remedyCount
)

// String describes the remedy.
func (r Remedy) String() string {
	return [...]string{"pin a dialect", "probe the endpoint again", "write a request by hand"}[r]
}

// stuck reports whether the agent was found but no way to speak to it.
func (p *Pane) stuck() bool { return p.agent != nil && p.agent.Phase == model.Failed }

// remedies lists the remedies, a line and a digit for each.
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

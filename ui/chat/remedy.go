package chat

import "parley/session/model"

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

// needsRemedy reports whether the agent was found but no way to speak to it.
func (p *Pane) needsRemedy() bool { return p.agent != nil && p.agent.Phase == model.Failed }

// remedies lists the remedies. The numbers are those of their lines.
func (p *Pane) remedies() (lines []string, at []int) {
	for r := range remedyCount {
		at = append(at, len(lines))
		lines = append(lines, p.offerLine(p.digit(int(r)+1), p.renderer.st.Text.S(r.String())))
	}
	return lines, at
}

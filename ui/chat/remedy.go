package chat

import "parley/session/model"

// A Remedy can be tried with an agent whose dialect is unknown.
type Remedy uint8

// The remedies.
const (
	PinDialect   Remedy = iota // the user pins a dialect
	ProbeAgain                 // Parley probes its endpoint
	WriteRequest               // the user writes the request
	ReviewCard                 // the user looks at what has changed in the card
)

// String describes the remedy.
func (r Remedy) String() string {
	return [...]string{"pin a dialect", "probe the endpoint again", "write a request by hand", "review what has changed in the card"}[r]
}

// needsRemedy reports whether the agent was found but no way to speak to it.
func (p *Pane) needsRemedy() bool { return p.agent != nil && p.agent.Phase == model.Failed }

// SetHeld shows whether the agent is not used because its card has to be approved.
func (p *Pane) SetHeld(held bool) {
	if p.held != held {
		p.held, p.greeting, p.dirty = held, greeting{}, true
	}
}

// helpful returns the remedies that help.
func (p *Pane) helpful() []Remedy {
	if p.held {
		return []Remedy{ReviewCard}
	}
	return []Remedy{PinDialect, ProbeAgain, WriteRequest}
}

// remedies lists the remedies. The chips are where they stand.
func (p *Pane) remedies() (lines []string, at []replyChip) {
	for i, r := range p.helpful() {
		at = append(at, p.wholeLine(len(lines)))
		lines = append(lines, p.offerLine(p.digit(i+1), p.renderer.st.Text.S(r.String())))
	}
	return lines, at
}

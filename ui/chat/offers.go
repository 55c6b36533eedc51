package chat

import (
	"slices"

	"parley/ui/styles"
)

// An Offer is an agent that the user can open while none is open.
type Offer struct {
	Name, Note string
	Saved      bool // the user named it
}

// OpenOffer asks to open one of the offered agents, counted from 0.
type OpenOffer struct{ Index int }

func (OpenOffer) intent() {}

// maxOffers is the largest number of offered agents, so that a digit is left for the demo.
const maxOffers = maxPrompts - 1

// SetOffers offers agents while none is open.
func (p *Pane) SetOffers(list []Offer) {
	list = list[:min(len(list), maxOffers)]
	if !slices.Equal(p.offers, list) {
		p.offers, p.greeting, p.dirty = slices.Clone(list), greeting{}, true
	}
}

// openOffer asks to open offer i, counted from 0, while no agent is open.
func (p *Pane) openOffer(i int) Intent {
	switch {
	case i >= 0 && i < len(p.offers):
		return OpenOffer{Index: i}
	case i == len(p.offers) && p.demo:
		return OpenDemo{}
	default:
		return nil
	}
}

// offerKeys returns the number of digits that open something while no agent is open.
func (p *Pane) offerKeys() int {
	switch {
	case p.agent != nil:
		return 0
	case p.demo:
		return len(p.offers) + 1
	default:
		return len(p.offers)
	}
}

// greetWithoutAgent says how to open an agent. The numbers are those of the lines with an offer.
func (p *Pane) greetWithoutAgent() (lines []string, at []int) {
	k := p.renderer
	offer := func(text string) {
		at = append(at, len(lines))
		lines = append(lines, p.offerLine(p.digit(len(at)), text))
	}
	lines = append([]string{k.st.Bold.S("No agent is open")},
		k.text(k.st.Dim, "Press ctrl+p and enter its address: a URL, or the file of an agent card.", p.w)...)
	if p.offerKeys() > 0 {
		lines = append(lines, "")
	}
	for _, s := range p.offers {
		name := k.st.Dim.S(k.clean(s.Name))
		if s.Saved {
			name = k.st.Text.S(k.clean(s.Name))
		}
		offer(k.glyph(k.st.Faint, styles.Idle) + " " + name + "  " + k.st.Faint.S(k.clean(s.Note)))
	}
	if p.demo {
		offer(k.st.Text.S("try four demo agents, offline"))
	}
	return lines, at
}

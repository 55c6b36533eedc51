package chat

import (
	"slices"

	"parley/ui/styles"
)

// A Start is an agent that can be opened while none is.
type Start struct {
	Name, Note string
	Saved      bool // the user named it
}

// Begin asks to open one of the offered agents, counted from 0.
type Begin struct{ Index int }

func (Begin) intent() {}

// maxStarts is how many agents are offered, so that a digit is left for the demo.
const maxStarts = maxPrompts - 1

// SetStarts offers agents while none is open.
func (p *Pane) SetStarts(list []Start) {
	list = list[:min(len(list), maxStarts)]
	if !slices.Equal(p.starts, list) {
		p.starts, p.drawn, p.dirty = slices.Clone(list), greeting{}, true
	}
}

// start opens offer number i where no agent is open.
func (p *Pane) start(i int) Intent {
	switch {
	case i >= 0 && i < len(p.starts):
		return Begin{Index: i}
	case i == len(p.starts) && p.demo:
		return Demo{}
	default:
		return nil
	}
}

// startKeys is how many digits open something where no agent is open.
func (p *Pane) startKeys() int {
	switch {
	case p.agent != nil:
		return 0
	case p.demo:
		return len(p.starts) + 1
	default:
		return len(p.starts)
	}
}

// greetNobody says how to open an agent. The numbers are those of the lines with an offer.
func (p *Pane) greetNobody() (lines []string, at []int) {
	k := p.ink
	offer := func(text string) {
		at = append(at, len(lines))
		lines = append(lines, p.offer(p.digit(len(at)), text))
	}
	lines = append([]string{k.st.Bold.S("No agent is open")},
		k.text(k.st.Dim, "Press ctrl+p and enter its address: a URL, or the file of an agent card.", p.w)...)
	if p.startKeys() > 0 {
		lines = append(lines, "")
	}
	for _, s := range p.starts {
		name := k.st.Dim.S(k.word(s.Name))
		if s.Saved {
			name = k.st.Text.S(k.word(s.Name))
		}
		offer(k.glyph(k.st.Faint, styles.Idle) + " " + name + "  " + k.st.Faint.S(k.word(s.Note)))
	}
	if p.demo {
		offer(k.st.Text.S("try four demo agents, offline"))
	}
	return lines, at
}

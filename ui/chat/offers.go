package chat

import (
	"slices"
	"time"

	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/keys"
	"parley/ui/styles"
)

// An Offer is an agent that the user can open while none is open.
type Offer struct {
	Name, Note string
	Dialect    string    // the version and the binding that it spoke last, empty if unknown
	Saved      bool      // the user named it
	Used       time.Time // when it was opened last, zero if unknown
}

// OpenOffer asks to open one of the offered agents, counted from 0.
type OpenOffer struct{ Index int }

func (OpenOffer) intent() {}

// BrowseSessions asks to list the recorded sessions, and OpenInterrupted to open the newest one,
// which was interrupted.
type (
	BrowseSessions  struct{}
	OpenInterrupted struct{}
)

func (BrowseSessions) intent()  {}
func (OpenInterrupted) intent() {}

// maxOffers is the largest number of offered agents.
const maxOffers = maxPrompts - 1

// offered returns the agents that are offered: as many as leave digits for the others.
func (p *Pane) offered() []Offer { return p.offers[:min(len(p.offers), maxPrompts-len(p.others()))] }

// recorded is what is offered of the recorded sessions.
type recorded struct {
	sessions    int
	interrupted string // what names the newest one if it was interrupted
}

// SetRecorded offers the recorded sessions while no agent is open: how many there are, and what
// names the newest one if it was interrupted.
func (p *Pane) SetRecorded(sessions int, interrupted string) {
	p.recorded, p.greeting, p.dirty = recorded{sessions, interrupted}, greeting{}, true
}

// others returns what can be opened besides the offered agents, in the order of their digits.
func (p *Pane) others() (all []Intent) {
	if p.demo {
		all = append(all, OpenDemo{})
	}
	if p.recorded.interrupted != "" {
		all = append(all, OpenInterrupted{})
	}
	if p.recorded.sessions > 0 {
		all = append(all, BrowseSessions{})
	}
	return all
}

// SetOffers offers agents while none is open.
func (p *Pane) SetOffers(list []Offer) {
	list = list[:min(len(list), maxOffers)]
	if !slices.Equal(p.offers, list) {
		p.offers, p.greeting, p.dirty = slices.Clone(list), greeting{}, true
	}
}

// openOffer asks to open offer i, counted from 0, while no agent is open.
func (p *Pane) openOffer(i int) Intent {
	if i >= 0 && i < len(p.offered()) {
		return OpenOffer{Index: i}
	}
	if others, j := p.others(), i-len(p.offered()); j >= 0 && j < len(others) {
		return others[j]
	}
	return nil
}

// offerKeys returns the number of digits that open something while no agent is open.
func (p *Pane) offerKeys() int {
	if p.agent != nil {
		return 0
	}
	return len(p.offered()) + len(p.others())
}

// greetWithoutAgent says how to open an agent. The chips are where the offers stand.
func (p *Pane) greetWithoutAgent() (lines []string, at []replyChip) {
	k := p.renderer
	offer := func(text string) {
		at = append(at, p.wholeLine(len(lines)))
		lines = append(lines, p.offerLine(p.digit(len(at)), text))
	}
	lines = append([]string{k.st.Bold.S("No agent is open")},
		k.text(k.st.Dim, "Press "+keys.Name(k.keyOf(action.FindAnything))+" and type its address: a URL, or the file of an agent card.", p.w)...)
	if p.offerKeys() > 0 {
		lines = append(lines, "")
	}
	for _, s := range p.offered() {
		name := k.st.Dim.S(k.clean(s.Name))
		if s.Saved {
			name = k.st.Text.S(k.clean(s.Name))
		}
		offer(k.glyph(k.st.Faint, styles.Idle) + " " + name + "  " + k.st.Faint.S(k.clean(s.Note)))
	}
	for _, other := range p.others() {
		switch other.(type) {
		case OpenDemo:
			offer(k.st.Text.S("try the demo agents, offline"))
		case OpenInterrupted:
			offer(k.glyph(k.st.Waiting, styles.Cut) + " " + k.st.Text.S("interrupted: ") + k.st.Dim.S(k.clean(p.recorded.interrupted)))
		case BrowseSessions:
			offer(k.st.Text.S("browse " + units.Plural(p.recorded.sessions, "recorded session")))
		}
	}
	return lines, at
}

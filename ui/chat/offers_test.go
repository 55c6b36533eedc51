package chat

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
)

func TestAgentsThatCanBeOpenedHaveADigitEach(t *testing.T) {
	var list []Offer
	for i := range 12 {
		list = append(list, Offer{Name: fmt.Sprintf("agent %d \x1b[2J", i), Note: strings.Repeat("語", 100), Saved: i%2 == 0})
	}
	p := namedPane(dark(), clockAt(noon))
	p.Show(nil, nil)
	p.SetOffers(list)
	p.OfferDemo()
	for w := range 10 {
		for h := range 16 {
			p.SetSize(10*w, h)
			panetest.Exact(t, p.Lines(), 10*w, h)
		}
	}
	p.SetSize(60, 20)
	p.Focus()
	panetest.Sees(t, panetest.Text(p.Lines()), "1  ○ agent 0", "8  ○ agent 7", "9  try the demo agents")
	for key, want := range map[string]Intent{"1": OpenOffer{0}, "8": OpenOffer{7}, "9": OpenDemo{}} {
		if got := p.Key(panetest.Key(key)); got != want {
			t.Errorf("%s: got %#v, want %#v", key, got, want)
		}
	}
	for y, row := range p.Lines() {
		if strings.Contains(row, "agent 3") {
			if got := p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 5, y); got != (OpenOffer{3}) {
				t.Errorf("click on agent 3: got %#v, want Begin{3}", got)
			}
		}
	}
	p.SetOffers(nil)
	if got := p.Key(panetest.Key("1")); got != (OpenDemo{}) {
		t.Errorf("1 without agents: got %#v, want Demo", got)
	}
}

func TestTheRecordedSessionsAreOfferedWhileNoAgentIsOpen(t *testing.T) {
	p := namedPane(dark(), clockAt(noon))
	p.Show(nil, nil)
	p.SetSize(70, 20)
	p.Focus()
	p.SetOffers(slices.Repeat([]Offer{{Name: "agent"}}, 12))
	p.OfferDemo()
	p.SetRecorded(34, "Plan a \x1b[2J trip, 20 Nov, 14:02")
	panetest.Sees(t, panetest.Text(p.Lines()), "6  ○ agent", "7  try the demo agents", "8  ↯ interrupted: Plan a", "9  browse 34 recorded sessions")
	for key, want := range map[string]Intent{"6": OpenOffer{5}, "7": OpenDemo{}, "8": OpenInterrupted{}, "9": BrowseSessions{}} {
		if got := p.Key(panetest.Key(key)); got != want {
			t.Errorf("%s: got %#v, want %#v", key, got, want)
		}
	}
	p.SetRecorded(1, "")
	panetest.Sees(t, panetest.Text(p.Lines()), "8  try the demo agents", "9  browse 1 recorded session")
}

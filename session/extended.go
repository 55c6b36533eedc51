package session

import "parley/a2a"

// An Extended is what is known of the card that an agent shows to authenticated callers.
type Extended struct {
	// Stands is set while the extended card is the agent's [Agent.Card]. Public is then the
	// card that it replaces, nil if there was none, and Changes the differences.
	Stands  bool
	Public  *a2a.Card
	Changes []CardChange
	// Why says why the agent showed no such card at the last request, or why the card is no
	// longer used; empty while nothing is known.
	Why string

	record a2a.RecordID // of Public
}

// extendedCard applies that an extended card replaces the public one, or why it does not.
func (s *State) extendedCard(a *Agent, attr map[string]string, ch *Change) {
	x := &a.Extended
	card, record := s.cardAt(attr[attrRecord], "")
	if card == nil {
		x.Why = attr[attrSentence]
		return
	}
	x.Why = ""
	if !x.Stands {
		x.Stands, x.Public, x.record = true, a.Card, a.CardRecord
	}
	x.Changes = nil
	if x.Public != nil {
		x.Changes = cardChanges(x.Public, card)
	}
	a.Card, a.CardRecord = card, record
	s.profile(a, map[string]string{attrProfile: attr[attrProfile]}, ch)
	a.lacks()
}

// publicCard applies that the public card is used again.
func (s *State) publicCard(a *Agent, attr map[string]string, ch *Change) {
	x := &a.Extended
	if x.Stands {
		a.Card, a.CardRecord = x.Public, x.record
	}
	*x = Extended{Why: attr[attrSentence]}
	s.profile(a, map[string]string{attrProfile: attr[attrProfile]}, ch)
	a.lacks()
}

package model

import (
	"parley/a2a"
	"parley/session/card"
	"parley/session/log"
)

// An Extended is what is known of the card that an agent shows to authenticated callers.
type Extended struct {
	// Stands is set while the extended card is the agent's [Agent.Card]. Public is then the
	// card that it replaces, nil if there was none, and Changes the differences.
	Stands  bool
	Public  *a2a.Card
	Changes []card.Change
	// Why says why the agent showed no such card at the last request, or why the card is no
	// longer used; empty while nothing is known.
	Why string

	record a2a.RecordID // of Public
}

// extendedCard applies that an extended card replaces the public one, or why it does not.
func (s *State) extendedCard(a *Agent, attr map[string]string) {
	x := &a.Extended
	c, record := s.cardAt(attr)
	if c == nil {
		x.Why = attr[log.AttrSentence]
		return
	}
	x.Why = ""
	if !x.Stands {
		x.Stands, x.Public, x.record = true, a.Card, a.CardRecord
	}
	x.Changes = nil
	if x.Public != nil {
		x.Changes = card.Changes(x.Public, c)
	}
	a.Card, a.CardRecord = c, record
	a.setProfile(attr)
	a.findMissing()
}

// publicCard applies that the public card is used again.
func (s *State) publicCard(a *Agent, attr map[string]string) {
	x := &a.Extended
	if x.Stands {
		a.Card, a.CardRecord = x.Public, x.record
	}
	*x = Extended{Why: attr[log.AttrSentence]}
	a.setProfile(attr)
	a.findMissing()
}

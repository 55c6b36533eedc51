package model

import (
	"net/http"

	"parley/a2a"
)

// CardFault returns the attempt at the agent's card that a server fault answered, nil if there
// was none: the card may exist although it was not delivered.
func (a *Agent) CardFault() *a2a.Lookup {
	return a.attempt(func(at *a2a.Lookup) bool { return at.Status >= http.StatusInternalServerError })
}

// CardTrouble returns the attempt at the agent's card that best explains why the agent has
// none: an unreadable card, otherwise a server fault, otherwise something that is not a card.
// It returns nil if every address answered that nothing exists there.
func (a *Agent) CardTrouble() *a2a.Lookup {
	if bad := a.attempt(func(at *a2a.Lookup) bool { return at.Class == a2a.ClassBadCard }); bad != nil {
		return bad
	}
	if fault := a.CardFault(); fault != nil {
		return fault
	}
	return a.attempt(func(at *a2a.Lookup) bool { return at.Status == http.StatusOK && at.Sentence != "" })
}

// attempt returns the first attempt at the agent's card that satisfies is, nil if there is
// none.
func (a *Agent) attempt(is func(*a2a.Lookup) bool) *a2a.Lookup {
	for i := range a.Attempts {
		if at := &a.Attempts[i]; at.Probe == "" && is(at) {
			return at
		}
	}
	return nil
}

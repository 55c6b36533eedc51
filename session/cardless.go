package session

import (
	"net/http"

	"parley/a2a"
)

// CardFault returns the attempt at the agent's card that was answered with a fault of the
// server, nil if none was: such a card cannot be delivered now, which does not mean that
// there is none.
func (a *Agent) CardFault() *a2a.Attempt {
	return a.attempt(func(at *a2a.Attempt) bool { return at.Status >= http.StatusInternalServerError })
}

// CardTrouble returns the attempt at the agent's card that says most about why the agent has
// none here: what came was a card that cannot be read, else a fault of the server, else
// something that is no card. It returns nil if each place answered that nothing is there.
func (a *Agent) CardTrouble() *a2a.Attempt {
	if bad := a.attempt(func(at *a2a.Attempt) bool { return at.Class == a2a.ClassBadCard }); bad != nil {
		return bad
	}
	if fault := a.CardFault(); fault != nil {
		return fault
	}
	return a.attempt(func(at *a2a.Attempt) bool { return at.Status == http.StatusOK && at.Sentence != "" })
}

// attempt returns the first attempt at the agent's card of which is is true, nil if there is
// none.
func (a *Agent) attempt(is func(*a2a.Attempt) bool) *a2a.Attempt {
	for i := range a.Attempts {
		if at := &a.Attempts[i]; at.Probe == "" && is(at) {
			return at
		}
	}
	return nil
}

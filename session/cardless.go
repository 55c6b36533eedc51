package session

import "parley/a2a"

// CardFault returns the attempt at the agent's card that was answered with a fault of the
// server, nil if none was: such a card cannot be delivered now, which does not mean that
// there is none.
func (a *Agent) CardFault() *a2a.Attempt {
	for i := range a.Attempts {
		if at := &a.Attempts[i]; at.Probe == "" && at.Status >= 500 {
			return at
		}
	}
	return nil
}

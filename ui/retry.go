package ui

import (
	"parley/session"
	"parley/ui/composer"
	"parley/ui/control"
)

// A message that comes back is sent again to where it went, unless the user chooses
// otherwise: it would be another message without the tasks that it refers to.

// retryAt notes where the message went that is now in the draft of a place.
func (m *Model) retryAt(at control.Place, to session.Target) {
	to.Agent, to.Conversation = at.Agent, at.Conversation
	m.writing.retries[at] = to
	if at == m.cur {
		m.aimed = false
	}
}

// retrying returns the choice to which the message on the screen went before, once and if
// that is still open, else -1. What the message refers to is among the choices for as long
// as it is there.
func (m *Model) retrying(choices []composer.TargetChoice) (all []composer.TargetChoice, again int) {
	to, ok := m.writing.retries[m.cur]
	if !ok {
		return choices, -1
	}
	if m.panes.composer.Empty() {
		delete(m.writing.retries, m.cur)
		return choices, -1
	}
	i := sameAs(choices, to)
	if i < 0 && to.TaskID == "" && len(to.References) > 0 {
		i, choices = 0, append([]composer.TargetChoice{m.referring(to)}, choices...)
	}
	if i < 0 || m.aimed || choices[i].Why != "" {
		return choices, -1
	}
	return choices, i
}

// sameAs returns the index of the choice that leads to a target at once, -1 if there is
// none.
func sameAs(choices []composer.TargetChoice, to session.Target) int {
	for i, c := range choices {
		if c.Kind != composer.TargetQueue && sameTarget(c, composer.TargetChoice{Target: to}) {
			return i
		}
	}
	return -1
}

// referring is a new task that refers to what a message referred to before.
func (m *Model) referring(to session.Target) composer.TargetChoice {
	c := composer.TargetChoice{
		Kind: composer.TargetNew, Target: to, Note: "as before",
		Label: "new task that refers to task " + shortID(to.References[0]), Short: "refer to " + shortID(to.References[0]),
	}
	if a := m.state.Agent(to.Agent); a != nil {
		c.Why = unready(a)
	}
	return c
}

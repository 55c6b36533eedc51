package composer

import (
	"slices"

	"parley/session/model"
)

// TargetKind says what a message does where it goes.
type TargetKind uint8

// The kinds of target.
const (
	TargetNew    TargetKind = iota // begins a task
	TargetReply                    // goes to a task at work
	TargetAnswer                   // goes to a task that waits for the user
	TargetFork                     // goes on from an earlier turn
	TargetQueue                    // waits until the turn that is under way is over
)

// A TargetChoice is one place where enter may send the text. Its words may come
// from the network: they are sanitised here.
type TargetChoice struct {
	Kind   TargetKind
	Target model.Target
	Label  string // "reply to task 91c2 (input-required)"
	Note   string // "same task and context"; may be empty, and is cut behind "; " where there is no room
	Warn   string // what may go wrong there; enter sends all the same
	Short  string // how the line names this choice while another one stands: "new task"
	// Why says in one sentence why nothing can be sent there, such as "Travel
	// Desk is not reachable". A choice with a Why is never reached by the key.
	Why string
	// Secret is set where a secret is asked for: what is written for it is hidden.
	Secret bool
}

// sameChoice reports whether two choices are the same, as they are shown and as they
// are sent.
func sameChoice(a, b TargetChoice) bool {
	return a.Kind == b.Kind && a.Label == b.Label && a.Note == b.Note && a.Warn == b.Warn && a.Short == b.Short && a.Why == b.Why && a.Secret == b.Secret &&
		a.Target.Agent == b.Target.Agent && a.Target.Conversation == b.Target.Conversation &&
		a.Target.ContextID == b.Target.ContextID && a.Target.TaskID == b.Target.TaskID &&
		slices.Equal(a.Target.References, b.Target.References)
}

// SetTargets sets where a message may go and which of these stands now.
func (c *Composer) SetTargets(choices []TargetChoice, selected int) {
	defer c.settle() // the draft may be another one
	selected = max(0, min(selected, len(choices)-1))
	if selected == c.selected && slices.EqualFunc(choices, c.targets, sameChoice) {
		return
	}
	c.targets, c.selected, c.dirty = choices, selected, true
}

// Selected returns the index of the target that stands now.
func (c *Composer) Selected() int { return c.selected }

// why returns the sentence that forbids sending, empty if enter sends.
func (c *Composer) why() string {
	if len(c.targets) == 0 {
		return "no agent is open"
	}
	return c.targets[c.selected].Why
}

// next returns the choice that the target key goes to, -1 if there is none.
func (c *Composer) next() int {
	for n := 1; n < len(c.targets); n++ {
		i := (c.selected + n) % len(c.targets)
		if c.targets[i].Why == "" {
			return i
		}
	}
	return -1
}

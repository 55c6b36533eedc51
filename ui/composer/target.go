package composer

import (
	"slices"

	"parley/session/model"
)

// TargetKind is the effect of a message at its target.
type TargetKind uint8

// The kinds of targets.
const (
	TargetNew    TargetKind = iota // starts a task
	TargetReply                    // continues a task that is running
	TargetAnswer                   // answers a task that waits for the user
	TargetFork                     // continues from an earlier turn
	TargetQueue                    // waits until the current turn ends
)

// A TargetChoice is a target that the user can select. Its texts may come from the network; the
// composer sanitizes them.
type TargetChoice struct {
	Kind   TargetKind
	Target model.Target
	Label  string // "reply to task 91c2 (input-required)"
	Note   string // "same task and context"; may be empty; is cut at "; " if there is no room
	Warn   string // what may go wrong; enter sends in spite of it
	Short  string // name of this target while another one is selected: "new task"
	// Why is the reason, a sentence, why the message cannot be sent there, such as "Travel Desk
	// is not reachable"; empty if it can. The target key skips a choice that has one.
	Why string
	// Secret reports whether the target asks for a secret, so that the text is masked.
	Secret bool
	// Calm is set if the reason is no failure: nothing was tried yet.
	Calm bool
}

// sameChoice reports whether two choices look the same and send to the same target.
func sameChoice(a, b TargetChoice) bool {
	return a.Kind == b.Kind && a.Label == b.Label && a.Note == b.Note && a.Warn == b.Warn && a.Short == b.Short && a.Why == b.Why && a.Secret == b.Secret &&
		a.Target.Agent == b.Target.Agent && a.Target.Conversation == b.Target.Conversation &&
		a.Target.ContextID == b.Target.ContextID && a.Target.TaskID == b.Target.TaskID &&
		slices.Equal(a.Target.References, b.Target.References)
}

// SetTargets sets the targets and which of them is selected.
func (c *Composer) SetTargets(choices []TargetChoice, selected int) {
	defer c.updateSecret() // the draft may have changed
	selected = max(0, min(selected, len(choices)-1))
	if selected == c.selected && slices.EqualFunc(choices, c.targets, sameChoice) {
		return
	}
	c.targets, c.selected, c.dirty = choices, selected, true
}

// Selected returns the index of the selected target.
func (c *Composer) Selected() int { return c.selected }

// why returns the reason why the message cannot be sent, empty if it can.
func (c *Composer) why() string {
	if len(c.targets) == 0 {
		return "no agent is open"
	}
	return c.targets[c.selected].Why
}

// next returns the index of the target that the target key selects, -1 if there is none.
func (c *Composer) next() int {
	for n := 1; n < len(c.targets); n++ {
		i := (c.selected + n) % len(c.targets)
		if c.targets[i].Why == "" {
			return i
		}
	}
	return -1
}

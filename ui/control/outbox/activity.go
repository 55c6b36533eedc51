package outbox

import (
	"slices"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/control"
)

// An activity caches whether a conversation has pending turns and tasks, of which there may be
// ten thousand, until the conversation changes.
type activity struct {
	conv    *model.Conversation
	version uint64
	turn    bool
	task    bool
}

func (u *activity) update(conv *model.Conversation) {
	if u.conv == conv && u.version == conv.Version {
		return
	}
	*u = activity{
		conv: conv, version: conv.Version,
		turn: slices.ContainsFunc(conv.Turns, (*model.Turn).Busy),
		task: slices.ContainsFunc(conv.Tasks, func(t *model.Task) bool { return !t.Over() }),
	}
}

// Underway reports whether a conversation has a pending turn, and whether it has a task that is
// not over, which may also wait for the user.
func (c *Controller) Underway(conv *model.Conversation) (turn, task bool) {
	c.activity.update(conv)
	return c.activity.turn, c.activity.task
}

// busyAt reports whether a turn is pending at a place, including one that has no record yet.
func (c *Controller) busyAt(at control.Place) bool {
	conv := c.host.State().Conversation(at.Conversation)
	for id, s := range c.sent {
		if s.at == at && findTurn(conv, id) == nil {
			return true
		}
	}
	if conv == nil {
		return false
	}
	turn, _ := c.Underway(conv)
	return turn
}

func findTurn(conv *model.Conversation, id a2a.TurnID) *model.Turn {
	if conv == nil {
		return nil
	}
	for _, t := range slices.Backward(conv.Turns) {
		if t.ID == id {
			return t
		}
	}
	return nil
}

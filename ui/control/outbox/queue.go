package outbox

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
)

// A queue holds the messages of a conversation that wait for the turn before them. They
// are nowhere else: an agent hears of a message when it is its turn.
type queue struct {
	waiting []composer.Draft
	held    string     // why the next one waits for the user, empty if it goes by itself
	behind  a2a.TurnID // the turn that did not end well, if that is why
	gap     int        // where the one belongs that is being edited, -1 if none is
}

// queueAt returns the queue of a place, which it makes if need be.
func (c *Controller) queueAt(at control.Place) *queue {
	q := c.queues[at]
	if q == nil {
		q = &queue{gap: -1}
		c.queues[at] = q
	}
	return q
}

// putBack puts a message before all that wait.
func (q *queue) putBack(d composer.Draft) {
	q.waiting = slices.Insert(q.waiting, 0, d)
	if q.gap >= 0 {
		q.gap++
	}
}

// Enqueue puts a message of the conversation on the screen behind those that wait, or back
// where it was taken from.
func (c *Controller) Enqueue(d composer.Draft) tea.Cmd {
	at := c.host.Place()
	q := c.queueAt(at)
	i := len(q.waiting)
	if q.gap >= 0 {
		i = min(q.gap, i)
	}
	q.waiting, q.gap = slices.Insert(q.waiting, i, d), -1
	c.aim.fixed = false
	c.host.Touch()
	return c.advance(at) // the turn may have ended at this moment
}

// addQueue puts the choice to wait before the others while a turn is under way, but behind
// what the agents ask: an answer does not wait.
func (c *Controller) addQueue(choices []composer.TargetChoice) []composer.TargetChoice {
	here := c.host.Place()
	q := c.queues[here]
	if c.host.Refusal() != "" || here.Conversation == 0 || !c.engaged(here) && (q == nil || q.held != "") {
		return choices
	}
	wait := composer.TargetChoice{
		Kind: composer.TargetQueue, Target: model.Target{Agent: here.Agent, Conversation: here.Conversation},
		Label: "queue", Note: "sent when the agent is done", Short: "queue",
	}
	if a := c.host.Agent(); a != nil && a.Phase == model.Unreachable {
		wait.Note = "queued; the agent is not reachable"
	}
	at := 0
	for at < len(choices) && choices[at].Kind == composer.TargetAnswer {
		at++
	}
	return slices.Insert(choices, at, wait)
}

// turnOver sends what waits behind a turn that is over, or holds it if that did not end
// well.
func (c *Controller) turnOver(s *log.Signal) tea.Cmd {
	at := control.Place{Agent: s.Agent, Conversation: s.Conversation}
	was := c.sent[s.Turn]
	delete(c.sent, s.Turn)
	if was.again { // nothing of it was accepted
		c.queueAt(at).putBack(was.draft)
	}
	q := c.queues[at]
	if q == nil {
		return nil
	}
	turn := findTurn(c.host.State().Conversation(at.Conversation), s.Turn)
	why := holdReason(turn, s)
	if was.again {
		why = cmp.Or(why, "the message was rejected")
	}
	if q.held != "" && q.behind == s.Turn && taskForgotten(turn) {
		q.held = "" // what it waited for is gone
	}
	if why == "" || q.held != "" {
		return c.advance(at)
	}
	q.held, q.behind = why, s.Turn
	c.host.Touch()
	return c.host.Say(units.Plural(len(q.waiting), "queued message")+" held: "+why, true)
}

// advance sends the next message that waits at a place, unless a turn is under way, they
// are held, or the user has taken it back to edit it.
func (c *Controller) advance(at control.Place) tea.Cmd {
	q := c.queues[at]
	if q == nil || q.held != "" || c.engaged(at) {
		return nil
	}
	if q.gap == 0 && !c.draftAt(at).Empty() {
		return nil
	}
	if len(q.waiting) == 0 {
		if q.gap < 0 {
			delete(c.queues, at)
		}
		return nil
	}
	a, conv := c.host.State().Agent(at.Agent), c.host.State().Conversation(at.Conversation)
	if a == nil || conv == nil {
		return nil
	}
	if why := control.Unready(a); why != "" {
		q.held = why
		return nil
	}
	d := q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1)
	q.gap = max(q.gap-1, -1)
	if len(q.waiting) == 0 && q.gap < 0 {
		delete(c.queues, at)
	}
	c.host.Touch()
	to := model.Target{Agent: at.Agent, Conversation: at.Conversation, ContextID: conv.ContextID}
	return c.deliver(d, to, true)
}

// showQueue gives the composer what waits at the place on the screen. A message that was
// taken back to be edited, and is gone, no longer holds up the others.
func (c *Controller) showQueue() tea.Cmd {
	var shown composer.Queue
	var cmd tea.Cmd
	here := c.host.Place()
	if q := c.queues[here]; q != nil {
		if q.gap >= 0 && c.composer.Empty() {
			q.gap = -1
			cmd = c.advance(here)
		}
		shown = composer.Queue{Waiting: q.waiting, Held: q.held}
	}
	c.composer.SetQueue(shown)
	return cmd
}

// Queued counts the messages that wait anywhere.
func (c *Controller) Queued() int {
	n := 0
	for _, q := range c.queues {
		n += len(q.waiting)
	}
	return n
}

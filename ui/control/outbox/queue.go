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

// A queue has the messages of a conversation that wait for the end of a turn. Nothing of them
// is sent before.
type queue struct {
	waiting []composer.Draft
	held    string     // why the next one waits for the user, empty if it is sent when the turn ends
	behind  a2a.TurnID // the turn that did not end well, if that is the reason
	gap     int        // the index of the message that is being edited, -1 for none
}

// queueAt returns the queue of a place. It creates one if there is none.
func (c *Controller) queueAt(at control.Place) *queue {
	q := c.queues[at]
	if q == nil {
		q = &queue{gap: -1}
		c.queues[at] = q
	}
	return q
}

// putBack inserts a message before all others.
func (q *queue) putBack(d composer.Draft) {
	q.waiting = slices.Insert(q.waiting, 0, d)
	if q.gap >= 0 {
		q.gap++
	}
}

// Enqueue appends a message of the conversation on the screen to the queue, or puts it back
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
	return c.advance(at) // the turn may have ended just now
}

// addQueue inserts the choice to queue the message while a turn is pending. It comes after the
// answers to tasks, which do not wait, and before those to tasks of which the agent has an answer to
// which it has said nothing yet. Where a task asks for a secret, the next text stays one.
func (c *Controller) addQueue(choices []composer.TargetChoice) []composer.TargetChoice {
	here := c.host.Place()
	q := c.queues[here]
	if control.Refusal(c.host) != "" || here.Conversation == 0 || !c.busyAt(here) && (q == nil || q.held != "") {
		return choices
	}
	wait := composer.TargetChoice{
		Kind: composer.TargetQueue, Target: model.Target{Agent: here.Agent, Conversation: here.Conversation},
		Label: "queue", Note: "sent when the agent is done", Short: "queue",
	}
	if c.host.Agent().Away() {
		wait.Note = "queued; the agent is not reachable"
	}
	var first, rest []composer.TargetChoice
	for _, choice := range choices {
		if choice.Kind == composer.TargetAnswer && (choice.Secret || !c.answering(here, choice.Target.TaskID)) {
			first = append(first, choice)
		} else {
			rest = append(rest, choice)
		}
	}
	return slices.Concat(first, []composer.TargetChoice{wait}, rest)
}

// answering reports whether an answer to a task is on its way, and the agent has not said anything to it.
func (c *Controller) answering(at control.Place, task string) bool {
	conv := c.host.State().Conversation(at.Conversation)
	for id, s := range c.sent {
		if s.at != at || s.to.TaskID != task {
			continue
		}
		if turn := findTurn(conv, id); turn == nil || turn.Busy() && len(turn.Blocks)+len(turn.Asides) == 0 {
			return true
		}
	}
	return false
}

// turnOver sends the next queued message after a turn, or lets the queue wait for the user if the turn
// did not end well.
func (c *Controller) turnOver(s *log.Signal) tea.Cmd {
	at := control.Place{Agent: s.Agent, Conversation: s.Conversation}
	was := c.sent[s.Turn]
	delete(c.sent, s.Turn)
	if was.again { // the agent accepted nothing of it
		c.queueAt(at).putBack(was.draft)
	}
	q := c.queues[at]
	if q == nil {
		return nil
	}
	turn := findTurn(c.host.State().Conversation(at.Conversation), s.Turn)
	why := waitReason(turn)
	if turn == nil && s.Sentence != "" || was.again {
		why = cmp.Or(why, "the message was not accepted")
	}
	if q.held != "" && q.behind == s.Turn && taskForgotten(turn) {
		q.held = "" // the task that it waited for is gone
	}
	if why == "" || q.held != "" {
		return c.advance(at)
	}
	q.held, q.behind = why, s.Turn
	c.host.Touch()
	waits := " waits: "
	if len(q.waiting) > 1 {
		waits = " wait: "
	}
	return c.host.Say(units.Plural(len(q.waiting), "queued message")+waits+why, true)
}

// advance sends the next queued message of a place, unless a turn is pending, the queue is
// held, or that message is being edited.
func (c *Controller) advance(at control.Place) tea.Cmd {
	q := c.queues[at]
	if q == nil || q.held != "" || c.busyAt(at) {
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

// showQueue gives the composer the queue of the place on the screen. A message that was taken
// back to be edited and then deleted no longer holds up the others.
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

// Queued returns the number of all queued messages.
func (c *Controller) Queued() int {
	n := 0
	for _, q := range c.queues {
		n += len(q.waiting)
	}
	return n
}

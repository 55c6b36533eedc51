package tracker

import (
	"parley/a2a"
	"parley/session/log"
	"parley/session/task"
)

// delivery judges a delivery to a webhook.
func (t *Tracker) delivery(r *a2a.Record, u *a2a.Update, v *log.Verdict) {
	v.Fate = fateOf(r, u)
	call := r.Call
	if call == nil || call.Agent == 0 || t.agents[call.Agent] == nil {
		return
	}
	x := newExchange(r.ID, call, t.agents[call.Agent])
	t.exchanges[r.ID] = x
	if t.turns.has(call.Turn) {
		x.turn = call.Turn
	}
	if id := deliveredTask(call, u); t.isShown(x, id) {
		x.task, x.turn = id, t.memory.of(call.Agent, id).turn
	}
	v.Subject = x.task
	for i := 0; i < len(u.Events) && v.Fate == log.FateTaken; i++ {
		it := task.Mention{Record: r, Event: &u.Events[i]}
		ruling := log.Ruling{By: i, Record: r, Event: it.Event, Turn: x.turn}
		if v.Fate = t.fate(x, it); v.Fate == log.FateTaken {
			t.assemble(x, it, &ruling)
			t.noteAnswer(x, it)
		} else {
			ruling.Effect = log.EffectIgnored
		}
		v.Rulings = append(v.Rulings, ruling)
	}
}

// isShown reports whether a task is part of a conversation.
func (t *Tracker) isShown(x *exchange, id string) bool {
	known := t.memory.of(x.call.Agent, id)
	return known != nil && known.shown
}

// fateOf returns the fate of a delivery as far as it does not depend on the task.
func fateOf(r *a2a.Record, u *a2a.Update) log.Fate {
	facts := &a2a.DeliveryFacts{}
	if c := r.Call; c != nil && c.Delivery != nil {
		facts = c.Delivery
	}
	switch {
	case facts.Validation:
		return log.FateValidated
	case facts.RefusalReason != "":
		return log.FateRefused
	case !aboutTask(u):
		return log.FateUnread
	case facts.Repeats != 0:
		return log.FateTwice
	}
	return log.FateTaken
}

// aboutTask reports whether an update is about a task.
func aboutTask(u *a2a.Update) bool {
	for i := range u.Events {
		if IsAssembled(u.Events[i].Kind) {
			return true
		}
	}
	return false
}

// deliveredTask returns the task of a delivery: the one that it names, otherwise the one of its webhook.
func deliveredTask(call *a2a.Call, u *a2a.Update) string {
	for i := range u.Events {
		if id := u.Events[i].TaskID; id != "" {
			return id
		}
	}
	return call.TaskID
}

// fate returns what becomes of one event of a delivery.
func (t *Tracker) fate(x *exchange, it task.Mention) log.Fate {
	ev, about := it.Event, x.call.TaskID
	switch {
	case about != "" && ev.TaskID != "" && ev.TaskID != about:
		return log.FateForeign
	case x.turn == 0, ev.TaskID == "" && ev.Kind != a2a.EventMessage:
		return log.FateStray
	case x.task != "" && t.isStreamed(x):
		return log.FateStreamed
	case x.task != "" && x.isOver():
		return log.FateLate
	}
	if st := task.StatusOf(ev); st != nil {
		switch known := x.fold.Status(ev.TaskID); {
		case known == nil:
		case !st.Time.IsZero() && !known.Time.IsZero() && st.Time.Before(known.Time):
			return log.FateStale
		case ev.Kind == a2a.EventStatus && st.Word == known.Word && st.TimestampText == known.TimestampText:
			return log.FateKnown
		}
	}
	switch {
	case ev.Kind == a2a.EventArtifact && (ev.Append || x.fold.Holds(ev.TaskID, ev.Artifact.Key)):
		return log.FatePiece
	case x.task != "" && ev.Task != nil && x.shrinks(ev.Task):
		return log.FateStale
	case t.memory.judge(x, it) == task.MoveContradicts:
		return log.FateLate
	}
	return log.FateTaken
}

// isOver reports whether the newest task of an exchange has ended.
func (x *exchange) isOver() bool {
	st := x.fold.Status(x.task)
	return st != nil && st.State.Terminal()
}

// isStreamed reports whether an open stream reports the task of a delivery.
func (t *Tracker) isStreamed(x *exchange) bool {
	for _, other := range t.exchanges {
		if other.streams && other.task == x.task && other.call.Agent == x.call.Agent {
			return true
		}
	}
	return false
}

// shrinks reports whether a whole task has only the beginning of an artifact of which more is
// known: it was sent before what came already.
func (x *exchange) shrinks(whole *a2a.Task) bool {
	for i := range whole.Artifacts {
		a := &whole.Artifacts[i]
		switch more, begins := x.fold.Beyond(x.task, a.Key, a.Parts); {
		case more < 0:
		case !begins:
			return false
		case more > 0:
			return true
		}
	}
	return false
}

package session

import "parley/a2a"

// trails are what is needed of the tasks of all agents to decide what an event may change, in
// [State] and in the check of a replay alike.
type trails map[taskKey]*trail

// A trail is what is needed of a task.
type trail struct {
	conv  a2a.ConversationID // in which it first occurred
	ended a2a.RecordID       // that reported its newest end
}

// find returns a function that relates an agent's tasks to a call.
func (t trails) find(call *a2a.Call, fold *a2a.Fold) func(task string) relation {
	return func(id string) relation {
		known := t[taskKey{call.Agent, id}]
		if known == nil {
			return relation{}
		}
		is := relation{known: true, conv: known.conv}
		if st := fold.Status(id); st != nil {
			is.state = st.State
		}
		return is
	}
}

// judge returns the effect of an exchange's event on its task, and remembers it. The fold gets
// nothing that contradicts the end of a task.
func (t trails) judge(x a2a.ExchangeID, call *a2a.Call, fold *a2a.Fold, it said) Move {
	id := it.event.TaskID
	if id == "" {
		return MoveTaken
	}
	key := taskKey{call.Agent, id}
	known := t[key]
	if known == nil {
		known = &trail{conv: call.Conversation}
		t[key] = known
	}
	st, before := statusOf(it.event), fold.Status(id)
	if st == nil {
		return MoveTaken
	}
	move := MoveTaken
	if before != nil {
		move = judge(before, st, aboutMessage(call.Op) && x > known.ended)
	}
	if move == MoveTaken && st.State.Terminal() {
		known.ended = it.record.ID
	}
	return move
}

// judge returns the effect of a status on a task in another one.
func judge(before, now *a2a.Status, reopens bool) Move {
	l := Lifecycle{State: before.State, Word: before.Word}
	return l.Judge(now, reopens)
}

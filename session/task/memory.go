package task

import "parley/a2a"

// Memory are what is needed of the tasks of all agents to decide what an event may change, in
// [model.State] and in the check of a replay alike.
type Memory map[Key]*memo

// A memo is what is needed of a task.
type memo struct {
	conv  a2a.ConversationID // in which it first occurred
	ended a2a.RecordID       // that reported its newest end
}

// Find returns a function that relates an agent's tasks to a call.
func (t Memory) Find(call *a2a.Call, fold *a2a.Fold) func(task string) Relation {
	return func(id string) Relation {
		known := t[Key{call.Agent, id}]
		if known == nil {
			return Relation{}
		}
		is := Relation{Known: true, Conv: known.conv}
		if st := fold.Status(id); st != nil {
			is.State = st.State
		}
		return is
	}
}

// Judge returns the effect of an exchange's event on its task, and remembers it. The fold gets
// nothing that contradicts the end of a task.
func (t Memory) Judge(x a2a.ExchangeID, call *a2a.Call, fold *a2a.Fold, it Mention) Move {
	id := it.Event.TaskID
	if id == "" {
		return MoveTaken
	}
	key := Key{call.Agent, id}
	known := t[key]
	if known == nil {
		known = &memo{conv: call.Conversation}
		t[key] = known
	}
	st, before := StatusOf(it.Event), fold.Status(id)
	if st == nil {
		return MoveTaken
	}
	move := MoveTaken
	if before != nil {
		was := Lifecycle{State: before.State, Word: before.Word}
		move = was.Judge(st, SendsMessage(call.Op) && x > known.ended)
	}
	if move == MoveTaken && st.State.Terminal() {
		known.ended = it.Record.ID
	}
	return move
}

package tracker

import (
	"parley/a2a"
	"parley/session/task"
)

// A memory is what is needed of the tasks of all agents to decide what an event may change.
type memory map[task.Key]*memo

// A memo is what is needed of a task, beside its status.
type memo struct {
	conv     a2a.ConversationID // in which it first occurred
	turn     a2a.TurnID         // the newest of its turns
	shown    bool               // it is part of a conversation
	ended    a2a.RecordID       // reported its newest end
	answered a2a.RecordID       // the newest delivery, or answer to a get, that it took
	over     bool               // it was over once, see [log.Ruling.Texts]
}

// A turnSet holds numbers of turns, each as a bit: 64 consecutive turns take one entry.
type turnSet map[a2a.TurnID]uint64

func (s turnSet) add(id a2a.TurnID)      { s[id/64] |= 1 << (id % 64) }
func (s turnSet) has(id a2a.TurnID) bool { return id != 0 && s[id/64]&(1<<(id%64)) != 0 }

// of returns what is known of a task, nil for an unknown one.
func (m memory) of(agent a2a.AgentID, id string) *memo { return m[task.Key{Agent: agent, ID: id}] }

// find returns a function that relates the tasks of an agent to an exchange.
func (m memory) find(x *exchange) func(id string) task.Relation {
	return func(id string) task.Relation {
		known := m.of(x.call.Agent, id)
		if known == nil {
			return task.Relation{}
		}
		is := task.Relation{Known: true, Conv: known.conv}
		if st := x.fold.Status(id); st != nil {
			is.State = st.State
		}
		return is
	}
}

// judge returns the effect of an exchange's event on its task, and remembers it. The fold gets
// nothing that contradicts the end of a task.
func (m memory) judge(x *exchange, it task.Mention) task.Move {
	id := it.Event.TaskID
	if id == "" {
		return task.MoveTaken
	}
	key := task.Key{Agent: x.call.Agent, ID: id}
	known := m[key]
	if known == nil {
		known = &memo{conv: x.call.Conversation}
		m[key] = known
	}
	st, before := task.StatusOf(it.Event), x.fold.Status(id)
	if st == nil {
		return task.MoveTaken
	}
	move := task.MoveTaken
	if before != nil {
		was := task.Lifecycle{State: before.State, Word: before.Word}
		move = was.Judge(st, task.SendsMessage(x.call.Op) && x.id > known.ended)
	}
	if move == task.MoveTaken && st.State.Terminal() {
		known.ended = it.Record.ID
	}
	return move
}

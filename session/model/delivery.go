package model

import (
	"parley/a2a"
	"parley/session/log"
	"parley/session/task"
)

// delivery applies a delivery to a webhook.
func (s *State) delivery(p *log.Item, v *log.Verdict, ch *Change) {
	r, call := &p.Record, p.Record.Call
	p.Fate = v.Fate
	if call == nil || call.Agent == 0 || s.agents[call.Agent] == nil {
		return
	}
	x := &exchange{id: r.ID, call: call, agent: s.agents[call.Agent], turn: s.turns[call.Turn]}
	s.exchanges[r.ID] = x
	ch.Agent = call.Agent
	if t := s.Task(call.Agent, v.Subject); t != nil {
		x.task, x.turn = t, t.turn
		if p.Fate != log.FateRefused && p.Fate != log.FateValidated {
			t.Push.Deliveries++
			t.touch()
		}
	}
	for i := range v.Rulings {
		it := &v.Rulings[i]
		if it.Effect != log.EffectOwn {
			s.summary(x, it, p.Fate, ch)
			continue
		}
		s.apply(x, it, ch)
		if task := s.Task(x.agent.ID, it.Event.TaskID); task != nil {
			task.newestAnswer = r.ID
		}
		ch.Agents = true
	}
	if x.turn != nil {
		ch.Turn, ch.Conversation = x.turn.ID, x.turn.Conversation.ID
		s.anchorDefault(x, r.ID)
	}
}

// deliveryEnd applies the answer to a delivery, which is its end.
func (s *State) deliveryEnd(x *exchange, r *a2a.Record, ch *Change) {
	if r.Kind == a2a.KindEnd {
		delete(s.exchanges, x.id)
	}
	if x.turn != nil {
		ch.Turn, ch.Conversation = x.turn.ID, x.turn.Conversation.ID
		s.anchorDefault(x, r.ID)
	}
}

// summary shows the summary of a delivery that changed nothing because its state is already
// known, from a stream or a faster answer: nothing else contains that text.
func (s *State) summary(x *exchange, it *log.Ruling, fate log.Fate, ch *Change) {
	st := task.StatusOf(it.Event)
	if fate != log.FateLate && fate != log.FateKnown && fate != log.FateStreamed || st == nil || st.Message == nil || !st.Message.Summary {
		return
	}
	if x.task == nil || x.turn == nil || st.State != x.task.State || shows(x.turn.Blocks[s.block(x.turn, x.task)], st.Message.Text()) {
		return
	}
	x.turn.touch()
	s.message(x.turn, x.task, it.Record, &a2a.Delta{Kind: a2a.DeltaMessage, TaskID: x.task.ID, Key: st.Message.ID, Message: st.Message}, ch)
}

// shows reports whether one of the newest entries of a block is a message with this text.
func shows(b *Block, text string) bool {
	const newest = 50 // so that the cost does not depend on the length of the block
	for i := len(b.Entries) - 1; i >= max(0, len(b.Entries)-newest); i-- {
		if m := b.Entries[i].Message; m != nil && m.Text() == text {
			return true
		}
	}
	return false
}

// Streamed reports whether an open stream reports a task.
func (s *State) Streamed(t *Task) bool { return s.streamedBeside(nil, t) }

// streamedBeside reports whether an open stream of another exchange reports a task.
func (s *State) streamedBeside(x *exchange, t *Task) bool {
	for _, other := range s.exchanges {
		if other != x && other.streams && other.task == t {
			return true
		}
	}
	return false
}

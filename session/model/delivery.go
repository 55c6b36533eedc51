package model

import (
	"bytes"

	"parley/a2a"
	"parley/session/log"
	"parley/session/task"
	"parley/session/tracker"
)

// delivery applies a delivery to a webhook.
func (s *State) delivery(p *log.Item, ch *Change) {
	r, call := &p.Record, p.Record.Call
	p.Fate = fateOf(p)
	if call == nil || call.Agent == 0 || s.agents[call.Agent] == nil {
		return
	}
	x := &exchange{Exchange: tracker.NewExchange(r.ID, call, s.agents[call.Agent].fold), agent: s.agents[call.Agent]}
	s.exchanges[r.ID] = x
	ch.Agent = call.Agent
	x.turn = s.turns[call.Turn]
	if t := s.Task(call.Agent, taskOf(p)); t != nil {
		x.task, x.turn = t, t.turn
		if p.Fate != log.FateRefused && p.Fate != log.FateValidated {
			t.Push.Deliveries++
			t.touch()
		}
	}
	for i := range p.Update.Events {
		if p.Fate == log.FateTaken {
			p.Fate = s.deliver(x, r, &p.Update.Events[i], ch)
			s.summary(x, r, &p.Update.Events[i], p.Fate, ch)
		}
	}
	if x.turn != nil {
		ch.Turn, ch.Conversation = x.turn.ID, x.turn.Conversation.ID
		s.anchorDefault(x, r.ID)
	}
}

// deliveryEnd applies the answer to a delivery, which is its end.
func (s *State) deliveryEnd(x *exchange, r *a2a.Record, ch *Change) {
	if r.Kind == a2a.KindEnd {
		delete(s.exchanges, x.ID)
	}
	if x.turn != nil {
		ch.Turn, ch.Conversation = x.turn.ID, x.turn.Conversation.ID
		s.anchorDefault(x, r.ID)
	}
}

// fateOf returns the fate of a delivery as far as it does not depend on the task.
func fateOf(p *log.Item) log.Fate {
	facts := &a2a.DeliveryFacts{}
	if c := p.Record.Call; c != nil && c.Delivery != nil {
		facts = c.Delivery
	}
	switch {
	case facts.Validation:
		return log.FateValidated
	case facts.RefusalReason != "":
		return log.FateRefused
	case !aboutTask(&p.Update):
		return log.FateUnread
	case facts.Repeats != 0:
		return log.FateTwice
	}
	return log.FateTaken
}

// aboutTask reports whether an update is about a task.
func aboutTask(u *a2a.Update) bool {
	for i := range u.Events {
		if tracker.IsAssembled(u.Events[i].Kind) {
			return true
		}
	}
	return false
}

// taskOf returns the task of a delivery: the one that it names, otherwise the one of its
// webhook.
func taskOf(p *log.Item) string {
	for i := range p.Update.Events {
		if id := p.Update.Events[i].TaskID; id != "" {
			return id
		}
	}
	return p.Record.Call.TaskID
}

// deliver applies one event of a delivery unless it is outdated.
func (s *State) deliver(x *exchange, r *a2a.Record, ev *a2a.Event, ch *Change) log.Fate {
	about := x.Call.TaskID
	switch {
	case about != "" && ev.TaskID != "" && ev.TaskID != about:
		return log.FateForeign
	case x.turn == nil, ev.TaskID == "" && ev.Kind != a2a.EventMessage:
		return log.FateStray
	case x.task != nil && s.Streamed(x.task):
		return log.FateStreamed
	case x.task != nil && x.task.State.Terminal():
		return log.FateLate
	}
	if st := task.StatusOf(ev); st != nil {
		switch known := x.agent.fold.Status(ev.TaskID); {
		case known == nil:
		case !st.Time.IsZero() && !known.Time.IsZero() && st.Time.Before(known.Time):
			return log.FateStale
		case ev.Kind == a2a.EventStatus && st.Word == known.Word && st.TimestampText == known.TimestampText:
			return log.FateKnown
		}
	}
	switch {
	case ev.Kind == a2a.EventArtifact && (ev.Append || x.agent.fold.Holds(ev.TaskID, ev.Artifact.Key)):
		return log.FatePiece
	case x.task != nil && ev.Task != nil && shrinks(x.task, ev.Task):
		return log.FateStale
	}
	if x.Contradicts(s.memory, task.Mention{Record: r, Event: ev}) {
		return log.FateLate
	}
	s.fold(x, r, ev, ch)
	if task := s.Task(x.agent.ID, ev.TaskID); task != nil {
		task.newestAnswer = r.ID
	}
	ch.Agents = true
	return log.FateTaken
}

// summary shows the summary of a delivery that changed nothing because its state is already
// known, from a stream or a faster answer: nothing else contains that text.
func (s *State) summary(x *exchange, r *a2a.Record, ev *a2a.Event, fate log.Fate, ch *Change) {
	st := task.StatusOf(ev)
	if fate != log.FateLate && fate != log.FateKnown && fate != log.FateStreamed || st == nil || st.Message == nil || !st.Message.Summary {
		return
	}
	if x.task == nil || x.turn == nil || st.State != x.task.State || shows(x.turn.Blocks[s.block(x.turn, x.task)], st.Message.Text()) {
		return
	}
	x.turn.touch()
	s.message(x.turn, x.task, r, &a2a.Delta{Kind: a2a.DeltaMessage, TaskID: x.task.ID, Key: st.Message.ID, Message: st.Message}, ch)
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

// isOutdated reports whether a delivery or another answer came during a get, and this answer is
// older.
func (s *State) isOutdated(x *exchange, ev *a2a.Event) bool {
	if x.Call.Op != a2a.OpGet || ev.Task == nil {
		return false
	}
	task := s.Task(x.agent.ID, ev.TaskID)
	if task == nil || task.newestAnswer < x.ID {
		return false
	}
	known, answered := x.agent.fold.Status(ev.TaskID), &ev.Task.Status
	if known == nil || known.Time.IsZero() || answered.Time.IsZero() {
		return task.State.Terminal() && !answered.State.Terminal()
	}
	return answered.Time.Before(known.Time)
}

// shrinks reports whether a whole task has only the beginning of an artifact of which more is
// known: it was sent before what came already.
func shrinks(task *Task, whole *a2a.Task) bool {
	for i := range whole.Artifacts {
		a := &whole.Artifacts[i]
		known := task.byKey[a.Key]
		if known == nil || len(known.Parts) > 0 {
			continue
		}
		rest := known.Text
		for k := range a.Parts {
			text := a.Parts[k].Text
			if a.Parts[k].Kind != a2a.PartText || !bytes.HasPrefix(rest, []byte(text)) {
				return false
			}
			rest = rest[len(text):]
		}
		if len(rest) > 0 {
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

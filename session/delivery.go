package session

import (
	"bytes"

	"parley/a2a"
)

// A Fate says what became of a delivery to a webhook. Deliveries come beside a stream, twice,
// late, in any order, from anyone who knows the address.
type Fate uint8

// The fates. Only FateTaken changes anything.
const (
	FateNone      Fate = iota // the record is no delivery
	FateTaken                 // it changed the task, or repeated its state
	FateRefused               // the receiver rejected it
	FateValidated             // a validation request for the webhook
	FateUnread                // it is not A2A
	FateForeign               // it is about another task than that of its webhook
	FateStray                 // this session does not know its task
	FateTwice                 // it repeats an earlier one byte for byte
	FateLate                  // the task was over
	FateStale                 // it is older than the known state of the task
	FateKnown                 // it contains nothing new
	FateStreamed              // an open stream reports the task already
	FatePiece                 // a chunk of an artifact whose position is unknown
)

var fateWords = [...]string{
	FateNone: "", FateTaken: "", FateRefused: "turned away", FateValidated: "validation", FateUnread: "not A2A",
	FateForeign: "another task", FateStray: "unknown task", FateTwice: "duplicate", FateLate: "late", FateStale: "out of order",
	FateKnown: "known", FateStreamed: "streamed", FatePiece: "a piece",
}

// String says in one or two words why a delivery changed nothing; empty if it did.
func (f Fate) String() string { return fateWords[min(f, FatePiece)] }

// Sentence tells the user what became of a delivery.
func (f Fate) Sentence() string {
	switch f {
	case FateTaken:
		return "It was applied to the task."
	case FateRefused:
		return "It was turned away and changed nothing."
	case FateValidated:
		return "A server made sure that the webhook is there; its validationToken was repeated."
	case FateUnread:
		return "It is nothing that A2A knows, and changed nothing."
	case FateForeign:
		return "It is about another task than the webhook was registered for, and changed nothing."
	case FateStray:
		return "This session knows no task that it could be about; the agent is asked for it."
	case FateTwice:
		return "It came before, byte for byte, and changed nothing."
	case FateLate:
		return "The task was over when it came; it changed nothing."
	case FateStale:
		return "Its timestamp is older than what is known of the task; it changed nothing."
	case FateKnown:
		return "It says what was known; it changed nothing."
	case FateStreamed:
		return "A stream that is open tells of the task; this changed nothing, or it would count twice."
	case FatePiece:
		return "It is a piece to be appended, which may come twice or out of order; the agent is asked for the whole task instead."
	default:
		return ""
	}
}

// delivery applies a delivery to a webhook.
func (s *State) delivery(p *Item, ch *Change) {
	r, call := &p.Record, p.Record.Call
	p.Fate = arrived(p)
	if call == nil || call.Agent == 0 || s.agents[call.Agent] == nil {
		return
	}
	x := &exchange{id: r.ID, call: call, subject: newSubject(call), agent: s.agents[call.Agent]}
	s.exchanges[r.ID] = x
	ch.Agent = call.Agent
	x.turn = s.turns[call.Turn]
	if t := s.Task(call.Agent, taskOf(p)); t != nil {
		x.task, x.turn = t, t.turn
		if p.Fate != FateRefused && p.Fate != FateValidated {
			t.Push.Came++
			t.touched()
		}
	}
	for i := range p.Update.Events {
		if p.Fate == FateTaken {
			p.Fate = s.deliver(x, r, &p.Update.Events[i], ch)
			s.summary(x, r, &p.Update.Events[i], p.Fate, ch)
		}
	}
	if x.turn != nil {
		ch.Turn, ch.Conversation = x.turn.ID, x.turn.Conversation.ID
		s.anchorDefault(x, r.ID)
	}
}

// delivered applies the answer to a delivery, which is its end.
func (s *State) delivered(x *exchange, r *a2a.Record, ch *Change) {
	if r.Kind == a2a.KindEnd {
		delete(s.exchanges, x.id)
	}
	if x.turn != nil {
		ch.Turn, ch.Conversation = x.turn.ID, x.turn.Conversation.ID
		s.anchorDefault(x, r.ID)
	}
}

// arrived returns the fate of a delivery as far as it does not depend on the task.
func arrived(p *Item) Fate {
	facts := &a2a.DeliveryFacts{}
	if c := p.Record.Call; c != nil && c.Delivery != nil {
		facts = c.Delivery
	}
	switch {
	case facts.Validation:
		return FateValidated
	case facts.Refused != "":
		return FateRefused
	case !aboutTask(&p.Update):
		return FateUnread
	case facts.Repeats != 0:
		return FateTwice
	}
	return FateTaken
}

// aboutTask reports whether an update is about a task.
func aboutTask(u *a2a.Update) bool {
	for i := range u.Events {
		switch u.Events[i].Kind {
		case a2a.EventTask, a2a.EventStatus, a2a.EventArtifact, a2a.EventMessage:
			return true
		}
	}
	return false
}

// taskOf returns the task of a delivery: the one that it names, otherwise the one of its
// webhook.
func taskOf(p *Item) string {
	for i := range p.Update.Events {
		if id := p.Update.Events[i].TaskID; id != "" {
			return id
		}
	}
	return p.Record.Call.TaskID
}

// deliver applies one event of a delivery unless it is outdated.
func (s *State) deliver(x *exchange, r *a2a.Record, ev *a2a.Event, ch *Change) Fate {
	about := x.call.TaskID
	switch {
	case about != "" && ev.TaskID != "" && ev.TaskID != about:
		return FateForeign
	case x.turn == nil, ev.TaskID == "" && ev.Kind != a2a.EventMessage:
		return FateStray
	case x.task != nil && s.streamed(x.task):
		return FateStreamed
	case x.task != nil && x.task.State.Terminal():
		return FateLate
	}
	if st := statusIn(ev); st != nil {
		switch known := x.agent.fold.Status(ev.TaskID); {
		case known == nil:
		case !st.Time.IsZero() && !known.Time.IsZero() && st.Time.Before(known.Time):
			return FateStale
		case ev.Kind == a2a.EventStatus && st.Word == known.Word && st.TimestampText == known.TimestampText:
			return FateKnown
		}
	}
	switch {
	case ev.Kind == a2a.EventArtifact && (ev.Append || x.agent.fold.Holds(ev.TaskID, ev.Artifact.Key)):
		return FatePiece
	case x.task != nil && ev.Task != nil && shrinks(x.task, ev.Task):
		return FateStale
	}
	if s.trails.judge(x.id, x.call, x.agent.fold, said{r, ev}) == MoveContradicts {
		return FateLate
	}
	s.fold(x, r, ev, ch)
	if task := s.Task(x.agent.ID, ev.TaskID); task != nil {
		task.told = r.ID
	}
	ch.Agents = true
	return FateTaken
}

// summary shows the summary of a delivery that changed nothing because its state is already
// known, from a stream or a faster answer: nothing else contains that text.
func (s *State) summary(x *exchange, r *a2a.Record, ev *a2a.Event, fate Fate, ch *Change) {
	st := statusIn(ev)
	if fate != FateLate && fate != FateKnown && fate != FateStreamed || st == nil || st.Message == nil || !st.Message.Summary {
		return
	}
	if x.task == nil || x.turn == nil || st.State != x.task.State || shows(x.turn.Blocks[s.block(x.turn, x.task)], st.Message.Text()) {
		return
	}
	s.touchTurn(x.turn)
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

// overtaken reports whether a delivery or another answer came during a get, and this answer is
// older.
func (s *State) overtaken(x *exchange, ev *a2a.Event) bool {
	if x.call.Op != a2a.OpGet || ev.Task == nil {
		return false
	}
	task := s.Task(x.agent.ID, ev.TaskID)
	if task == nil || task.told < x.id {
		return false
	}
	known, answered := x.agent.fold.Status(ev.TaskID), &ev.Task.Status
	if known == nil || known.Time.IsZero() || answered.Time.IsZero() {
		return task.State.Terminal() && !answered.State.Terminal()
	}
	return answered.Time.Before(known.Time)
}

// statusIn returns the status in an event, nil if it has none.
func statusIn(ev *a2a.Event) *a2a.Status {
	if ev.Kind == a2a.EventTask && ev.Task != nil {
		return &ev.Task.Status
	}
	return ev.Status
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
func (s *State) Streamed(t *Task) bool { return s.streamed(t) }

// streamed reports whether an open stream reports a task.
func (s *State) streamed(task *Task) bool {
	for _, x := range s.exchanges {
		if x.streams && x.task == task {
			return true
		}
	}
	return false
}

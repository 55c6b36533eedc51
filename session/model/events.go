package model

import (
	"cmp"

	"parley/a2a"
	"parley/session/log"
	"parley/session/problem"
	"parley/session/task"
)

// event applies one event of an agent as it was judged.
func (s *State) event(x *exchange, r *a2a.Record, ev *a2a.Event, rulings []log.Ruling, ch *Change) {
	switch {
	case len(rulings) == 1 && rulings[0].Effect == log.EffectStray:
		s.aside(x, r, ev)
	case len(rulings) == 1:
		s.own(x, &rulings[0], ch)
	default:
		s.adopt(x, rulings, ch)
	}
	switch ev.Kind {
	case a2a.EventError:
		if ev.Err != nil {
			s.rpcError(x, r, ev.Err, ch)
		}
	case a2a.EventUnknown:
		s.oddity(x, r, ev)
	case a2a.EventPushConfig:
		s.applyWebhooks(x, r, ev)
		if task.SendsMessage(x.call.Op) {
			s.oddity(x, r, ev)
		}
	case a2a.EventTaskList:
		s.applyList(x, r, ev)
		if task.SendsMessage(x.call.Op) {
			s.oddity(x, r, ev)
		}
	case a2a.EventCard:
		// It says nothing about a conversation, unless it is the whole answer.
		if task.SendsMessage(x.call.Op) {
			s.oddity(x, r, ev)
		}
	case a2a.EventEmpty:
		x.empty = true
	case a2a.EventNotA2A:
		// The wire shows them.
	}
}

// own applies an event about the subject of an exchange.
func (s *State) own(x *exchange, it *log.Ruling, ch *Change) {
	x.events++
	x.final = x.final || it.Event.Kind == a2a.EventStatus && it.Event.Final == a2a.True
	switch it.Effect {
	case log.EffectContradicts:
		s.noteContradiction(x, it)
	case log.EffectOwn:
		s.apply(x, it, ch)
		s.noteGet(x, it.Record, it.Event)
	}
	x.tells(s, it.Event.TaskID)
}

// adopt applies events that were held as another task's until it was clear that they are the
// subject of the exchange.
func (s *State) adopt(x *exchange, rulings []log.Ruling, ch *Change) {
	if len(rulings) > 0 && x.turn != nil {
		x.dropAside(rulings[0].Event.TaskID)
	}
	for i := range rulings {
		s.own(x, &rulings[i], ch)
	}
}

// noteGet notes the answer to a get that a task took.
func (s *State) noteGet(x *exchange, r *a2a.Record, ev *a2a.Event) {
	if task := s.Task(x.agent.ID, ev.TaskID); task != nil && x.call.Op == a2a.OpGet && ev.Kind == a2a.EventTask {
		task.newestAnswer = r.ID
	}
}

// oddity shows an event as it came.
func (s *State) oddity(x *exchange, r *a2a.Record, ev *a2a.Event) {
	x.events++
	if x.turn != nil {
		p := s.entry(x.turn, x.task, Entry{Kind: EntryUnknown, Record: r.ID, Time: r.Time, Raw: ev.Raw})
		s.anchor(r.ID, p, 0)
	}
}

// rpcError applies an error that the agent reported. "Not found" does not mean that the task is
// lost if it answers a subscription: some agents say it of a task that is over.
func (s *State) rpcError(x *exchange, r *a2a.Record, e *a2a.RPCError, ch *Change) {
	x.err = e
	x.pause = problem.RetryPause(e, x.pause)
	t := s.Task(x.agent.ID, x.call.TaskID)
	f := x.facts(nil)
	pr := problem.FromRPC(e, r.ID, task.PauseOf(x.call, &f, x.pause), cmp.Or(webhookAdvice(x, e), advice(t, x.call.Op, e)))
	listens := t == nil || !t.Over()
	if listens && x.events == 0 && RefusesSubscription(x.call, e) {
		pr = subscriptionProblem(e, x.call.TaskID, r.ID)
	}
	if x.events == 0 && AnswersTask(x.call) {
		pr.Sentence = problem.ForTaskState(pr.Sentence, e, stateOf(t))
	}
	if t == nil || x.call.Rest || !task.Condemns(x.call.Op, e) && !(t.Forgotten && problem.IsTaskUnknown(e)) {
		s.problem(x, r, pr)
		return
	}
	switch t.Deny(); {
	case t.Forgotten:
		pr.Sentence = ForgottenSentence(t.ID, t.Shown, r.Time)
	case x.call.Attempt > 0: // Parley asks again at once
		pr.Class, pr.Sentence = problem.ClassFallback, deniedSentence(t.ID)
	}
	s.problem(x, r, pr)
	t.Version++
	s.waits(t, ch)
	ch.Agents = true
}

// apply applies what an event changed in tasks and messages.
func (s *State) apply(x *exchange, it *log.Ruling, ch *Change) {
	r, ev, t := it.Record, it.Event, s.turns[it.Turn]
	if it.Resumes {
		x.resume(s, it)
	}
	deltas, snapshot := it.Deltas, false
	if t == nil {
		deltas = nil // of a task of no conversation, as in a list
	}
	var grown *Artifact
	for i := range deltas {
		d := &deltas[i]
		ch.Turn, ch.Conversation = t.ID, t.Conversation.ID
		t.Conversation.inContext(cmp.Or(it.Moves, t.Conversation.ContextID, ev.ContextID), ch)
		t.touch()
		if d.Kind == a2a.DeltaMessage && d.TaskID == "" {
			s.message(t, nil, r, d, ch)
			continue
		}
		task := s.task(x, t, d.TaskID, ch)
		task.mention(s, it, ch)
		switch d.Kind {
		case a2a.DeltaGap:
			s.gap(t, task, r)
		case a2a.DeltaTask:
			snapshot = true
			if x.call.Binding != a2a.BindingMQTT { // there the task lacks the text of its updates
				s.whole(task, r, ev.Task)
			}
			snapshotOf(task, ev.Task)
		case a2a.DeltaStatus:
			s.status(t, task, r, d.Status, snapshot, ch)
		case a2a.DeltaMessage:
			switch {
			case s.meshMessage(x, t, task, r, ev, d.Message):
			case it.Continues && task.streamed.grow(s, t, r, d.Message.Parts[0].Text):
			default:
				task.streamed.speak(x, s.message(t, task, r, d, ch), it)
			}
		default:
			s.artifact(x, t, task, r, d)
			if grown = task.byKey[d.Key]; snapshot && grown != nil {
				grown.Snapshots++
			}
			task.Scattered = cmp.Or(it.Scattered, task.Scattered)
		}
	}
	if x.task != nil && x.task.Over() {
		s.noteResumed(x, r, stoppedEarlier)
	}
	s.extras(x, t, r, ev, grown)
	if task := s.Task(x.agent.ID, ev.TaskID); task != nil {
		task.settle(it.Texts)
		if r.Kind == a2a.KindEvent {
			task.frame, task.Resubscribe = r.ID, nil
		}
	}
}

// mention notes that an event about the task came.
func (t *Task) mention(s *State, it *log.Ruling, ch *Change) {
	t.Version++
	forgotten := t.Forgotten
	if t.Recall(it.Record.Time); forgotten {
		s.waits(t, ch)
	}
	t.ContextID = cmp.Or(t.ContextID, it.Event.ContextID)
}

// resume applies the first event of a stream that goes on with an earlier one.
func (x *exchange) resume(s *State, it *log.Ruling) {
	s.noteResumed(x, it.Record, (*problem.Problem).Stops)
	if task := s.Task(x.agent.ID, it.Event.TaskID); task != nil && it.Event.Kind != a2a.EventTask {
		task.goesOn(s.touch) // a gap says otherwise
	}
}

// extras keeps the metadata of an event itself. Grown is the artifact that the event changed,
// if it did.
func (s *State) extras(x *exchange, t *Turn, r *a2a.Record, ev *a2a.Event, grown *Artifact) {
	if len(ev.Metadata) == 0 {
		return
	}
	task := s.Task(x.agent.ID, ev.TaskID)
	if task == nil || t == nil {
		return
	}
	switch ev.Kind {
	case a2a.EventStatus:
		task.works(ev.Metadata)
		b := t.Blocks[s.block(t, task)]
		b.Extras = extra(b.Extras, ExtraStatus, ev.Metadata, r.ID)
		b.Version++
	case a2a.EventArtifact:
		if grown == nil {
			grown = task.byKey[ev.Artifact.Key]
		}
		if grown != nil {
			grown.Extras = extra(grown.Extras, ExtraUpdate, ev.Metadata, r.ID)
			grown.Version++
		}
	}
}

// snapshotOf copies what only a whole task contains.
func snapshotOf(task *Task, from *a2a.Task) {
	if from == nil {
		return
	}
	if from.Metadata != nil {
		task.Metadata = from.Metadata
		task.works(from.Metadata)
	}
	if len(from.History) > 0 {
		task.History = from.History
	}
}

// status applies a task's status. One that only repeats what is known is no transition, unless
// the stream of a later turn repeats it: then the task asks again.
func (s *State) status(t *Turn, about *Task, r *a2a.Record, st *a2a.Status, snapshot bool, ch *Change) {
	if st == nil {
		return
	}
	about.said = st.Message
	if st.Message != nil && st.State.Interrupted() {
		about.Prompt = s.sameMessage(about, st.Message)
	}
	asked := about.State.Interrupted()
	move := about.Take(st, true) // statuses that contradict the end of the task do not come here
	if asked && move == task.MoveTaken && goesOn(st.State) {
		about.tookAnswer(s.replaceProblem)
	}
	switch {
	case len(about.Transitions) == 0: // the first one always counts
	case move == task.MoveNone && (snapshot || about.stateTurn == t):
		return
	}
	about.stateTurn = t
	tr := Transition{State: st.State, Word: st.Word, Time: r.Time, Stamp: st.Time, Record: r.ID}
	about.Transitions = append(about.Transitions, tr)
	p := s.entry(t, about, Entry{Kind: EntryState, Record: r.ID, Time: r.Time, State: tr})
	s.anchor(r.ID, p, 0)
	ch.Agents = true
	if st.State.Interrupted() {
		about.Ask()
		if st.Message == nil {
			about.Prompt = nil // it asks for something new without naming it
		}
	}
	s.waits(about, ch)
	if about.waits != 0 {
		ch.Waiting = about
	}
}

// sameMessage returns the message of an entry that has the same id, otherwise a copy of m that
// outlives the fold's next event. An id that was made here depends on the message's content, so
// that a repeated question is the one that the task waits with.
func (s *State) sameMessage(task *Task, m *a2a.Message) *a2a.Message {
	if m.IDMade && task.Prompt != nil && task.Prompt.ID == m.ID {
		return task.Prompt
	}
	if p, ok := task.Conversation.shownMessages[m.ID]; ok && !m.IDMade && p.block >= 0 {
		return p.turn.Blocks[p.block].Entries[p.entry].Message
	}
	c := *m
	return &c
}

// message shows a message that the fold reports as new, and returns where; the zero place if it is shown already,
// as the user's own, which histories repeat. The same messageId with other content replaces the earlier message.
func (s *State) message(t *Turn, task *Task, r *a2a.Record, d *a2a.Delta, ch *Change) (at place) {
	m, c := d.Message, t.Conversation
	if m != nil && m.Role == a2a.RoleUser && c.Title == "" { // of a task that another client began
		c.Title = title(m, m.Text())
		ch.Agents = true
	}
	if m == nil || m.Role == a2a.RoleUser && c.sentTexts[m.Text()] {
		return place{} // as in the user's turn; some agents give it another id
	}
	old, seen := c.shownMessages[m.ID]
	seen = seen && !m.IDMade
	if seen && (!d.ReplacedMessage || old.block < 0) {
		s.anchor(r.ID, old, 0)
		return place{}
	}
	msg := *m
	e := Entry{Kind: EntryMessage, Record: r.ID, Time: r.Time, Message: &msg}
	if task != nil && task.Prompt != nil && task.Prompt.ID == m.ID {
		task.Prompt = &msg // another pointer, so that the change is visible
	}
	if seen {
		b := old.turn.Blocks[old.block]
		entry := &b.Entries[old.entry]
		if old.turn == t && b.Task == task && old.entry == len(b.Entries)-1 {
			entry.Message = e.Message // it grows in place
			s.touch(old)
			s.anchor(r.ID, old, 0)
			return old
		}
		entry.Replaced = true
		s.touch(old)
	}
	at = s.entry(t, task, e)
	if !m.IDMade {
		c.shownMessages[m.ID] = at
	}
	s.anchor(r.ID, at, 0)
	ch.Agents = true
	return at
}

// artifact applies the change of an artifact.
func (s *State) artifact(x *exchange, t *Turn, task *Task, r *a2a.Record, d *a2a.Delta) {
	if d.Artifact == nil {
		return
	}
	a := task.byKey[d.Key]
	offset, part := 0, 0
	switch {
	case a == nil:
		a = &Artifact{Key: d.Key, Task: task}
		task.byKey[d.Key] = a
		task.Artifacts = append(task.Artifacts, a)
		_, part = a.grow(d.Parts, r.ID)
		a.place = s.entry(t, task, Entry{Kind: EntryArtifact, Record: r.ID, Time: r.Time, Artifact: a})
	case d.Kind == a2a.DeltaArtifactAppend:
		offset, part = a.grow(d.Parts, r.ID)
	case d.Kind == a2a.DeltaArtifactReplace:
		part = a.replace(d.Parts, r.ID)
	}
	a.describe(d.Artifact)
	if d.Strays > 0 && len(task.gaps) > 0 && offset == 0 { // its beginning may have been in the gap
		a.lose(loss{gap: true}, s.touch)
	}
	a.seal(d.Artifact.Sealed)
	if x.streams && !x.growing[a] {
		x.growing[a] = true
		a.stream(1)
	}
	s.touch(a.place)
	s.anchorPart(r.ID, a.place, offset, part)
}

package model

import (
	"cmp"
	"slices"
	"time"

	"parley/a2a"
	"parley/session/check"
	"parley/session/log"
	"parley/session/problem"
	"parley/session/task"
)

// State is the current state as it follows from the applied items and nothing else: no clock,
// no disk, no network. It belongs to one goroutine.
//
// Applying an item costs time in proportion to the item, whatever came before.
type State struct {
	Agents []*Agent // in the order they were opened, which is that of their numbers
	Log    *log.Log
	Tags   Tags
	Tally  Tally

	agents    map[a2a.AgentID]*Agent
	convs     map[a2a.ConversationID]*Conversation
	ways      map[a2a.ConversationID]a2a.Way // of those that have one of their own
	turns     map[a2a.TurnID]*Turn
	ended     map[a2a.TurnID]bool // turns that a signal ended, also those without a record
	tasks     map[task.Key]*Task
	stage     *check.Stage
	exchanges map[a2a.ExchangeID]*exchange // exchanges that have not ended
	anchors   anchors                      // by record
	waiting   []*Task
	waitings  uint64 // how often a task began to wait, so that the list is in order of [Task.waits]
	last      Numbers
}

// An exchange is what is needed of a request until its end.
type exchange struct {
	id         a2a.ExchangeID
	call       *a2a.Call
	subject    string            // the task that it is about, empty while it is not known
	asides     map[string]*Aside // by task
	agent      *Agent
	began      time.Time
	turn       *Turn         // nil if the exchange belongs to no turn
	streams    bool          // a stream was opened
	events     int           // answers of the agent that are not errors
	empty      bool          // the answer was empty
	final      bool          // a status was marked as the last one
	status     int           // HTTP status
	media      string        // and media type
	extensions []string      // extensions
	webhook    string        // URL that the request registers, empty for none
	pause      time.Duration // that the answer asks for before the next attempt
	task       *Task         // the newest in its answer
	growing    map[*Artifact]bool

	err         *a2a.RPCError    // the newest that the agent reported
	bodyProblem *problem.Problem // of the body, shown when the end is known
	problem     *problem.Problem // the newest that is shown
	problemAt   place
}

// A place is an entry of a conversation; block and entry are -1 for the turn's
// own message.
type place struct {
	turn         *Turn
	block, entry int
}

// NewState returns the initial state.
func NewState() *State {
	return &State{
		Log:       log.New(),
		agents:    map[a2a.AgentID]*Agent{},
		convs:     map[a2a.ConversationID]*Conversation{},
		ways:      map[a2a.ConversationID]a2a.Way{},
		turns:     map[a2a.TurnID]*Turn{},
		ended:     map[a2a.TurnID]bool{},
		tasks:     map[task.Key]*Task{},
		stage:     check.New(nil),
		exchanges: map[a2a.ExchangeID]*exchange{},
	}
}

// Check makes rules check every record from now on.
func (s *State) Check(rules log.Checker) { s.stage.Use(rules) }

// Follow makes the state take items that a stage has prepared. The tasks are those of the stage, which may be a few
// items ahead.
func (s *State) Follow(stage *check.Stage) { s.stage = stage }

// Agent returns an agent, nil if there is none of that number.
func (s *State) Agent(id a2a.AgentID) *Agent { return s.agents[id] }

// Conversation returns a conversation, nil until a record names it.
func (s *State) Conversation(id a2a.ConversationID) *Conversation { return s.convs[id] }

// Turn returns a turn, nil until a record names it.
func (s *State) Turn(id a2a.TurnID) *Turn { return s.turns[id] }

// TurnEnded reports whether the engine said that its work for a turn is over. Unlike [Turn.Outcome] it
// knows of turns without a record, and stays true when something is asked about the turn again.
func (s *State) TurnEnded(id a2a.TurnID) bool { return s.ended[id] }

// Task returns an agent's task, nil if it was never seen.
func (s *State) Task(agent a2a.AgentID, id string) *Task {
	return s.tasks[task.Key{Agent: agent, ID: id}]
}

// Assembled returns an agent's task as its events make it, with artifacts and history as in the
// protocol; nil if it was never seen. What it shares with the state must not be changed.
func (s *State) Assembled(agent a2a.AgentID, id string) (assembled *a2a.Task) {
	s.Known(agent, func(known *a2a.Fold) { assembled = known.Task(id) })
	return assembled
}

// Known calls f with the tasks of an agent, see [check.Stage.Known].
func (s *State) Known(agent a2a.AgentID, f func(known *a2a.Fold)) bool {
	return s.stage.Known(agent, f)
}

// Apply takes one item and returns what it affected.
func (s *State) Apply(it log.Item) Change {
	if it.Signal != nil {
		return s.signal(it.Signal)
	}
	p, v := s.judged(it)
	s.Log.Index(p)
	defer s.Log.AddToStream(p) // which has to know what is not part of a stream
	s.anchors.add()
	s.last.note(&p.Record)
	ch := Change{Record: p.Record.ID}
	switch p.Record.Kind {
	case a2a.KindRequest:
		s.request(&p.Record, v, &ch)
	case a2a.KindDelivery:
		s.delivery(p, v, &ch)
	case a2a.KindNote:
		s.note(&p.Record, v, &ch)
	default:
		if x := s.exchanges[p.Record.Exchange]; x != nil {
			s.answer(x, p, v, &ch)
		}
	}
	s.Log.SetOwner(&p.Record, ownerOf(&p.Record, &ch))
	s.Log.Count(p)
	return ch
}

// ownerOf returns the owner of a record's exchange as far as the record shows it.
func ownerOf(r *a2a.Record, ch *Change) log.Owner {
	o := log.Owner{Agent: ch.Agent, Conversation: ch.Conversation}
	if c := r.Call; c != nil {
		o.Agent, o.Conversation = cmp.Or(o.Agent, c.Agent), cmp.Or(o.Conversation, c.Conversation)
	}
	if n := r.Note; n != nil {
		o.Conversation = cmp.Or(o.Conversation, log.IDIn[a2a.ConversationID](n.Attrs, log.AttrConversation))
	}
	return o
}

// answer applies an answer in an exchange.
func (s *State) answer(x *exchange, p *log.Item, v *log.Verdict, ch *Change) {
	r := &p.Record
	ch.Agent = x.agent.ID
	if x.call.Op == a2a.OpDelivery {
		s.deliveryEnd(x, r, ch)
		return
	}
	s.updatePulse(x, r, ch)
	if x.call.Check { // the rules compare it with what is known, and nearly nothing else does
		s.applyCheck(x, p, v, ch)
		if r.Kind == a2a.KindEnd {
			if r.End != nil {
				s.unreachable(x, r.End, ch)
			}
			delete(s.exchanges, x.id)
		}
		return
	}
	if x.turn != nil {
		ch.Turn, ch.Conversation = x.turn.ID, x.turn.Conversation.ID
		x.turn.touch()
	}
	if v.Streams && x.turn != nil {
		s.openStream(x, ch)
	}
	switch r.Kind {
	case a2a.KindHead:
		s.head(x, r, ch)
	case a2a.KindEvent:
		s.update(x, p, v, ch)
	case a2a.KindBody:
		s.noteFile(x, p, ch)
		s.update(x, p, v, ch)
	case a2a.KindEnd:
		s.adopt(x, s.update(x, p, v, ch), ch)
		x.subject = v.Subject
		s.end(x, r, ch)
	}
	s.anchorDefault(x, r.ID)
}

// update applies the meaning of a record. It returns the rulings that no event of the record decided.
func (s *State) update(x *exchange, p *log.Item, v *log.Verdict, ch *Change) (rest []log.Ruling) {
	if len(p.Update.Saw) > 0 {
		s.addEvidence(x, p, ch)
	}
	rest = v.Rulings
	for i := range p.Update.Events {
		of := log.TakeRulings(&rest, i)
		if len(of) > 0 && of[0].Effect == log.EffectStray {
			p.MarkStray(i)
		}
		s.event(x, &p.Record, &p.Update.Events[i], of, ch)
		if p.Artifact == "" {
			p.Artifact = s.artifactName(x, &p.Update.Events[i])
		}
	}
	if x.events > 0 && x.turn != nil && task.Counts(x.call) {
		x.turn.course.Find()
	}
	s.proveWay(x, p, ch)
	if e := p.Update.Err; e != nil {
		pr := &problem.Problem{Sentence: e.Sentence, Class: problem.ClassDecode, Record: p.Record.ID,
			Open: p.Record.Kind == a2a.KindBody && task.SendsMessage(x.call.Op)}
		if e.Cause != nil {
			pr.Detail = e.Cause.Error()
		}
		s.problem(x, &p.Record, pr)
	}
	return rest
}

// agent returns the agent of a number, and creates it if necessary.
func (s *State) agent(id a2a.AgentID, ref string) *Agent {
	a := s.agents[id]
	if a == nil {
		a = &Agent{ID: id, Ref: ref}
		s.agents[id] = a
		s.enlist(a)
	}
	return a
}

// enlist adds an agent to the list, by its number.
func (s *State) enlist(a *Agent) {
	at, _ := slices.BinarySearchFunc(s.Agents, a.ID, func(a *Agent, id a2a.AgentID) int { return cmp.Compare(a.ID, id) })
	s.Agents = slices.Insert(s.Agents, at, a)
}

// conversation returns the conversation of a number, and creates it if necessary.
func (s *State) conversation(id a2a.ConversationID, a *Agent, ch *Change) *Conversation {
	c := s.convs[id]
	if c == nil {
		c = &Conversation{ID: id, Agent: a, Way: s.ways[id], shownMessages: map[string]place{}, sentTexts: map[string]bool{}}
		s.convs[id] = c
		a.Conversations = append(a.Conversations, c)
		ch.Agents = true
	}
	return c
}

// inContext notes the context in which the conversation continues.
func (c *Conversation) inContext(id string, ch *Change) {
	if id != "" && c.ContextID != id {
		c.ContextID = id
		c.Version++
		ch.Agents = true
	}
}

// task returns an agent's task, and creates it for a turn if necessary.
func (s *State) task(x *exchange, t *Turn, id string, ch *Change) *Task {
	key := task.Key{Agent: x.agent.ID, ID: id}
	known := s.tasks[key]
	if known == nil {
		known = &Task{ID: id, Conversation: t.Conversation, traces: traces{byKey: map[string]*Artifact{}}}
		if t.Message != nil && task.SendsMessage(x.call.Op) {
			known.Subject = title(t.Message, t.Message.Text())
		}
		s.tasks[key] = known
		t.Conversation.Tasks = append(t.Conversation.Tasks, known)
		ch.Agents = true
	}
	if x.call.Turn != 0 {
		known.turn = t
	}
	if x.webhook != "" {
		known.Push.URL = x.webhook
	}
	x.task = known
	return known
}

// entry appends an entry to the block of a task in a turn; a nil task is the
// block of plain messages.
func (s *State) entry(t *Turn, task *Task, e Entry) place {
	i := s.block(t, task)
	b := t.Blocks[i]
	b.Entries = append(b.Entries, e)
	p := place{t, i, len(b.Entries) - 1}
	s.touch(p)
	return p
}

// block returns the index of a task's block in a turn, and creates it if necessary.
func (s *State) block(t *Turn, task *Task) int {
	i, ok := t.blockOf(task)
	if !ok {
		i = t.addBlock(task)
	}
	return i
}

// touch marks an entry, and everything that contains it, as changed.
func (s *State) touch(p place) {
	if p.block >= 0 {
		p.turn.Blocks[p.block].Version++
	}
	p.turn.touch()
}

// touch notes a change of a turn, which is one of its conversation too.
func (t *Turn) touch() {
	t.Version++
	t.Conversation.Version++
}

// judged adds an item to the log. It returns the item's final address and the verdict on it.
func (s *State) judged(it log.Item) (*log.Item, *log.Verdict) {
	v := it.Verdict
	it.Verdict = nil
	p := s.Log.Add(it)
	if v == nil {
		return p, s.stage.Judge(p)
	}
	for i := range v.Rulings {
		if r := &v.Rulings[i]; r.Record == nil {
			r.Record, r.Event = &p.Record, &p.Update.Events[r.By]
		}
	}
	return p, v
}

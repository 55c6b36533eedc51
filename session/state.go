package session

import (
	"cmp"
	"slices"
	"time"

	"parley/a2a"
)

// State is what is going on, as it follows from the items applied so far and
// from nothing else: no clock, no disk, no network. It belongs to one goroutine.
//
// Applying an item costs time in proportion to the item, whatever came before.
type State struct {
	Agents []*Agent // in the order they were opened, which is that of their numbers
	Log    *Log

	agents    map[a2a.AgentID]*Agent
	convs     map[a2a.ConversationID]*Conversation
	turns     map[a2a.TurnID]*Turn
	tasks     map[taskKey]*Task
	trails    trails
	exchanges map[a2a.ExchangeID]*exchange // those that have not ended
	anchors   []anchor                     // by record
	waiting   []*Task
	waitings  uint64  // how often a task began to wait, so that the list is in order of [Task.waits]
	rules     Checker // nil checks nothing
}

// taskKey names a remote task: agents make their ids without asking each other.
type taskKey struct {
	agent a2a.AgentID
	id    string
}

// An exchange is what must be remembered of a request until its end.
type exchange struct {
	id      a2a.ExchangeID
	call    *a2a.Call
	subject subject
	asides  map[string]*Aside // by task
	agent   *Agent
	turn    *Turn         // nil when the exchange belongs to no turn
	streams bool          // a stream was opened
	events  int           // things the agent said in it that are no errors
	resumed bool          // it goes on with another stream
	emptied bool          // the answer was that there is nothing
	final   bool          // a status said that it was the last one
	status  int           // HTTP status
	media   string        // and media type
	asked   []string      // extensions
	pause   time.Duration // that the answer asks for before the next try
	task    *Task         // the newest that it told of
	growing map[*Artifact]bool

	err       *a2a.RPCError // the newest that the agent reported
	held      *Problem      // of the body, to be shown when the end is known
	problem   *Problem      // the newest that is shown
	problemAt place
}

// A place is an entry of a conversation; block and entry are -1 for the turn's
// own message.
type place struct {
	turn         *Turn
	block, entry int
}

// NewState returns the state before anything happened.
func NewState() *State {
	return &State{
		Log:       NewLog(),
		agents:    map[a2a.AgentID]*Agent{},
		convs:     map[a2a.ConversationID]*Conversation{},
		turns:     map[a2a.TurnID]*Turn{},
		tasks:     map[taskKey]*Task{},
		trails:    trails{},
		exchanges: map[a2a.ExchangeID]*exchange{},
	}
}

// Check has every record that is applied from now on checked.
func (s *State) Check(rules Checker) { s.rules = rules }

// Agent returns an agent, nil if there is none of that number.
func (s *State) Agent(id a2a.AgentID) *Agent { return s.agents[id] }

// Conversation returns a conversation, nil until a record names it.
func (s *State) Conversation(id a2a.ConversationID) *Conversation { return s.convs[id] }

// Turn returns a turn, nil until a record names it.
func (s *State) Turn(id a2a.TurnID) *Turn { return s.turns[id] }

// Task returns an agent's task, nil if it was never seen.
func (s *State) Task(agent a2a.AgentID, id string) *Task { return s.tasks[taskKey{agent, id}] }

// Assembled returns an agent's task as its events make it, with artifacts and
// history as the protocol has them; nil if it was never seen. What it shares with
// the state must not be written to.
func (s *State) Assembled(agent a2a.AgentID, id string) *a2a.Task {
	if a := s.agents[agent]; a != nil {
		return a.fold.Task(id)
	}
	return nil
}

// Known returns the tasks of an agent as its events make them, nil if there is no such
// agent. It must not be written to.
func (s *State) Known(agent a2a.AgentID) *a2a.Fold {
	if a := s.agents[agent]; a != nil {
		return a.fold
	}
	return nil
}

// Waiting returns the tasks that wait for the person, the one that has waited
// longest first. The slice must not be kept.
func (s *State) Waiting() []*Task { return s.waiting }

// Anchor returns where in the conversations a record can be seen; false if it is
// seen nowhere there.
func (s *State) Anchor(id a2a.RecordID) (Anchor, bool) {
	a := s.anchorOf(id)
	if a == nil {
		return Anchor{}, false
	}
	t := s.turns[a.turn]
	if a.turn == 0 || t == nil {
		return Anchor{}, false
	}
	return Anchor{
		Agent: t.Conversation.Agent.ID, Conversation: t.Conversation.ID, Turn: a.turn,
		Block: int(a.block), Entry: int(a.entry), Offset: a.offset, Part: int(a.part), Record: id,
	}, true
}

// An anchor is what an [Anchor] is kept as; turn is 0 for a record that is seen nowhere.
type anchor struct {
	turn         a2a.TurnID
	block, entry int32
	part         int32
	offset       int
}

// Apply takes one item and says what it touched.
func (s *State) Apply(it Item) Change {
	if it.Signal != nil {
		return s.signal(it.Signal)
	}
	p := s.Log.add(it)
	if !p.checked {
		p.Findings = s.found(p)
	}
	s.Log.index(p)
	defer s.Log.streams.add(p) // which has to know what is no part of a stream
	s.anchors = append(s.anchors, anchor{})
	ch := Change{Record: p.Record.ID}
	switch p.Record.Kind {
	case a2a.KindRequest:
		s.request(&p.Record, &ch)
	case a2a.KindDelivery:
		s.delivery(p, &ch)
	case a2a.KindNote:
		s.note(&p.Record, &ch)
	default:
		if x := s.exchanges[p.Record.Exchange]; x != nil {
			s.answer(x, p, &ch)
		}
	}
	return ch
}

// answer applies what came back in an exchange.
func (s *State) answer(x *exchange, p *Item, ch *Change) {
	r := &p.Record
	ch.Agent = x.agent.ID
	if x.call.Op == a2a.OpDelivery {
		s.delivered(x, r, ch)
		return
	}
	s.feel(x, r, ch)
	if x.call.Check { // the rules compare it with what is known, and that is nearly all
		s.checked(x, p, ch)
		if r.Kind == a2a.KindEnd {
			delete(s.exchanges, x.id)
		}
		return
	}
	if x.turn != nil {
		ch.Turn, ch.Conversation = x.turn.ID, x.turn.Conversation.ID
		s.touchTurn(x.turn)
	}
	switch r.Kind {
	case a2a.KindHead:
		s.head(x, r, ch)
	case a2a.KindEvent:
		s.count(x, r, ch)
		s.update(x, p, ch)
	case a2a.KindBody:
		s.filed(x, p, ch)
		s.update(x, p, ch)
	case a2a.KindEnd:
		s.update(x, p, ch)
		s.adopt(x, x.subject.end(s.trails.find(x.call, x.agent.fold)), ch)
		s.end(x, r, ch)
	}
	s.anchorDefault(x, r.ID)
}

// update applies what a record meant.
func (s *State) update(x *exchange, p *Item, ch *Change) {
	if len(p.Update.Saw) > 0 {
		s.saw(x, p, ch)
	}
	for i := range p.Update.Events {
		if s.event(x, &p.Record, &p.Update.Events[i], ch) {
			p.strays |= 1 << i
		}
		if p.Artifact == "" {
			p.Artifact = s.artifactName(x, &p.Update.Events[i])
		}
	}
	s.provenBy(x, p, ch)
	if e := p.Update.Err; e != nil {
		pr := &Problem{Sentence: e.Sentence, Class: ProblemDecode, Record: p.Record.ID}
		if e.Cause != nil {
			pr.Detail = e.Cause.Error()
		}
		s.problem(x, &p.Record, pr)
	}
}

// agent returns the agent of a number, which it makes if need be.
func (s *State) agent(id a2a.AgentID, ref string) *Agent {
	a := s.agents[id]
	if a == nil {
		a = &Agent{ID: id, Ref: ref, fold: a2a.NewFold()}
		s.agents[id] = a
		s.enlist(a)
	}
	return a
}

// enlist puts an agent into the list, by its number.
func (s *State) enlist(a *Agent) {
	at, _ := slices.BinarySearchFunc(s.Agents, a.ID, func(a *Agent, id a2a.AgentID) int { return cmp.Compare(a.ID, id) })
	s.Agents = slices.Insert(s.Agents, at, a)
}

// conversation returns the conversation of a number, which it makes if need be.
func (s *State) conversation(id a2a.ConversationID, a *Agent, ch *Change) *Conversation {
	c := s.convs[id]
	if c == nil {
		c = &Conversation{ID: id, Agent: a, shown: map[string]place{}, said: map[string]bool{}}
		s.convs[id] = c
		a.Conversations = append(a.Conversations, c)
		ch.Agents = true
	}
	return c
}

// inContext notes the context that the conversation goes on in.
func (c *Conversation) inContext(id string, ch *Change) {
	if id != "" && c.ContextID != id {
		c.ContextID = id
		c.Version++
		ch.Agents = true
	}
}

// task returns an agent's task, which it makes for a turn if need be.
func (s *State) task(x *exchange, t *Turn, id string, ch *Change) *Task {
	key := taskKey{x.agent.ID, id}
	task := s.tasks[key]
	if task == nil {
		task = &Task{ID: id, Conversation: t.Conversation, traces: traces{byKey: map[string]*Artifact{}}}
		s.tasks[key] = task
		t.Conversation.Tasks = append(t.Conversation.Tasks, task)
		ch.Agents = true
	}
	if x.call.Turn != 0 {
		task.turn = t
	}
	x.task = task
	return task
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

// block returns the index of a task's block in a turn, which it makes if need be.
func (s *State) block(t *Turn, task *Task) int {
	i, ok := t.blocks[task]
	if !ok {
		i = len(t.Blocks)
		t.blocks[task] = i
		t.Blocks = append(t.Blocks, &Block{Task: task})
	}
	return i
}

// touch says that an entry changed, to everything that contains it.
func (s *State) touch(p place) {
	if p.block >= 0 {
		p.turn.Blocks[p.block].Version++
	}
	s.touchTurn(p.turn)
}

func (s *State) touchTurn(t *Turn) {
	t.Version++
	t.Conversation.Version++
}

// anchor says where a record is seen, and reports whether it was taken: the first
// place of a record stands.
func (s *State) anchor(id a2a.RecordID, p place, offset int) bool {
	a := &s.anchors[len(s.anchors)-1]
	if a.turn != 0 || p.turn == nil || s.anchorOf(id) != a {
		return false
	}
	*a = anchor{turn: p.turn.ID, block: int32(p.block), entry: int32(p.entry), offset: offset}
	return true
}

// anchorOf returns the anchor of a record, nil if none is kept.
func (s *State) anchorOf(id a2a.RecordID) *anchor {
	i, ok := s.Log.place(id)
	if !ok || i >= len(s.anchors) {
		return nil
	}
	return &s.anchors[i]
}

// reanchor says where an earlier record is seen, which was not known when it came.
func (s *State) reanchor(id a2a.RecordID, p place) {
	if a := s.anchorOf(id); a != nil {
		*a = anchor{turn: p.turn.ID, block: int32(p.block), entry: int32(p.entry)}
	}
}

// anchorDefault places a record that built nothing of its own: at the newest
// entry of its task in its turn, else at the turn's message.
func (s *State) anchorDefault(x *exchange, id a2a.RecordID) {
	if x.turn == nil {
		return
	}
	p := place{x.turn, -1, -1}
	if i, ok := x.turn.blocks[x.task]; ok {
		p = place{x.turn, i, len(x.turn.Blocks[i].Entries) - 1}
	}
	s.anchor(id, p, 0)
}

// waits puts a task on the list of those that wait for the person, or takes it off.
func (s *State) waits(t *Task, ch *Change) { s.list(t, t.Waits() && !t.Conversation.Agent.Closed, ch) }

func (s *State) list(t *Task, waits bool, ch *Change) {
	if (t.waits != 0) == waits {
		return
	}
	ch.Agents = true
	if waits {
		s.waitings++
		t.waits = s.waitings
		s.waiting = append(s.waiting, t)
		return
	}
	i, _ := slices.BinarySearchFunc(s.waiting, t.waits, func(other *Task, n uint64) int { return cmp.Compare(other.waits, n) })
	s.waiting = slices.Delete(s.waiting, i, i+1)
	t.waits = 0
}

// unlist takes all tasks of an agent off the list.
func (s *State) unlist(a *Agent, ch *Change) {
	s.waiting = slices.DeleteFunc(s.waiting, func(t *Task) bool {
		if t.Conversation.Agent != a {
			return false
		}
		t.waits = 0
		ch.Agents = true
		return true
	})
}

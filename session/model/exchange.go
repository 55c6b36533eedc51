package model

import (
	"cmp"
	"strings"
	"unicode"

	"parley/a2a"
	"parley/a2a/pause"
	"parley/session/log"
	"parley/session/problem"
	"parley/session/task"
)

// request applies the beginning of an exchange.
func (s *State) request(r *a2a.Record, v *log.Verdict, ch *Change) {
	call := r.Call
	if call == nil || call.Agent == 0 {
		return
	}
	agent := s.agent(call.Agent, call.Endpoint)
	if call.Turn != 0 { // its discovery is over, even where the recording has nothing of it
		s.Tags.settle(agent)
	}
	x := &exchange{id: r.ID, call: call, agent: agent, began: r.Time}
	if r.Head != nil {
		x.extensions = a2a.ExtensionsIn(r.Head.Header)
	}
	x.webhook = webhookIn(r)
	s.exchanges[r.ID] = x
	ch.Agent = x.agent.ID
	if call.Check {
		return // it belongs to no turn
	}
	if call.Op == a2a.OpList {
		if x.agent.List == nil {
			x.agent.List = &TaskList{}
		}
		x.agent.List.ask(r)
	}
	var known *Task
	if call.TaskID != "" { // a call without a task does not concern an aside without an id
		known = s.Task(call.Agent, call.TaskID)
	}
	if call.AuthPoll {
		s.authPollRequest(x, r, known, ch)
		return
	}
	if x.turn = s.turns[v.Turn]; v.Turn != 0 && v.Turn == call.Turn {
		x.turn = s.turn(x, r, ch)
	}
	if x.turn == nil {
		return
	}
	if task.SendsMessage(call.Op) {
		x.turn.sent, x.turn.webhook = r.ID, x.webhook
	}
	if known != nil {
		x.task = known
		known.Push.ask(call.Op)
		known.Push.URL = cmp.Or(x.webhook, known.Push.URL)
		known.ask(call, r.ID)
		if call.Turn != 0 {
			known.turn = x.turn
		}
	}
	x.turn.begin(call)
	x.turn.touch()
	ch.Turn, ch.Conversation = x.turn.ID, x.turn.Conversation.ID
	ch.Agents = true
	s.anchor(r.ID, place{x.turn, -1, -1}, 0)
}

// authPollRequest applies the beginning of a request that nobody waits for.
func (s *State) authPollRequest(x *exchange, r *a2a.Record, task *Task, ch *Change) {
	if task == nil || task.turn == nil {
		return
	}
	x.task, x.turn = task, task.turn
	ch.Turn, ch.Conversation = x.turn.ID, x.turn.Conversation.ID
	s.anchor(r.ID, place{x.turn, -1, -1}, 0)
}

// turn returns the turn of a request; the first request creates it.
func (s *State) turn(x *exchange, r *a2a.Record, ch *Change) *Turn {
	call := x.call
	if t := s.turns[call.Turn]; t != nil {
		s.noteAgain(t, t.reasonOf(x))
		return t
	}
	t := s.newTurn(s.conversation(call.Conversation, x.agent, ch), call.Turn, r)
	t.Target.TaskID = call.TaskID
	if !task.SendsMessage(call.Op) {
		return t
	}
	t.Target.ContextID = call.ContextID
	if c := t.Conversation; c.ContextID == "" {
		c.ContextID = call.ContextID
	}
	if m := sentMessage(r); m != nil {
		t.Target.References = m.ReferenceTaskIDs
		s.noteSent(t, m, ch)
	}
	if task := s.Task(call.Agent, call.TaskID); task != nil {
		task.Send()
		task.Version++
		s.waits(task, ch)
	}
	return t
}

// sentMessage reads the message from a request's body; nil if the body, which a user may have
// written by hand, has none.
func sentMessage(r *a2a.Record) *a2a.Message {
	u := a2a.Decode(r.Call, a2a.Input{Body: r.Raw})
	for i := range u.Events {
		if m := u.Events[i].Message; m != nil {
			return m
		}
	}
	return nil
}

func (s *State) newTurn(c *Conversation, id a2a.TurnID, r *a2a.Record) *Turn {
	t := &Turn{ID: id, Conversation: c, Record: r.ID, Time: r.Time}
	t.Target.Agent, t.Target.Conversation = c.Agent.ID, c.ID
	if r.Call != nil && r.Call.Raw {
		t.Written = log.DescribeRequest(r)
	}
	if r.Call != nil && r.Call.Tapped != nil {
		t.Client = cmp.Or(r.Call.Tapped.Client, "client")
	}
	s.turns[id] = t
	c.Turns = append(c.Turns, t)
	return t
}

// noteSent notes what the user wrote, so that a history that repeats it is not
// shown again.
func (s *State) noteSent(t *Turn, m *a2a.Message, ch *Change) {
	t.Message = m
	c := t.Conversation
	text := m.Text()
	c.sentTexts[text] = true
	if m.ID != "" {
		c.shownMessages[m.ID] = place{t, -1, -1}
	}
	if c.Title == "" {
		c.Title = title(m, text)
		ch.Agents = true
	}
}

// title is the beginning of a message in one line.
func title(m *a2a.Message, text string) string {
	const most = 60
	if strings.TrimSpace(text) == "" {
		for i := range m.Parts {
			if p := &m.Parts[i]; p.Kind != a2a.PartText {
				text = cmp.Or(p.Filename, cmp.Or(problem.Clip(string(p.Data)), p.Kind.String()))
				break
			}
		}
	}
	var b strings.Builder
	n, space := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) {
			space = n > 0
			continue
		}
		if n == most {
			b.WriteRune('…')
			break
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// head applies a response's status line: an agent that answers is reachable.
func (s *State) head(x *exchange, r *a2a.Record, ch *Change) {
	if r.Head != nil {
		x.status, x.media, x.pause = r.Head.Status, r.Head.Header.Get("Content-Type"), pause.After(r.Head.Header, r.Time)
	}
	if leavesAgent(x.call) {
		return
	}
	if x.agent.Phase == Unreachable && x.agent.Card != nil && !x.aside() {
		x.agent.Phase, x.agent.Problem = Ready, ""
		ch.Agents = true
	}
	x.agent.unanswered.alive(s, x.call)
	s.noteActivated(x, r)
}

// end applies the end of an exchange.
func (s *State) end(x *exchange, r *a2a.Record, ch *Change) {
	delete(s.exchanges, x.id)
	end := r.End
	if end == nil {
		end = &a2a.End{Reason: a2a.Cut}
	}
	s.closeStream(x, ch)
	s.unreachable(x, end, ch)
	s.endList(x, end)
	if x.turn == nil {
		return
	}
	if x.call.AuthPoll {
		s.endProblem(x, r, end)
		return
	}
	x.turn.open--
	x.turn.settle()
	x.noteAttempt(r, end)
	s.endWebhooks(x, end)
	ch.Agents = true
	if end.Class == a2a.ClassFollowed {
		x.bodyProblem = nil // the next request shows the result
		return
	}
	s.endProblem(x, r, end)
	s.sameAgain(x, r)
	s.endRequest(x)
	if x.refused() {
		s.mayRetry(x, r)
	}
	if t := x.task; t != nil && t.Answered && t.Asks() && x.turn.open == 0 {
		t.Answered = false
		t.Version++
		s.waits(t, ch)
	}
}

// settle computes whether anything is in progress for the turn.
func (t *Turn) settle() { t.Pending = !t.over && (t.open > 0 || t.polling) }

// aside reports whether an exchange went over another binding than the agent's, as a message
// does that is sent again to compare the answers: it says nothing about the agent's own way.
func (x *exchange) aside() bool {
	if x.turn != nil && x.turn.Conversation.Way.Binding != "" {
		return true
	}
	own := x.agent.Profile.Binding
	return x.call.Binding != "" && own != "" && x.call.Binding != own
}

// unreachable notes that the agent's address does not answer.
func (s *State) unreachable(x *exchange, end *a2a.End, ch *Change) {
	if end.Reason != a2a.Refused || !problem.IsUnreachable(end.Class) || x.agent.Phase != Ready || leavesAgent(x.call) || x.aside() {
		return
	}
	x.agent.Phase, x.agent.Problem = Unreachable, end.Sentence
	ch.Agents = true
}

package engine

import (
	"maps"
	"strconv"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/problem"
	"parley/session/task"
)

// begin notes that an exchange begins.
func (r *run) begin(call *a2a.Call) {
	if r == nil || !task.Counts(call) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turn.Begin()
}

// noteTask notes the newest task of the run.
func (r *run) noteTask(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.task = id
}

// noteAttempt adds an exchange, with those that it followed, to the attempts of a turn. A look that finds
// the task shows that the agent has taken the message.
func (r *run) noteAttempt(fw *follower, call *a2a.Call, began, ended time.Time, out *a2a.Answer) {
	if r == nil {
		return
	}
	id := ""
	if out.HasTask() && !call.Check && !call.AuthPoll {
		id = fw.task()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if id != "" {
		r.task = id
	}
	if !task.Counts(call) {
		if call.Op == a2a.OpGet && !call.Check && out.Events > 0 {
			r.turn.Find()
		}
		return
	}
	for i := range out.Before {
		s := &out.Before[i]
		r.turn.Add(task.NewAttempt(&s.Call, began, s.Ended, &task.Facts{Exchange: s.Exchange, End: s.End, Status: s.Status}))
		began = s.Ended
	}
	facts, last := task.FactsOf(out), call
	if out.Exchange != 0 {
		last = out.Call()
	}
	r.turn.Add(task.NewAttempt(last, began, ended, &facts))
}

// noteUntried adds to a turn that its message could not be sent at all.
func (r *run) noteUntried(call *a2a.Call, f failure, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turn.Add(task.NewAttempt(call, now, now, &task.Facts{End: a2a.End{Reason: a2a.Refused, Class: f.class, Sentence: f.sentence}}))
}

// mayTryAgain reports whether no attempt of a turn started anything.
func (r *run) mayTryAgain() bool {
	if r == nil {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.turn.MayTryAgain()
}

// newestTask returns the newest task in an answer of the run, empty if there is none.
func (r *run) newestTask() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.task
}

// outcome returns the note about what a turn came to, nil if the turn has none or the record says so
// already. The lifecycle is that of its newest task, nil if it has none.
func (r *run) outcome(c *a2a.Call, l *task.Lifecycle, f failure) map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.class == problem.ClassStopped {
		r.turn.Stop()
	}
	if l != nil && !r.turn.Sends() {
		r.turn.Find() // the message was sent before this run
	}
	o := r.turn.Outcome(l)
	if f.sentence != "" {
		o.Class, o.Sentence = f.class, f.sentence
	}
	tried := r.turn.Tried()
	attrs := map[string]string{
		log.AttrAgent: log.IDText(c.Agent), log.AttrConversation: log.IDText(c.Conversation), log.AttrTurn: log.IDText(c.Turn),
		log.AttrTask: r.task, log.AttrKind: o.Kind.String(), log.AttrDelivery: o.Delivery.String(),
		log.AttrTried: strconv.Itoa(tried), log.AttrSentence: o.Sentence, log.AttrClass: o.Class,
	}
	if tried == 0 && r.noted == nil || maps.Equal(attrs, r.noted) {
		return nil
	}
	r.noted = maps.Clone(attrs)
	return attrs
}

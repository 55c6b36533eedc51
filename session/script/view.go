package script

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/visible"
	"parley/session/model"
	"parley/session/problem"
)

// A View is what a condition is judged over: a session and what of it is under discussion.
type View struct {
	State *model.State
	Agent a2a.AgentID // opened last, 0 if none is
	Turn  a2a.TurnID  // of the newest message, 0 before the first one
	// Over says that nothing more comes in the turn: its work is over (log.SignalTurnOver), or its
	// task waits for the user and has been silent for a moment.
	Over bool
	// Times are how long the answers took that are complete. A [Play] fills them in.
	Times []time.Duration
}

// turn returns the turn under discussion, nil until it is known.
func (v View) turn() *model.Turn {
	if v.State == nil || v.Turn == 0 {
		return nil
	}
	return v.State.Turn(v.Turn)
}

// Task returns the task that the newest message is about, nil if there is none.
func (v View) Task() *model.Task {
	t := v.turn()
	if t == nil {
		return nil
	}
	for _, b := range slices.Backward(t.Blocks) {
		if b.Task != nil {
			return b.Task
		}
	}
	return nil
}

// Waits reports whether the task of the newest message waits for an answer.
func (v View) Waits() bool {
	t := v.Task()
	return t != nil && t.Waits()
}

// problem returns the problem with which the turn ended, nil if it ended without one.
func (v View) problem() *problem.Problem {
	t := v.turn()
	if t == nil {
		return nil
	}
	var last *problem.Problem
	for _, b := range t.Blocks {
		for i := range b.Entries {
			switch e := &b.Entries[i]; e.Kind {
			case model.EntryProblem:
				if !e.Problem.Ours() && (!e.Problem.Interrupts() || v.Over) {
					last = e.Problem
				}
			case model.EntryState, model.EntryMessage, model.EntryArtifact:
				last = nil
			}
		}
	}
	if task := v.Task(); last != nil && task != nil && task.Over() && !task.Forgotten && !task.Lost {
		return nil // it came to its end in another way
	}
	return last
}

// newestProblem returns the newest problem of the agent in the turn, also one after which the answer
// went on; nil if there is none.
func (v View) newestProblem() *problem.Problem {
	t := v.turn()
	if t == nil {
		return nil
	}
	for _, b := range slices.Backward(t.Blocks) {
		for i := range slices.Backward(b.Entries) {
			if e := &b.Entries[i]; e.Kind == model.EntryProblem && !e.Problem.Ours() {
				return e.Problem
			}
		}
	}
	return nil
}

// Came says in a clause how the newest message stands.
func (v View) Came() string {
	t, task := v.turn(), v.Task()
	switch pr := v.problem(); {
	case v.Turn == 0:
		return "nothing was sent yet"
	case t == nil:
		return "no answer has come"
	case pr != nil:
		return "an error came: “" + clean(pr.Sentence) + "”"
	case task != nil:
		return "the task is " + visible.Line(clip(task.StateWord()))
	case len(t.Blocks) > 0 && v.Over:
		return "the agent answered with a message, which has no state"
	case v.Over:
		return "the answer is empty"
	}
	return "no answer has come"
}

// clean makes a received sentence part of another one.
func clean(s string) string {
	const most = 200
	s = visible.Line(s)
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most-1]) + "…"
	}
	return strings.TrimSuffix(s, ".")
}

// record returns the newest JSON that the agent sent in the turn, nil if there is none.
func (v View) record() []byte {
	t := v.turn()
	if t == nil {
		return nil
	}
	for id := a2a.RecordID(v.State.Log.Len()); id > t.Record; id-- {
		it := v.State.Log.At(id)
		if it == nil {
			continue
		}
		r := &it.Record
		if (r.Kind == a2a.KindBody || r.Kind == a2a.KindEvent) && r.Call != nil && r.Call.Turn == t.ID && !r.Call.Check && json.Valid(r.Payload()) {
			return r.Payload()
		}
	}
	return nil
}

// Target returns where a step sends its message: Answer to the task that waits, Say into the
// conversation of the newest message, which is a new one at an agent that was just opened.
func (v View) Target(s *Step) model.Target {
	to := model.Target{Agent: v.Agent}
	t := v.turn()
	if t == nil || t.Conversation.Agent.ID != v.Agent {
		return to
	}
	to.Conversation, to.ContextID = t.Conversation.ID, t.Conversation.ContextID
	if task := v.Task(); s.Verb == Answer && task != nil {
		to.TaskID = task.ID
		to.ContextID = cmp.Or(task.ContextID, to.ContextID)
	}
	return to
}

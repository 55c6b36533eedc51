package session

import (
	"context"
	"fmt"
	"time"

	"parley/a2a"
	"parley/internal/units"
)

// A known task is one that this session has seen: where it stands, where it belongs, and
// who is about to hear of it. It is guarded by the engine's lock.
type known struct {
	Lifecycle
	conv   a2a.ConversationID
	turn   a2a.TurnID
	ended  uint64    // as of which [follower.begun] the task is over, 0 if it is not
	stream *follower // of the stream that tells of it, nil if there is none
	stamp  time.Time // of the newest status, zero if none has one
	waits  *follower // of who waits before it is asked for again, nil if nobody does
	pushed bool      // a delivery told of it
	heeded bool      // and what the newest one lacked is being asked for
	fetch  fetching  // because a delivery did not tell all
	vigil  *vigil    // nil if there is none
	alone  bool      // the user wants no vigil
	// output is set when something that a user can read came of it, and whole when an answer
	// that is no event told all of it after its end.
	output, whole bool
	// follows counts who listens to the task, or asks for it, until it is over.
	follows int
	// soon is set when its agent is back: whoever follows the task does not wait.
	soon bool
	// cancel is closed when the answer to a request to end the task has come; nil if none
	// is under way.
	cancel chan struct{}
}

// status takes in a status that a call brought. What is older than a delivery changes
// nothing, nor does what contradicts the end of the task.
func (k *known) status(fw *follower, st *a2a.Status) {
	k.Recall()
	if k.pushed && !st.Time.IsZero() && st.Time.Before(k.stamp) {
		return
	}
	if st.Time.After(k.stamp) {
		k.stamp = st.Time
	}
	message := aboutMessage(fw.call.Op)
	switch k.Take(st, message && fw.begun > k.ended) {
	case MoveTaken:
		k.ended = 0
		if k.State.Terminal() {
			k.ended = fw.e.begun
		}
	case MoveNone:
		if message {
			k.Ask()
		}
	}
}

// tells notes whether an event has something to show, or tells all of a task that is over.
func (k *known) tells(fw *follower, ev *a2a.Event) {
	st := statusOf(ev)
	said := st != nil && st.State.Terminal() && st.Message != nil && st.Message.Role != a2a.RoleUser // progress is no result
	k.output = k.output || said || ev.Artifact != nil || ev.Kind == a2a.EventMessage || ev.Task != nil && len(ev.Task.Artifacts) > 0
	k.whole = k.whole || ev.Task != nil && fw.cancel == nil && k.State.Terminal()
}

// fetchOutput asks once for a task that was completed on a stream which had nothing to show:
// its agent may have kept the result, or put it into the history.
func (e *Engine) fetchOutput(ctx context.Context, a *remote, fw *follower) {
	d, spoken := a.profile.Spoken()
	task := fw.task()
	e.mu.Lock()
	k := fw.agent.tasks[task]
	lacks := k != nil && k.State == a2a.StateCompleted && !k.output && !k.whole
	e.mu.Unlock()
	if !lacks || ctx.Err() != nil || !spoken || !d.Supports(a2a.OpGet) || fw.call.Raw {
		return
	}
	if fw.history == nil {
		most := outputHistory
		fw.history = &most
	}
	call := *fw.call
	call.Op, call.TaskID, call.Rest = a2a.OpGet, fw.task(), true
	limited, cancel := e.limitOutput(ctx, fw.task(), true)
	defer cancel()
	e.getAs(limited, a, fw, call)
}

// outputHistory is how many messages of a task's history are asked for where its result may
// be among them.
const outputHistory = 20

// limitOutput returns a context for asking for what an event or a delivery lacked of a task;
// over says whether the task is over. An agent that holds its answer back holds up nobody for
// long: the request is given up, and the user is told.
func (e *Engine) limitOutput(ctx context.Context, task string, over bool) (context.Context, context.CancelFunc) {
	limited, cancel := context.WithCancelCause(ctx)
	timer := e.o.After(e.o.ResultWait)
	e.start(func() {
		select {
		case <-timer:
			cancel(&a2a.GiveUp{Sentence: outputSentence(task, over, e.o.ResultWait)})
		case <-limited.Done():
		}
	})
	return limited, func() { cancel(nil) }
}

// outputSentence says that an agent held its answer back.
func outputSentence(task string, over bool, limit time.Duration) string {
	what := "how task " + units.ID(task) + " goes on"
	if over {
		what = "the result of task " + units.ID(task)
	}
	return fmt.Sprintf("The agent did not tell %s within %s. Get the task to ask for it again.", what, units.Duration(limit))
}

// deliver takes in a status that was delivered to a webhook.
func (k *known) deliver(e *Engine, st *a2a.Status) {
	if st.Time.After(k.stamp) {
		k.stamp = st.Time
	}
	if k.Take(st, false) == MoveTaken && k.State.Terminal() {
		k.ended = e.begun
	}
}

// claim returns the events that are the follower's own now that one has come, see
// [subject.take].
func (e *Engine) claim(fw *follower, ev *a2a.Event) []said {
	e.mu.Lock()
	defer e.mu.Unlock()
	return fw.subject.take(said{event: ev}, fw.cancel != nil, fw.relation)
}

// relation says what is known of a task. The engine is locked.
func (fw *follower) relation(task string) relation {
	k := fw.agent.tasks[task]
	if k == nil {
		return relation{}
	}
	return relation{known: true, conv: k.conv, state: k.State}
}

// holds reports whether all that came is about a task that belongs elsewhere and is over.
func (fw *follower) holds() bool {
	fw.e.mu.Lock()
	defer fw.e.mu.Unlock()
	return fw.subject.over()
}

// standing returns what is known of the follower's task.
func (fw *follower) standing() Lifecycle {
	fw.mu.Lock()
	task, heard := fw.taskID, fw.heardOf
	fw.mu.Unlock()
	if task == "" {
		return heard
	}
	fw.e.mu.Lock()
	defer fw.e.mu.Unlock()
	if k := fw.agent.tasks[task]; k != nil {
		return k.Lifecycle
	}
	return heard
}

// messageSent notes that a message goes to a task, which no longer waits for the user.
func (e *Engine) messageSent(agent a2a.AgentID, task string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if k := e.known(agent, task); k != nil {
		k.Send()
	}
}

// messageOver notes that nothing more comes of a message to a task: if it still asks for
// what it asked before, it waits for the user again.
func (e *Engine) messageOver(agent a2a.AgentID, task string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if k := e.known(agent, task); k != nil {
		k.Ask()
	}
}

// canceling notes that an agent is asked to end a task; over is to be called when the
// answer has come.
func (e *Engine) canceling(agent a2a.AgentID, task string) (over func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	k := e.known(agent, task)
	if k == nil || k.cancel != nil {
		return func() {}
	}
	answered := make(chan struct{})
	k.cancel = answered
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		close(answered)
		k.cancel = nil
	}
}

// awaitCancel waits for the answer to a request to end a follower's task, if one is under
// way: a stream that ends meanwhile most likely ends because of it.
func (e *Engine) awaitCancel(done <-chan struct{}, fw *follower) {
	task := fw.task()
	e.mu.Lock()
	var answered chan struct{}
	if k := fw.agent.tasks[task]; k != nil {
		answered = k.cancel
	}
	e.mu.Unlock()
	if answered == nil {
		return
	}
	select {
	case <-answered:
	case <-done:
	}
}

package engine

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/task"
)

// A knownTask task is one that this session has seen: its state, where it belongs, and who follows
// it. The engine's lock guards it.
type knownTask struct {
	task.Lifecycle
	home          a2a.ConversationID // in which it first occurred
	conv          a2a.ConversationID // of the newest call about it
	turn          a2a.TurnID         // of that call
	ended         uint64             // as of which [follower.begun] the task is over, 0 if it is not
	stream        *follower          // of the stream that reports it, nil if there is none
	stamp         time.Time          // of the newest status, zero if none has one
	waiter        *follower          // of who waits before it is requested again, nil if nobody does
	delivered     bool               // a delivery reported it
	restRequested bool               // and the rest of the newest one is being requested
	rest          restGet            // because a delivery was incomplete
	authPoll      *authPoll          // nil if there is none
	noAuthPoll    bool               // the user stopped the auth poll
	// output is set when the task has produced readable output, and whole when an answer that
	// is not an event returned all of it after its end.
	output, whole bool
	// followers counts who streams or polls the task, until it is over.
	followers int
	// soon is set when its agent is back: whoever follows the task does not wait.
	soon bool
	// restored is set until a task of a recorded session is requested for the first time.
	restored bool
	// cancel is closed when a cancel of the task is answered; nil if none is in progress.
	cancel chan struct{}
}

// place notes where a call puts the task.
func (k *knownTask) place(call *a2a.Call) {
	k.home = cmp.Or(k.home, call.Conversation)
	k.conv, k.turn = call.Conversation, call.Turn
}

// status takes a status from a call. It ignores one that is older than a delivery or
// contradicts the end of the task. begun counts the engine's followers when it came.
func (k *knownTask) status(fw *follower, st *a2a.Status, begun uint64) {
	if k.delivered && !st.Time.IsZero() && st.Time.Before(k.stamp) {
		return
	}
	if st.Time.After(k.stamp) {
		k.stamp = st.Time
	}
	message := task.SendsMessage(fw.call.Op)
	switch k.Take(st, message && fw.number > k.ended) {
	case task.MoveTaken:
		k.ended = 0
		if k.State.Terminal() {
			k.ended = begun
		}
	case task.MoveNone:
		if message {
			k.Ask()
		}
	}
}

// noteOutput notes whether an event has output, or contains all of a task that is over.
func (k *knownTask) noteOutput(fw *follower, ev *a2a.Event) {
	st := task.StatusOf(ev)
	said := st != nil && st.State.Terminal() && st.Message != nil && st.Message.Role != a2a.RoleUser // progress is not a result
	k.output = k.output || said || ev.Artifact != nil || ev.Kind == a2a.EventMessage || ev.Task != nil && len(ev.Task.Artifacts) > 0
	k.whole = k.whole || ev.Task != nil && fw.cancel == nil && k.State.Terminal()
}

// getOutput gets a completed task once if its stream had no output: its agent may have held
// the result back, or put it into the history.
func (e *Engine) getOutput(ctx context.Context, a *remote, fw *follower) {
	d, spoken := a.profile.Spoken()
	lacks := false
	fw.withTask(func(k *knownTask) { lacks = k.State == a2a.StateCompleted && !k.output && !k.whole })
	if !lacks || ctx.Err() != nil || !spoken || !d.Supports(a2a.OpGet) || fw.call.Raw {
		return
	}
	if fw.history == nil {
		most := outputHistory
		fw.history = &most
	}
	call := fw.callFor(a2a.OpGet)
	call.Rest = true
	limited, cancel := e.limitOutput(ctx, fw.task(), true)
	defer cancel()
	e.getAs(limited, a, fw, call)
}

// outputHistory is how many messages of a task's history are requested if its result may be
// among them.
const outputHistory = 20

// limitOutput returns a context for getting what an event or a delivery lacked; over says
// whether the task is over. An agent that holds its answer back blocks nothing for long: Parley
// gives up the request and tells the user.
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
	what := "the state of task " + units.ID(task)
	if over {
		what = "the result of task " + units.ID(task)
	}
	return fmt.Sprintf("The agent did not return %s within %s.", what, units.Duration(limit))
}

// deliver takes a status that was delivered to a webhook.
func (k *knownTask) deliver(st *a2a.Status, begun uint64, now time.Time) {
	k.Recall(now)
	if st.Time.After(k.stamp) {
		k.stamp = st.Time
	}
	if k.Take(st, false) == task.MoveTaken && k.State.Terminal() {
		k.ended = begun
	}
}

// claim returns the events that are the follower's own now that one has come, see
// [task.Subject.Claim].
func (e *Engine) claim(fw *follower, ev *a2a.Event) []task.Mention {
	e.mu.Lock()
	defer e.mu.Unlock()
	return fw.noteHomes(fw.subject.Claim(task.Mention{Event: ev, Begun: e.followers}, fw.cancel != nil, fw.relation))
}

// noteHomes notes where the tasks of own events belong, and returns the events. The caller holds the engine's lock.
func (fw *follower) noteHomes(own []task.Mention) []task.Mention {
	for _, it := range own {
		if id := it.Event.TaskID; id != "" {
			k := fw.agent.track(id)
			k.home = cmp.Or(k.home, fw.call.Conversation)
		}
	}
	return own
}

// relation returns what is known of a task. The caller holds the engine's lock.
func (fw *follower) relation(id string) task.Relation {
	k := fw.agent.tasks[id]
	if k == nil {
		return task.Relation{}
	}
	return task.Relation{Known: true, Conv: k.home, State: k.State}
}

// holds reports whether everything that came is about a task that belongs elsewhere and is
// over.
func (fw *follower) holds() bool {
	fw.e.mu.Lock()
	defer fw.e.mu.Unlock()
	return fw.subject.Over()
}

// withTask calls f, under the engine's lock, with what is known of the follower's task; it does
// not if nothing is.
func (fw *follower) withTask(f func(k *knownTask)) { fw.e.withTask(fw.agent.id, fw.task(), f) }

// lifecycle returns what is known of the follower's task.
func (fw *follower) lifecycle() task.Lifecycle {
	fw.mu.Lock()
	known := fw.ownLifecycle
	fw.mu.Unlock()
	fw.withTask(func(k *knownTask) { known = k.Lifecycle })
	return known
}

// knownTask returns what is known of a task, nil if nothing is. The caller holds the engine's lock.
func (e *Engine) knownTask(agent a2a.AgentID, task string) *knownTask {
	if a := e.agents[agent]; a != nil {
		return a.tasks[task]
	}
	return nil
}

// withTask calls f, under the engine's lock, with what is known of a task; it does not if nothing
// is.
func (e *Engine) withTask(agent a2a.AgentID, task string, f func(k *knownTask)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if k := e.knownTask(agent, task); k != nil {
		f(k)
	}
}

// track returns what is known of a task, from now on at least that it exists. The caller holds the
// engine's lock.
func (a *remote) track(task string) *knownTask {
	k := a.tasks[task]
	if k == nil {
		k = &knownTask{}
		a.tasks[task] = k
	}
	return k
}

// trackCancel notes that a cancel of a task begins; the caller calls over when the answer has
// come.
func (e *Engine) trackCancel(agent a2a.AgentID, task string) (over func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	k := e.knownTask(agent, task)
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

// awaitCancel waits for the answer to a cancel of a follower's task, if one is in progress: a
// stream that ends meanwhile most likely ends because of it.
func (e *Engine) awaitCancel(done <-chan struct{}, fw *follower) {
	var answered chan struct{}
	fw.withTask(func(k *knownTask) { answered = k.cancel })
	if answered == nil {
		return
	}
	select {
	case <-answered:
	case <-done:
	}
}

package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/task"
	"parley/session/tracker"
)

// A follower holds what the engine knows of an operation in progress: its task and whether that
// task is over.
type follower struct {
	e      *Engine
	agent  *remote
	call   *a2a.Call
	root   *a2a.Call  // of the operation, which may be an earlier one
	items  *a2a.Items // of the streams of the operation
	number uint64     // its number among the engine's followers
	// subject is what it follows. The engine's lock guards it.
	subject task.Subject
	poke    chan struct{} // an event was received
	hurry   chan struct{} // a delivery requires a get
	flow    flow
	injection
	// history is how many messages are requested with the task, nil for the agent's choice.
	history *int
	// attempt is the number of the newest request. It belongs to the goroutine of the operation.
	attempt int
	// then is the work to do once the record of an event exists. It belongs to the goroutine
	// that reads.
	then []func()
	// cancel ends the stream, nil if there is none. The engine's lock guards it.
	cancel context.CancelFunc

	mu     sync.Mutex
	taskID string
	strays int // events of other tasks
	// ownLifecycle is what the exchange itself reported of its task.
	ownLifecycle task.Lifecycle
	events       int
	late         int  // events since its task is over
	whole        bool // the first event was a snapshot of the task
	final        bool // a message answered it, which is the whole answer
	// last is set when an event was marked as the stream's last, which some agents send before,
	// or instead of, the task's final state.
	last bool
	// quiet is set when Parley closed the stream because nothing came after that.
	quiet bool
}

func (e *Engine) follow(a *remote, call *a2a.Call) *follower {
	fw := &follower{e: e, agent: a, call: call, root: call, items: &a2a.Items{}, subject: task.NewSubject(call), poke: make(chan struct{}, 1), hurry: make(chan struct{}, 1), injection: injection{cuts: &cutList{}}}
	fw.flow.again = make(chan struct{}, 1)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.followers++
	fw.number = e.followers
	if k := a.tasks[call.TaskID]; k != nil && !task.SendsMessage(call.Op) {
		fw.taskID = call.TaskID
	} else if call.Op == a2a.OpSubscribe {
		fw.taskID = call.TaskID // the agent will say whether it exists
	}
	return fw
}

// observe is called for every body and every frame before it is recorded, so that the
// engine knows whatever a user can see.
func (fw *follower) observe(u a2a.Update) {
	fw.compare(&u)
	for i := range u.Events {
		ev := &u.Events[i]
		if !tracker.IsAssembled(ev.Kind) {
			fw.event(task.Mention{Event: ev})
			continue
		}
		own := fw.e.claim(fw, ev)
		for _, it := range own {
			fw.event(it)
		}
		if len(own) == 0 {
			fw.countStray()
		}
	}
}

// countStray counts an event of another task, which changes nothing.
func (fw *follower) countStray() {
	fw.mu.Lock()
	defer fw.mu.Unlock()
	fw.strays++
}

// finish takes what turns out to be about the follower's task now that an exchange is over.
func (fw *follower) finish() {
	fw.e.mu.Lock()
	own := fw.noteHomes(fw.subject.End(fw.relation))
	fw.e.mu.Unlock()
	for _, it := range own {
		fw.event(it)
	}
}

// onRecorded is called when it is recorded.
func (fw *follower) onRecorded(a2a.Update) {
	for _, do := range fw.then {
		do()
	}
	fw.then = nil
	fw.wake()
}

// wake makes the watcher of the follower's stream check the task's state again.
func (fw *follower) wake() {
	log.Wake(fw.poke)
}

func (fw *follower) event(it task.Mention) {
	ev := it.Event
	fw.mu.Lock()
	switch ev.Kind {
	case a2a.EventTask, a2a.EventStatus, a2a.EventArtifact:
		fw.whole = fw.whole || fw.events == 0 && ev.Kind == a2a.EventTask
		fw.events++
		if fw.late > 0 || fw.ownLifecycle.State.Terminal() {
			fw.late++
		}
		if ev.TaskID != "" {
			fw.taskID = ev.TaskID
		}
		if st := task.StatusOf(ev); st != nil {
			fw.ownLifecycle.Take(st, true)
		}
		fw.last = ev.Final == a2a.True
	case a2a.EventMessage:
		fw.events++
		fw.final = fw.taskID == ""
	case a2a.EventUnknown:
		fw.events++
	default:
		fw.mu.Unlock()
		return
	}
	id, first := fw.taskID, fw.events == 1
	fw.mu.Unlock()
	if closes := fw.e.learn(fw, id, it); closes != nil {
		fw.then = append(fw.then, closes)
	}
	if first && task.SendsMessage(fw.call.Op) && ev.Kind != a2a.EventUnknown {
		fw.then = append(fw.then, func() { fw.e.noteAnswer(fw) })
	}
	if streams := fw.call.Op == a2a.OpStream || fw.call.Op == a2a.OpSubscribe; first && streams && ev.Kind != a2a.EventUnknown {
		fw.then = append(fw.then, func() { fw.e.noteStreaming(fw.agent, a2a.True) })
	}
	if first && fw.call.Op == a2a.OpSubscribe && fw.e.hasOpenStream(fw) {
		fw.then = append(fw.then, func() { fw.e.judge(fw.e.ctx, fw.cuts.takeResubscribed(fw), fw) })
	}
}

// learn notes where a task belongs, its state and the context that the agent gave the
// conversation. If an older stream reports the task, closes ends it.
func (e *Engine) learn(fw *follower, t string, it task.Mention) (closes func()) {
	ev := it.Event
	e.mu.Lock()
	defer e.mu.Unlock()
	a, call := fw.agent, fw.call
	if th := e.convs[call.Conversation]; th != nil {
		if id := fw.subject.ContextOf(ev, th.contextID); id != "" {
			th.contextID = id
		}
	}
	if t == "" {
		return nil
	}
	k := a.track(t)
	k.Recall(e.o.Now())
	k.place(call)
	if st := task.StatusOf(ev); st != nil {
		k.status(fw, st, it.Begun)
	}
	k.noteOutput(fw, ev)
	if k.Over() && k.stream != nil && k.stream != fw {
		k.stream.wake()
	}
	if fw.cancel != nil {
		return k.setStream(fw)
	}
	return nil
}

// setStream makes a stream the one that reports a task. The caller closes an older one: an agent
// may send every chunk to both, and the chunk would appear twice. A stream that has brought nothing yet
// stays open, since its message has no answer otherwise.
func (k *knownTask) setStream(fw *follower) (closes func()) {
	if old := k.stream; old != nil && old != fw && old.task() != "" {
		closes = old.cancel
	}
	k.stream = fw
	return closes
}

// openStream notes that a stream is about to be opened. An answer to a task that waits closes the
// stream on which it asked; otherwise an older stream continues until the new one has brought
// something.
func (e *Engine) openStream(a *remote, fw *follower, cancel context.CancelFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	fw.cancel, fw.done = cancel, make(chan struct{})
	e.streams[fw] = true
	if k := a.tasks[fw.call.TaskID]; k != nil && k.Asks() && fw.call.Op == a2a.OpStream {
		if closes := k.setStream(fw); closes != nil {
			closes()
		}
	}
}

// hasOpenStream reports whether a follower's stream is open; otherwise it may be polling.
func (e *Engine) hasOpenStream(fw *follower) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return fw.cancel != nil
}

// closeStream notes that a stream has ended.
func (e *Engine) closeStream(a *remote, fw *follower) {
	e.mu.Lock()
	defer e.mu.Unlock()
	fw.cancel = nil
	delete(e.streams, fw)
	close(fw.done)
	fw.mu.Lock()
	defer fw.mu.Unlock()
	for _, id := range []string{fw.taskID, fw.call.TaskID} {
		if k := a.tasks[id]; k != nil && k.stream == fw {
			k.stream = nil
		}
	}
}

// signal returns a signal about the follower's task.
func (fw *follower) signal(kind log.SignalKind) log.Signal {
	sig := signalOf(kind, fw.call)
	sig.TaskID = fw.task()
	return sig
}

// task returns the id of the task, empty if none was received.
func (fw *follower) task() string {
	fw.mu.Lock()
	defer fw.mu.Unlock()
	return fw.taskID
}

// state returns the task's last known state.
func (fw *follower) state() a2a.State { return fw.lifecycle().State }

// ownState returns the task's state as the exchange itself reported it.
func (fw *follower) ownState() a2a.State {
	fw.mu.Lock()
	defer fw.mu.Unlock()
	return fw.ownLifecycle.State
}

// hasEvents reports whether the agent sent anything but an error.
func (fw *follower) hasEvents() bool {
	fw.mu.Lock()
	defer fw.mu.Unlock()
	return fw.events+fw.strays > 0
}

// snapshot reports whether the first event was the whole task.
func (fw *follower) snapshot() bool {
	fw.mu.Lock()
	defer fw.mu.Unlock()
	return fw.whole
}

// hasTask reports whether a task was received.
func (fw *follower) hasTask() bool { return fw.task() != "" }

// settled reports whether nothing more has to come: a message came, or the task is over or
// waits for the user.
func (fw *follower) settled() bool {
	task := fw.lifecycle()
	fw.mu.Lock()
	defer fw.mu.Unlock()
	return fw.final || task.Over() || task.Waits()
}

// endless says that an agent goes on sending after its task was over, for which Parley has waited; nil if
// it does not.
func (fw *follower) endless(now time.Time, waited time.Duration) error {
	fw.mu.Lock()
	defer fw.mu.Unlock()
	if silent := now.Sub(time.Unix(0, fw.flow.last.Load())); fw.late == 0 || silent > waited/2 {
		return nil
	}
	return &a2a.GiveUp{Complete: true, Sentence: fmt.Sprintf("The agent sent %s in %s after task %s was over, so Parley closed the stream.",
		units.Plural(fw.late, "event"), units.Duration(waited), units.ID(fw.taskID))}
}

// endsOnSilence reports whether silence means that nothing more will come, and ends a stream that
// announced its end.
func (fw *follower) endsOnSilence() bool {
	task := fw.lifecycle()
	fw.mu.Lock()
	defer fw.mu.Unlock()
	fw.quiet = fw.last && task.Works()
	return fw.quiet
}

// ends reports whether the stream is over although it is open: its task is, a message was the answer, or
// everything that came is about tasks of other turns that are over. It may be over if it announced its
// end, or the task waits for the user.
func (fw *follower) ends() (over, may bool) {
	task, held := fw.lifecycle(), fw.holds()
	fw.mu.Lock()
	defer fw.mu.Unlock()
	over = fw.final || task.Over() || held
	return over, over || fw.last || task.Waits()
}

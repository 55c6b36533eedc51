package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/problem"
)

// A flow records when bytes came last. It costs a stream's reads next to nothing.
type flow struct {
	last    atomic.Int64 // in nanoseconds
	stalled atomic.Bool
	again   chan struct{} // bytes came after all
	look    sync.Mutex    // held while the task of a silent stream is requested
}

// awaitLook waits until the task of a silent stream is no longer requested.
func (f *flow) awaitLook() {
	f.look.Lock()
	defer f.look.Unlock()
}

// touch is called whenever bytes came.
func (f *flow) touch(now time.Time) {
	f.last.Store(now.UnixNano())
	if f.stalled.Load() {
		log.Wake(f.again)
	}
}

// watchSilence closes a stream at the end of the grace period after its task is over, whatever comes
// until then, because some agents never close and some never stop; and a stream that is silent for this
// long after its last event. A task that waits for the user keeps its stream, on which some agents
// continue after the answer, but its turn is over after the silence, or at the end of the grace period. A
// stream without bytes whose task is working is reported, and a subscription is compared with the task, see
// [follower.look].
func (e *Engine) watchSilence(ctx context.Context, cancel context.CancelCauseFunc, fw *follower) {
	reported := false
	idle, next := e.idle(), 2*e.o.Idle
	var over, waits <-chan time.Time
	for {
		var silent <-chan time.Time
		switch ended, may := fw.ends(); {
		case ended && over == nil:
			over = e.o.After(e.o.Grace)
		case !ended:
			over = nil
			if may && !reported {
				silent = e.o.After(fw.grace())
			}
		}
		switch task := fw.lifecycle(); {
		case !task.Waits() || reported:
			waits = nil
		case waits == nil:
			waits = e.o.After(e.o.Grace)
		}
		select {
		case <-ctx.Done():
			return
		case <-fw.poke:
			reported = false
		case <-fw.flow.again:
			fw.flow.stalled.Store(false)
			e.signalStall(fw, log.SignalStallEnded, 0)
			idle, next = e.idle(), 2*e.o.Idle
		case <-idle:
			idle, next = e.checkStall(ctx, cancel, fw, next)
		case <-over:
			cancel(fw.endless(e.o.Now(), e.o.Grace))
			return
		case <-silent:
			if fw.endsOnSilence() {
				cancel(nil)
				return
			}
			reported = true
			fw.rest()
		case <-waits:
			reported = true
			fw.rest()
		}
	}
}

// rest notes that the follower's operation only keeps its stream from now on, and reports the end of the
// turn, once, if nothing else is in progress.
func (fw *follower) rest() {
	e := fw.e
	e.mu.Lock()
	r := e.turns[fw.root.Turn]
	over := r != nil && !r.resting[fw.root]
	if over {
		r.resting[fw.root] = true
		over = r.open == len(r.resting)
	}
	e.mu.Unlock()
	if over {
		r.noteTask(fw.task())
		r.over(e, fw.root, failure{})
	}
}

// grace returns how long the stream of a task that is over, or waits, may be silent before
// its turn ends.
func (fw *follower) grace() time.Duration {
	if task := fw.lifecycle(); task.Waits() && !fw.holds() {
		return fw.e.o.AskGrace
	}
	return fw.e.o.Grace
}

func (e *Engine) idle() <-chan time.Time {
	if e.o.Idle < 0 {
		return nil
	}
	return e.o.After(e.o.Idle)
}

// checkStall reports a stream that has been silent for long enough, and again whenever the silence has
// doubled. It returns when to check again, and how long the silence is then for which it looks at the
// task of a subscription.
func (e *Engine) checkStall(ctx context.Context, cancel context.CancelCauseFunc, fw *follower, next time.Duration) (<-chan time.Time, time.Duration) {
	last, first := fw.flow.last.Load(), 2*e.o.Idle
	quiet := e.o.Now().Sub(time.Unix(0, last))
	switch {
	case quiet < e.o.Idle:
		return e.o.After(e.o.Idle - max(quiet, 0)), first
	case fw.control.Paused():
		return e.idle(), first // nobody reads
	}
	if _, may := fw.ends(); may {
		return nil, first // nothing can be missed
	}
	switch {
	case fw.flow.stalled.Load() && quiet < next:
		return e.o.After(next - quiet), next
	case fw.flow.stalled.Load():
		e.signalStall(fw, log.SignalStall, quiet)
		if fw.call.Op == a2a.OpSubscribe {
			e.start(func() { fw.look(ctx, cancel, quiet) })
		}
		return e.o.After(next), 2 * next
	}
	fw.flow.stalled.Store(true)
	if fw.flow.last.Load() != last { // just now
		fw.flow.stalled.Store(false)
		return e.idle(), first
	}
	e.signalStall(fw, log.SignalStall, quiet)
	return e.o.After(first - quiet), first
}

// look gets the task of a subscription that is silent: some agents end a task without a word on the
// streams that follow it. If the task is over, it closes the stream.
func (fw *follower) look(ctx context.Context, cancel context.CancelCauseFunc, quiet time.Duration) {
	fw.flow.look.Lock()
	defer fw.flow.look.Unlock()
	if d, known := fw.agent.profile.Spoken(); ctx.Err() != nil || !known || !d.Supports(a2a.OpGet) {
		return
	}
	silence := "nothing for " + units.Duration(quiet.Truncate(time.Second))
	call := fw.callFor(a2a.OpGet)
	call.Rest, call.Attempt, call.Why, call.Because = true, fw.call.Attempt+1, a2a.WhyAskedAgain, silence
	it := fw.e.follow(fw.agent, &call)
	it.history = fw.history
	out := fw.e.getAs(ctx, fw.agent, it, call)
	if rpc := rpcError(out.Err); rpc != nil && problem.IsTaskUnknown(rpc) { // asked twice
		cancel(&a2a.GiveUp{Sentence: fmt.Sprintf("The stream of task %s brought %s, and the agent denied it twice, so Parley closed the stream.", units.ID(call.TaskID), silence)})
		return
	}
	if over, _ := fw.ends(); over {
		cancel(&a2a.GiveUp{Complete: true, Sentence: fmt.Sprintf("The stream of task %s brought %s although the task is over, so Parley got the task and closed the stream.",
			units.ID(call.TaskID), silence)})
		return
	}
	fw.wake()
}

func (e *Engine) signalStall(fw *follower, kind log.SignalKind, quiet time.Duration) {
	sig := fw.signal(kind)
	sig.After = quiet
	e.signal(sig)
}

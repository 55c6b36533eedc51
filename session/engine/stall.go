package engine

import (
	"context"
	"sync/atomic"
	"time"

	"parley/session/log"
)

// A flow records when bytes came last. It costs a stream's reads next to nothing.
type flow struct {
	last    atomic.Int64 // in nanoseconds
	stalled atomic.Bool
	again   chan struct{} // bytes came after all
}

// touch is called whenever bytes came.
func (f *flow) touch(now time.Time) {
	f.last.Store(now.UnixNano())
	if f.stalled.Load() {
		log.Wake(f.again)
	}
}

// watchSilence closes a stream that is silent for the grace period although its task is over or
// its last event has come, because some agents never close. A task that waits for the user
// keeps its stream, on which some agents continue after the answer, but its turn is over. A
// stream without bytes whose task is working is only reported.
func (e *Engine) watchSilence(ctx context.Context, cancel context.CancelFunc, fw *follower) {
	reported := false
	idle := e.idle()
	for {
		var silent <-chan time.Time
		if fw.mayEnd() && !reported {
			silent = e.o.After(e.graceOf(fw))
		}
		select {
		case <-ctx.Done():
			return
		case <-fw.poke:
			reported = false
		case <-fw.flow.again:
			fw.flow.stalled.Store(false)
			e.signalStall(fw, log.SignalStallEnded, 0)
			idle = e.idle()
		case <-idle:
			idle = e.checkStall(fw)
		case <-silent:
			if fw.endsOnSilence() {
				cancel()
				return
			}
			reported = true
			e.over(fw.call, e.runOf(fw.call.Turn), failure{})
		}
	}
}

// graceOf returns how long the stream of a task that is over, or waits, may be silent before
// its turn ends.
func (e *Engine) graceOf(fw *follower) time.Duration {
	if task := fw.lifecycle(); task.Waits() && !fw.holds() {
		return e.o.AskGrace
	}
	return e.o.Grace
}

func (e *Engine) idle() <-chan time.Time {
	if e.o.Idle < 0 {
		return nil
	}
	return e.o.After(e.o.Idle)
}

// checkStall reports a stream that has been silent for long enough, and returns when to look again.
func (e *Engine) checkStall(fw *follower) <-chan time.Time {
	last := fw.flow.last.Load()
	quiet := e.o.Now().Sub(time.Unix(0, last))
	switch {
	case quiet < e.o.Idle:
		return e.o.After(e.o.Idle - max(quiet, 0))
	case fw.control.Paused():
		return e.idle() // nobody reads
	case fw.mayEnd():
		return nil // nothing can be missed
	}
	fw.flow.stalled.Store(true)
	if fw.flow.last.Load() != last { // just now
		fw.flow.stalled.Store(false)
		return e.idle()
	}
	e.signalStall(fw, log.SignalStall, quiet)
	return nil
}

func (e *Engine) signalStall(fw *follower, kind log.SignalKind, quiet time.Duration) {
	sig := fw.signal(kind)
	sig.After = quiet
	e.signal(sig)
}

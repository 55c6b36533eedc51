package engine

import (
	"context"

	"parley/a2a"
	"parley/session/log"
	"parley/session/problem"
)

// canResubscribe reports whether resubscribing to a task makes sense: its stream is over, the task
// is not, and the agent declares streaming.
func (e *Engine) canResubscribe(a *remote, fw *follower, out a2a.Answer) bool {
	if fw.cuts.inHurry() {
		return out.Streamed // the user pinned it
	}
	streamed := fw.call.Op == a2a.OpStream || fw.call.Op == a2a.OpSubscribe
	return e.o.Resubscribe > 0 && streamed && a.profile.Streaming && !fw.quiet && out.Streamed && out.End.Class != a2a.ClassLimit && rpcError(out.Err) == nil
}

// resubscription is the result of resubscribing to a task.
type resubscription struct {
	// done says that nothing is left to do, and failure why it failed, if it did. Otherwise the
	// task must be polled, with what follower knows of it.
	done     bool
	failure  failure
	follower *follower
	out      a2a.Answer // the newest
}

// resubscribe resubscribes to a task whose stream ended before the task did, repeatedly at growing
// intervals, until the task is over or waits for the user. Every wait is announced. The new
// stream may begin with a snapshot, repeat what is known or continue without notice; the state
// handles all three, and a get at the end makes sure.
func (e *Engine) resubscribe(ctx context.Context, a *remote, fw *follower, out a2a.Answer) resubscription {
	where := fw.signal(log.SignalResubscribe)
	where.Of = max(e.o.Resubscribe, 1)
	got := resubscription{follower: fw}
	waits, last, doubt := e.backoff(), out.LastEventID, false
	returns, number := e.returnCount(a.id), max(fw.attempt, 1)
	for where.Attempt = 1; where.Attempt <= where.Of && !got.done; where.Attempt++ {
		wait := waits.next()
		where.After, where.Sentence = wait, endWord(out.End)
		over := e.o.After(wait) // an announced wait has begun
		e.signal(where)
		if !fw.cuts.takeHurry() && !e.waitForRetry(ctx, fw, over) {
			got.done, got.failure = true, stoppedFailure
			break
		}
		if fw.hasOtherStream() || fw.deliverySettles() || fw.lifecycle().Forgotten {
			got.done = true
			break
		}
		if n := e.returnCount(a.id); n != returns { // another task, for this purpose
			returns, where.Attempt, waits = n, 1, e.backoff()
		}
		where.After = 0
		e.signal(where)
		number++
		fw, out = e.subscribe(ctx, a, fw, last, number, endWord(out.End))
		got.follower = fw
		if out.LastEventID != "" {
			last = out.LastEventID
		}
		if fw.hasEvents() {
			doubt = !fw.whole
		}
		if rpc := rpcError(out.Err); rpc != nil && problem.IsTaskUnknown(rpc) {
			fw.withTask(func(k *knownTask) { k.soon = true }) // poll it at once: the agent does not know it, or it is over
		}
		var again bool
		if got.done, got.failure, again = e.judgeSubscription(ctx, fw, out); !got.done && !again {
			break
		}
	}
	got.out = out
	where.Kind, where.After, where.Sentence, where.Class = log.SignalResubscribeEnded, 0, got.failure.sentence, got.failure.class
	e.signal(where)
	if d, known := a.profile.Spoken(); doubt && got.done && ctx.Err() == nil && fw.settled() && (!known || d.Supports(a2a.OpGet)) {
		e.get(ctx, a, fw)
	}
	return got
}

// judgeSubscription judges a subscription that is over: whether the work is done, and if not,
// whether another attempt is useful.
func (e *Engine) judgeSubscription(ctx context.Context, fw *follower, out a2a.Answer) (done bool, f failure, again bool) {
	f = answerFailure(out)
	switch {
	case ctx.Err() != nil:
		return true, stoppedFailure, false
	case fw.settled():
		return true, failure{}, false
	case fw.quiet:
		return false, failure{}, false
	case f.class == problem.ClassStopped: // another stream reports the task now
		return true, failure{}, false
	case out.Exchange == 0, out.Final, out.End.Class == a2a.ClassLimit, rpcError(out.Err) != nil, out.Status/100 == 4:
		return false, failure{}, false
	}
	return false, failure{}, true
}

// subscribe opens another stream of a task, with the number of the request and how the stream before
// ended.
func (e *Engine) subscribe(ctx context.Context, a *remote, fw *follower, last string, number int, ended string) (*follower, a2a.Answer) {
	call := fw.callFor(a2a.OpSubscribe)
	call.Attempt, call.Why, call.Because = number, a2a.WhyResubscribed, ended
	next := e.follow(a, &call)
	next.history, next.cuts, next.root, next.items = fw.history, fw.cuts, fw.root, fw.items
	req := a.request(&call)
	req.LastEventID = last
	out := e.do(ctx, a, req, next)
	fw.cuts.noteSubscription(next, out)
	return next, out
}

// hasOtherStream reports whether another stream reports the task.
func (fw *follower) hasOtherStream() (other bool) {
	fw.withTask(func(k *knownTask) { other = k.stream != nil && k.stream != fw })
	return other
}

// get gets a task once.
func (e *Engine) get(ctx context.Context, a *remote, fw *follower) a2a.Answer {
	return e.getAs(ctx, a, fw, fw.callFor(a2a.OpGet))
}

// callFor returns the call of another request about the follower's task.
func (fw *follower) callFor(op a2a.Op) a2a.Call {
	call := *fw.call
	call.Op, call.TaskID = op, fw.task()
	call.Attempt, call.Why, call.Because, call.Guess = 0, a2a.WhyFirst, "", false
	return call
}

// getAs gets a task once with a call that states the reason.
func (e *Engine) getAs(ctx context.Context, a *remote, fw *follower, call a2a.Call) a2a.Answer {
	req := a.request(&call)
	req.HistoryLength = fw.history
	return e.do(ctx, a, req, fw)
}

// endWord describes an end in one word, as the rows of the wire do.
func endWord(end a2a.End) string {
	if end.Class != "" && end.Reason == a2a.Ended {
		return end.Class
	}
	return string(end.Reason)
}

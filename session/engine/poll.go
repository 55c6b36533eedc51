package engine

import (
	"cmp"
	"context"
	"fmt"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
)

// followTurn follows a task that the exchange left unfinished, and returns why
// the turn failed if it did.
func (e *Engine) followTurn(ctx context.Context, a *remote, fw *follower, out a2a.Answer, async bool) failure {
	f, last := e.followUp(ctx, a, fw, out, async)
	if out.Streamed && f.sentence == "" {
		e.getOutput(ctx, a, last)
	}
	e.judge(ctx, fw.cuts.takeAll(false), last)
	if f.sentence == "" && !async && last.lifecycle().Lost {
		f = failure{sentence: lostSentence(last.task()), class: problem.ClassUnfinished}
	}
	return f
}

// lostSentence says that an agent cannot tell the state of its task.
func lostSentence(task string) string {
	return fmt.Sprintf("The agent does not know the state of task %s, so Parley stopped polling it. Get the task later.", task)
}

// sayForgotten returns the failure of an exchange, and instead what is known of the task if the agent
// has forgotten it.
func (fw *follower) sayForgotten(out a2a.Answer, f failure) failure {
	id := cmp.Or(fw.task(), fw.call.TaskID)
	if rpc := rpcError(out.Err); rpc != nil && problem.IsTaskUnknown(rpc) {
		fw.e.withTask(fw.agent.id, id, func(k *knownTask) {
			if k.Forgotten {
				f.sentence = model.ForgottenSentence(id, k.Shown, fw.e.o.Now())
			}
		})
	}
	return f
}

// followUp does the same and returns who followed the task to the end. A cut stream is not a
// failure if another one delivered the rest; it stays one if the task was only found again.
func (e *Engine) followUp(ctx context.Context, a *remote, fw *follower, out a2a.Answer, async bool) (failure, *follower) {
	f := fw.sayForgotten(out, answerFailure(out))
	rpc := rpcError(out.Err)
	e.awaitCancel(ctx.Done(), fw)
	switch {
	case ctx.Err() != nil:
		return stoppedFailure, fw
	case f.class == problem.ClassStopped && !fw.quiet:
		return failure{}, fw // Parley closed it because its task was over
	case async, fw.settled(), !fw.hasTask(), out.Final, out.End.Reason == a2a.Refused:
		return f, fw
	case rpc != nil && !model.RefusesSubscription(fw.call, rpc):
		return f, fw
	}
	defer e.addFollower(ctx, fw)()
	if fw.quiet || rpc != nil {
		f = failure{}
	}
	if e.canResubscribe(a, fw, out) {
		got := e.resubscribe(ctx, a, fw, out)
		if got.done {
			return got.failure, got.follower
		}
		fw, out = got.follower, got.out
	}
	if d, known := a.profile.Spoken(); known && !d.Supports(a2a.OpGet) {
		if f.sentence == "" {
			f = failure{sentence: fmt.Sprintf("Task %s was not over, but %s cannot get a task: its further course is unknown.",
				fw.task(), a.profile.Dialect), class: problem.ClassUnfinished}

		}
		return f, fw
	}
	if polled := e.poll(ctx, a, fw, out); polled.sentence != "" {
		return polled, fw
	}
	return f, fw
}

// mostUnknown is how many answers in a row may not say how a task stands before it is polled no more.
const mostUnknown = 60

// poll polls a task after an answer, at growing intervals, until it is over or waits for the user. Every wait
// is announced, and is as long as the answer before it asks for.
func (e *Engine) poll(ctx context.Context, a *remote, fw *follower, out a2a.Answer) failure {
	where := fw.signal(log.SignalPoll)
	waits, failures, unknown := e.backoff(), 0, 0
	f := failure{}
	for attempt := 1; !fw.settled(); attempt++ {
		sig, wait := where, waits.after(&out)
		sig.Attempt, sig.After = attempt, wait
		over := e.o.After(wait) // an announced wait has begun
		e.signal(sig)
		if !e.waitForRetry(ctx, fw, over) {
			f = failure{sentence: "Stopped polling the task; the agent may still be working.", class: problem.ClassStopped}
			break
		}
		if fw.deliverySettles() || fw.lifecycle().Forgotten {
			break
		}
		out = e.get(ctx, a, fw)
		e.judge(ctx, fw.cuts.takeAll(true), fw)
		f = fw.sayForgotten(out, answerFailure(out))
		failures, unknown = consecutive(failures, f.sentence != ""), consecutive(unknown, fw.state() == a2a.StateUnknown)
		if fw.refuses(&out) || out.End.Reason == a2a.Refused || out.End.Class == a2a.ClassLimit || failures > 2 || unknown > mostUnknown {
			if f.sentence == "" {
				f = failure{sentence: fmt.Sprintf("The agent does not report the state of task %s; get it again later.", where.TaskID), class: problem.ClassUnfinished}
			}
			break
		}
	}
	where.Kind, where.Sentence, where.Class = log.SignalPollEnded, f.sentence, f.class
	e.signal(where)
	return f
}

// refuses reports whether an error answer to a poll is the agent's last word. One denial of a task that
// the agent sent meanwhile is not, nor is the error of a server on the way.
func (fw *follower) refuses(out *a2a.Answer) bool {
	rpc := rpcError(out.Err)
	return rpc != nil && problem.IsLasting(rpc, out.Status, out.RetryAfter) && !(problem.IsTaskUnknown(rpc) && fw.doubts(fw.task()))
}

// consecutive counts consecutive occurrences.
func consecutive(n int, again bool) int {
	if again {
		return n + 1
	}
	return 0
}

package engine

import (
	"context"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
)

// InjectFault applies a fault to an open stream, named by its exchange. It returns at once; a
// note of type [log.NoteVerdict] reports the result later. If the fault is impossible, refused says
// why.
func (e *Engine) InjectFault(x a2a.ExchangeID, f Fault) (refused string) {
	fw, done := e.stream(x)
	if fw == nil {
		return "Fault injection needs an open stream of a conversation; this stream is not open."
	}
	if f.Kind >= FaultDuplicate || f.Kind == FaultResubscribe {
		if why := fw.faultProblem(f.Kind); why != "" {
			return why
		}
	}
	switch f.Kind {
	case FaultCut, FaultResubscribe:
		fw.cuts.add(&cut{kind: f.Kind, exchange: x, stream: fw})
		fw.control.Cut(f.After)
	case FaultPause:
		return fw.pause()
	case FaultResume:
		return e.resume(x, fw, done)
	case FaultDuplicate:
		return e.startDuplicateCheck(x, fw, done)
	case FaultCancel:
		e.mu.Lock()
		ctx := e.begin(fw.call.Turn) // the turn is not over before the answer comes
		e.mu.Unlock()
		e.start(func() { e.runCancelFault(ctx, x, fw, done) })
	}
	return ""
}

// ReadingPaused reports whether reading of an open stream is paused by [FaultPause].
func (e *Engine) ReadingPaused(x a2a.ExchangeID) bool {
	fw, _ := e.stream(x)
	return fw != nil && fw.control.Paused()
}

// stream returns the follower of an open stream, nil if it is not open, and a channel that is
// closed at its end.
func (e *Engine) stream(x a2a.ExchangeID) (fw *follower, done <-chan struct{}) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for fw := range e.streams {
		if id, _ := fw.control.Exchange(); id != 0 && id == x {
			return fw, fw.done
		}
	}
	return nil, nil
}

// until returns a context that ends a while after done is closed.
func (e *Engine) until(done <-chan struct{}) (ctx context.Context, stop context.CancelFunc) {
	ctx, stop = context.WithCancel(e.ctx)
	e.start(func() {
		select {
		case <-done:
		case <-ctx.Done():
			return
		}
		if e.sleep(ctx, e.o.Grace) {
			stop()
		}
	})
	return ctx, stop
}

const noTaskYet = "The stream has not named a task yet."

// faultProblem says why a fault cannot be applied to a stream's task, empty if it can.
func (fw *follower) faultProblem(k FaultKind) string {
	op, what := a2a.OpSubscribe, "subscription"
	if k == FaultCancel {
		op, what = a2a.OpCancel, "way to cancel a task"
	}
	d, known := fw.agent.profile.Spoken()
	switch {
	case fw.agent.client == nil || !known || !d.Supports(op):
		return "The agent's dialect has no " + what + "."
	case !fw.hasTask():
		return noTaskYet
	case fw.state().Terminal():
		return "The task is already " + fw.state().String() + "."
	}
	return ""
}

func (fw *follower) pause() (refused string) {
	fw.mu.Lock()
	defer fw.mu.Unlock()
	if fw.control.Paused() {
		return "Reading of this stream is already paused."
	}
	_, events := fw.control.Exchange()
	fw.pauses = append(fw.pauses, pause{events: events, from: fw.e.o.Now()})
	fw.control.Pause()
	return ""
}

// resume resumes reading. The result is judged after a while, or when the stream ends.
func (e *Engine) resume(x a2a.ExchangeID, fw *follower, done <-chan struct{}) (refused string) {
	if !fw.control.Paused() {
		return "Reading of this stream is not paused."
	}
	now := e.o.Now()
	fw.mu.Lock()
	for i := range fw.pauses {
		if fw.pauses[i].until.IsZero() {
			fw.pauses[i].until = now
		}
	}
	fw.mu.Unlock()
	fw.flow.touch(now) // Parley caused the silence
	fw.control.Resume()
	e.start(func() {
		select {
		case <-done: // the end of the stream judges it
		case <-e.o.After(e.o.Grace):
			e.judgePauses(x, fw, nil)
		}
	})
	return ""
}

// noteStreamEnd notes that a follower's stream has ended, and judges its pauses.
func (e *Engine) noteStreamEnd(fw *follower, out a2a.Answer) {
	_, events := fw.control.Exchange()
	fw.cuts.noteEnd(fw, events, out.End)
	fw.mu.Lock()
	fw.end = &out.End
	fw.mu.Unlock()
	e.judgePauses(out.Exchange, fw, &out.End)
}

// judgePauses judges the pauses of a stream; end is nil if it is still open.
func (e *Engine) judgePauses(x a2a.ExchangeID, fw *follower, end *a2a.End) {
	_, events := fw.control.Exchange()
	var verdicts []string
	fw.mu.Lock()
	for i := range fw.pauses {
		if p := &fw.pauses[i]; !p.judged && (end != nil || !p.until.IsZero()) {
			p.judged = true
			verdicts = append(verdicts, p.verdict(events, end))
		}
	}
	fw.mu.Unlock()
	for _, sentence := range verdicts {
		e.verdict(fw, x, FaultPause, sentence)
	}
}

// judge judges the deliberate cuts; last is who follows the task now.
func (e *Engine) judge(ctx context.Context, cuts []*cut, last *follower) {
	for _, c := range cuts {
		e.verdict(c.stream, c.exchange, c.kind, c.verdict(last.state(), ctx.Err() != nil))
	}
}

// verdict records the result of a fault.
func (e *Engine) verdict(fw *follower, x a2a.ExchangeID, k FaultKind, sentence string) {
	c := fw.call
	e.note(log.NoteVerdict, map[string]string{
		log.AttrAgent:        log.IDText(c.Agent),
		log.AttrConversation: log.IDText(c.Conversation),
		log.AttrTurn:         log.IDText(c.Turn),
		log.AttrExchange:     log.IDText(x),
		log.AttrFault:        k.String(), log.AttrTask: fw.task(), log.AttrSentence: sentence,
	})
}

// runCancelFault cancels the task of an open stream and judges how the stream reacts.
func (e *Engine) runCancelFault(ctx context.Context, x a2a.ExchangeID, fw *follower, done <-chan struct{}) {
	call := *fw.call
	call.Op, call.TaskID = a2a.OpCancel, fw.task()
	_, before := fw.control.Exchange()
	canceller := e.follow(fw.agent, &call)
	out := e.do(ctx, fw.agent, fw.agent.request(&call), canceller)
	open := false
	if out.Err == nil {
		select {
		case <-done:
			open = fw.closedHere() // after the same grace, because its task is over
		case <-e.o.After(e.o.Grace):
			open = true
		case <-ctx.Done():
		}
	}
	_, after := fw.control.Exchange()
	said := "Canceled after " + units.Plural(before, "event") + ". "
	rpc := rpcError(out.Err)
	more := units.Plural(after-before, "event")
	switch {
	case rpc != nil:
		said += "The agent refused to cancel: " + refusal(rpc) + "."
	case out.Err != nil:
		said += "The cancel failed: " + answerFailure(out).sentence
	default:
		said += "The agent answered " + out.State.String() + ". " + streamTook(fw.ownState(), open, more)
	}
	e.verdict(fw, x, FaultCancel, said)
	e.finish(&call, answerFailure(out))
}

// closedHere reports whether Parley closed the stream.
func (fw *follower) closedHere() bool {
	fw.mu.Lock()
	defer fw.mu.Unlock()
	return fw.end != nil && fw.end.Reason == a2a.Cancelled
}

// streamTook says how a stream reacted to the cancel of its task.
func streamTook(heard a2a.State, open bool, more string) string {
	told := "The stream reported " + heard.String()
	switch {
	case open && heard.Terminal():
		return told + " but did not close."
	case open:
		return "The stream did not report it and is still open, " + more + " later."
	case heard.Terminal():
		return told + " and closed, " + more + " later."
	default:
		return "The stream closed " + more + " later without reporting it."
	}
}

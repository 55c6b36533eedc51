package cli

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"parley/a2a"
	"parley/internal/connection"
	"parley/internal/crash"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
)

// A probe is one operation with a known right answer.
type probe struct {
	name  string
	op    a2a.Op
	skip  string // why it is not possible, empty if it is
	slow  bool   // the agent may work as long as it needs
	start func() a2a.TurnID
	want  []string                // the A2A names of the errors that are right; empty for a result
	judge func(*operation) string // why a result is wrong, nil if any is right
}

const notFound = "TaskNotFoundError"

// probes are operations that change nothing at the agent.
func (op *operation) probes() []probe {
	e, agent, none := op.engine, op.agent, "parley-check-"+newID()
	one := a2a.ListFilter{PageSize: 1}
	noStream, noPush := "", ""
	if c := op.card(); c == nil || c.Capabilities.Streaming != a2a.True {
		noStream = "The card does not declare streaming."
	}
	if c := op.card(); c == nil || c.Capabilities.PushNotifications != a2a.True {
		noPush = "The card does not declare push notifications."
	}
	unsupported := []string{"UnsupportedOperationError", "MethodNotFoundError"}
	push := []string{notFound, "PushNotificationNotSupportedError"}
	return []probe{
		{name: "a task that does not exist is refused", op: a2a.OpGet, want: []string{notFound}, start: func() a2a.TurnID { return e.Get(agent, none, 0, nil) }},
		{name: "a task that does not exist cannot be canceled", op: a2a.OpCancel, want: []string{notFound, "TaskNotCancelableError"}, start: func() a2a.TurnID { return e.Cancel(agent, none, 0) }},
		{name: "a task that does not exist has no stream", op: a2a.OpSubscribe, skip: noStream, want: append([]string{notFound}, unsupported...), start: func() a2a.TurnID { return e.Subscribe(agent, none, 0, true) }},
		{name: "tasks are listed, or listing is refused as unsupported", op: a2a.OpList, want: append([]string{""}, unsupported...), start: func() a2a.TurnID { return e.List(agent, one, nil) }},
		{name: "a task that does not exist has no webhooks", op: a2a.OpPushList, skip: noPush, want: append([]string{""}, push...), start: func() a2a.TurnID { return e.PushList(agent, none, a2a.ListFilter{}) }},
	}
}

// why returns why a probe is not possible, empty if it is. Which operations there are follows from how
// Parley speaks to the agent now, which an answer to another probe may have changed.
func (op *operation) why(p *probe) string {
	agent := op.state.Agent(op.agent)
	if p.skip != "" || agent == nil {
		return p.skip
	}
	if d, ok := agent.Profile.Spoken(); ok && !d.Supports(p.op) {
		return "A2A " + agent.Profile.Dialect.Number() + " has no such operation."
	}
	return ""
}

// sending returns a function that sends a message; with a stream or without one, or as parley send does.
func (op *operation) sending(text string, stream a2a.Tri) func() a2a.TurnID {
	return func() a2a.TurnID {
		m := &a2a.Message{ID: newID(), Parts: []a2a.Part{a2a.TextPart(text)}}
		return op.engine.Send(model.Target{Agent: op.agent}, m, model.SendOptions{Stream: stream, Config: a2a.SendConfig{Wait: true}})
	}
}

// messageChecks send a message and look at what became of it.
func (op *operation) messageChecks(text string) []probe {
	noStream := ""
	if c := op.card(); c != nil && c.Capabilities.Streaming != a2a.True {
		noStream = "The card does not declare streaming."
	}
	var task string
	answered := func(op *operation) string {
		why := op.answer.unanswered()
		if why == "" {
			task = op.answer.task()
		}
		return why
	}
	found := func(op *operation) string {
		if op.answer.taskID != task {
			return "The answer is not the task that was asked for."
		}
		return ""
	}
	return []probe{
		{name: "a message is answered", op: a2a.OpSend, slow: true, judge: answered, start: op.sending(text, a2a.False)},
		{name: "a message is answered with a stream", op: a2a.OpStream, slow: true, skip: noStream, judge: answered, start: op.sending(text, a2a.True)},
		{name: "the task of the message is found", op: a2a.OpGet, judge: found, start: func() a2a.TurnID {
			if task == "" {
				return 0
			}
			return op.engine.Get(op.agent, task, 0, nil)
		}},
	}
}

// probe performs one operation and judges its answer. The error says why there is none.
func (op *operation) probe(p probe) (testCase, error) {
	c := testCase{class: "probe", name: p.name, skipped: op.why(&p)}
	if c.skipped != "" {
		return c, nil
	}
	op.answer = answer{noted: true}
	turn := p.start()
	if turn == 0 {
		c.skipped = "No answer so far was a task."
		return c, nil
	}
	wait := op.probed
	if p.slow {
		wait = op.finished
	}
	sig, err := wait(turn)
	if err != nil {
		return c, err
	}
	if c.skipped = p.unjudged(&op.answer, sig); c.skipped == "" {
		c.failure, c.output = op.judgeProbe(&p, sig)
	}
	return c, nil
}

// unjudged says why the end of a probe says nothing about the rule, empty if it does: no answer came, or one that a
// server on the way may have given, and that another request may not get. That a message has no answer is what the
// probe is about.
func (p *probe) unjudged(h *answer, sig *log.Signal) string {
	switch {
	case p.slow:
	case sig.Class == a2a.ClassCut, sig.Class == a2a.ClassTimeout,
		sig.Class == a2a.ClassStatus && !problem.IsLasting(nil, h.status, 0),
		sig.Class == problem.ClassRPC && h.rpc != nil && problem.IsBusy(h.rpc):
		return line(sig.Sentence)
	}
	return ""
}

const (
	// probeTime is how long an agent may take for an operation that changes nothing. Without a limit,
	// one whose answers make no sense would be polled for ever.
	probeTime = 20 * time.Second
	// messageTime is how long the doctor waits for the answer to a message, so that it ends.
	messageTime = 5 * time.Minute
)

// probed waits for the end of a probe's turn. After probeTime it ends the turn.
func (op *operation) probed(turn a2a.TurnID) (*log.Signal, error) { return op.limited(turn, probeTime) }

// limited waits for the end of a turn, and ends it after a time. Then the signal says that the agent did
// not answer, because the user stopped nothing.
func (op *operation) limited(turn a2a.TurnID, most time.Duration) (*log.Signal, error) {
	var over atomic.Bool
	limit := time.AfterFunc(most, func() {
		defer crash.Guard()
		over.Store(true)
		op.engine.Stop(turn)
	})
	defer limit.Stop()
	sig, err := op.finished(turn)
	if err != nil || !over.Load() || sig.Class != problem.ClassStopped {
		return sig, err
	}
	late := *sig
	late.Class, late.Sentence = a2a.ClassTimeout, fmt.Sprintf("The agent gave no complete answer within %s.", units.Duration(most))
	return &late, nil
}

// finished waits for the end of a turn that has been started.
func (op *operation) finished(turn a2a.TurnID) (*log.Signal, error) {
	return op.turn(func() a2a.TurnID { return turn })
}

// judgeProbe says why the answer to a probe is wrong, or what the right answer was.
func (op *operation) judgeProbe(p *probe, sig *log.Signal) (failure, output string) {
	rpc := op.answer.rpc
	right := len(p.want) == 0 || slices.Contains(p.want, "")
	switch {
	case sig.Sentence != "" && (sig.Class != problem.ClassRPC || rpc == nil):
		return sig.Sentence, ""
	case rpc != nil && rpc.Unread:
		return line(sig.Sentence), ""
	case rpc != nil && slices.Contains(p.want, rpc.Name) && rpc.Name != "":
		return "", rpc.Name
	case rpc != nil:
		return fmt.Sprintf("The agent reports %s.", strings.TrimSuffix(line(rpc.Error()), ".")), ""
	case !right:
		return "The agent answers as if there were such a task.", ""
	case p.judge != nil:
		return p.judge(op), ""
	}
	return "", ""
}

// send sends a message if the user wants that.
func (e *examination) send() bool {
	if !e.flags.send {
		how := "not sent; --send sends one"
		if e.app.inside {
			how = "not sent" // the sheet names its key
		}
		return e.add("message", connection.Skipped, how, "")
	}
	sig, why := e.message(a2a.Absent)
	if why == nil {
		return e.addTimed("message", connection.OK, "answered", "")
	}
	f := e.op.advise(why, nil)
	if e.op.openSignal.Profile.Streaming && e.op.answer.isMute(sig) {
		e.sendPlain(f)
	}
	return e.broke("message", f)
}

// message sends a message as parley send does, or without a stream, and returns the end of its turn and
// why it was not answered, nil if it was.
func (e *examination) message(stream a2a.Tri) (*log.Signal, error) {
	op := e.op
	op.answer = answer{noted: true}
	sig, err := op.limited(op.sending(e.flags.message, stream)(), messageTime)
	switch {
	case err != nil:
		return nil, err
	case sig.Class == a2a.ClassTimeout:
		return sig, internal("%s", sig.Sentence)
	}
	if err = op.failure(sig, nil); err == nil && op.answer.unanswered() != "" {
		err = internal("%s", op.answer.unanswered())
	}
	return sig, err
}

// sendPlain sends a message that had no answer over a stream once more without one, and completes the
// failure with what became of it.
func (e *examination) sendPlain(f *fault) {
	if cause, ok := strings.CutSuffix(f.message, ": check the agent's log."); ok { // it is tried again
		f.message = cause + "."
	}
	if _, err := e.message(a2a.False); err != nil {
		f.message += " Sent again without a stream, the message has no answer either."
		f.hint = "Check the agent's log."
		return
	}
	f.message += " Sent again without a stream, the message is answered."
	f.hint = "The agent's author should mend its streams, or not declare streaming in the card. Until then, "
	if e.app.inside {
		f.hint += "the send options (alt+h) can send blocking, which takes no stream."
	} else {
		f.hint += "parley send --async sends without a stream, and parley task get --wait waits for the result."
	}
}

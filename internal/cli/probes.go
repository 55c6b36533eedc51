package cli

import (
	"cmp"
	"fmt"
	"net/http"
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
	name string
	op   a2a.Op
	skip string // why it is not possible, empty if it is
	slow bool   // the agent may work as long as it needs
	// optional says that an agent may leave the operation out, or have it only for callers that it knows.
	optional bool
	start    func() a2a.TurnID
	want     []string                // the A2A names of the errors that are right; empty for a result
	judge    func(*operation) string // why a result is wrong, nil if any is right
}

const notFound = "TaskNotFoundError"

// A prober asks an agent for what has a known right answer, and judges what comes.
type prober struct {
	op    *operation
	heard bool // an answer was of A2A, so that the agent is there
}

// readOnly are the probes that change nothing at the agent.
func (pr *prober) readOnly() []probe {
	op := pr.op
	e, agent, none := op.engine, op.agent, "parley-check-"+newID()
	one := a2a.ListFilter{PageSize: 1}
	noStream, noPush := "", ""
	card, _ := op.usedCard()
	if card == nil || card.Capabilities.Streaming != a2a.True {
		noStream = "The card does not declare streaming."
	}
	if card == nil || card.Capabilities.PushNotifications != a2a.True {
		noPush = "The card does not declare push notifications."
	}
	unsupported := []string{"UnsupportedOperationError", "MethodNotFoundError"}
	push := []string{notFound, "PushNotificationNotSupportedError"}
	return []probe{
		{name: "a task that does not exist is refused", op: a2a.OpGet, want: []string{notFound}, start: func() a2a.TurnID { return e.Get(agent, none, 0, nil) }},
		{name: "a task that does not exist cannot be canceled", op: a2a.OpCancel, want: []string{notFound, "TaskNotCancelableError"}, start: func() a2a.TurnID { return e.Cancel(agent, none, 0) }},
		{name: "a task that does not exist has no stream", op: a2a.OpSubscribe, skip: noStream, optional: true, want: append([]string{notFound}, unsupported...), start: func() a2a.TurnID { return e.Subscribe(agent, none, 0, false) }},
		{name: "tasks are listed, or listing is refused as unsupported", op: a2a.OpList, optional: true, want: append([]string{""}, unsupported...), start: func() a2a.TurnID { return e.List(agent, one, nil) }},
		{name: "a task that does not exist has no webhooks", op: a2a.OpPushList, skip: noPush, optional: true, want: append([]string{""}, push...), start: func() a2a.TurnID { return e.PushList(agent, none, a2a.ListFilter{}) }},
	}
}

// why returns why a probe is not possible, empty if it is. Which operations there are follows from how
// Parley speaks to the agent now, which an answer to another probe may have changed.
func (pr *prober) why(p *probe) string {
	agent := pr.op.state.Agent(pr.op.agent)
	if p.skip != "" || agent == nil {
		return p.skip
	}
	if d, ok := agent.Profile.Spoken(); ok && !d.Supports(p.op) {
		return "A2A " + agent.Profile.Dialect.Number() + " has no such operation."
	}
	return ""
}

// sending returns a function that sends a message; with a stream or without one, or as parley send does.
func (pr *prober) sending(text string, stream a2a.Tri) func() a2a.TurnID {
	return func() a2a.TurnID {
		op, m := pr.op, &a2a.Message{ID: newID(), Parts: []a2a.Part{a2a.TextPart(text)}}
		return op.engine.Send(model.Target{Agent: op.agent}, m, model.SendOptions{Stream: stream, Config: a2a.SendConfig{Wait: true}})
	}
}

// messages are the probes that send a message and look at what became of it.
func (pr *prober) messages(text string) []probe {
	noStream := ""
	if c, _ := pr.op.usedCard(); c != nil && c.Capabilities.Streaming != a2a.True {
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
		{name: "a message is answered", op: a2a.OpSend, slow: true, judge: answered, start: pr.sending(text, a2a.False)},
		{name: "a message is answered with a stream", op: a2a.OpStream, slow: true, skip: noStream, judge: answered, start: pr.sending(text, a2a.True)},
		{name: "the task of the message is found", op: a2a.OpGet, judge: found, start: func() a2a.TurnID {
			if task == "" {
				return 0
			}
			return pr.op.engine.Get(pr.op.agent, task, 0, nil)
		}},
	}
}

// ask performs one operation and judges its answer; the signal is its end, nil if it was not performed. The
// error says why there is no answer.
func (pr *prober) ask(p *probe) (testCase, *log.Signal, error) {
	op, c := pr.op, testCase{class: "probe", name: p.name, skipped: pr.why(p)}
	if c.skipped != "" {
		return c, nil, nil
	}
	op.answer = answer{noted: true, asks: !p.slow}
	turn := p.start()
	if turn == 0 {
		c.skipped = "No answer so far was a task."
		return c, nil, nil
	}
	wait := pr.soon
	if p.slow {
		wait = pr.finished
	}
	sig, err := wait(turn)
	if err != nil {
		return c, nil, err
	}
	h := &op.answer
	if sig.Sentence == "" {
		h.rpc = nil // of an attempt before the one that was answered
	}
	pr.heard = pr.heard || sig.Sentence == "" || h.rpc != nil && sig.Class == problem.ClassRPC
	switch {
	case h.wantsCredentials(sig):
		c.skipped, c.guarded = cause(sig), true
	case p.unjudged(h, sig):
		c.skipped, c.doubt = cause(sig), true
	case p.optional && sig.Sentence != "" && (h.errorName() == "" || !slices.Contains(p.want, h.errorName())) && h.lacksOperation():
		c.skipped = "The agent does not have this operation."
	default:
		c.failure, c.output = pr.judge(p, sig)
		c.doubt = c.failure != "" && h.mayBeOfHop(sig)
	}
	return c, sig, nil
}

// askAll performs probes up to the first answer that wants credentials for what every agent has: the others
// would get it too, and are skipped. The second error says why the check is incomplete: of that answer, of a message
// whose answer something on the way gave, or of the first such probe if the agent answered none. The first error is
// another one, after which nothing is known.
func (pr *prober) askAll(probes []probe) (cases []testCase, err, incomplete error) {
	var lacks, lost, first error
	for i := range probes {
		if lacks != nil {
			cases = append(cases, testCase{class: "probe", name: probes[i].name, skipped: cases[len(cases)-1].skipped, guarded: true})
			continue
		}
		c, sig, err := pr.ask(&probes[i])
		switch {
		case err != nil:
			return cases, err, nil
		case sig == nil:
		case !probes[i].optional && c.guarded:
			lacks = pr.failure(sig)
		case c.skipped != "" && c.doubt && probes[i].slow:
			if lost == nil {
				lost = pr.failure(sig)
			}
		case c.skipped != "" && c.doubt:
			if first == nil {
				first = pr.failure(sig)
			}
		}
		cases = append(cases, c)
	}
	switch {
	case lacks != nil:
		first = lacks
	case lost != nil:
		first = lost
	case pr.heard:
		first = nil
	}
	return pr.settle(cases), nil, first
}

// failure says why the newest probe has no answer. Its sentence has no advice: the hint has.
func (pr *prober) failure(sig *log.Signal) *fault {
	f := pr.op.advise(pr.op.failure(sig, nil), nil)
	switch {
	case sig.Cause != "":
		f.message = cause(sig)
	case sig.Class == a2a.ClassStatus && f.hint == debugHint: // the engine completed the sentence with what to do
		f.hint = ""
	}
	return f
}

// settle takes back the failures that may be those of a server on the way, if the agent has answered as well.
func (pr *prober) settle(cases []testCase) []testCase {
	for i := range cases {
		if c := &cases[i]; c.doubt && pr.heard {
			c.skipped, c.failure = cmp.Or(c.failure, c.skipped), ""
		}
	}
	return cases
}

// wantsCredentials reports whether a request ended because the agent wants credentials, or other ones.
func (h *answer) wantsCredentials(sig *log.Signal) bool {
	return sig.Sentence != "" && (h.rpc != nil && h.rpc.AsksCredentials() || sig.Class == a2a.ClassAuth || sig.Class == a2a.ClassNoCredentials)
}

// lacksOperation reports whether the answer says that the agent does not have the operation.
func (h *answer) lacksOperation() bool {
	switch h.errorName() {
	case "MethodNotFoundError", "UnsupportedOperationError", "OperationNotSupportedError":
		return true
	}
	return a2a.LacksHandler(h.status, h.rpc)
}

// errorName returns the A2A name of the agent's error, empty if it has none.
func (h *answer) errorName() string {
	if h.rpc == nil {
		return ""
	}
	return h.rpc.Name
}

// unjudged reports whether the end of a probe says nothing about the agent: no answer came, or one that a server
// on the way may have given. That a message has no answer is what its probe is about.
func (p *probe) unjudged(h *answer, sig *log.Signal) bool {
	switch sig.Class {
	case a2a.ClassCut, a2a.ClassTimeout:
		return !p.slow
	case a2a.ClassStatus:
		return h.ofHop(sig.Page)
	case problem.ClassRPC:
		return !p.slow && h.rpc != nil && problem.IsBusy(h.rpc)
	}
	return false
}

// ofHop reports whether the newest answer is one that servers on the way to an agent give: they do not reach the
// agent, or let nobody through.
func (h *answer) ofHop(page bool) bool {
	switch h.status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests:
		return true
	case http.StatusForbidden, http.StatusInternalServerError:
		return page
	}
	return a2a.CannotReach(h.status)
}

// mayBeOfHop reports whether the newest answer may be that of a server on the way, if the agent answers other
// requests: a web page, or that nothing is at a URL which all operations share.
func (h *answer) mayBeOfHop(sig *log.Signal) bool {
	switch {
	case sig.Class == a2a.ClassBody:
		return sig.Page || h.hollow
	case sig.Class == a2a.ClassStatus && h.call != nil && h.call.Binding == a2a.BindingJSONRPC:
		return h.status == http.StatusNotFound || h.status == http.StatusMethodNotAllowed
	}
	return false
}

const (
	// probeTime is how long an agent may take for an operation that changes nothing. Without a limit,
	// one whose answers make no sense would be polled for ever.
	probeTime = 20 * time.Second
	// messageTime is how long the doctor waits for the answer to a message, so that it ends.
	messageTime = 5 * time.Minute
)

// soon waits for the end of a probe's turn. After probeTime it ends the turn.
func (pr *prober) soon(turn a2a.TurnID) (*log.Signal, error) { return pr.limited(turn, probeTime) }

// limited waits for the end of a turn, and ends it after a time. Then the signal says that the agent did
// not answer, because the user stopped nothing.
func (pr *prober) limited(turn a2a.TurnID, most time.Duration) (*log.Signal, error) {
	var over atomic.Bool
	limit := time.AfterFunc(most, func() {
		defer crash.Guard()
		over.Store(true)
		pr.op.engine.Stop(turn)
	})
	defer limit.Stop()
	sig, err := pr.finished(turn)
	if err != nil || !over.Load() || sig.Class != problem.ClassStopped {
		return sig, err
	}
	late := *sig
	late.Class, late.Sentence = a2a.ClassTimeout, fmt.Sprintf("The agent gave no complete answer within %s.", units.Duration(most))
	return &late, nil
}

// finished waits for the end of a turn that has been started.
func (pr *prober) finished(turn a2a.TurnID) (*log.Signal, error) {
	return pr.op.turn(func() a2a.TurnID { return turn })
}

// judge says why the answer to a probe is wrong, or what the right answer was.
func (pr *prober) judge(p *probe, sig *log.Signal) (failure, output string) {
	h := &pr.op.answer
	rpc, right := h.rpc, len(p.want) == 0 || slices.Contains(p.want, "")
	switch {
	case sig.Sentence != "" && (sig.Class != problem.ClassRPC || rpc == nil):
		return cause(sig), ""
	case rpc != nil && rpc.Unread:
		return line(sig.Sentence), ""
	case rpc != nil && slices.Contains(p.want, rpc.Name) && rpc.Name != "":
		return "", rpc.Name
	case rpc != nil:
		return fmt.Sprintf("The agent reports %s.", strings.TrimSuffix(line(rpc.Error()), ".")), ""
	case !right:
		return "The agent answers as if there were such a task.", ""
	case p.judge != nil:
		return p.judge(pr.op), ""
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
		took := e.op.answer.shown.Sub(e.begun) // without what Parley waits for the end of a stream
		e.take(connection.Step{Name: "message", Status: connection.OK, Found: "answered", Took: max(took, 0)})
		return true
	}
	f := e.op.advise(why, nil)
	switch {
	case sig == nil:
	case e.op.answer.wantsCredentials(sig):
		return e.guarded("message", e.prober.failure(sig))
	case e.op.openSignal.Profile.Streaming && e.op.answer.isMute(sig):
		f.message = cause(sig) // it is tried again
		e.sendPlain(f, sig.Class == a2a.ClassCut)
	}
	return e.broke("message", f)
}

// message sends a message as parley send does, or without a stream, and returns the end of its turn and
// why it was not answered, nil if it was.
func (e *examination) message(stream a2a.Tri) (*log.Signal, error) {
	op := e.op
	op.answer = answer{noted: true}
	sig, err := e.prober.limited(e.prober.sending(e.flags.message, stream)(), messageTime)
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
// failure with what became of it. Broke says that the connection of the stream broke.
func (e *examination) sendPlain(f *fault, broke bool) {
	if _, err := e.message(a2a.False); err != nil {
		f.message += " Sent again without a stream, the message has no answer either."
		f.hint = "Check the agent's log."
		return
	}
	f.message += " Sent again without a stream, the message is answered."
	f.hint = "The agent's author should mend its streams, or not declare streaming in the card. Until then, "
	if broke {
		f.hint = "One connection that breaks says little: something on the way may have closed it. If streams break each time, "
	}
	if e.app.inside {
		f.hint += "the send options (alt+h) can send blocking, which takes no stream."
	} else {
		f.hint += "parley send --async sends without a stream, and parley task get --wait waits for the result."
	}
}

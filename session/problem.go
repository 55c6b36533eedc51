package session

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parley/a2a"
)

// The classes of a [Problem] besides those of a2a.End.
const (
	ProblemRPC        = "rpc"        // the agent answered with an error
	ProblemDecode     = "decode"     // a body or an event could not be read
	ProblemUnfinished = "unfinished" // a stream ended before its task did
	ProblemStopped    = "stopped"    // the user stopped following
	ProblemFallback   = "fallback"   // the agent refused to stream, and the request was sent without
	ProblemUnsent     = "unsent"     // a message could not be sent at all
)

// problem puts a problem into the block of its task, otherwise into a block of its own. That of
// a whole body waits for the end of the exchange, which may know a better reason.
func (s *State) problem(x *exchange, r *a2a.Record, pr *Problem) {
	givenUp := pr.Class == a2a.ClassGivenUp
	if x.passing() && !givenUp || aboutWebhooks(x.call.Op) { // which the list of webhooks shows
		return
	}
	if r.Kind == a2a.KindBody || x.turn == nil {
		x.held = pr
		return
	}
	if wrongDialect(x) {
		pr.Sentence += pinned(&x.agent.Profile)
		if at, tried := s.refusal(x.turn); tried {
			s.turnedAwayAgain(x, at, pr)
			return
		}
	}
	at, said := s.saidBefore(x, pr.Sentence)
	if !said {
		at = s.entry(x.turn, x.task, Entry{Kind: EntryProblem, Record: r.ID, Time: r.Time, Problem: pr})
	}
	x.problem, x.problemAt = pr, at
	s.anchor(r.ID, at, 0)
}

// pinned names the user's pins, if they may be the reason why a message was rejected; empty if
// nothing is pinned.
func pinned(p *a2a.Profile) string {
	fields := p.PinnedFields()
	if len(fields) == 0 {
		return ""
	}
	return fmt.Sprintf(" You pinned the %s (%s), so no other way was tried: unpin it in the finder (ctrl+p), or leave out its flag.",
		listOf(fields), spokenAs(p.Way()))
}

// turnedAwayAgain replaces the previous refusal of a message by another one: the message is
// tried in several dialects, and that is one line.
func (s *State) turnedAwayAgain(x *exchange, at place, pr *Problem) {
	entry := &x.turn.Blocks[at.block].Entries[at.entry]
	pr.Before = entry.Problem.Before
	entry.Problem, entry.Record = pr, pr.Record
	x.problem, x.problemAt = pr, at
	s.anchor(pr.Record, at, 0)
	s.touch(at)
}

// passing reports whether a failure is not worth showing: the request will be repeated or needs
// no answer, and nobody waits for it.
func (x *exchange) passing() bool {
	return x.call.Rest || x.call.Vigil && !lasting(x.err, x.status, x.pause)
}

// saidBefore reports whether the newest problems of the block say the same: a reader sees the
// failure of a get and then of a subscription as one.
func (s *State) saidBefore(x *exchange, sentence string) (place, bool) {
	const most = 8
	i, ok := x.turn.blocks[x.task]
	if !ok {
		return place{}, false
	}
	entries := x.turn.Blocks[i].Entries
	for k := len(entries) - 1; k >= max(0, len(entries)-most) && entries[k].Kind == EntryProblem; k-- {
		if entries[k].Problem.Sentence == sentence {
			return place{x.turn, i, k}, true
		}
	}
	return place{}, false
}

// endProblem reports what went wrong in an exchange that ended: one problem, once. The end of a
// complete answer knows more than the problem of its body, which becomes the detail; the
// agent's own error outweighs a connection that broke after it.
func (s *State) endProblem(x *exchange, r *a2a.Record, end *a2a.End) {
	held := x.held
	x.held = nil
	if x.passing() && end.Class != a2a.ClassGivenUp || aboutWebhooks(x.call.Op) {
		return
	}
	pr := problemOf(x, s.about(x), end, held != nil, s.superseded(x))
	switch {
	case pr == nil && held == nil:
		return
	case pr == nil || end.Reason != a2a.Ended && held != nil && held.Class == ProblemRPC:
		pr = held
	case held != nil:
		pr.better(held)
	default:
		pr.Record = r.ID
	}
	if end.Reason == a2a.Ended && x.problem != nil && held == nil {
		pr.better(x.problem)
		x.problem = pr
		x.problemAt.turn.Blocks[x.problemAt.block].Entries[x.problemAt.entry].Problem = pr
		s.touch(x.problemAt)
		return
	}
	s.problem(x, r, pr)
	if pr.Record != r.ID {
		s.reanchor(pr.Record, x.problemAt, 0)
	}
}

// better copies from a problem what its replacement lacks.
func (pr *Problem) better(old *Problem) {
	if pr.Detail == "" {
		pr.Detail = old.Sentence
	}
	pr.Err, pr.Record = old.Err, old.Record
}

// rpcProblem is an error that the agent reported; its answer asks for a pause before the next
// attempt if that is not 0.
func rpcProblem(e *a2a.RPCError, record a2a.RecordID, pause time.Duration) *Problem {
	return advised(e, record, pause, nextSteps[e.Name])
}

// advised is the same error with advice for the user, which may be empty.
func advised(e *a2a.RPCError, record a2a.RecordID, pause time.Duration, next string) *Problem {
	what := "an error"
	switch {
	case e.Name != "":
		what = errorName(e.Name)
	case e.Code != 0:
		what = fmt.Sprintf("error %d", e.Code)
	}
	sentence := "The agent answered " + what + " and says no more about it."
	if said := firstWords(e.Message); said != "" {
		sentence = "The agent answered " + what + ": " + said
	}
	switch {
	case pause > 0 || busy(e):
		sentence += " It is busy: " + a2a.TryAgain(pause) + "."
	case next != "":
		sentence += " " + next
	}
	return &Problem{Sentence: sentence, Detail: e.Error(), Class: ProblemRPC, Err: e, Record: record}
}

// insteadOf replaces the general advice when a task accepted no further message, as far as its
// state explains that.
func insteadOf(sentence, advice string, state a2a.State) string {
	better := ""
	switch {
	case state == a2a.StateAuthRequired:
		better = "It may want to be authorized elsewhere, and not by an answer."
	case state.Terminal():
		better = "The task is over: send the message as a new task."
	case !state.Interrupted():
		better = "It may take nothing more while the task is at work: wait until it ends, or send the message as a new task."
	default:
		return sentence
	}
	return strings.TrimSuffix(sentence, " "+advice) + " " + better
}

// errorName is an error's name for users: TaskNotFound, but InternalError, because an adjective
// alone names nothing.
func errorName(name string) string {
	short := strings.TrimSuffix(name, "Error")
	if strings.IndexFunc(short[min(1, len(short)):], unicode.IsUpper) < 0 {
		return name
	}
	return short
}

// firstWords is an agent's text as a part of a sentence: its first line, with the end of a
// sentence.
func firstWords(said string) string {
	line, more, _ := strings.Cut(strings.TrimSpace(said), "\n")
	line = strings.TrimSpace(line)
	if short := clip(line); short != line {
		line, more = strings.TrimSuffix(short, "..."), "more"
	}
	switch {
	case line == "":
		return ""
	case strings.TrimSpace(more) != "":
		return line + " …"
	case strings.ContainsRune(".!?…", lastRune(line)):
		return line
	default:
		return line + "."
	}
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// nextSteps are what a user can do about an error, if the agent's own text does not make that
// clear.
var nextSteps = map[string]string{
	"TaskNotFoundError":                 "Check the task's id, or send the message as a new task.",
	"PushNotificationNotSupportedError": "It tells no webhook of its tasks; they have to be asked for.",
	"TaskNotCancelableError":            "Get the task to see how it stands.",
	"UnsupportedOperationError":         "This agent does not offer it.",
	"ContentTypeNotSupportedError":      "Send it as another kind of content; the card lists those that it takes.",
	"VersionNotSupportedError":          "Open the agent again with a version that it names.",
	"MethodNotFoundError":               "Check the endpoint and the version in its card.",
	"InvalidParamsError":                "Compare the request, as it was recorded, with what its version of A2A wants.",
	"InvalidRequestError":               "Compare the request, as it was recorded, with what its version of A2A wants.",
	"ExtensionSupportRequiredError":     "Ask for the extensions that its card requires.",
	"InternalError":                     "If it happens again, look at its log.",
	"InvalidAgentResponseError":         "Its answer is not what its own version of A2A allows: look at its log.",
	"OperationNotSupportedError":        "This agent does not offer it.",
	"StreamingNotSupportedError":        "Send the message without a stream, or ask for the task.",
	"AuthenticationRequiredError":       "Give the credentials that its card asks for.",
	"AuthorizationFailedError":          "The credentials do not allow this: use others, or ask who runs the agent.",
	"InvalidTaskStateError":             "Get the task to see how it stands, or send the message as a new task.",
	"ResourceUnavailableError":          "Something that it needs is not there now: try again later.",

	"AuthenticatedExtendedCardNotConfiguredError": "The public card is all there is.",
	"ExtendedAgentCardNotConfiguredError":         "The public card is all there is.",
}

// about returns the task of an exchange, nil if it is unknown: the one in its answer, otherwise
// the one in its request.
func (s *State) about(x *exchange) *Task {
	if x.task != nil {
		return x.task
	}
	return s.Task(x.agent.ID, x.call.TaskID)
}

// superseded reports whether another stream reports the same task.
func (s *State) superseded(x *exchange) bool {
	task := s.about(x)
	for _, other := range s.exchanges {
		if other != x && other.streams && task != nil && other.task == task {
			return true
		}
	}
	return false
}

// problemOf returns the problem of an end, nil if nothing went wrong or the body described it.
func problemOf(x *exchange, task *Task, end *a2a.End, failed, superseded bool) *Problem {
	settled := task != nil && (task.Over() || task.Asks())
	switch {
	case end.Reason == a2a.Cancelled && (settled || superseded || x.final || x.call.Op == a2a.OpGet):
		return nil
	case x.streams && end.Reason == a2a.Cut && task != nil && (task.State == a2a.StateCanceled || task.canceling()):
		return nil // the agent closed the stream because the task was canceled
	case end.Reason == a2a.Cancelled:
		return &Problem{Sentence: "Stopped from here; the agent may still be at work.", Detail: end.Detail, Class: ProblemStopped}
	case end.Reason != a2a.Ended:
		return &Problem{Sentence: cmp.Or(end.Sentence, "The connection broke before the answer was complete."), Detail: end.Detail, Class: cmp.Or(end.Class, string(end.Reason))}
	case end.Class != "":
		return &Problem{Sentence: end.Sentence, Detail: end.Detail, Class: end.Class}
	case x.streams && x.events > 0 && x.problem == nil && !failed && x.task != nil && !settled && !x.final && !task.canceling():
		return &Problem{Class: ProblemUnfinished, Sentence: fmt.Sprintf(
			"The agent closed the stream while the task was still %s. Get the task, or listen to it again.", x.task.StateWord())}
	}
	return nil
}

// refused reports whether an exchange that ended carried a message that was not accepted, so
// that it can be sent again without doing anything twice.
func refused(x *exchange, end *a2a.End) bool {
	if !aboutMessage(x.call.Op) || x.events > 0 {
		return false
	}
	if end.Reason == a2a.Refused {
		return true
	}
	switch x.status {
	case 401, 403, 404, 405, 415, 429, 503:
		return true
	}
	e := x.err
	return e != nil && notStarted(e) && !refusesStream(x.call, e)
}

// wrongDialect reports whether a message was rejected unread because of its dialect.
func wrongDialect(x *exchange) bool {
	if (x.call.Op != a2a.OpSend && x.call.Op != a2a.OpStream) || x.events > 0 {
		return false
	}
	switch x.status {
	case 404, 405, 415:
		return true
	}
	if x.err == nil {
		return false
	}
	switch x.err.Code {
	case -32600, -32601, -32009:
		return true
	}
	return x.err.Reason == "VERSION_NOT_SUPPORTED"
}

// notStarted reports whether an error says that the agent did nothing with the message: it did
// not know the method or the task, could not read it, does not support it, or denied access.
func notStarted(e *a2a.RPCError) bool {
	switch e.Code {
	case -32700, -32600, -32601, -32602, -32001, -32004, -32005, -32009, -31401, -31403:
		return true
	}
	return e.Reason == "VERSION_NOT_SUPPORTED" || busy(e)
}

// mayRetry notes in the problem of a message that a busy agent rejected when to send it again.
func (s *State) mayRetry(x *exchange, r *a2a.Record) {
	pr := x.problem
	if pr == nil || x.status != 429 && x.status != 503 && (x.err == nil || !busy(x.err)) {
		return
	}
	pr.Busy = true
	if x.pause > 0 {
		pr.Again = r.Time.Add(x.pause)
	}
	s.touch(x.problemAt)
}

// pauseOf returns how long an error asks to wait before the next attempt: the header of its
// answer decides, otherwise its data.
func pauseOf(e *a2a.RPCError, header time.Duration) time.Duration {
	if header > 0 || !busy(e) {
		return header
	}
	return a2a.RetryIn(e.Data)
}

// busy reports whether an error says that there are too many requests. Only 0.1 defines that
// code, and no later version gives it another meaning.
func busy(e *a2a.RPCError) bool {
	return e.Name == "RateLimitExceededError" || e.Code == -32010 && e.Name == ""
}

// refusesStream reports whether an error says that the agent does not stream: then the same
// request without a stream, with the same ids, is safe.
func refusesStream(call *a2a.Call, e *a2a.RPCError) bool {
	if call.Op != a2a.OpStream {
		return false
	}
	if call.Dialect == a2a.V01 {
		return e.Code == -32006 || e.Code == -32004
	}
	return e.Code == -32004 || e.Reason == "UNSUPPORTED_OPERATION"
}

// taskUnknown reports whether an error says that the agent does not know the task.
func taskUnknown(e *a2a.RPCError) bool {
	return e.Code == -32001 || e.Reason == "TASK_NOT_FOUND" || e.Name == "TaskNotFoundError"
}

// sentAgain replaces the refusal of a stream by the result: the message was sent again without
// a stream.
func (s *State) sentAgain(t *Turn) {
	t.refused = false
	for i, b := range t.Blocks {
		for j := range b.Entries {
			pr := b.Entries[j].Problem
			if pr != nil && (pr.Class == ProblemRPC || pr.Class == a2a.ClassStatus) {
				said := *pr
				said.Class = ProblemFallback
				said.Sentence = strings.TrimSpace(said.Before + " The agent does not stream this; the message was sent again as a plain call.")
				b.Entries[j].Problem = &said
				s.touch(place{t, i, j})
			}
		}
	}
}

package problem

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parley/a2a"
	"parley/a2a/pause"
)

// The classes of a [Problem] besides those of a2a.End.
const (
	ClassRPC        = "rpc"        // the agent answered with an error
	ClassDecode     = "decode"     // a body or an event could not be read
	ClassUnfinished = "unfinished" // a stream ended before its task did
	ClassStopped    = "stopped"    // the user stopped following
	ClassFallback   = "fallback"   // the agent refused to stream, and the request was sent without
	ClassUnsent     = "unsent"     // a message could not be sent at all
)

// IsUnread reports whether a server rejected a request because it does not know the method, the path or the
// version, for which the user's pins may be the reason. The error may be nil.
func IsUnread(status int, e *a2a.RPCError) bool {
	unread := a2a.LacksHandler(status, e) || status == http.StatusUnsupportedMediaType
	if e != nil {
		unread = unread || e.Code == -32600 || e.Code == -32601 || e.Code == -32009 || e.Reason == "VERSION_NOT_SUPPORTED"
	}
	return unread
}

// PinHint names the user's pins, if they may be the reason why a message was rejected; empty if
// nothing is pinned.
func PinHint(p *a2a.Profile) string {
	fields := p.PinnedFields()
	if len(fields) == 0 {
		return ""
	}
	pins := a2a.Pins{}
	var flags []string
	for _, field := range fields {
		flags = append(flags, "--"+field)
		switch field {
		case "dialect":
			pins.Dialect = p.Dialect
		case "transport":
			pins.Binding = p.Binding
		case "endpoint":
			pins.Endpoint = p.Endpoint
		}
	}
	kept := "so Parley kept to that"
	if pins.Fix() {
		kept = "so Parley tried no other way"
	}
	return fmt.Sprintf(" You pinned the %s (%s), %s: unpin it in the finder, or omit %s.", JoinWords(fields), WayName(p.Way()), kept, JoinWords(flags))
}

// Merge copies from a problem what its replacement lacks.
func (pr *Problem) Merge(old *Problem) {
	if pr.Detail == "" {
		pr.Detail = old.Sentence
	}
	pr.Err, pr.Record, pr.Open = old.Err, old.Record, pr.Open || old.Open
}

// FromRPC is an error that the agent reported; its answer asks to wait before the next
// attempt if that is not 0. The advice for the user replaces the general one for the error
// unless it is empty.
func FromRPC(e *a2a.RPCError, record a2a.RecordID, wait time.Duration, advice string) *Problem {
	sentence := Cause(e)
	switch advice = cmp.Or(advice, nextSteps[e.Name]); {
	case e.Unread: // the cause before what it led to
		sentence = "Something on the way drops the header A2A-Version, in which the request names its version: let it pass there. " + sentence
	case e.SnakeCase:
		sentence += " The documentation of Solace Agent Mesh describes such members in snake_case; if the agent was written by it, pin the dialect sam-doc (--dialect sam-doc)."
	case wait > 0 || IsBusy(e):
		sentence += " It is busy: " + pause.TryAgain(wait) + "."
	case advice != "":
		sentence += " " + advice
	}
	return &Problem{Sentence: sentence, Detail: e.Error(), Class: ClassRPC, Err: e, Record: record}
}

// Cause says what an agent reported, without advice.
func Cause(e *a2a.RPCError) string {
	what := "an error"
	switch {
	case e.Name != "":
		what = ErrorName(e.Name)
	case e.Code != 0:
		what = fmt.Sprintf("error %d", e.Code)
	}
	if said := FirstSentence(e.Message); said != "" {
		return "The agent answered " + what + ": " + said
	}
	return "The agent answered " + what + " without a message."
}

// ForTaskState replaces the general advice when a task accepted no further message, as far as its
// state explains that; the state is unknown if the session has not seen the task.
func ForTaskState(sentence string, e *a2a.RPCError, state a2a.State) string {
	better := ""
	switch {
	case IsTaskUnknown(e) || IsBusy(e):
		return sentence
	case state == a2a.StateUnknown && refusesMessages[e.Name]:
		better = "The task may be over: get it to see its state, or send the message as a new task."
	case state == a2a.StateUnknown:
		return sentence
	case state == a2a.StateAuthRequired:
		better = "It may require authorization elsewhere, not in an answer."
	case state.Terminal():
		better = "The task is over: send the message as a new task."
	case !state.Interrupted():
		better = "It may accept no message while the task is working: wait until the task ends, or send the message as a new task."
	default:
		return sentence
	}
	return strings.TrimSuffix(sentence, " "+nextSteps[e.Name]) + " " + better
}

// refusesMessages are the errors by which agents refuse a message to a task that is over: that of
// 1.0 (specification 1.0 §3.1.1), those of SDKs for 0.2 and 0.3, and those of 0.1.
var refusesMessages = map[string]bool{
	"UnsupportedOperationError": true, "InvalidParamsError": true, "InvalidRequestError": true, "OperationNotSupportedError": true, "InvalidTaskStateError": true,
}

// ErrorName is an error's name for users: TaskNotFound, but InternalError, because an adjective
// alone names nothing.
func ErrorName(name string) string {
	short := strings.TrimSuffix(name, "Error")
	if strings.IndexFunc(short[min(1, len(short)):], unicode.IsUpper) < 0 {
		return name
	}
	return short
}

// FirstSentence is an agent's text as a part of a sentence: its first line, with the end of a
// sentence.
func FirstSentence(said string) string {
	line, more, _ := strings.Cut(strings.TrimSpace(said), "\n")
	line = strings.TrimSpace(line)
	if short := Clip(line); short != line {
		line, more = strings.TrimSuffix(short, "..."), "more"
	}
	last, _ := utf8.DecodeLastRuneInString(line)
	switch {
	case line == "":
		return ""
	case strings.TrimSpace(more) != "":
		return line + " …"
	case strings.ContainsRune(".!?…", last):
		return line
	default:
		return line + "."
	}
}

// nextSteps are what a user can do about an error, if the agent's own text does not make that
// clear.
var nextSteps = map[string]string{
	"TaskNotFoundError":                 "Check the task's id.",
	"PushNotificationNotSupportedError": "The agent does not support webhooks; get the task instead.",
	"TaskNotCancelableError":            "Get the task to see its state.",
	"UnsupportedOperationError":         "This agent does not support it.",
	"ContentTypeNotSupportedError":      "Send another kind of content; the card lists what the agent accepts.",
	"VersionNotSupportedError":          "Open the agent again with a version that it names.",
	"MethodNotFoundError":               "Check the endpoint and the version in its card.",
	"InvalidParamsError":                "Compare the recorded request with what its version of A2A requires.",
	"InvalidRequestError":               "Compare the recorded request with what its version of A2A requires.",
	"ExtensionSupportRequiredError":     "Request the extensions that its card requires.",
	"InternalError":                     "If it happens again, check the agent's log.",
	"InvalidAgentResponseError":         "Its answer does not conform to its own version of A2A: check the agent's log.",
	"OperationNotSupportedError":        "This agent does not support it.",
	"StreamingNotSupportedError":        "Send the message without a stream, or get the task.",
	"AuthenticationRequiredError":       "Give the credentials that its card requires.",
	"AuthorizationFailedError":          "The credentials do not allow this: use others, or ask the agent's operator.",
	"InvalidTaskStateError":             "Get the task to see its state, or send the message as a new task.",
	"ResourceUnavailableError":          "The agent lacks a resource at the moment.",

	"AuthenticatedExtendedCardNotConfiguredError": "The agent has only its public card.",
	"ExtendedAgentCardNotConfiguredError":         "The agent has only its public card.",
}

// IsTaskUnknown reports whether an error says that the agent does not know the task.
func IsTaskUnknown(e *a2a.RPCError) bool {
	return e.Code == -32001 || e.Reason == "TASK_NOT_FOUND" || e.Name == "TaskNotFoundError"
}

// WayName names a way in a sentence.
func WayName(w a2a.Way) string { return w.Dialect.Number() + " over " + w.Binding.String() }

// JoinWords joins words as a sentence does.
func JoinWords(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// A Problem is a failure, described for a user.
type Problem struct {
	Sentence string
	Detail   string // the underlying error text, on demand
	Class    string // as in a2a.End, or one of the Problem classes
	Err      *a2a.RPCError
	Record   a2a.RecordID
	// Stream is the stream that the problem ended, 0 if it ended none, and After is the newest
	// event of that stream, 0 if there was none.
	Stream a2a.ExchangeID
	After  a2a.RecordID
	// Resumed is the subscription that continued after a stream was cut, 0 if there was none.
	// ResumedAt is its first event, which came Away after the cut.
	Resumed   a2a.ExchangeID
	ResumedAt a2a.RecordID
	Away      time.Duration
	// Busy is set when the agent rejected a message because of too many requests, and Again is
	// when it accepts it, zero if unknown.
	Busy  bool
	Again time.Time
	// Before names the other dialects in which the message had been rejected before.
	Before string
	// Ops are the operations on a task that failed so, none if a message did. The sentence begins with them.
	Ops []a2a.Op
	// Open is set if the failure leaves open what the agent does with the message or the task, see
	// [task.LeavesOpen].
	Open bool
}

// Interrupts reports whether a problem ended only a connection, so that the task can be
// subscribed to, or polled, again.
func (pr *Problem) Interrupts() bool {
	switch pr.Class {
	case a2a.ClassCut, a2a.ClassSevered, a2a.ClassUnrecorded, a2a.ClassTimeout, a2a.ClassRefused, ClassUnfinished:
		return true
	}
	return false
}

// Ours reports whether a problem is not the agent's: the user or Parley ended the exchange or sent the
// request in another way, or a recording stops there.
func (pr *Problem) Ours() bool {
	switch pr.Class {
	case a2a.ClassSevered, a2a.ClassUnrecorded, a2a.ClassGivenUp, a2a.ClassFollowed, ClassUnfinished, ClassStopped, ClassFallback:
		return true
	}
	return false
}

// AsksCredentials reports whether credentials were missing or not accepted.
func (pr *Problem) AsksCredentials() bool {
	return pr.Class == a2a.ClassNoCredentials || pr.Class == a2a.ClassAuth || pr.Err.AsksCredentials()
}

// Stops reports whether a problem ended a connection, by itself or by the user.
func (pr *Problem) Stops() bool { return pr.Interrupts() || pr.Class == ClassStopped }

// Clip shortens an agent's text, so that a row's cost does not depend on it.
func Clip(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	i := most
	for i > 0 && !utf8.RuneStart(s[i]) {
		i--
	}
	return s[:i] + "..."
}

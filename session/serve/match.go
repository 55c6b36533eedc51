package serve

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/a2a"
)

// Rules are the rules by which a request finds its answer, one sentence each, short enough for one
// line of a terminal.
var Rules = []string{
	"A request takes a recorded exchange of the same operation and dialect.",
	"A message: the same text, else a similar one, else the next unused one.",
	"A message to a task or context looks among that one's messages first.",
	"A plain send takes a recorded stream's result, a stream a plain answer.",
	"A get or cancel is answered as recorded at that point of the task.",
	"Without a record, get, list, cancel and subscribe tell what was sent.",
	"What was masked matches anything. All else is an A2A error.",
}

// How a request found its answer.
const (
	byText    = "same text"
	byNormal  = "similar text"
	byOrder   = "next in order"
	byTask    = "same task"
	byRequest = "same request"
	byFold    = "the task as sent so far"
	byCard    = "the card"
	bySent    = "the tasks as sent so far"
)

// An answer is what a request gets.
type answer struct {
	x    *exchange // nil if it is made
	swap *swap
	made []byte // JSON: a card or a task
	how  string
	kept *answered // of which the progress is noted, nil if nobody asks
	miss *miss
	// task is the exchange whose task can be canceled while this answer is sent, nil if none can be, and
	// last then makes the end of this answer.
	task *answered
	last func(stream bool) (a2a.Record, bool)
	// began is when the request came to which the answer belongs, zero for this one, and paused how long
	// the recording user had paused before.
	began  time.Time
	paused time.Duration
	// extended is set if the answer is the card in place of the extended one.
	extended bool
}

// mark says from what an answer is made that is no exchange; empty for the card.
func (done *answer) mark() string {
	if done.how == byCard && !done.extended {
		return ""
	}
	return "from " + done.how
}

// A miss is a request without a recorded answer.
type miss struct {
	code     int64 // of JSON-RPC
	sentence string
}

// match finds the answer to a request.
func (a *Agent) match(f *facts) answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := a.byKey[f.Key()]
	switch {
	case f.Bare && !slices.ContainsFunc(all, func(x *exchange) bool { return x.facts.Bare }):
		return answer{miss: &miss{codeInvalid, "The request is not JSON-RPC 2.0: its “jsonrpc” must be \"2.0\"."}}
	case f.Op == "" && f.Binding != "":
		return a.unknownMethod(f)
	case f.Binding == "" && a.endpoints[f.Method] && len(all) == 0:
		f.Binding = a2a.BindingJSONRPC // whose endpoint it is
		if f.isJSON {
			return answer{miss: &miss{codeInvalid, "The request has no envelope of JSON-RPC."}}
		}
		return answer{miss: &miss{codeBroken, "The request is not JSON."}}
	case f.Sends():
		return a.matchMessage(f, all)
	case f.Follows():
		return a.matchFollowing(f, all)
	case len(all) == 0 && f.Op == "":
		return answer{miss: &miss{codeNotFound, fmt.Sprintf("The recording has no answer to %s.", clip(f.Method))}}
	case len(all) == 0:
		return a.madeFor(f)
	}
	x, how := a.pick(f, a.used, all)
	if x == nil { // every one was used: the last one stays
		x, how = all[len(all)-1], byRequest
	}
	return a.take(x, f, nil, how)
}

// unknownMethod refuses a method that no dialect has.
func (a *Agent) unknownMethod(f *facts) answer {
	if f.Method == "" {
		return answer{miss: &miss{codeInvalid, "The request names no method."}}
	}
	if all := a.byKey[f.Key()]; len(all) > 0 { // the recorded agent was asked too
		x, how := a.pick(f, a.used, all)
		if x == nil {
			x, how = all[len(all)-1], byRequest
		}
		return a.take(x, f, nil, how)
	}
	return answer{miss: &miss{codeNoMethod, fmt.Sprintf("A2A has no method %s.", clip(f.Method))}}
}

// notRecorded refuses an operation that the recording has not, and says what it has.
func (a *Agent) notRecorded(f *facts) answer {
	var have []string
	for _, x := range a.exchanges {
		if label := x.facts.Label(); x.facts.Op != "" && x.call.Op != a2a.OpProbe && !slices.Contains(have, label) {
			have = append(have, label)
		}
	}
	words := "no operation"
	if len(have) > 0 {
		words = strings.Join(have, ", ")
	}
	return answer{miss: &miss{codeUnsupported, fmt.Sprintf("The recording has no %s; it has %s.", clip(f.Label()), words)}}
}

// matchMessage finds the answer to a message, among the exchanges of the same method first, then among
// those of the stream for a plain send, and of the plain send for a stream.
func (a *Agent) matchMessage(f *facts, all []*exchange) answer {
	groups := [][]*exchange{all}
	for _, key := range f.Others() {
		groups = append(groups, a.byKey[key])
	}
	if len(slices.Concat(groups...)) == 0 {
		return a.notRecorded(f)
	}
	accepted := func(x *exchange) bool { return !x.unauthorized() }
	if f.authorized && slices.ContainsFunc(slices.Concat(groups...), accepted) { // who comes with credentials is not asked for them
		groups = narrowed(groups, accepted)
	}
	if able := func(x *exchange) bool { return x.becomes(f) }; slices.ContainsFunc(slices.Concat(groups...), able) {
		groups = narrowed(groups, able)
	}
	r, task, context := a.runOf(f)
	if r == nil {
		x, how := a.pick(f, a.used, narrowed(groups, func(x *exchange) bool { return x.begins })...)
		if how != byText && how != byNormal { // a text counts more than a place
			if other, by := a.pick(f, a.used, groups...); x == nil || by == byText || by == byNormal {
				x, how = other, by
			}
		}
		if x == nil {
			return exhausted("", "")
		}
		return a.take(x, f, a.newRun(), how)
	}
	for _, place := range [...]struct {
		recorded string
		id       func(*facts) string
	}{{task, func(f *facts) string { return f.TaskID }}, {context, func(f *facts) string { return f.ContextID }}} {
		if place.recorded == "" {
			continue
		}
		there := narrowed(groups, func(x *exchange) bool { return place.id(&x.facts) == place.recorded })
		if x, how := a.pick(f, r.used, there...); x != nil {
			return a.take(x, f, r, how)
		}
	}
	if x, how := a.pick(f, r.used, groups...); x != nil && how != byOrder {
		return a.take(x, f, r, how)
	}
	return exhausted(task, context)
}

// exhausted refuses a message after the last recorded one: of a task or a context, if it continues
// one.
func exhausted(task, context string) answer {
	where := "message"
	if task != "" {
		where = "message to this task"
	} else if context != "" {
		where = "message in this context"
	}
	return answer{miss: &miss{codeNoAnswer, fmt.Sprintf("The recording has no further %s, and none with this text.", where)}}
}

// pick chooses among exchanges by the text, and by what was used: of equal ones the first that was
// used least, and without an equal one the first that was not used at all. What an earlier group has comes
// before its like in a later one.
func (a *Agent) pick(f *facts, used map[*exchange]int, groups ...[]*exchange) (x *exchange, how string) {
	least := func(same func(recorded string) bool) (found *exchange) {
		for _, group := range groups {
			for _, x := range group {
				if same(x.facts.Text) && (found == nil || used[x] < used[found]) {
					found = x
				}
			}
			if found != nil {
				break
			}
		}
		return found
	}
	if f.Sends() || f.Text != "" {
		if x := least(func(recorded string) bool { return matches(recorded, f.Text) }); x != nil {
			return x, byText
		}
		text := normal(f.Text)
		if x := least(func(recorded string) bool { return matches(normal(recorded), text) }); x != nil {
			return x, byNormal
		}
	}
	for _, x := range slices.Concat(groups...) {
		if used[x] == 0 {
			return x, byOrder
		}
	}
	return nil, ""
}

// take makes an exchange the answer to a request.
func (a *Agent) take(x *exchange, f *facts, r *run, how string) answer {
	made, until, problem := x.as(f)
	if problem != "" {
		return answer{miss: &miss{codeNoAnswer, problem}}
	}
	a.used[x]++
	done := answer{x: made, how: how}
	if made != x {
		done.how += ", " + madeOf(x, f)
	}
	if r != nil {
		r.used[x]++
		if f.Sends() {
			r.newest = x
			a.bindRequest(r, x, f)
		}
		a.give(r, x.taskIDs)
		a.give(r, x.contextIDs)
		if f.Sends() || f.Op == a2a.OpSubscribe || x.tellsEnd() && !r.newestIs(x) {
			done.kept = newAnswered(x, a.clock.now())
			done.task, done.last = done.kept, a.farewell(r, made, f)
			r.answered = append(r.answered, done.kept)
		}
		if made != x && f.Op == a2a.OpSend { // nobody reads the stream
			if !f.AtOnce {
				until = 0
			}
			done.kept.leave(until, a.clock.now())
		}
	}
	done.swap = r.swapOf(made, f)
	return done
}

// tellsEnd reports whether the answer is a task that has ended: nothing that was sent before counts then.
func (x *exchange) tellsEnd() bool {
	return len(x.meaning) == 1 && x.meaning[0].state.Terminal()
}

// madeOf says what an answer is made from.
func madeOf(x *exchange, f *facts) string {
	if f.Op == a2a.OpSend {
		return "made from its stream"
	}
	return "made from its plain answer"
}

// bindRequest makes the ids that a client chose stand for the recorded ones.
func (a *Agent) bindRequest(r *run, x *exchange, f *facts) {
	if f.MessageID != "" && x.facts.MessageID != "" {
		r.messages[x.facts.MessageID] = f.MessageID
	}
	a.bind(r, x.facts.ContextID, f.ContextID)
	if f.ContextID != "" && x.facts.ContextID == "" && len(x.contextIDs) > 0 {
		a.bind(r, x.contextIDs[0], f.ContextID)
	}
	if f.TaskID != "" && x.facts.TaskID != "" {
		a.bind(r, x.facts.TaskID, f.TaskID)
	}
}

func filter(all []*exchange, is func(*exchange) bool) []*exchange {
	var some []*exchange
	for _, x := range all {
		if is(x) {
			some = append(some, x)
		}
	}
	return some
}

// narrowed returns groups with those exchanges of which something holds.
func narrowed(groups [][]*exchange, is func(*exchange) bool) [][]*exchange {
	var all [][]*exchange
	for _, group := range groups {
		all = append(all, filter(group, is))
	}
	return all
}

package serve

import (
	"fmt"
	"slices"
	"strings"

	"parley/a2a"
)

// Rules are the rules by which a request finds its answer, one sentence each, short enough for one
// line of a terminal.
var Rules = []string{
	"A request takes a recorded exchange of the same operation and dialect.",
	"A message: the same text, else a similar one, else the next unused one.",
	"A message to a task or context looks among that one's messages first.",
	"A get or cancel is answered as recorded at that point of the task.",
	"A get that was not recorded returns the task as sent so far.",
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
)

// An answer is what a request gets.
type answer struct {
	x    *exchange // nil if it is made
	swap *swap
	made []byte // JSON: a card or a task
	how  string
	kept *answered // of which the progress is noted, nil if nobody asks
	miss *miss
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
	case f.Op == "" && f.Binding != "":
		return a.unknownMethod(f)
	case f.Binding == "" && a.endpoints[f.Method] && len(all) == 0:
		f.Binding = a2a.BindingJSONRPC // whose endpoint it is
		return answer{miss: &miss{codeBroken, "The request is not JSON-RPC."}}
	case f.Sends():
		return a.matchMessage(f, all)
	case f.Follows():
		return a.matchFollowing(f, all)
	case len(all) == 0 && f.Op == "":
		return answer{miss: &miss{codeNotFound, fmt.Sprintf("The recording has no answer to %s.", clip(f.Method))}}
	case len(all) == 0:
		return a.notRecorded(f)
	}
	x, how := a.pick(f, all, a.used)
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
		x, how := a.pick(f, all, a.used)
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

// matchMessage finds the answer to a message.
func (a *Agent) matchMessage(f *facts, all []*exchange) answer {
	if len(all) == 0 {
		return a.notRecorded(f)
	}
	if f.authorized { // who comes with credentials is not asked for them
		if accepted := filter(all, func(x *exchange) bool { return !x.unauthorized() }); len(accepted) > 0 {
			all = accepted
		}
	}
	r, task, context := a.runOf(f)
	if r == nil {
		x, how := a.pick(f, filter(all, func(x *exchange) bool { return x.begins }), a.used)
		if how != byText && how != byNormal { // a text counts more than a place
			if other, by := a.pick(f, all, a.used); x == nil || by == byText || by == byNormal {
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
		there := filter(all, func(x *exchange) bool { return place.id(&x.facts) == place.recorded })
		if x, how := a.pick(f, there, r.used); x != nil {
			return a.take(x, f, r, how)
		}
	}
	if x, how := a.pick(f, all, r.used); x != nil && how != byOrder {
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
// used least, and without an equal one the first that was not used at all.
func (a *Agent) pick(f *facts, from []*exchange, used map[*exchange]int) (x *exchange, how string) {
	least := func(same func(recorded string) bool) (found *exchange) {
		for _, x := range from {
			if same(x.facts.Text) && (found == nil || used[x] < used[found]) {
				found = x
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
	for _, x := range from {
		if used[x] == 0 {
			return x, byOrder
		}
	}
	return nil, ""
}

// take makes an exchange the answer to a request.
func (a *Agent) take(x *exchange, f *facts, r *run, how string) answer {
	a.used[x]++
	done := answer{x: x, how: how}
	if r != nil {
		r.used[x]++
		if f.Sends() {
			r.newest = x
			a.bindRequest(r, x, f)
		}
		a.give(r, x.taskIDs)
		a.give(r, x.contextIDs)
		if f.Sends() || f.Op == a2a.OpSubscribe {
			done.kept = &answered{x: x}
			r.answered = append(r.answered, done.kept)
		}
	}
	done.swap = r.swapOf(x, f)
	return done
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

package filter

import (
	"strings"
	"time"

	"parley/a2a"
	"parley/session"
)

// A Filter says of a record whether it is listed. It never changes.
type Filter struct {
	text string
	root node
	uses Uses
}

// Uses says what a filter looks at besides the members of a record.
type Uses uint8

// What a filter can look at.
const (
	UsesMarks Uses = 1 << iota // the user can change them, and so what is listed
	UsesMutes                  // the same
	UsesBytes                  // what takes time in proportion to the bodies
	UsesTasks                  // what an exchange is about, which its first records do not know yet
)

// An Env tells what a record does not hold itself. Every member may be missing, which
// tells nothing. What Match calls must be safe in the goroutine that calls Match.
type Env struct {
	Agent  func(a2a.AgentID) string          // the name of an agent
	Gap    func(*session.Item) time.Duration // the time since the exchange's record before
	About  func(a2a.ExchangeID) About        // what an exchange is about
	Muted  func(rule string) bool            // whether the user does not want to hear of a rule
	Marked func(a2a.RecordID) bool           // whether the user marked a record
	Start  time.Time                         // when the session began, in the zone that is shown
	End    time.Time                         // when its newest record came
	Seen   *Seen                             // what [Complete] offers from
}

// About is the task and the context that an exchange told of first, empty as long as it
// did not.
type About struct{ Task, Context string }

// AboutOf returns what a record tells of what its exchange is about.
func AboutOf(it *session.Item) About {
	for i := range it.Update.Events {
		ev := &it.Update.Events[i]
		a := About{ev.TaskID, ev.ContextID}
		if ev.Task != nil && a.Task == "" {
			a.Task = ev.Task.ID
		}
		if ev.Task != nil && a.Context == "" {
			a.Context = ev.Task.ContextID
		}
		if a.Task != "" {
			return a
		}
	}
	return About{}
}

// An Error says which part of a filter is wrong, and what would be right.
type Error struct {
	Off, End int // bytes of the text
	Message  string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// String returns the text that the filter was made of.
func (f *Filter) String() string { return f.text }

// Uses returns what the filter looks at.
func (f *Filter) Uses() Uses { return f.uses }

// Match reports whether a record is listed. A filter of nothing but space lists all.
func (f *Filter) Match(it *session.Item, env *Env) bool {
	if env == nil {
		env = &Env{}
	}
	return f.root.match == nil || f.root.match(it, env)
}

// A node is a part of a filter that can be asked by itself.
type node struct {
	match match
	cost  cost
	uses  Uses
}

type match func(it *session.Item, env *Env) bool

// cost orders the parts of a conjunction: what is cheap to ask is asked first.
type cost uint8

const (
	costsWord cost = iota // a look at some members
	costsName             // some names are compared
	costsBody             // the bytes are searched
)

// all holds if every one of nodes does.
func all(nodes []node) node {
	if len(nodes) == 1 {
		return nodes[0]
	}
	byCost := make([]match, 0, len(nodes))
	out := node{}
	for c := costsWord; c <= costsBody; c++ {
		for _, n := range nodes {
			if n.cost == c {
				byCost = append(byCost, n.match)
				out.cost = c
			}
			out.uses |= n.uses
		}
	}
	out.match = func(it *session.Item, env *Env) bool {
		for _, m := range byCost {
			if !m(it, env) {
				return false
			}
		}
		return true
	}
	return out
}

// either holds if one of nodes does.
func either(nodes []node) node {
	if len(nodes) == 1 {
		return nodes[0]
	}
	none := make([]node, len(nodes))
	for i, n := range nodes {
		none[i] = inverse(n)
	}
	return inverse(all(none))
}

// inverse holds if n does not.
func inverse(n node) node {
	m := n.match
	n.match = func(it *session.Item, env *Env) bool { return !m(it, env) }
	return n
}

// Quote writes a value of a field so that it is read as it is: "Travel Desk" in quotation
// marks, 91c2 without.
func Quote(s string) string {
	if s != "" && !strings.ContainsAny(s, " \"\\(),") && !strings.HasPrefix(s, "/") {
		return s
	}
	return quoted(s)
}

// quoted writes text in quotation marks.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

package filter

import (
	"strings"
	"time"

	"parley/a2a"
	"parley/session/log"
)

// A Filter decides whether a record is listed. It is immutable.
type Filter struct {
	text string
	root node
	uses Uses
}

// Uses says what a filter needs besides the members of a record.
type Uses uint8

// What a filter can need.
const (
	UsesMarks   Uses = 1 << iota // the user can change them, which changes what is listed
	UsesMutes                    // the same
	UsesBytes                    // it takes time in proportion to the bodies
	UsesTasks                    // the subject of an exchange, which its first records do not contain yet
	UsesLongest                  // the longest gap of a stream, which a later one replaces
)

// An Env gives what a record does not contain itself. Every member may be nil. What Match calls
// must be safe in the goroutine that calls Match.
type Env struct {
	Agent func(a2a.AgentID) string      // the name of an agent
	Gap   func(*log.Item) time.Duration // the time since the previous record of the exchange, or since a cut
	// Longest is whether a record is the event after the longest gap of its stream.
	Longest func(*log.Item) bool
	About   func(a2a.ExchangeID) About // the subject of an exchange
	Muted   func(rule string) bool     // whether a rule is muted
	Marked  func(a2a.RecordID) bool    // whether the user marked a record
	// Comment is what the user wrote about a record, empty for nothing.
	Comment func(a2a.RecordID) string
	Start   time.Time // when the session began, in the zone of the screen
	End     time.Time // when its newest record came
	Values  *Values   // values for [Complete]
}

// About is the first task and context of an exchange, empty as long as it has none.
type About struct{ Task, Context string }

// AboutOf returns what a record says about the subject of its exchange.
func AboutOf(it *log.Item) About {
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

// An Error names the wrong part of a filter, and the correction.
type Error struct {
	Off, End int // bytes of the text
	Message  string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// String returns the text of the filter.
func (f *Filter) String() string { return f.text }

// Uses returns what the filter needs.
func (f *Filter) Uses() Uses { return f.uses }

// Match reports whether a record is listed. An empty filter lists all.
func (f *Filter) Match(it *log.Item, env *Env) bool {
	if env == nil {
		env = &Env{}
	}
	return f.root.match == nil || f.root.match(it, env)
}

// A node is a part of a filter.
type node struct {
	match match
	cost  cost
	uses  Uses
}

type match func(it *log.Item, env *Env) bool

// cost orders the parts of a conjunction: cheap ones are evaluated first.
type cost uint8

const (
	costsWord cost = iota // some members are read
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
	out.match = func(it *log.Item, env *Env) bool {
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
	n.match = func(it *log.Item, env *Env) bool { return !m(it, env) }
	return n
}

// Quote writes a value of a field so that it is read literally: "Travel Desk" in quotation
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

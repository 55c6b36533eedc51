package chain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
)

// A Line is one exchange in the text of a forest.
type Line struct {
	Node  *Node
	Depth int
	// Text is the line without indentation. It has texts of the network as they came: who shows
	// it makes control characters visible.
	Text string
}

// indent is the indentation of each level.
const indent = "  "

// String returns the line with its indentation.
func (l Line) String() string { return strings.Repeat(indent, l.Depth) + l.Text }

// Lines returns a line for each exchange, each tree below its root. Name names an agent; an open
// exchange lasts until now, which is the time of the newest record of a recording.
func (f *Forest) Lines(name func(a2a.AgentID) string, now time.Time) []Line {
	lines := make([]Line, 0, len(f.order))
	type level struct {
		id    a2a.ExchangeID
		depth int
	}
	var todo []level
	roots := f.Roots()
	for _, id := range slices.Backward(roots) {
		todo = append(todo, level{id, 0})
	}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n := f.nodes[at.id]
		lines = append(lines, Line{n, at.depth, f.text(n, name, now)})
		for _, child := range slices.Backward(n.Children) {
			todo = append(todo, level{child, min(at.depth+1, maxDepth)})
		}
	}
	return lines
}

// text returns what is said of a node: number, client and agent, operation, state, duration, and
// what joins it to its parent.
func (f *Forest) text(n *Node, name func(a2a.AgentID) string, now time.Time) string {
	words := []string{fmt.Sprintf("#%d %s → %s", n.Exchange, f.sender(n, name), cmp.Or(name(n.Agent), n.Tap)), string(n.Op), n.outcome()}
	end := n.End
	if end.IsZero() {
		end = now
	}
	words = append(words, units.Duration(max(end.Sub(n.Start), 0)))
	if n.End.IsZero() {
		words[len(words)-1] += " so far"
	}
	if why := n.Link.Why(); why != "" {
		if !n.Link.Follows && n.Link.Parent != 0 {
			why = n.Link.Strength.String() + ": " + why
		}
		words = append(words, why)
	}
	if or := n.Link.Or; len(or) > 0 && n.Link.Parent != 0 {
		words = append(words, fmt.Sprintf("perhaps by way of #%d", or[len(or)-1]))
	}
	for _, c := range n.Changes {
		if notable(c) {
			words = append(words, c.String())
		}
	}
	words = append(words, n.Rules...)
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " · ")
}

// notable reports whether a change is worth its place in a line: what was lost, or came from the
// caller.
func notable(c Change) bool {
	return c.Kind == PassedOn || c.Kind == Dropped && c.Topic != TopicCredential || c.Topic == TopicTrace && c.Kind == Altered
}

// sender names who sent a request: the agent that it was sent for, or the client.
func (f *Forest) sender(n *Node, name func(a2a.AgentID) string) string {
	p := f.nodes[n.Link.Parent]
	for p != nil && n.Link.Follows {
		n, p = p, f.nodes[p.Link.Parent]
	}
	switch {
	case p == nil:
		return cmp.Or(n.Client, "client")
	case n.Link.Strength < Likely || len(n.Link.Or) > 0:
		return cmp.Or(name(p.Agent), p.Tap) + "?"
	default:
		return cmp.Or(name(p.Agent), p.Tap)
	}
}

// outcome says how an exchange went.
func (n *Node) outcome() string {
	switch {
	case n.Failure != "":
		return n.Failure
	case n.State != a2a.StateUnknown:
		return n.State.String()
	case n.End.IsZero():
		return "open"
	default:
		return "answered"
	}
}

package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// A TraceStep is one operation of an agent, such as a call of a tool, as the traceability extension
// reports it. Everything in it is the agent's own text.
type TraceStep struct {
	Kind    string // in lower case: agent, tool, host
	Name    string // of the tool or of the agent
	Took    time.Duration
	Timed   bool   // Took is known
	Latency string // as the agent wrote it; the extension names no unit
	Tokens  string
	Cost    string
	Error   string
	Rails   []bool // for each level above: whether more steps follow there; a deep step has the nearest
	Depth   int
	Last    bool // no step with the same parent follows
	Loop    bool // its parents lead back to itself
}

// The limits of a trace.
const (
	maxTrace  = 4 << 20 // bytes that are read
	maxNested = 16      // traces within traces
	maxRails  = 8
	traceName = "/extensions/traceability/" // is part of the member that has it, in every version
)

// TraceSteps returns the steps of an agent in metadata, or in the data of a part, in the order of their
// tree; nil if there is no trace of the traceability extension. A step whose parent is not there
// begins a tree.
func TraceSteps(data json.RawMessage) []TraceStep {
	if len(data) > maxTrace || !bytes.Contains(data, []byte(traceName)) && !bytes.Contains(data, []byte(`"steps"`)) {
		return nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil {
		return nil
	}
	if isTrace(members) {
		return stepsOf(members, 0, nil, 0)
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		var trace map[string]json.RawMessage
		if strings.Contains(name, traceName) && json.Unmarshal(members[name], &trace) == nil && isTrace(trace) {
			return stepsOf(trace, 0, nil, 0)
		}
	}
	return nil
}

// isTrace reports whether an object is a trace.
func isTrace(members map[string]json.RawMessage) bool {
	return member(members, "trace_id", "traceId") != nil && members["steps"] != nil
}

// member returns the first member that is there; a JSON format has either spelling.
func member(members map[string]json.RawMessage, names ...string) json.RawMessage {
	for _, name := range names {
		if v := members[name]; v != nil {
			return v
		}
	}
	return nil
}

// word returns a text or a number, empty for anything else.
func word(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var number json.Number
	if json.Unmarshal(raw, &number) == nil {
		return number.String()
	}
	return ""
}

// A stepNode is a step in its tree.
type stepNode struct {
	TraceStep
	inner    map[string]json.RawMessage // the trace of the agent that was called, nil without one
	children []int
	parent   int // -1 for none
	listed   bool
}

// stepsOf returns the steps of a trace below a place in a tree.
func stepsOf(trace map[string]json.RawMessage, depth int, rails []bool, nested int) []TraceStep {
	var raw []map[string]json.RawMessage
	if nested == maxNested || json.Unmarshal(trace["steps"], &raw) != nil {
		return nil
	}
	nodes, byID := make([]stepNode, len(raw)), make(map[string]int, len(raw))
	for i, m := range raw {
		nodes[i] = newStep(m)
		if id := word(member(m, "step_id", "stepId")); id != "" {
			if _, taken := byID[id]; !taken {
				byID[id] = i
			}
		}
	}
	var roots []int
	for i, m := range raw {
		parent, found := byID[word(member(m, "parent_step_id", "parentStepId"))]
		if nodes[i].parent = -1; found && parent != i {
			nodes[i].parent = parent
			nodes[parent].children = append(nodes[parent].children, i)
			continue
		}
		nodes[i].Loop = found // it is its own parent
		roots = append(roots, i)
	}
	l := stepLister{nodes: nodes, nested: nested}
	for n, i := range roots {
		l.list(i, depth, rails, n == len(roots)-1)
	}
	for i := range nodes {
		if !nodes[i].listed { // its parents lead to a loop
			l.list(l.loop(i), depth, rails, true)
		}
	}
	return l.out
}

// newStep reads a step.
func newStep(m map[string]json.RawMessage) stepNode {
	var action, tool, agent map[string]json.RawMessage
	read := func(raw json.RawMessage, to *map[string]json.RawMessage) { _ = json.Unmarshal(raw, to) } // what is wrong stays empty
	read(member(m, "step_action", "stepAction"), &action)
	read(member(action, "tool_invocation", "toolInvocation"), &tool)
	read(member(action, "agent_invocation", "agentInvocation"), &agent)
	n := stepNode{TraceStep: TraceStep{
		Kind: strings.ToLower(word(member(m, "call_type", "callType"))),
		Name: cmp.Or(word(member(tool, "tool_name", "toolName")), word(member(agent, "agent_name", "agentName")), word(member(agent, "agent_url", "agentUrl")),
			word(m["name"]), word(member(m, "step_id", "stepId"))),
		Latency: word(m["latency"]), Tokens: word(member(m, "total_tokens", "totalTokens")), Cost: word(m["cost"]), Error: word(m["error"]),
	}}
	from, err := time.Parse(time.RFC3339Nano, word(member(m, "start_time", "startTime")))
	to, err2 := time.Parse(time.RFC3339Nano, word(member(m, "end_time", "endTime")))
	if n.Timed = err == nil && err2 == nil && !to.Before(from); n.Timed {
		n.Took = to.Sub(from)
	}
	read(member(agent, "response_trace", "responseTrace"), &n.inner)
	return n
}

// A stepLister lists the nodes of a trace in the order of their tree.
type stepLister struct {
	nodes  []stepNode
	nested int
	out    []TraceStep
}

// loop returns a node of the loop to which the parents of a node lead.
func (l *stepLister) loop(i int) int {
	seen := map[int]bool{}
	for !seen[i] {
		seen[i] = true
		i = l.nodes[i].parent
	}
	l.nodes[i].Loop = true
	return i
}

// list lists a node and what is below it.
func (l *stepLister) list(i, depth int, rails []bool, last bool) {
	n := &l.nodes[i]
	if n.listed {
		return
	}
	n.listed, n.Depth, n.Last, n.Rails = true, depth, last, rails
	l.out = append(l.out, n.TraceStep)
	below := rails
	if depth > 0 {
		below = append(rails[max(0, len(rails)-maxRails+1):len(rails):len(rails)], !last)
	}
	inner := []TraceStep(nil)
	if isTrace(n.inner) {
		inner = stepsOf(n.inner, depth+1, below, l.nested+1)
	}
	for k, child := range n.children {
		l.list(child, depth+1, below, k == len(n.children)-1 && len(inner) == 0)
	}
	l.out = append(l.out, inner...)
}

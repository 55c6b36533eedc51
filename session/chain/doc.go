// Package chain finds which exchanges of other clients belong together, in a session with
// several taps. An agent that answers one client is itself the client of the next agent, and
// nothing on the wire says so by itself.
//
//	client ─► tap ─► agent B ─► tap ─► agent C
//	   exchange #1   └── asks for it ──► exchange #5
//
// A [Joiner] gets the records in order and joins each request to the exchange for which an agent
// sent it, its parent, by [Evidence]: a trace context, an id, the same text, the tap that the agent
// sends through, and time. A parent is an exchange that goes on: it is open, or its task is not
// over. Where two exchanges are equally likely it joins to neither, unless one of them began within
// the other: no join is better than a wrong one. [Strength] says how far a join can be trusted.
//
// What a hop dropped, added or passed on is a [Change]. [Checker] adds to the findings of other
// rules what follows from hops: the group HOP of [lint]. A [Forest] keeps the trees for a screen,
// and [Forest.Lines] draws them as text.
//
// Everything here is pure: no clock, no network. The cost of a record is proportional to its size,
// and what a Joiner remembers is bounded.
package chain

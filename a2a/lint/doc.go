// Package lint finds what an agent, or a request, does that A2A does not allow.
//
// A [Rule] is one line of a table: what must hold, in which dialects, where the
// specification says so, and what to do about it. The table also holds the rules that
// the decoder applies itself while it reads. An [Obligation] is the sentence of a
// specification that a rule enforces: a rule finds errors only in the dialects that have
// one, and warnings elsewhere. A [Linter] runs the
// rules over the records of a session, one after the other, as they come:
//
//   - Every rule names the places it looks at: a request, the head of an answer, a
//     payload, the end of an exchange, or one kind of object wherever it stands (a
//     message, a part, a task). A payload is walked once, and each object is shown to
//     the rules that the dialect of the call has for it. The index from dialect and
//     place to rules is built when the Linter is made.
//   - What was asked in is what is expected: the dialect of the call chooses the
//     rules, never what the agent happens to say. A card says itself what it is. In
//     an unknown dialect only rules about HTTP, JSON and text are run.
//   - Findings of the decoder are not repeated for the same place.
//   - What a rule must remember (ids, capabilities, the state of a stream) lives in
//     the Linter, forgets its exchange when that ends, and is bounded.
//
// Rules are pure: no clock, no network, no randomness. A session that is replayed
// gives the findings it gave live. The cost of a record is in proportion to its size;
// payloads beyond four megabytes are not looked into.
//
// A new rule is an entry in the table of its group, in rules_*.go, and a case that
// fires and one that stays silent in the test beside it.
package lint

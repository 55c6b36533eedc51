// Package lint finds where an agent, or a request, breaks the rules of A2A.
//
// A [Rule] is one line of a table: what must hold, in which dialects, the section of the
// specification, and the remedy. The table also contains the rules that the decoder applies
// while it reads, and those that session/chain applies to several exchanges. An [Obligation] is the sentence of a specification that a rule enforces: a
// rule finds errors only in the dialects that have one, and warnings elsewhere. A [Linter]
// applies the rules to the records of a session in order:
//
//   - Every rule names the places that it checks: a request, the head of an answer, a
//     payload, the end of an exchange, or one kind of object at any place (a
//     message, a part, a task). A payload is walked once, and each object is passed to
//     the rules that the dialect of the call has for it. The index from dialect and
//     place to rules is built when the Linter is made.
//   - The request decides what is expected: the dialect of the call chooses the
//     rules, never the agent's answer. A card chooses its own rules. In
//     an unknown dialect only rules about HTTP, JSON and text apply.
//   - Findings of the decoder are not repeated for the same place.
//   - Nobody is blamed for what Parley did by itself, by its guesses, probes and own
//     repetitions of a request: [pass.judges] decides that for all rules, and for the decoder.
//   - What a rule needs to remember (ids, capabilities, the state of a stream) is in
//     the Linter, forgets its exchange when that ends, and is bounded.
//
// Rules are pure: no clock, no network, no randomness. A replayed session has the same findings
// as the live one. The cost of a record is proportional to its size; payloads beyond four
// megabytes are not checked.
//
// A new rule is an entry in the table of its group, in rules_*.go, and a case that
// fires and one that stays silent in the test beside it.
//
// Every record is checked once, in order and before the state has it.
package lint

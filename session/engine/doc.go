// Package engine owns the agents of a session. An [Engine] discovers them, sends messages,
// follows streams and tasks, resubscribes, polls, receives push notifications, injects faults,
// and watches for agents that are away. Its methods return at once; what comes of them comes
// through the recorder's feed, as records, notes and signals, and nothing else does.
//
// The get after a stream and the second of two streams are checks, which change nothing:
// they are recorded and read by rules, but fold into no task. The polls of a task that waits
// for credentials make no turn busy, and report no transient failure; a lasting refusal ends
// them.
//
// A delivery is accepted, then judged: the receiver checks address, token and limits and
// answers at once, so that no agent waits. The state uses the record alone. It applies
// nothing while a stream reports the task, nothing late, repeated or about another task, and
// no chunk of an artifact, because its predecessor is unknown. After an incomplete delivery,
// the engine gets the task once.
//
// An injected fault takes the path of a real one: a2a.Control cuts or pauses an answer where
// its bytes are read, and everything above behaves as on a bad network.
package engine

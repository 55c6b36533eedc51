// Package engine owns the agents of a session. An [Engine] discovers them, sends messages,
// follows streams and tasks, resubscribes, polls, receives push notifications, injects faults,
// and watches for agents that are away. Its methods return at once; what comes of them comes
// through the recorder's feed, as records, notes and signals, and nothing else does.
package engine

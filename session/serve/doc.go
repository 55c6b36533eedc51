// Package serve makes the agents of a session file answer again, on loopback: what an agent sent
// when it was recorded is what a client gets now.
//
//	file ─► Load: exchanges by agent ─► Agent.match: which exchange answers a request
//	          └─► card, with own addresses        └─► playback: its bytes, with the ids of
//	                                                   this run, its pauses, faults and cuts
//
// A [Session] is a file that was read, an [Agent] one agent in it, and a [Server] serves agents,
// each at a port of its own. [Rules] says in words how a request finds its answer; package request reads
// what identifies a request, match.go and follow.go apply the rules, run.go remembers which ids
// a client has for the recorded ones, and rewrite.go puts them into the recorded bytes. What was not
// recorded so is made: convert.go makes a plain answer from a stream and the other way round, and made.go
// answers about tasks from what was sent of them, which answered.go knows. Such an answer says so.
//
// The package has no screen, and it opens no connection: it only answers. gRPC comes through a
// function of the caller ([Options]), because this package is on the standard library alone.
package serve

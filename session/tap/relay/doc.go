// Package relay passes HTTP between clients and one agent, byte for byte and piece by piece, and
// shows what passes to an observer. It knows nothing of A2A.
//
//	client ──► Relay ──► agent
//	             └─► Observer: heads, bodies and ends, as they pass
//
// HTTP/1.x is passed on as it came: heads with their order and spelling, the division into chunks,
// trailers, half-closed and broken connections. Each connection of a client has one to the agent.
// HTTP/2, with TLS or by prior knowledge, is passed on in meaning: each piece of a body at once, with
// its trailers and resets. The order and spelling of heads and the code of a reset are not kept. Nothing
// is read ahead of what can be passed on, so that each side may wait for the other one; a [Plan] that
// changes a message waits for that message alone.
//
// A head differs only in Host, which is the agent's, and in what a [Plan] changes in an exchange.
// Nothing is added. What a relay answers itself is one sentence of text: to a request that has two
// meanings (400), names another host than this machine (403), or comes from the relay itself (508),
// and if the agent cannot be reached (502, over gRPC UNAVAILABLE).
package relay

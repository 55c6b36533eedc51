// Package matrix tests that Parley answers every message with agents behind wrong cards and
// without optional methods. A proxy on a real socket serves another card than the agent's
// own, and rejects the methods that the agent should lack. Whatever the card says, a plain
// and a streamed message must be answered, each started exactly once, in the agent's real
// dialect.
package matrix

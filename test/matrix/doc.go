// Package matrix tries agents behind cards that lie. A proxy on a real socket stands
// before an agent, serves another card than the agent's own, and answers for methods that
// the agent is to lack. Whatever the card says, a plain and a streamed message must be
// answered, each started exactly once, in the dialect that the agent speaks.
package matrix

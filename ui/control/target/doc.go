// Package target lists where the next message of a conversation may go, and says why it cannot
// go elsewhere. This follows from the tasks of the conversation, the dialect of the agent and
// whether the agent is reachable. The package has no state.
package target

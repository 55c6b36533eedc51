// Package target lists where the next message of a conversation may go, and says why it
// cannot go elsewhere. What is possible follows from the tasks of the conversation, from
// the dialect of the agent and from whether the agent is reachable; nothing is kept here.
package target

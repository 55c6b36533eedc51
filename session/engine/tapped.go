package engine

import (
	"parley/a2a"
	"parley/session/problem"
)

// tappedSentence says why nothing is sent to an agent behind a tap.
const tappedSentence = "Other clients talk to this agent through a tap, and Parley only watches them; to talk to it yourself, open its own address."

// tapEndedSentence says why an agent behind a tap of a recorded session is not contacted.
const tapEndedSentence = "Other clients talked to this agent through a tap, which ended with the recording; parley tap starts another one."

// Numbers gives the agents, conversations and turns of other clients the numbers of this session,
// so that they never collide with those that the user begins.
type Numbers struct{ e *Engine }

// Numbers returns the numbers for what taps see.
func (e *Engine) Numbers() Numbers { return Numbers{e} }

// NextAgent returns the number of an agent behind a tap. The engine sends nothing to it: calls about
// it fail with a sentence.
func (n Numbers) NextAgent() a2a.AgentID {
	a := n.e.newAgent(Saved{Client: func() a2a.Options { return a2a.Options{} }}, 0)
	n.e.mu.Lock()
	defer n.e.mu.Unlock()
	a.tapped = true
	close(a.opened)
	return a.id
}

// NextConversation returns the number of a conversation of another client with the agent.
func (n Numbers) NextConversation(agent a2a.AgentID) a2a.ConversationID {
	return n.e.NewConversation(agent)
}

// NextTurn returns the number of a turn of another client.
func (n Numbers) NextTurn() a2a.TurnID {
	n.e.mu.Lock()
	defer n.e.mu.Unlock()
	n.e.last.turn++
	return n.e.last.turn
}

// refusal says why nothing is sent to an agent whatever its card says, nil if it may be. The caller
// holds the engine's lock.
func (a *remote) refusal() *failure {
	switch {
	case a.tapped:
		return &failure{sentence: tappedSentence, class: problem.ClassUnsent}
	case a.held != "":
		return &failure{sentence: a.held, class: problem.ClassUnsent}
	}
	return nil
}

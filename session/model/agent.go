package model

import (
	"cmp"
	"slices"
	"time"

	"parley/a2a"
	"parley/session/card"
)

// MethodOf returns the name of an operation in the dialect of a profile.
func MethodOf(p *a2a.Profile, op a2a.Op) string {
	if d, known := p.Spoken(); known {
		return a2a.RPC(d.Method(op))
	}
	return string(op)
}

// MaxSpread is how many cards at one address become agents automatically. Of more, as in
// registries, only the first does, and the user chooses among the others.
const MaxSpread = 8

// Phase is the connection state of an agent.
type Phase uint8

// The phases of an agent.
const (
	Discovering Phase = iota
	Ready
	Unreachable // it may come back; the engine watches it
	Failed      // no card, or an unusable one
)

// An Agent is one opened reference.
type Agent struct {
	ID         a2a.AgentID
	Ref        string // what the user typed
	Index      int    // of its card among those at Ref, from 0
	Given      string // the name that the user gave it, empty for none
	Tag        string // a few letters that tell it from the others; they never change, and are empty while its name is unknown
	Embedded   bool   // it is one inside Parley, and ended with it
	Closed     bool   // the user closed it
	Phase      Phase
	Problem    string // one sentence, when Phase is Unreachable or Failed
	Late       string // one sentence if an agent of a mesh has not announced itself for longer than usual
	Card       *a2a.Card
	CardRecord a2a.RecordID
	Profile    a2a.Profile
	Pulse      Pulse
	Attempts   []a2a.Lookup // every address tried for the card, with the reason of its failure
	// CardChanges are the differences between the newest card and the preceding one, those
	// about security first. CardSince is the time of the preceding one if it was seen in an
	// earlier run.
	CardChanges []card.Change
	CardSince   time.Time
	Extensions  Extensions
	Extended    Extended
	// Choices are the cards at an address with many, including this agent's; nil if all became
	// agents automatically.
	Choices       []*a2a.Card
	Conversations []*Conversation
	// Tap is the name of the tap through which other clients talk to the agent, empty if it is
	// Parley that talks to it, and TapAddress is where they reach the tap.
	Tap        string
	TapAddress string
	Files      []File    // that were downloaded from the addresses of its parts, in order
	List       *TaskList // its list of tasks, nil if it was never requested
	// Incomplete is how many bytes have come of its card, or of an answer outside of a turn,
	// while it is incomplete; otherwise 0.
	Incomplete int64

	wasAway bool // it could not be reached when its discovery began

	unanswered unanswered
}

// Away reports whether the agent cannot be reached, as far as is known: while Parley tries again
// that has not changed.
func (a *Agent) Away() bool {
	return a != nil && (a.Phase == Unreachable || a.Phase == Discovering && a.wasAway)
}

// Address returns the reference that leads to this agent alone. That of a mesh leads to any of its
// agents: the one that announced itself first has it.
func (a *Agent) Address() string {
	m, problem := a2a.ParseMesh(a.Ref)
	if problem != "" || m.Agent != "" || a.Profile.Agent == "" {
		return a.Ref
	}
	return m.At(a.Profile.Agent).Reference()
}

// Name returns the name that the user gave the agent, else the card's, or the
// reference while there is none.
func (a *Agent) Name() string { return cmp.Or(a.Given, a.CardName()) }

// keepName leaves the turns so far the name that the card had until now. Those that have one are older
// than those that have none.
func (a *Agent) keepName(was string) {
	for _, c := range a.Conversations {
		for _, t := range slices.Backward(c.Turns) {
			if t.cardName != "" {
				break
			}
			t.cardName = was
		}
	}
}

// CardName returns the card's name for users, or the reference while there is none.
func (a *Agent) CardName() string {
	if a.Card == nil {
		return a.Ref
	}
	return cmp.Or(a.Card.DisplayName(), a.Ref)
}

package log

import (
	"time"

	"parley/a2a"
	"parley/session/card"
)

// SignalKind is what a [Signal] reports.
type SignalKind uint8

// The signals.
const (
	SignalOpening          SignalKind = iota // discovery of Agent has begun, for Ref
	SignalOpened                             // discovery is over: Profile or Sentence is set
	SignalPoll                               // the engine waits After before get number Attempt of Task
	SignalPollEnded                          // the engine stopped polling Task; Sentence says why, if not because it ended
	SignalTurnOver                           // the work for Turn is over; Sentence says why it failed, if it did
	SignalWatch                              // Agent is not reachable and is watched, every After at first
	SignalAway                               // Agent, which is watched, is tried again every After
	SignalLate                               // Agent, of a mesh, has not announced itself for longer than usual: Sentence, empty when it has again
	SignalBack                               // Agent is reachable again; Changes lists what is new in its card
	SignalTaskForgotten                      // the agent answered that it does not know Task
	SignalResubscribe                        // the engine waits After, or no longer if it is 0, before it resubscribes to Task: number Attempt of Of
	SignalResubscribeEnded                   // resubscribing is over; Sentence says why, if not because the task ended
	SignalStall                              // an open stream of Turn has brought no bytes for After
	SignalStallEnded                         // bytes come again
	SignalAuthPoll                           // the engine waits After before auth poll number Attempt of Task
	SignalAuthPollEnded                      // the auth poll is over; Class is [AuthPollContinued] if Task continues, Sentence says why if it failed
	SignalBytes                              // Bytes came of an answer or event that is not complete yet; 0 says that it is complete
	SignalReplayed                           // a recording that may go on was read to its end
	SignalJournal                            // the journal fell behind, reached its limit or failed: Sentence
)

// AuthPollContinued is the class of [SignalAuthPollEnded] when the task no longer waits for
// credentials.
const AuthPollContinued = "went-on"

// A Signal reports live state of the engine.
type Signal struct {
	Kind         SignalKind
	Time         time.Time
	Agent        a2a.AgentID
	Conversation a2a.ConversationID
	Turn         a2a.TurnID
	TaskID       string
	Ref          string
	Attempt, Of  int
	After        time.Duration
	Bytes        int64
	Sentence     string        // for a user: what happened, to what, what to do next
	Changes      []card.Change // of the card, those about security first
	Since        time.Time     // of the card that Changes compares with, if it was seen in an earlier run
	Profile      *a2a.Profile
	Attempts     []a2a.Lookup
	Announced    []string // the agents of a mesh, if Ref names none of them and therefore was refused
	// Class of the failure, as in a2a.End, or card-not-found, card-invalid,
	// credentials-missing, auth-failed, origin.
	Class string
	// Cause is Sentence without the advice in it, as in a2a.End, where that is known. Page says that the answer
	// is a web page.
	Cause string
	Page  bool
}

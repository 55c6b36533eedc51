package session

import (
	"strconv"
	"time"

	"parley/a2a"
)

// An Item is one entry of the feed: a record and its meaning, or a signal: something that is
// true only now and that no journal contains.
type Item struct {
	Record a2a.Record // ID is 0 in a signal
	Update a2a.Update
	Signal *Signal
	// Findings are the findings of the decoder and the rules, set by [State.Apply].
	Findings []a2a.Finding
	// Artifact is the name of the artifact that the record extends if the record itself gives
	// only its id, set by [State.Apply].
	Artifact string

	// Fate is what became of a delivery, set by [State.Apply].
	Fate Fate

	strays uint64 // bit i: event i is about something else than its exchange, set by [State.Apply]

	checked bool // the rules have checked it: Findings are complete

	// text and said are set by a [Scanner] if the Update has no parts: how many bytes of text
	// they had, and the description shared by items that differ only in that.
	text int
	said map[int][]byte
}

// Exchange returns the exchange of the item's record or, for a note, the one that it is about;
// 0 if there is none.
func (it *Item) Exchange() a2a.ExchangeID {
	r := &it.Record
	if r.Exchange != 0 || r.Note == nil {
		return r.Exchange
	}
	x, err := strconv.ParseUint(r.Note.Attrs[attrExchange], 10, 64)
	if err != nil {
		return 0
	}
	return a2a.ExchangeID(x)
}

// SignalKind is what a [Signal] reports.
type SignalKind uint8

// The signals.
const (
	SignalOpening       SignalKind = iota // discovery of Agent has begun, for Ref
	SignalOpened                          // discovery is over: Profile or Sentence is set
	SignalPolling                         // the engine waits After before get number Attempt of Task
	SignalPollEnded                       // the engine stopped polling Task; Sentence says why, if not because it ended
	SignalTurnOver                        // the work for Turn is over; Sentence says why it failed, if it did
	SignalWatching                        // Agent is not reachable and is watched, every After at first
	SignalAway                            // Agent, which is watched, is tried again every After
	SignalBack                            // Agent is reachable again; Changes lists what is new in its card
	SignalTaskForgotten                   // the agent answered that it does not know Task
	SignalAttaching                       // the engine waits After, or no longer if it is 0, before it resubscribes to Task: number Attempt of Of
	SignalAttachEnded                     // resubscribing is over; Sentence says why, if not because the task ended
	SignalStalled                         // an open stream of Turn has brought no bytes for After
	SignalFlowing                         // bytes come again
	SignalVigil                           // the engine waits After before auth poll number Attempt of Task
	SignalVigilOver                       // the auth poll is over; Class is [VigilWentOn] if Task continues, Sentence says why if it failed
	SignalBytes                           // Bytes came of an answer or event that is not complete yet; 0 says that it is complete
	SignalJournal                         // the journal fell behind, reached its limit or failed: Sentence
)

// VigilWentOn is the class of [SignalVigilOver] when the task no longer waits for credentials.
const VigilWentOn = "went-on"

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
	Sentence     string       // for a user: what happened, to what, what to do next
	Changes      []CardChange // of the card, those about security first
	Since        time.Time    // of the card that Changes compares with, if it was seen in an earlier run
	Profile      *a2a.Profile
	Attempts     []a2a.Attempt
	// Class of the failure, as in a2a.End, or card-not-found, card-invalid,
	// credentials-missing, auth-failed, origin.
	Class string
}

// A Target says where a message goes. The zero Conversation starts a new one.
type Target struct {
	Agent        a2a.AgentID
	Conversation a2a.ConversationID
	ContextID    string // continue this context; empty for a new one
	TaskID       string // answer this task; empty for a new one
	References   []string
}

package session

import (
	"cmp"
	"encoding/json"
	"time"

	"parley/a2a"
	"parley/internal/units"
)

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
	Given      string // the name that the user gave it, empty for none
	Closed     bool   // the user closed it
	Phase      Phase
	Problem    string // one sentence, when Phase is Unreachable or Failed
	Card       *a2a.Card
	CardRecord a2a.RecordID
	Profile    a2a.Profile
	Pulse      Pulse
	Attempts   []a2a.Attempt // every address tried for the card, with the reason of its failure
	// CardChanges are the differences between the newest card and the preceding one, those
	// about security first. CardSince is the time of the preceding one if it was seen in an
	// earlier run.
	CardChanges []CardChange
	CardSince   time.Time
	Extensions  Extensions
	Extended    Extended
	// Choices are the cards at an address with many, including this agent's; nil if all became
	// agents automatically.
	Choices       []*a2a.Card
	Conversations []*Conversation
	Files         []File    // that were downloaded from the addresses of its parts, in order
	List          *TaskList // its list of tasks, nil if it was never requested
	// Incomplete is how many bytes have come of its card, or of an answer outside of a turn,
	// while it is incomplete; otherwise 0.
	Incomplete int64

	fold *a2a.Fold // of all its tasks
}

// Name returns the name that the user gave the agent, else the card's, or the
// reference while there is none.
func (a *Agent) Name() string {
	if a.Given != "" {
		return a.Given
	}
	return a.CardName()
}

// CardName returns the card's name, or the reference while there is none.
func (a *Agent) CardName() string {
	if a.Card != nil && a.Card.Name != "" {
		return a.Card.Name
	}
	return a.Ref
}

// A Conversation is what shares one context with one agent.
type Conversation struct {
	ID        a2a.ConversationID
	Agent     *Agent
	ContextID string
	Title     string // the first words of its first message
	Turns     []*Turn
	Tasks     []*Task // in order of appearance
	Streams   int     // streams open now
	Stats     StreamStats
	Version   uint64 // grows with every change to anything below

	shown map[string]place // by messageId
	said  map[string]bool  // texts the user sent, for dialects without messageIds
}

// Name returns the title of a conversation, or the task with which it began; empty before the
// first message.
func (c *Conversation) Name() string {
	switch {
	case c.Title != "":
		return c.Title
	case len(c.Tasks) > 0:
		return "task " + units.ID(c.Tasks[0].ID)
	case len(c.Turns) > 0 && c.Turns[0].Target.TaskID != "":
		return "task " + units.ID(c.Turns[0].Target.TaskID)
	}
	return ""
}

// StreamStats counts what the newest stream of a conversation carried. An event is a record of
// kind [a2a.KindEvent], so that the count equals the number of the stream's rows in the wire;
// Bytes is the length of the response's body.
type StreamStats struct {
	Exchange a2a.ExchangeID
	Open     bool
	Events   int
	Bytes    int64
	// Start is when the response's head came, Last when its newest event came.
	Start, Last time.Time
	End         *a2a.End
	// Recent holds event counts of the latest seconds since Start, oldest first,
	// at most [RecentSeconds], for a sparkline.
	Recent []int

	second int64 // offset from Start of the end of the last element of Recent
}

// A Turn is one message sent and all that answers it.
type Turn struct {
	ID           a2a.TurnID
	Conversation *Conversation
	Target       Target
	Record       a2a.RecordID // the request record; of a message that could not be sent, its note
	Time         time.Time
	// Message is nil on a turn that began with a request for a task that this session did not
	// start.
	Message *a2a.Message
	// Written names the request of a turn that the user wrote by hand, empty for others.
	Written string
	Blocks  []*Block
	// Asides are answers to the turn about something else, in order of arrival.
	Asides []*Aside
	// Pending is true while work for this turn is in progress.
	Pending bool
	Stalled *Signal // set while an open stream brings no bytes
	// Incomplete is how many bytes have come of an answer or event while it is incomplete;
	// otherwise 0.
	Incomplete int64
	// Extensions is which of the requested extensions the newest answer of the turn names as
	// used.
	Extensions Activation
	Version    uint64

	blocks  map[*Task]int // index in Blocks; nil is the block of plain messages
	open    int           // exchanges that have not ended
	polling bool
	// refused is set while the message was rejected and may be sent in another way.
	refused bool
	// hookRefused is the URL of the webhook for which the message was rejected, empty if it was
	// not, or is sent again without.
	hookRefused string
}

// A Block is one agent's answer within a turn: the course of one task since the turn began, or
// a plain message when Task is nil.
type Block struct {
	Task    *Task
	Entries []Entry
	Extras  []Extra // of status events, with or without an entry
	Version uint64
}

// An Extra is metadata of something that is shown as a part of a larger whole. Metadata that
// repeats directly is kept once.
type Extra struct {
	Record a2a.RecordID // that brought it first
	Of     ExtraKind
	Data   json.RawMessage
}

// ExtraKind is the object that an [Extra] is the metadata of.
type ExtraKind uint8

// The kinds of extra.
const (
	ExtraStatus ExtraKind = iota // a status event
	ExtraUpdate                  // an artifact event
	ExtraText                    // a part of text in an artifact
)

// String returns the kind's name for users.
func (k ExtraKind) String() string { return [...]string{"status", "update", "text"}[min(k, ExtraText)] }

// EntryKind says what an [Entry] is.
type EntryKind uint8

// The kinds of entry.
const (
	EntryState    EntryKind = iota // the task went to State
	EntryMessage                   // a message, of a status or by itself
	EntryArtifact                  // an artifact that first appeared here
	EntryProblem                   // an error of the agent, a bad frame, a cut: Problem is set
	EntryUnknown                   // an unknown event: Raw is set
	EntryGap                       // events may be missing here: Gap is set
	EntrySame                      // the answer was a known task without anything new
)

// An Entry is one thing in a block, in order of arrival.
type Entry struct {
	Kind     EntryKind
	Record   a2a.RecordID // that brought it, the first one of a growing thing
	Time     time.Time
	State    Transition
	Message  *a2a.Message
	Artifact *Artifact
	Problem  *Problem
	Raw      json.RawMessage
	Gap      *Gap
	// Replaced hides a message that a newer one with the same messageId replaced, and an
	// artifact that was merged into another.
	Replaced bool
}

// A Transition is one state a task was seen in.
type Transition struct {
	State  a2a.State
	Word   string
	Time   time.Time // when it was received
	Stamp  time.Time // when it began according to the agent, zero if unknown
	Record a2a.RecordID
}

// A Problem is a failure, described for a user.
type Problem struct {
	Sentence string
	Detail   string // the underlying error text, on demand
	Class    string // as in a2a.End, or one of the Problem classes
	Err      *a2a.RPCError
	Record   a2a.RecordID
	// Resumed is the subscription that continued after a stream was cut, 0 if there was none.
	Resumed a2a.ExchangeID
	// Busy is set when the agent rejected a message because of too many requests, and Again is
	// when it accepts it, zero if unknown.
	Busy  bool
	Again time.Time
	// Before names the other dialects in which the message had been rejected before.
	Before string
}

// A Task is a remote task as this session saw it.
type Task struct {
	ID           string
	ContextID    string
	Conversation *Conversation
	Subject      string // the first words of the message that began it, empty if this session did not send it
	Lifecycle
	Transitions []Transition
	Prompt      *a2a.Message // of the newest interrupted status
	Artifacts   []*Artifact
	History     []a2a.Message // of the newest snapshot
	Metadata    json.RawMessage
	Worker      Worker
	Poll        *Signal // set while the engine polls
	Attach      *Signal // set while the engine resubscribes
	Vigil       *Signal // set during an auth poll
	Push        Push    // what is known of its webhooks
	Asked       Asked   // the newest request about it
	// Contradiction is the newest statement against the end of the task, nil if there is none.
	Contradiction *Contradiction
	Scattered     int // how many artifacts seem to be one artifact whose chunks each have their own id
	Version       uint64

	traces
}

// traces are what the state needs of a task to apply later events.
type traces struct {
	turn      *Turn  // the newest that the task belongs to
	stateTurn *Turn  // in which the newest transition was seen
	waits     uint64 // its number in State.waiting, 0 if it is not listed
	byKey     map[string]*Artifact
	frame     a2a.RecordID // the newest of a stream that reports it
	told      a2a.RecordID // the newest delivery, or answer to a get, that it took
	gaps      []place      // that no snapshot has filled
}

// Title distinguishes the task for a user: its first message, otherwise its conversation's.
// Several tasks may continue one conversation.
func (t *Task) Title() string { return cmp.Or(t.Subject, t.Conversation.Title) }

// StateWord returns the task's state for users: the protocol's word, or the agent's own if no
// dialect defines the state.
func (t *Task) StateWord() string { return stateWord(&a2a.Status{State: t.State, Word: t.Word}) }

// An Artifact is an output that may still grow. Its text is append-only bytes,
// so that a chunk costs its own length; Spans says which record brought which
// bytes.
type Artifact struct {
	Key, Name, Description string
	// MediaType is that of the first part of text that names one, which tells
	// code from prose.
	MediaType string
	Task      *Task
	Text      []byte
	Spans     []Span
	// Files and data parts are in order of arrival; Offset is the length of Text when the part
	// came.
	Parts      []PlacedPart
	Metadata   json.RawMessage
	Extensions []string
	Extras     []Extra // of its updates and its parts of text
	Chunks     int
	Bytes      int64 // payload bytes of all parts
	Sealed     bool
	Live       bool // a stream that may still append is open
	// Revisions are the contents before each replacing update, oldest first.
	Revisions []Revision
	Reset     uint64 // grows when Text was replaced instead of appended
	Version   uint64

	place   place // of its entry
	streams int   // open ones that brought some of it
}

// A Span says that Record brought the bytes of Text from Offset on, up to the
// next span.
type Span struct {
	Offset int
	Record a2a.RecordID
}

// A PlacedPart is a part of an artifact that is not text.
type PlacedPart struct {
	Offset int
	Record a2a.RecordID
	Part   a2a.Part
}

// A Revision is a former content of an artifact.
type Revision struct {
	Text   []byte
	Parts  []PlacedPart
	Record a2a.RecordID // that replaced it
}

// An Anchor says where in the conversations a record can be seen.
type Anchor struct {
	Agent        a2a.AgentID
	Conversation a2a.ConversationID
	Turn         a2a.TurnID
	Block, Entry int          // indexes; both -1 for the turn's own message
	Offset       int          // in the artifact's text, for a chunk
	Part         int          // of a chunk without text: 1 + the index of its first part in the artifact's Parts
	Record       a2a.RecordID // that is seen there
}

// A Change says what an item affected, so that panes know what to redraw.
type Change struct {
	Record       a2a.RecordID
	Agent        a2a.AgentID
	Conversation a2a.ConversationID
	Turn         a2a.TurnID
	Agents       bool // the agents pane must be drawn again
	// Waiting is set when a task began to wait for the user.
	Waiting *Task
	// Refused is set when nothing of a turn's message was accepted: the draft returns to the
	// composer.
	Refused *Turn
}

package session

import (
	"cmp"
	"encoding/json"
	"time"

	"parley/a2a"
	"parley/internal/units"
)

// Phase says how far an agent is.
type Phase uint8

// The phases of an agent.
const (
	Discovering Phase = iota
	Ready
	Unreachable // was or may come back; the engine watches for it
	Failed      // no card, or a card nothing can be done with
)

// An Agent is one opened reference.
type Agent struct {
	ID         a2a.AgentID
	Ref        string // what the user gave
	Given      string // the name that the user gave it, empty for none
	Closed     bool   // the user wants to see it no more
	Phase      Phase
	Problem    string // one sentence, when Phase is Unreachable or Failed
	Card       *a2a.Card
	CardRecord a2a.RecordID
	Profile    a2a.Profile
	Pulse      Pulse
	Attempts   []a2a.Attempt // every location tried for the card, with the reason it failed
	// CardChanges are what the newest card says otherwise than the one before, what concerns
	// security first. CardSince is when that one was seen if that was in an earlier run.
	CardChanges []CardChange
	CardSince   time.Time
	Extensions  Extensions
	Extended    Extended
	// Choices are the cards of a place that holds many of them, this agent's too; nil if
	// all became agents by themselves.
	Choices       []*a2a.Card
	Conversations []*Conversation
	Files         []File    // that were fetched from the addresses of its parts, in order
	List          *TaskList // what it said of its tasks, nil if it was never asked
	// Incomplete is how many bytes came of its card, or of an answer that belongs to no turn,
	// while that takes long to complete; 0 while there is none.
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

// Name returns the title of a conversation, or the task that it began with looking at;
// empty before anything was said.
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

// StreamStats counts what the newest stream of a conversation carried. An
// event is a record of kind [a2a.KindEvent], so that the count is that of the
// stream's rows on the wire; Bytes is the length of the response's body.
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

	second int64 // that the last of Recent counts, from Start
}

// A Turn is one message sent and all that answers it.
type Turn struct {
	ID           a2a.TurnID
	Conversation *Conversation
	Target       Target
	Record       a2a.RecordID // the request record; of a message that could not be sent, its note
	Time         time.Time
	// Message is nil on a turn that began with looking at a task that this
	// session did not start.
	Message *a2a.Message
	// Written names the request of a turn that the user wrote by hand, empty for others.
	Written string
	Blocks  []*Block
	// Asides are what came for the turn and is about something else, in order of arrival.
	Asides []*Aside
	// Pending is true while something is under way for this turn.
	Pending bool
	Stalled *Signal // set while an open stream brings no bytes
	// Incomplete is how many bytes came of an answer or event that takes long to complete; 0
	// while there is none.
	Incomplete int64
	// Extensions is what the newest answer of the turn said of those it was asked for.
	Extensions Activation
	Version    uint64

	blocks  map[*Task]int // index in Blocks; nil is the block of plain messages
	open    int           // exchanges that have not ended
	polling bool
	// refused is set while the message was turned away and may go out another way.
	refused bool
	// hookRefused is the URL of the webhook for which it was turned away, empty if it was
	// not, or is on its way without.
	hookRefused string
}

// A Block is one agent's answer within a turn: what one task did since the
// turn began, or a plain message when Task is nil.
type Block struct {
	Task    *Task
	Entries []Entry
	Extras  []Extra // of status events, whether they made an entry or not
	Version uint64
}

// An Extra is metadata of something that is shown as a part of a larger whole. The
// same metadata twice in a row is kept once.
type Extra struct {
	Record a2a.RecordID // that brought it first
	Of     ExtraKind
	Data   json.RawMessage
}

// ExtraKind says what an [Extra] is the metadata of.
type ExtraKind uint8

// The kinds of extra.
const (
	ExtraStatus ExtraKind = iota // a status event
	ExtraUpdate                  // an artifact event
	ExtraText                    // a part of text in an artifact
)

// String returns the kind's name for people.
func (k ExtraKind) String() string { return [...]string{"status", "update", "text"}[min(k, ExtraText)] }

// EntryKind says what an [Entry] is.
type EntryKind uint8

// The kinds of entry.
const (
	EntryState    EntryKind = iota // the task went to State
	EntryMessage                   // a message, of a status or on its own
	EntryArtifact                  // an artifact that first appeared here
	EntryProblem                   // an error of the agent, a bad frame, a cut: Problem is set
	EntryUnknown                   // an event nobody defined: Raw is set
	EntryGap                       // events may be missing here: Gap is set
	EntrySame                      // the answer was a task that is known, with nothing new
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
	// Replaced hides a message whose messageId came again with other content, the
	// newer one stands, and an artifact that was merged into another.
	Replaced bool
}

// A Transition is one state a task was seen in.
type Transition struct {
	State  a2a.State
	Word   string
	Time   time.Time // when it was received
	Stamp  time.Time // when it began as the agent says, zero if it does not
	Record a2a.RecordID
}

// A Problem is something that went wrong, for a user.
type Problem struct {
	Sentence string
	Detail   string // the underlying words, on demand
	Class    string // as in a2a.End, or one of the Problem classes
	Err      *a2a.RPCError
	Record   a2a.RecordID
	// Resumed is the subscription with which listening went on after a stream was
	// cut, 0 if there was none.
	Resumed a2a.ExchangeID
	// Busy is set when the agent turned a message away because it is asked too often, and
	// Again is when it takes it, zero if it did not say.
	Busy  bool
	Again time.Time
	// Before says in what other dialects the message had been turned away before this.
	Before string
}

// A Task is a remote task as this session saw it.
type Task struct {
	ID           string
	ContextID    string
	Conversation *Conversation
	Subject      string // the first words of the message that began it, empty if nobody here sent one
	Lifecycle
	Transitions []Transition
	Prompt      *a2a.Message // of the newest interrupted status
	Artifacts   []*Artifact
	History     []a2a.Message // of the newest snapshot
	Metadata    json.RawMessage
	Worker      Worker
	Poll        *Signal // set while the engine polls
	Attach      *Signal // set while the engine tries to listen to it again
	Vigil       *Signal // set while the engine looks now and then whether it still waits for credentials
	Push        Push    // what is known of its webhooks
	Asked       Asked   // what its agent was last asked about it
	// Contradiction is the newest that was said of the task against its end, nil if nothing was.
	Contradiction *Contradiction
	Scattered     int // how many artifacts seem to be one whose every chunk has an id of its own
	Version       uint64

	traces
}

// traces are what the state must remember of a task to apply what comes next.
type traces struct {
	turn      *Turn  // the newest that the task belongs to
	stateTurn *Turn  // in which the newest transition was seen
	waits     uint64 // its number in State.waiting, 0 if it does not stand there
	byKey     map[string]*Artifact
	frame     a2a.RecordID // the newest of a stream that tells of it
	told      a2a.RecordID // the newest delivery, or answer to a get, that it took
	gaps      []place      // that no snapshot has filled
}

// Title returns what tells the task from others to a user: what it began with, else what
// its conversation did. Several tasks may continue one conversation.
func (t *Task) Title() string { return cmp.Or(t.Subject, t.Conversation.Title) }

// StateWord returns the task's state for people: the protocol's word for it, or
// the agent's own if no dialect defines it.
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
	// Files and data parts stand in order of arrival; Offset is the length of
	// Text when the part came.
	Parts      []PlacedPart
	Metadata   json.RawMessage
	Extensions []string
	Extras     []Extra // of its updates and its parts of text
	Chunks     int
	Bytes      int64 // payload bytes of all parts
	Sealed     bool
	Live       bool // a stream that may still append is open
	// Revisions are what stood here before a replacing update, oldest first.
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

// A Revision is a replaced content of an artifact.
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

// A Change says what an item touched, so that panes know what to redraw.
type Change struct {
	Record       a2a.RecordID
	Agent        a2a.AgentID
	Conversation a2a.ConversationID
	Turn         a2a.TurnID
	Agents       bool // the agents pane must be drawn again
	// Waiting is set when a task began to wait for the user.
	Waiting *Task
	// Refused is set when nothing of a turn's message was accepted: the draft
	// belongs back in the composer.
	Refused *Turn
}

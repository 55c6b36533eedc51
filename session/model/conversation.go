package model

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/problem"
	"parley/session/task"
)

// A Conversation is what shares one context with one agent.
type Conversation struct {
	ID        a2a.ConversationID
	Agent     *Agent
	ContextID string
	Title     string // the first words of its first message
	Given     string // the name that the user gave it, empty for none
	Turns     []*Turn
	Tasks     []*Task        // in order of appearance
	Streams   int            // streams open now
	Stream    a2a.ExchangeID // the newest stream, 0 before the first one
	Way       a2a.Way        // dialect and binding if it is held over another interface than the agent's others
	Version   uint64         // grows with every change to anything below

	shownMessages map[string]place // by messageId
	sentTexts     map[string]bool  // texts the user sent, for dialects without messageIds
}

// Name returns the name that the user gave a conversation, or its title, or the task with which it
// began; empty before the first message.
func (c *Conversation) Name() string {
	switch {
	case c.Given != "":
		return c.Given
	case c.Title != "":
		return c.Title
	case len(c.Tasks) > 0:
		return "task " + units.ID(c.Tasks[0].ID)
	case len(c.Turns) > 0 && c.Turns[0].Target.TaskID != "":
		return "task " + units.ID(c.Turns[0].Target.TaskID)
	}
	return ""
}

// A Turn is one message sent and all that answers it.
type Turn struct {
	ID           a2a.TurnID
	Conversation *Conversation
	Target       Target
	Record       a2a.RecordID // the request record; of a message that could not be sent, its note
	Time         time.Time
	sent         a2a.RecordID // the newest request that sent its message, 0 for none
	// Message is nil on a turn that began with a request for a task that this session did not
	// start.
	Message *a2a.Message
	// Client is who sent the message through a tap, empty if Parley did.
	Client string
	// Written names the request of a turn that the user wrote by hand, empty for others.
	Written string
	Blocks  []*Block
	// Asides are answers to the turn about something else, in order of arrival.
	Asides []*Aside
	// Pending is true while work for this turn is in progress.
	Pending bool
	Stalled *log.Signal // set while an open stream brings no bytes
	// Incomplete is how many bytes have come of an answer or event while it is incomplete;
	// otherwise 0.
	Incomplete int64
	// Extensions is which of the requested extensions the newest answer of the turn names as
	// used.
	Extensions Activation
	Version    uint64

	cardName string        // what the card called the agent, since it has another name; empty before that
	blocks   map[*Task]int // index in Blocks once there are many; nil is the block of plain messages
	open     int           // exchanges that have not ended
	polling  bool
	over     bool          // nothing more comes of it, although a stream may stay open
	webhook  string        // URL of the webhook with which its message was sent last, empty for none
	course   task.Turn     // its attempts
	noted    *task.Outcome // what a note says about the outcome, nil if none does
}

// AgentName returns the name of the agent whose answers a turn has: the one that the user gave the agent,
// else the one that its card had then.
func (t *Turn) AgentName() string {
	a := t.Conversation.Agent
	return cmp.Or(a.Given, t.cardName, a.CardName())
}

// manyBlocks is the number of blocks from which a turn finds a block by a map: nearly all turns have one.
const manyBlocks = 8

// blockOf returns the index of a task's block, false if there is none.
func (t *Turn) blockOf(task *Task) (int, bool) {
	if t.blocks != nil {
		i, ok := t.blocks[task]
		return i, ok
	}
	i := slices.IndexFunc(t.Blocks, func(b *Block) bool { return b.Task == task })
	return i, i >= 0
}

// addBlock adds a block for a task and returns its index.
func (t *Turn) addBlock(task *Task) int {
	t.Blocks = append(t.Blocks, &Block{Task: task})
	if len(t.Blocks) == manyBlocks {
		t.blocks = map[*Task]int{}
		for i, b := range t.Blocks {
			t.blocks[b.Task] = i
		}
	} else if t.blocks != nil {
		t.blocks[task] = len(t.Blocks) - 1
	}
	return len(t.Blocks) - 1
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
	Problem  *problem.Problem
	Raw      json.RawMessage
	Gap      *Gap
	// Grown is set if the text of the message came in several messages of the agent: it is no step of the work.
	Grown bool
	// Replaced hides a message that a newer one with the same messageId replaced, and an
	// artifact that was merged into another.
	Replaced bool
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
	// Over is set when a note says what a turn came to.
	Over *Turn
}

// WayOf returns the way in which the message of a turn was sent, at last if the first interface
// was not reached or refused it; that of the agent if it is unknown.
func (s *State) WayOf(t *Turn) a2a.Way {
	if it := s.Log.At(cmp.Or(t.sent, t.Record)); it != nil && it.Record.Call != nil && it.Record.Call.Binding != "" {
		call := it.Record.Call
		return a2a.Way{Dialect: call.Dialect, Binding: call.Binding, Endpoint: call.Endpoint}
	}
	return t.Conversation.Agent.Profile.Way()
}

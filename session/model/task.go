package model

import (
	"cmp"
	"encoding/json"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/task"
)

// A Transition is one state a task was seen in.
type Transition struct {
	State  a2a.State
	Word   string
	Time   time.Time // when it was received
	Stamp  time.Time // when it began according to the agent, zero if unknown
	Record a2a.RecordID
}

// A Task is a remote task as this session saw it.
type Task struct {
	ID           string
	ContextID    string
	Conversation *Conversation
	Subject      string // the first words of the message that began it, empty if this session did not send it
	task.Lifecycle
	Transitions []Transition
	Prompt      *a2a.Message // of the newest interrupted status
	Artifacts   []*Artifact
	History     []a2a.Message // of the newest snapshot
	Metadata    json.RawMessage
	Worker      Worker
	Poll        *log.Signal // set while the engine polls
	Resubscribe *log.Signal // set while the engine resubscribes
	AuthPoll    *log.Signal // set during an auth poll
	Push        Push        // what is known of its webhooks
	LastRequest Request     // the newest request about it
	// Contradiction is the newest statement against the end of the task, nil if there is none.
	Contradiction *Contradiction
	Scattered     int // how many artifacts seem to be one artifact whose chunks each have their own id
	Version       uint64

	traces
}

// traces are what the state needs of a task to apply later events.
type traces struct {
	turn         *Turn  // the newest that the task belongs to
	stateTurn    *Turn  // in which the newest transition was seen
	waits        uint64 // its number in State.waiting, 0 if it is not listed
	byKey        map[string]*Artifact
	frame        a2a.RecordID   // the newest of a stream that reports it
	newestAnswer a2a.RecordID   // the newest delivery, or answer to a get, that it took
	told         a2a.ExchangeID // the newest in whose answer the agent told how the task stands
	gaps         []place        // that no snapshot has filled
	streamed     streamedText   // by an agent of a mesh
	said         *a2a.Message   // in its newest status
	counted      *int           // in [Tally], nil before its first state
}

// AnsweredSince reports whether the agent told how the task stands after a record: in an answer to a get, in a
// delivery, or in the answer to any other request that was made since then.
func (t *Task) AnsweredSince(r a2a.RecordID) bool { return t.newestAnswer > r || t.told > r }

// Heard returns the newest record that told of the task: of a stream, a delivery or an answer to a get.
func (t *Task) Heard() a2a.RecordID { return max(t.frame, t.newestAnswer) }

// Since returns when the task came to its state, zero if that is not known.
func (t *Task) Since() time.Time {
	if n := len(t.Transitions); n > 0 {
		return t.Transitions[n-1].Time
	}
	return time.Time{}
}

// Title distinguishes the task for a user: its first message, otherwise its conversation's.
// Several tasks may continue one conversation.
func (t *Task) Title() string { return cmp.Or(t.Subject, t.Conversation.Title) }

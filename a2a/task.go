package a2a

import (
	"encoding/json"
	"time"
)

// State is a task's state with the dialect's spelling removed
// (specification 1.0 §4.1.3).
type State uint8

// The states of a task. StateOther is a word no dialect defines; it is shown
// verbatim and treated as not terminal.
const (
	StateUnknown State = iota
	StateSubmitted
	StateWorking
	StateCompleted
	StateFailed
	StateCanceled
	StateInputRequired
	StateRejected
	StateAuthRequired
	StateOther
)

var stateNames = [...]string{
	StateUnknown:       "unknown",
	StateSubmitted:     "submitted",
	StateWorking:       "working",
	StateCompleted:     "completed",
	StateFailed:        "failed",
	StateCanceled:      "canceled",
	StateInputRequired: "input-required",
	StateRejected:      "rejected",
	StateAuthRequired:  "auth-required",
	StateOther:         "other",
}

// String returns the word of dialects 0.2 and 0.3, which users see too: "input-required".
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "other"
}

// Terminal reports whether a task in this state accepts no more messages.
func (s State) Terminal() bool {
	switch s {
	case StateCompleted, StateFailed, StateCanceled, StateRejected:
		return true
	default:
		return false
	}
}

// Interrupted reports whether the task waits for the user.
func (s State) Interrupted() bool { return s == StateInputRequired || s == StateAuthRequired }

// Status is a task's state at one moment.
type Status struct {
	State State
	// Word is the state as it stood on the wire.
	Word string
	// Lost is set when the agent says that it cannot tell the state, in a dialect that counts
	// this as an end of a task (specification 0.1 and 0.2 §6.3).
	Lost    bool
	Message *Message
	// TimestampText is the timestamp as received; Time is its instant, zero
	// when it could not be read. HasZone is false for the zone-less form that
	// the 0.2 specification prints.
	TimestampText string
	Time          time.Time
	HasZone       bool
}

// A Task is the unit of work (specification 1.0 §4.1.1).
type Task struct {
	ID        string
	ContextID string
	Status    Status
	Artifacts []Artifact
	History   []Message
	Metadata  json.RawMessage
	Raw       json.RawMessage // as received, nil when assembled here

	v1 bool // Raw is in the shape of 1.0
}

// An Artifact is an output of a task (specification 1.0 §4.1.7).
type Artifact struct {
	// Key identifies the artifact inside its task: the artifactId, else
	// "#index" (0.1), else "~name".
	Key         string
	ID          string
	Index       string // the 0.1 index as text
	Name        string
	Description string
	Parts       []Part
	Extensions  []string
	Metadata    json.RawMessage
	Sealed      bool // a lastChunk was seen
	Raw         json.RawMessage
}

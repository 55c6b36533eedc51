package a2a

import "encoding/json"

// EventKind says what an [Event] carries.
type EventKind uint8

// The kinds of event. EventUnknown keeps its raw JSON and is shown with a mark.
const (
	EventUnknown EventKind = iota
	EventTask
	EventMessage
	EventStatus
	EventArtifact
	EventError      // Err is set
	EventCard       // Card is set
	EventTaskList   // Tasks is set
	EventPushConfig // PushConfigs is set
	EventEmpty      // a successful answer without content
	EventNotA2A     // a ping, a [DONE], a close notice: legal on the wire, not A2A
)

var eventNames = [...]string{
	EventUnknown: "unknown", EventTask: "task", EventMessage: "message", EventStatus: "status",
	EventArtifact: "artifact", EventError: "error", EventCard: "card", EventTaskList: "tasks",
	EventPushConfig: "push config", EventEmpty: "empty", EventNotA2A: "not A2A",
}

// String returns the kind's name as the wire pane shows it.
func (k EventKind) String() string {
	if int(k) < len(eventNames) {
		return eventNames[k]
	}
	return "unknown"
}

// Tri is a boolean that can be absent.
type Tri int8

// The values of a [Tri].
const (
	Absent Tri = iota
	False
	True
)

// TriOf returns True or False.
func TriOf(b bool) Tri {
	if b {
		return True
	}
	return False
}

// An Event is one answer to a call, or one frame of a stream. TaskID and ContextID are set for
// every kind that has them.
type Event struct {
	Kind      EventKind
	TaskID    string
	ContextID string

	Task     *Task
	Message  *Message
	Status   *Status
	Artifact *Artifact
	Err      *RPCError
	Card     *Card
	Tasks    []Task

	PushConfigs   []PushConfig
	NextPageToken string
	TotalSize     int // of a list in pages, 0 if the agent does not report it

	Append    bool // artifact: parts are appended to the known artifact
	LastChunk bool // artifact: this is its last chunk
	Final     Tri  // status: the final member of dialects 0.1 to 0.3
	Metadata  json.RawMessage

	RPCID string          // the JSON-RPC id as it stood on the wire
	Raw   json.RawMessage // the result object (not the envelope)

	wrapped bool // Raw is a stream response: an object that wraps the task, message or update
	v1      bool // Raw is in the shape of 1.0 throughout
}

// An Update is the meaning of one record. A record that could not be decoded has Err set and is
// shown as well; a frame with two documents has two events.
type Update struct {
	Events []Event
	// Err says in one sentence why the body could not be read.
	Err      *DecodeError
	Findings []Finding
	// Saw lists what the traffic proves about the agent's dialect
	// for detection; empty when it agrees with the call.
	Saw []Evidence
	// Shape is the dialect that the shape of the payload proves, also if it is that of the call.
	Shape DialectName
}

// PushConfig is a webhook registration of a task (specification 1.0 §4.3.1).
type PushConfig struct {
	ID          string
	TaskID      string
	URL         string
	Token       string
	Schemes     []string
	Credentials string
	Raw         json.RawMessage
}

// SendConfig holds the options of a send besides its message.
type SendConfig struct {
	AcceptedOutputModes []string
	HistoryLength       *int
	// Wait asks the agent to answer only when the task is over or interrupted. It is always
	// written if the dialect has a member for it.
	Wait bool
	// Default is set if Wait was not chosen. In 0.2 the configuration is then omitted: it would
	// require acceptedOutputModes too, and its agents wait anyway.
	Default  bool
	Push     *PushConfig
	Metadata json.RawMessage // metadata of the request, not of the message
}

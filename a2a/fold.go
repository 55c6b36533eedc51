package a2a

// DeltaKind says what a [Delta] changed.
type DeltaKind uint8

// The kinds of delta.
const (
	DeltaTask            DeltaKind = iota // a snapshot replaced the task; the deltas that follow say what is new in it
	DeltaStatus                           // Status is the task's new status
	DeltaMessage                          // Message is new, or replaced one with the same messageId
	DeltaArtifactNew                      // Artifact appeared with Parts
	DeltaArtifactAppend                   // Parts were added at the end of Artifact
	DeltaArtifactReplace                  // Artifact now holds Parts; Replaced is what it held before
	DeltaArtifactMeta                     // name, description, metadata or extensions of Artifact changed
	DeltaArtifactSeal                     // Artifact saw its last chunk
)

// A Delta is one change that an event made. Its pointers are the fold's own:
// they are valid until the next [Fold.Apply] and must not be written to.
type Delta struct {
	Kind     DeltaKind
	TaskID   string
	Key      string // the artifact's, or the messageId
	Task     *Task
	Artifact *Artifact
	Parts    []Part    // those added, or all of a new or replaced artifact
	Replaced *Artifact // the revision that was replaced
	Message  *Message
	Status   *Status
	// ReplacedMessage is set when Message came again with other content.
	ReplacedMessage bool
	// History is set when Message stood in a task's history and was not seen
	// before, which is how a resumed task tells its past.
	History bool
}

// A Fold assembles tasks out of their events.
type Fold struct{ tasks map[string]*Task }

// NewFold returns an empty fold.
func NewFold() *Fold { return &Fold{tasks: map[string]*Task{}} }

// Apply takes one event and returns what it changed.
func (f *Fold) Apply(ev *Event) []Delta { return nil }

// Task returns the assembled task, nil if no event named it.
func (f *Fold) Task(id string) *Task { return f.tasks[id] }

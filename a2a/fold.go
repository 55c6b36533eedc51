package a2a

import "hash/maphash"

// DeltaKind says what a [Delta] changed.
type DeltaKind uint8

// The kinds of delta.
const (
	DeltaTask            DeltaKind = iota // a snapshot of the task came; the deltas that follow say what is new in it
	DeltaStatus                           // Status is the task's new status
	DeltaMessage                          // Message is new, or replaced one with the same messageId
	DeltaArtifactNew                      // Artifact appeared with Parts
	DeltaArtifactAppend                   // Parts were added at the end of Artifact
	DeltaArtifactReplace                  // Artifact now holds Parts; Replaced is what it held before
	DeltaArtifactMeta                     // name, description, metadata or extensions of Artifact changed
	DeltaArtifactSeal                     // Artifact saw its last chunk
	DeltaArtifactMerged                   // the artifact with the key From became the end of Artifact
	DeltaGap                              // events of the task may be missing before what follows
)

// A Delta is one change that an event made. What it points to stays as it is, and must not be
// written to.
type Delta struct {
	Kind   DeltaKind
	TaskID string
	Key    string // of the artifact, or the messageId
	From   string // of a merged artifact
	// Artifact is the artifact after the change, without its parts, which [Fold.Task] has.
	Artifact *Artifact
	// Parts are those added, or all of a new or replaced artifact.
	Parts []Part
	// Previous is the earlier revision, whose Parts remain valid.
	Previous *Artifact
	Message  *Message
	Status   *Status
	// ReplacedMessage is set when an earlier message with the same id had other content.
	ReplacedMessage bool
	// History is set when Message came from a task's history and is new: the past of a resumed
	// task, or a message that a cut stream lost.
	History bool
	// Strays counts, for a new artifact, the consecutive chunks that were to be appended to
	// unknown artifacts, including this one.
	Strays int
}

// A Fold assembles tasks from their events. It is the only place that knows how chunks make an
// artifact and how messages repeat (specification 1.0 §3.5, 0.1.0 to 0.3.0 §7). Events are
// routed by their task's id, so one Fold can take all events of an agent. Applying an event
// costs no more than the event's own size, however much was collected before. A resumed stream
// adds nothing twice, whether its agent begins with a snapshot, replays events or goes on without
// notice: the fold compares by SSE id, by the order of payloads or by text until the new stream
// has caught up. A Fold is not safe for concurrent use.
type Fold struct {
	seed    maphash.Seed
	tasks   map[string]*taskFold
	ledgers map[string]*ledger // by task; a message may come before its task
	deltas  []Delta
}

// taskFold is one task under assembly.
type taskFold struct {
	task      Task // without Artifacts
	artifacts []*artifactFold
	byKey     map[string]*artifactFold
	frames    frameHistory
	strays    strays
	settled   bool // see settle
}

// NewFold returns an empty fold.
func NewFold() *Fold {
	return &Fold{seed: maphash.MakeSeed(), tasks: map[string]*taskFold{}, ledgers: map[string]*ledger{}}
}

// Apply takes one event and returns what it changed, in an order in which the changes can be
// shown. Events without a task or a message change nothing. The next call reuses the slice.
func (f *Fold) Apply(ev *Event) []Delta {
	clear(f.deltas)
	f.deltas = f.deltas[:0]
	switch {
	case ev.Kind == EventTask && ev.Task != nil:
		f.snapshot(ev.TaskID, ev.Task)
	case ev.Kind == EventStatus && ev.Status != nil:
		f.live(ev)
	case ev.Kind == EventArtifact && ev.Artifact != nil:
		t := f.task(ev.TaskID, ev.ContextID)
		a := ev.Artifact
		t.update(f, ev.TaskID, chunk{artifact: a, key: t.key(a, ev.Append), add: ev.Append, last: ev.LastChunk, preview: isPreview(a, ev)})
	case ev.Kind == EventMessage && ev.Message != nil:
		f.ledger(ev.TaskID).say(f, ev.TaskID, ev.Message)
	}
	return f.deltas
}

// Task returns the task as assembled so far, nil if no event was about it. It is a copy, but it
// shares its parts with the fold; they must not be changed. The cost grows with the number of
// parts of the artifacts, and parts of text have no Raw. Raw is nil unless the task is exactly
// as one snapshot had it.
func (f *Fold) Task(id string) *Task {
	t := f.tasks[id]
	if t == nil {
		return nil
	}
	task := t.task
	task.Artifacts = make([]Artifact, len(t.artifacts))
	for i, a := range t.artifacts {
		task.Artifacts[i] = a.artifact()
	}
	return &task
}

func (f *Fold) task(id, contextID string) *taskFold {
	t := f.tasks[id]
	if t == nil {
		t = &taskFold{task: Task{ID: id}, byKey: map[string]*artifactFold{}}
		f.tasks[id] = t
	}
	if t.task.ContextID == "" {
		t.task.ContextID = contextID
	}
	t.task.Raw, t.task.v1 = nil, false
	return t
}

func (f *Fold) emit(d Delta) { f.deltas = append(f.deltas, d) }

// live takes a status event. Its message is new unless an identical status came before, as when
// a server repeats it to a new subscriber.
func (f *Fold) live(ev *Event) {
	t := f.task(ev.TaskID, ev.ContextID)
	repeated := sameStatus(&t.task.Status, ev.Status)
	t.task.Status = *ev.Status
	f.emit(Delta{Kind: DeltaStatus, TaskID: ev.TaskID, Status: ev.Status})
	if m := ev.Status.Message; m != nil && (!repeated || !m.IDMade) {
		f.ledger(ev.TaskID).say(f, ev.TaskID, m)
	}
	t.settle()
}

// sameStatus reports whether two statuses are copies of one status.
func sameStatus(a, b *Status) bool {
	return a.Message != nil && b.Message != nil && a.Word == b.Word && a.TimestampText == b.TimestampText &&
		a.Message.ID == b.Message.ID
}

// snapshot takes a whole task, which replaces the assembled one. What the snapshot omits stays,
// because servers omit artifacts and history to keep snapshots small, and nothing received may
// be lost.
func (f *Fold) snapshot(id string, s *Task) {
	t := f.task(id, s.ContextID)
	f.emit(Delta{Kind: DeltaTask, TaskID: id})
	if s.Metadata != nil {
		t.task.Metadata = s.Metadata
	}
	if len(s.History) > 0 {
		t.task.History = s.History
		f.ledger(id).recall(f, id, s.History)
	}
	same := sameStatus(&t.task.Status, &s.Status)
	t.take(f, id, s.Artifacts)
	if s.Status.Word != "" || t.task.Status.Word == "" {
		t.task.Status = s.Status
		f.emit(Delta{Kind: DeltaStatus, TaskID: id, Status: &s.Status})
	}
	if m := s.Status.Message; m != nil && !(m.IDMade && (same || f.ledger(id).counts[m.ID] > 0)) {
		f.ledger(id).say(f, id, m)
	}
	if len(t.artifacts) == len(s.Artifacts) && len(t.task.History) == len(s.History) {
		t.task.Raw, t.task.v1 = s.Raw, s.v1
	}
	t.settle()
}

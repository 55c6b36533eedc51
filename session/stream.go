package session

import (
	"time"

	"parley/a2a"
)

// StallAfter is how long an open stream may bring nothing before that is a stall.
const StallAfter = 8 * time.Second

// A Stream tells how an exchange went, as far as it has come: one that was answered by
// a stream, but every other one too. It follows from the exchange's records, each of
// which costs the same to take in.
//
// Offsets are times since Start, and negative for what has not happened.
type Stream struct {
	Exchange a2a.ExchangeID
	Call     *a2a.Call // nil if the request is missing in a recording
	Start    time.Time // of the request
	Last     time.Time // of the newest record

	// FirstByte is when the response began if the connection told that, else Head.
	FirstByte time.Duration

	Head, FirstEvent, FirstArtifact time.Duration // offsets

	Events int   // records of kind [a2a.KindEvent]
	Bytes  int64 // of the response's body
	Gaps   Gaps  // between one event and the next
	// Steps are what happened, in order. What merely goes on adds to the last one.
	Steps []Step
	// State and Word are the newest state that the exchange told of.
	State a2a.State
	Word  string
	// End is nil while the exchange is open.
	End *a2a.End
	// Prev is the stream that this one goes on with, because that was over and its task
	// was not; Next is the one that went on with this. They are 0 if there is none.
	Prev, Next a2a.ExchangeID
	// Stalled is set while the stream is open and no bytes come.
	Stalled *Signal

	rate rate
	past past
}

// past is what must be remembered of a stream to take in what comes next.
type past struct {
	heard   time.Duration   // offset of the newest thing that came
	event   time.Duration   // offset of the newest event
	task    string          // the newest that was told of
	outputs map[output]bool // artifacts that grew, but for the many
}

// StepKind says what a [Step] is.
type StepKind uint8

// The kinds of step.
const (
	StepRequest  StepKind = iota
	StepHead              // status line and headers of the response
	StepState             // the task is in a state
	StepArtifact          // chunks of artifacts
	StepMessage
	StepError // that the agent reported
	StepOther // what is unreadable, unknown, or no A2A
	StepWait  // nothing came for a second or more
	StepNote  // what came of something that the user did to it
	StepEnd
)

// A Step is something that happened in an exchange, or several records in a row in
// which the same went on.
type Step struct {
	Kind StepKind
	// From and To are the first and the last record; of a wait, those around it.
	From, To   a2a.RecordID
	Begin, End time.Duration // since the exchange's start
	Records    int
	Bytes      int64 // of the records' bodies
	State      a2a.State
	Word       string
	// Alive says of a wait that comments came meanwhile, with which a server shows that
	// the connection is alive.
	Alive bool
	// Artifacts is how many artifacts grew, counted up to [ManyArtifacts].
	Artifacts int

	task string
	keys []output
}

// An output names an artifact.
type output struct{ task, key string }

// ManyArtifacts is from where on artifacts are not counted any more.
const ManyArtifacts = 8

// Open reports whether the exchange has not ended.
func (s *Stream) Open() bool { return s.End == nil }

// Streamed reports whether events came, or would have if anything had.
func (s *Stream) Streamed() bool {
	return s.Events > 0 || s.Call != nil && (s.Call.Op == a2a.OpStream || s.Call.Op == a2a.OpSubscribe)
}

// Duration returns how long the exchange took, or has taken by now.
func (s *Stream) Duration(now time.Time) time.Duration {
	if s.Open() && now.After(s.Last) {
		return max(now.Sub(s.Start), 0)
	}
	return max(s.Last.Sub(s.Start), 0)
}

// Silence returns how long nothing has come on an open stream, 0 if it has ended.
func (s *Stream) Silence(now time.Time) time.Duration {
	if !s.Open() {
		return 0
	}
	return max(now.Sub(s.Start)-s.past.heard, 0)
}

// PerSecond returns how many events and bytes came in a second, on average from the
// head of the response to its newest event; 0 while that is no time to speak of.
func (s *Stream) PerSecond() (events, bytes float64) {
	if s.Gaps.Count == 0 || s.Head < 0 {
		return 0, 0
	}
	span := (s.past.event - s.Head).Seconds()
	if span < 0.001 {
		return 0, 0
	}
	return float64(s.Events) / span, float64(s.Bytes) / span
}

// Spread adds what came to out, whose elements are equal stretches of the time from one
// offset to another.
func (s *Stream) Spread(out []Load, from, to time.Duration) { s.rate.spread(out, from, to) }

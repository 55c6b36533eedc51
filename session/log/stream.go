package log

import (
	"time"

	"parley/a2a"
	"parley/session/task"
)

// A Stream describes the course of an exchange so far: one with a stream, but also any other.
// It follows from the exchange's records, each at constant cost.
//
// Offsets are times since Start, and negative for what has not happened.
type Stream struct {
	Exchange a2a.ExchangeID
	Call     *a2a.Call // nil if the request is missing in a recording
	Start    time.Time // of the request
	Last     time.Time // of the newest record

	// FirstByte is when the response began if the connection reported it, otherwise Head.
	FirstByte time.Duration

	Head, FirstEvent, FirstArtifact time.Duration // offsets

	Events int   // records of kind [a2a.KindEvent]
	Bytes  int64 // of the response's body
	Gaps   Gaps  // between one event and the next
	// LastEvent is the newest event, 0 if there was none.
	LastEvent a2a.RecordID
	// Steps are what happened, in order. A repetition extends the last one.
	Steps []Step
	// State and Word are the newest state in the exchange.
	State a2a.State
	Word  string
	// End is nil while the exchange is open.
	End *a2a.End
	// Prev is the stream that this one continues, because that ended before its task; Next is
	// the one that continues this one. They are 0 if there is none.
	Prev, Next a2a.ExchangeID
	// Checks is the stream with which the answer is compared if this is a check of Parley's own,
	// else 0.
	Checks a2a.ExchangeID

	rate   rate
	recent recent
	past   past
}

// past is what is needed of a stream to take later records.
type past struct {
	newest  time.Duration   // offset of the newest thing that came
	touched time.Duration   // offset of the newest bytes of something that was not complete then
	event   time.Duration   // offset of the newest event
	task    string          // of the newest event about it
	outputs map[output]bool // artifacts that grew, up to the limit
	before  *Stream         // of the same agent, whose usual pause was known; nil if there is none
	cut     time.Time       // when the newest event came before this stream continued another; zero if none did
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
	StepOther // unreadable, unknown, or not A2A
	StepWait  // nothing came for a second or more
	StepNote  // the result of an injected fault
	StepEnd
)

// A Step is something that happened in an exchange, or several consecutive records of the same
// kind.
type Step struct {
	Kind  StepKind
	State a2a.State
	// Stall says of a wait that it was a stall.
	Stall bool
	// Alive says of a wait that comments came meanwhile, with which a server shows that
	// the connection is alive.
	Alive bool
	// From and To are the first and the last record; for a wait, those around it.
	From, To   a2a.RecordID
	Begin, End time.Duration // since the exchange's start
	Records    int
	Bytes      int64 // of the records' bodies
	Word       string
	// Artifacts is how many artifacts grew, counted up to [ManyArtifacts].
	Artifacts int

	task string
	keys []output
}

// StateWord is the state of a step for users, see [task.StateWord].
func (s *Step) StateWord() string { return task.StateWord(s.State, s.Word) }

// An output names an artifact.
type output struct{ task, key string }

// ManyArtifacts is the number from which artifacts are not counted any more.
const ManyArtifacts = 8

// Cut returns when the newest event came before this stream continued another, the zero time if none did.
func (s *Stream) Cut() time.Time { return s.past.cut }

// Open reports whether the exchange has not ended.
func (s *Stream) Open() bool { return s.End == nil }

// Streamed reports whether events came, or could have come.
func (s *Stream) Streamed() bool {
	return s.Events > 0 || s.Call != nil && (s.Call.Op == a2a.OpStream || s.Call.Op == a2a.OpSubscribe)
}

// StateWord is the newest state for users, see [task.StateWord].
func (s *Stream) StateWord() string { return task.StateWord(s.State, s.Word) }

// Duration returns how long the exchange took from its request to its end, or has taken so far.
func (s *Stream) Duration(now time.Time) time.Duration {
	if s.Open() && now.After(s.Last) {
		return max(now.Sub(s.Start), 0)
	}
	return max(s.offset(), 0)
}

// Silence returns how long nothing has come on an open stream, 0 if it has ended.
func (s *Stream) Silence(now time.Time) time.Duration {
	if !s.Open() {
		return 0
	}
	return max(now.Sub(s.Start)-max(s.past.newest, s.past.touched), 0)
}

// NewestChunk returns the record that brought the newest thing on an open stream, and when, if that is a chunk
// of an artifact; otherwise 0.
func (s *Stream) NewestChunk() (id a2a.RecordID, at time.Time) {
	n := len(s.Steps)
	if !s.Open() || n == 0 || s.Steps[n-1].Kind != StepArtifact {
		return 0, at
	}
	return s.Steps[n-1].To, s.Start.Add(s.Steps[n-1].End)
}

// Rate returns how many events a second an open stream brings at a time: those of the last
// [RateSeconds] seconds. It is 0 for one that stalls or has ended.
func (s *Stream) Rate(now time.Time) float64 {
	if !s.Open() || s.Stall(now) > 0 {
		return 0
	}
	return s.recent.rate(max(now.Sub(s.Start), s.offset()))
}

// Recent returns the numbers of events in the latest seconds since the start in which one came,
// oldest first, at most [RecentSeconds].
func (s *Stream) Recent() []int { return s.recent.counts }

// leastAverage is the shortest duration for which an average per second says anything.
const leastAverage = time.Second

// Average returns events and bytes per second of a stream that has ended: its events and bytes
// by its duration. They are 0 while it is open, and if it was shorter than a second.
func (s *Stream) Average() (events, bytes float64) {
	took := s.offset()
	if s.Open() || took < leastAverage {
		return 0, 0
	}
	return float64(s.Events) / took.Seconds(), float64(s.Bytes) / took.Seconds()
}

// Spread adds what came to out, whose elements are equal periods between two offsets.
func (s *Stream) Spread(out []Load, from, to time.Duration) { s.rate.spread(out, from, to) }

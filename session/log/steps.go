package log

import (
	"slices"
	"time"

	"parley/a2a"
	"parley/session/task"
)

const (
	// aWait is the shortest pause that is a step of its own.
	aWait = time.Second
	// unusual is how many times longer than the usual pause a pause must be to be a step: an agent may regularly
	// send one event every two seconds. What is usual is known from aMedian pauses on.
	unusual = 4
	aMedian = 8

	manySteps   = 1 << 14 // from here on records extend the last step whatever they are
	manyOutputs = 32      // from here on an artifact is not a step of its own
)

// newStream returns the stream that a record begins.
func newStream(r *a2a.Record) *Stream {
	return &Stream{
		Exchange: r.Exchange, Call: r.Call, Start: r.Time, Last: r.Time,
		Head: -1, FirstByte: -1, FirstEvent: -1, FirstArtifact: -1, past: past{event: -1},
	}
}

// add takes the exchange's next record.
func (s *Stream) add(it *Item) {
	r := &it.Record
	if r.Kind == a2a.KindSurplus {
		return // it came after all of this
	}
	at := max(r.Time.Sub(s.Start), s.offset(), 0)
	if s.Open() || r.Kind != a2a.KindNote {
		s.Last = s.Start.Add(at)
	}
	if r.Kind != a2a.KindRequest && r.Kind != a2a.KindNote {
		s.addWait(at, r)
		s.past.newest = at
		s.Bytes += int64(r.Size())
	}
	switch r.Kind {
	case a2a.KindRequest:
		s.step(r, Step{Kind: StepRequest}, at)
	case a2a.KindDelivery:
		s.addUpdate(it, at)
	case a2a.KindNote:
		s.step(r, Step{Kind: StepNote}, at)
	case a2a.KindHead:
		if s.Head < 0 {
			s.Head, s.FirstByte = at, at
			if r.Head != nil && r.Head.Timing != nil && r.Head.Timing.FirstByte > 0 {
				s.FirstByte = r.Head.Timing.FirstByte
			}
		}
		s.step(r, Step{Kind: StepHead}, at)
	case a2a.KindEvent:
		s.addEvent(r, at)
		s.addUpdate(it, at)
	case a2a.KindBody:
		s.addUpdate(it, at)
	case a2a.KindEnd:
		if len(it.Update.Events) > 0 {
			s.addUpdate(it, at)
		}
		if s.End = r.End; s.End == nil {
			s.End = &a2a.End{Reason: a2a.Cut}
		}
		s.step(r, Step{Kind: StepEnd}, at)
	default: // a recording may contain what this version does not know
		s.step(r, Step{Kind: StepOther}, at)
	}
}

// offset is the time of the newest record.
func (s *Stream) offset() time.Duration { return s.Last.Sub(s.Start) }

// addEvent counts an event.
func (s *Stream) addEvent(r *a2a.Record, at time.Duration) {
	s.Events++
	switch {
	case s.FirstEvent >= 0:
		s.Gaps.add(at-s.past.event, r.ID)
	case !s.past.cut.IsZero():
		s.Gaps.longest(max(s.Start.Add(at).Sub(s.past.cut), 0), r.ID)
	}
	if s.FirstEvent < 0 {
		s.FirstEvent = at
	}
	s.past.event, s.LastEvent = at, r.ID
	s.rate.add(at, r.Size())
	s.recent.add(at)
}

// newestEvent returns when the newest event of a stream came, or of those that it continues; zero if none did.
func (s *Stream) newestEvent() time.Time {
	if s.Events == 0 {
		return s.past.cut
	}
	return s.Start.Add(s.past.event)
}

// addWait notes a pause before a record.
func (s *Stream) addWait(at time.Duration, r *a2a.Record) {
	gap := at - s.past.newest
	if s.Head < 0 || gap < aWait || len(s.Steps) == 0 || gap < unusual*s.usual() {
		return
	}
	if last := &s.Steps[len(s.Steps)-1]; len(s.Steps) < manySteps {
		s.Steps = append(s.Steps, Step{
			Kind: StepWait, From: last.To, To: r.ID, Begin: s.past.newest, End: at, Stall: gap >= s.stallAfter(),
			Alive: len(r.Raw) > 0 && r.Raw[0] == ':', // comments belong to the frame that follows
		})
	}
}

// addUpdate takes the meaning of a record.
func (s *Stream) addUpdate(it *Item, at time.Duration) {
	r := &it.Record
	if it.Update.Err != nil || len(it.Update.Events) == 0 {
		s.step(r, Step{Kind: StepOther}, at)
	}
	for i := range it.Update.Events {
		ev := &it.Update.Events[i]
		if it.strays&(1<<i) != 0 {
			s.step(r, Step{Kind: StepOther}, at)
			continue
		}
		if ev.TaskID != "" {
			s.past.task = ev.TaskID
		}
		switch st := task.StatusOf(ev); {
		case st != nil:
			s.State, s.Word = st.State, st.Word
			s.step(r, Step{Kind: StepState, State: st.State, Word: st.Word, task: ev.TaskID}, at)
		case ev.Kind == a2a.EventArtifact && ev.Artifact != nil:
			s.addArtifact(r, output{ev.TaskID, ev.Artifact.Key}, at)
		case ev.Kind == a2a.EventMessage:
			s.step(r, Step{Kind: StepMessage}, at)
		case ev.Kind == a2a.EventError:
			s.step(r, Step{Kind: StepError}, at)
		default:
			s.step(r, Step{Kind: StepOther}, at)
		}
	}
}

// addArtifact takes a chunk. A new artifact is a step; chunks of known ones extend the last step,
// so that artifacts that grow in parallel are not one step for each chunk.
func (s *Stream) addArtifact(r *a2a.Record, key output, at time.Duration) {
	if s.FirstArtifact < 0 {
		s.FirstArtifact = at
	}
	fresh := !s.past.outputs[key] && len(s.past.outputs) < manyOutputs
	if fresh {
		if s.past.outputs == nil {
			s.past.outputs = map[output]bool{}
		}
		s.past.outputs[key] = true
	}
	if n := len(s.Steps); n > 0 && s.Steps[n-1].Kind == StepArtifact && !fresh {
		s.Steps[n-1].holds(key)
		s.Steps[n-1].goOn(r, at)
		return
	}
	s.append(r, Step{Kind: StepArtifact, keys: []output{key}, Artifacts: 1}, at)
}

// holds notes that an artifact grows in a step.
func (st *Step) holds(key output) {
	if st.Artifacts < ManyArtifacts && !slices.Contains(st.keys, key) {
		st.keys = append(st.keys, key)
		st.Artifacts++
	}
}

// step adds a record to the last step if that is the same, otherwise it begins one.
func (s *Stream) step(r *a2a.Record, as Step, at time.Duration) {
	if n := len(s.Steps); n > 0 && s.Steps[n-1].same(&as) {
		s.Steps[n-1].goOn(r, at)
		return
	}
	s.append(r, as, at)
}

// same reports whether a record continues a step.
func (st *Step) same(as *Step) bool {
	return st.Kind == as.Kind && st.State == as.State && st.Word == as.Word && st.task == as.task
}

func (s *Stream) append(r *a2a.Record, as Step, at time.Duration) {
	if n := len(s.Steps); n >= manySteps && as.Kind != StepEnd {
		s.Steps[n-1].goOn(r, at)
		return
	}
	as.From, as.To, as.Begin, as.End, as.Records, as.Bytes = r.ID, r.ID, at, at, 1, int64(r.Size())
	s.Steps = append(s.Steps, as)
}

// goOn adds a record to a step.
func (st *Step) goOn(r *a2a.Record, at time.Duration) {
	if st.To != r.ID || st.Records == 0 {
		st.Records++
		st.Bytes += int64(r.Size())
	}
	st.To, st.End = r.ID, at
}

// streams are the streams of a log.
type streams struct {
	all    map[a2a.ExchangeID]*Stream
	order  []*Stream               // in which they began
	newest map[task.Key]*Stream    // that reported a task
	usual  map[a2a.AgentID]*Stream // the newest of each agent with enough pauses to know the usual one
}

// add takes a record of the log.
func (l *streams) add(it *Item) {
	r := &it.Record
	if r.Exchange == 0 {
		l.note(it)
		return
	}
	s := l.all[r.Exchange]
	if s == nil {
		s = newStream(r)
		l.all[r.Exchange] = s
		l.order = append(l.order, s)
		if c := r.Call; c != nil {
			s.past.before = l.usual[c.Agent]
			if c.TaskID != "" {
				l.linkCall(s, c)
			}
		}
	}
	before, gaps := s.past.task, s.Gaps.Count
	s.add(it)
	if s.Gaps.Count == aMedian && gaps < aMedian && s.Call != nil {
		l.usual[s.Call.Agent] = s
	}
	if now := s.past.task; now != before && s.Call != nil && s.Call.Op == a2a.OpStream {
		l.newest[task.Key{Agent: s.Call.Agent, ID: now}] = s
	}
}

// note adds a note about an exchange to the newest stream that continues it.
func (l *streams) note(it *Item) {
	s := l.all[it.Exchange()]
	for s != nil && s.Next != 0 {
		s = l.all[s.Next]
	}
	if s != nil {
		s.add(it)
	}
}

// linkCall notes which stream a call about a task continues or checks.
func (l *streams) linkCall(s *Stream, c *a2a.Call) {
	key := task.Key{Agent: c.Agent, ID: c.TaskID}
	switch checked := l.newest[key]; {
	case c.Op == a2a.OpSubscribe:
		l.link(s, key)
	case c.Check && checked != nil:
		s.Checks = checked.Exchange
	}
}

// link notes that a subscription continues a task's newest stream, unless that is still open:
// then there are two.
func (l *streams) link(s *Stream, key task.Key) {
	prev := l.newest[key]
	if prev != nil && prev.Open() {
		return
	}
	if prev != nil && prev.Next == 0 {
		prev.Next, s.Prev = s.Exchange, prev.Exchange
		s.past.cut = prev.newestEvent()
	}
	l.newest[key] = s
}

// Stream returns the course of an exchange, nil if there is none. It must not be changed.
func (l *Log) Stream(id a2a.ExchangeID) *Stream { return l.streams.all[id] }

// StatusOf returns the HTTP status of the answer of an exchange, 0 if there is none.
func (l *Log) StatusOf(id a2a.ExchangeID) int {
	const most = 4 // records that are looked at: the head is one of the first
	ids := l.Exchange(id)
	for _, id := range ids[:min(len(ids), most)] {
		if h := l.At(id).Record.Head; h != nil && h.Status != 0 {
			return h.Status
		}
	}
	return 0
}

// Streams returns the courses of all exchanges in the order in which these began. The slice must not
// be changed.
func (l *Log) Streams() []*Stream { return l.streams.order }

// Chain returns the stream of an exchange with those that it continues and those that continue
// it, the first one first.
func (l *Log) Chain(id a2a.ExchangeID) []*Stream {
	s := l.Stream(id)
	if s == nil {
		return nil
	}
	for s.Prev != 0 {
		s = l.Stream(s.Prev)
	}
	chain := []*Stream{s}
	for s.Next != 0 {
		s = l.Stream(s.Next)
		chain = append(chain, s)
	}
	return chain
}

// AddToStream takes the newest item into the stream that it belongs to. It comes after
// [model.State.Apply] has marked the strays in it.
func (l *Log) AddToStream(it *Item) { l.streams.add(it) }

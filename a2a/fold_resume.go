package a2a

import (
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
)

// A frameHistory holds what is needed to recognise a task's frames when another stream repeats
// them.
type frameHistory struct {
	sums []uint64       // of the payloads, in order
	ids  map[uint64]int // by sum of the SSE id, index in sums

	joining bool // a stream was resumed and has certainly not caught up
	begun   bool // its first event was seen
	again   int  // index in sums of the event that is expected next, -1 if none is
	// renumbered is set when an id came with another payload: the agent numbers each stream
	// from the start, so ids prove nothing.
	renumbered bool
	last       string // the newest SSE id
}

// A frameID is an SSE id with its sum: the texts of all ids of a long stream would take more
// memory than its words.
type frameID struct {
	text string
	sum  uint64
}

// Resume announces that the next frames of a task come from another stream, which may begin
// with a snapshot, repeat what is held, or continue without notice. Repetitions are recognised
// by an SSE id with the same payload, by the order of payloads, or by text that equals the
// beginning of what is held.
func (f *Fold) Resume(taskID string) {
	t := f.tasks[taskID]
	if t == nil {
		return
	}
	h := &t.frames
	h.joining, h.begun, h.again, h.renumbered = true, false, -1, false
	for _, a := range t.artifacts {
		a.behind, a.resume = true, resume{}
		a.unpack()
	}
}

// ApplyFrame is [Fold.Apply] for an event of a stream; id is the SSE id of its
// frame, empty if it had none.
func (f *Fold) ApplyFrame(ev *Event, id string) []Delta {
	if ev.TaskID == "" {
		return f.Apply(ev)
	}
	switch ev.Kind {
	case EventTask, EventStatus, EventArtifact, EventMessage:
	default:
		return f.Apply(ev)
	}
	sum, fid := maphash.Bytes(f.seed, ev.Raw), frameID{id, maphash.String(f.seed, id)}
	t := f.tasks[ev.TaskID]
	gap := false
	if t != nil && t.frames.joining {
		repeated := t.frames.repeats(sum, fid, ev.Kind)
		gap = !t.frames.begun && !repeated && !t.tells(ev, id)
		t.frames.begun = true
		if repeated {
			t.skip(ev)
			clear(f.deltas)
			f.deltas = f.deltas[:0]
			return f.deltas
		}
	}
	f.Apply(ev)
	if gap {
		f.deltas = slices.Insert(f.deltas, 0, Delta{Kind: DeltaGap, TaskID: ev.TaskID})
	}
	if t = f.tasks[ev.TaskID]; t != nil && (len(f.deltas) > 0 || !t.frames.joining) {
		t.frames.note(sum, fid)
	}
	return f.deltas
}

// ApplyAnswer is [Fold.Apply] for an event outside of a stream, which may know more of an
// artifact than a stream that is still open: what the stream appends later is compared with it,
// so that no chunk occurs twice.
func (f *Fold) ApplyAnswer(ev *Event) []Delta {
	t := f.tasks[ev.TaskID]
	if ev.Kind != EventTask || t == nil || len(t.frames.sums) == 0 {
		return f.Apply(ev)
	}
	held := make(map[string][]Part, len(t.artifacts))
	for _, a := range t.artifacts {
		held[a.Key] = a.whole()
	}
	f.Apply(ev)
	for i := range f.deltas {
		switch d := &f.deltas[i]; d.Kind {
		case DeltaArtifactAppend, DeltaArtifactNew:
			t.byKey[d.Key].awaits(held[d.Key])
		}
	}
	return f.deltas
}

// awaits notes that a stream has sent only the beginning of an artifact.
func (a *artifactFold) awaits(told []Part) {
	a.unpack()
	if end, _, ok := walk(a.Parts, mark{}, told); ok {
		a.behind, a.resume = true, resume{set: true, from: end, at: end, ahead: true}
	}
}

func (h *frameHistory) note(sum uint64, id frameID) {
	if id.text != "" {
		if h.ids == nil {
			h.ids = map[uint64]int{}
		}
		h.ids[id.sum], h.last = len(h.sums), id.text
	}
	h.sums = append(h.sums, sum)
}

// repeats reports whether an event of a resumed stream came before.
func (h *frameHistory) repeats(sum uint64, id frameID, kind EventKind) bool {
	at := h.place(sum, id, kind)
	h.again = -1
	if at >= 0 {
		h.again = at + 1
	}
	return at >= 0
}

// place returns the index in sums of a repeated event, -1 for a new one. Without ids only a
// stream that starts where the first one did, or with the newest event, certainly repeats:
// elsewhere a chunk such as " the" proves nothing.
func (h *frameHistory) place(sum uint64, id frameID, kind EventKind) int {
	n := len(h.sums)
	if known, seen := h.ids[id.sum]; id.text != "" && seen && !h.renumbered {
		if h.sums[known] == sum {
			return known
		}
		h.renumbered = true
	}
	switch {
	case n == 0 || follows(h.last, id.text):
	case h.again >= 0 && h.again < n:
		if h.sums[h.again] == sum {
			return h.again
		}
	case h.begun:
	case h.sums[0] == sum:
		return 0
	case h.sums[n-1] == sum && kind != EventTask: // the same snapshot twice is no end of a replay
		return n - 1
	}
	return -1
}

// tells reports whether the first event of a resumed stream itself proves that nothing is
// missing between it and what is held.
func (t *taskFold) tells(ev *Event, id string) bool {
	switch {
	case ev.Kind == EventTask || follows(t.frames.last, id):
		return true
	case ev.Kind != EventArtifact || ev.Append || len(ev.Artifact.Parts) == 0:
		return false
	}
	a := t.byKey[t.key(ev.Artifact, false)]
	if a == nil {
		return false
	}
	a.unpack()
	_, _, ok := walk(a.Parts, mark{}, ev.Artifact.Parts)
	return ok
}

// follows reports whether two SSE ids are successive numbers, perhaps behind a
// prefix that both have.
func follows(before, id string) bool {
	p, n, ok1 := SplitFrameID(before)
	q, m, ok2 := SplitFrameID(id)
	return ok1 && ok2 && p == q && m == n+1
}

// SplitFrameID splits an SSE id into the number at its end and what is before that.
func SplitFrameID(id string) (prefix string, n uint64, ok bool) {
	prefix = strings.TrimRight(id, "0123456789")
	n, err := strconv.ParseUint(id[len(prefix):], 10, 63)
	return prefix, n, err == nil
}

// skip takes a repeated event. What it holds of an artifact is the position of the resumed
// stream in that artifact; once the newest event was repeated, the stream has caught up.
func (t *taskFold) skip(ev *Event) {
	if t.frames.again >= len(t.frames.sums) {
		t.frames.joining = false
		for _, a := range t.artifacts {
			a.behind = false
		}
		return
	}
	if ev.Kind != EventArtifact {
		return
	}
	a := t.byKey[t.key(ev.Artifact, ev.Append)]
	if a == nil {
		return
	}
	if a.runs != nil {
		a.unpack()
		a.loose = true
	}
	from := a.resume.at
	if !ev.Append {
		from, a.resume.again = mark{}, true
	}
	if end, _, ok := walk(a.Parts, from, ev.Artifact.Parts); ok {
		a.resume.set, a.resume.at = true, end
	}
}

// resume is how far a resumed stream has repeated an artifact.
type resume struct {
	set      bool
	from, at mark
	// ahead is set when something other than a stream brought the content after at: the open
	// stream may end before it has sent that content.
	ahead bool
	// again is set when the agent began the artifact anew. Otherwise from is where a snapshot
	// ended, or the beginning if the agent only appends.
	again bool
}

// overlap returns the new part of a chunk. Until the stream has caught up with what is held,
// the chunk is compared with that; the first difference ends the comparison.
func (t *taskFold) overlap(a *artifactFold, c *chunk) {
	if !a.behind {
		return
	}
	parts := c.artifact.Parts
	if !c.add || a.growth.sure() {
		end, rest, ok := walk(a.Parts, mark{}, parts)
		switch {
		case len(parts) == 0:
		case !ok:
			a.behind = false
		case end.of(a.Parts):
			a.behind, c.add = false, true
			c.parts(rest)
		default:
			a.resume = resume{set: true, from: end, at: end, again: !c.whole}
			c.add = true
			c.parts(nil)
		}
	} else {
		t.overlapAppend(a, c)
	}
	if c.last && a.behind && a.resume.set && !a.resume.ahead {
		a.diverge(c)
	}
}

func (t *taskFold) overlapAppend(a *artifactFold, c *chunk) {
	if !a.resume.set {
		a.behind = false // it continues where the other stream ended
		return
	}
	end, rest, ok := walk(a.Parts, a.resume.at, c.artifact.Parts)
	switch {
	case !ok:
		a.diverge(c)
	case end.of(a.Parts):
		a.behind = false
		c.parts(rest)
	default:
		a.resume.at = end
		c.parts(nil)
	}
}

// diverge ends the comparison before everything held was repeated. An agent that began anew now
// sends something else; any other agent did not repeat anything, its chunks only looked like
// it.
func (a *artifactFold) diverge(c *chunk) {
	r := a.resume
	a.behind = false
	if r.again {
		c.add = false
		c.parts(append(between(a.Parts, mark{}, r.at), c.artifact.Parts...))
		return
	}
	c.parts(append(between(a.Parts, r.from, r.at), c.artifact.Parts...))
}

// parts replaces the parts of a chunk, which belongs to an event.
func (c *chunk) parts(parts []Part) {
	a := *c.artifact
	a.Parts = parts
	c.artifact = &a
}

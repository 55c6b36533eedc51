package model

import (
	"math"
	"slices"
	"sort"

	"parley/a2a"
)

// An anchor is the stored form of an [Anchor]; turn is 0 for a record that is not visible
// anywhere.
type anchor struct {
	turn         a2a.TurnID
	block, entry int32
	part         int32
}

// anchors hold where the records of a log are visible, by their index. Consecutive records in
// the same place, such as the chunks of an artifact, take four bytes each.
type anchors struct {
	runs    []anchorRun
	offsets []uint32 // in the text of the place; not known beyond 4 GB
}

// An anchorRun is a run of consecutive records that are visible in the same place.
type anchorRun struct {
	first int // index of the first one
	anchor
}

// add adds a record that is not visible anywhere.
func (l *anchors) add() {
	if n := len(l.runs); n == 0 || l.runs[n-1].turn != 0 {
		l.runs = append(l.runs, anchorRun{first: len(l.offsets)})
	}
	l.offsets = append(l.offsets, 0)
}

// run returns the index of the run that a record belongs to.
func (l *anchors) run(i int) int {
	if last := len(l.runs) - 1; l.runs[last].first <= i {
		return last // as nearly always
	}
	return sort.Search(len(l.runs), func(k int) bool { return l.runs[k].first > i }) - 1
}

// at returns the place of a record, and its offset there.
func (l *anchors) at(i int) (anchor, int) { return l.runs[l.run(i)].anchor, int(l.offsets[i]) }

// set sets the place of a record. For the newest record, and for consecutive records in order,
// its cost does not depend on their number.
func (l *anchors) set(i int, a anchor, offset int) {
	l.offsets[i] = uint32(min(offset, math.MaxUint32))
	k := l.run(i)
	if l.runs[k].anchor == a {
		return
	}
	end := len(l.offsets)
	if k+1 < len(l.runs) {
		end = l.runs[k+1].first
	}
	if l.runs[k].first < i { // it leaves the end of its run, or the middle
		if was := l.runs[k].anchor; i+1 < end {
			l.runs = slices.Insert(l.runs, k+1, anchorRun{i, a}, anchorRun{i + 1, was})
		} else {
			l.runs = slices.Insert(l.runs, k+1, anchorRun{i, a})
		}
		return
	}
	joins := k > 0 && l.runs[k-1].anchor == a
	switch single := i+1 == end; {
	case joins && single:
		l.runs = slices.Delete(l.runs, k, k+1)
	case joins:
		l.runs[k].first++
	case single:
		l.runs[k].anchor = a
	default:
		l.runs[k].first++
		l.runs = slices.Insert(l.runs, k, anchorRun{i, a})
	}
}

// Anchor returns where in the conversations a record can be seen; false if it is not visible.
func (s *State) Anchor(id a2a.RecordID) (Anchor, bool) {
	i, ok := s.anchored(id)
	if !ok {
		return Anchor{}, false
	}
	a, offset := s.anchors.at(i)
	t := s.turns[a.turn]
	if a.turn == 0 || t == nil {
		return Anchor{}, false
	}
	return Anchor{
		Agent: t.Conversation.Agent.ID, Conversation: t.Conversation.ID, Turn: a.turn,
		Block: int(a.block), Entry: int(a.entry), Offset: offset, Part: int(a.part), Record: id,
	}, true
}

// anchor sets the place of a record unless it has one: the first place counts.
func (s *State) anchor(id a2a.RecordID, p place, offset int) { s.anchorPart(id, p, offset, 0) }

// anchorPart is anchor for a part that is not text: 1 + its index, 0 for text.
func (s *State) anchorPart(id a2a.RecordID, p place, offset, part int) {
	i, ok := s.anchored(id)
	if !ok || p.turn == nil || i != len(s.anchors.offsets)-1 {
		return
	}
	if known, _ := s.anchors.at(i); known.turn == 0 {
		s.anchors.set(i, anchor{turn: p.turn.ID, block: int32(p.block), entry: int32(p.entry), part: int32(part)}, offset)
	}
}

// anchored returns the index of a record in anchors, false if the record is not kept.
func (s *State) anchored(id a2a.RecordID) (i int, ok bool) {
	i, ok = s.Log.Position(id)
	return i, ok && i < len(s.anchors.offsets)
}

// reanchor sets the place of an earlier record, which was unknown when it came or has changed.
func (s *State) reanchor(id a2a.RecordID, p place, offset int) {
	if i, ok := s.anchored(id); ok {
		s.anchors.set(i, anchor{turn: p.turn.ID, block: int32(p.block), entry: int32(p.entry)}, offset)
	}
}

// anchorDefault places a record that built nothing of its own: at the newest entry of its task
// in its turn, otherwise at the turn's message.
func (s *State) anchorDefault(x *exchange, id a2a.RecordID) {
	if x.turn == nil {
		return
	}
	p := place{x.turn, -1, -1}
	if i, ok := x.turn.blockOf(x.task); ok {
		p = place{x.turn, i, len(x.turn.Blocks[i].Entries) - 1}
	}
	s.anchor(id, p, 0)
}

package page

import (
	"slices"
	"strconv"

	"parley/a2a"
	"parley/session/model"
)

// places are where in the conversations of a page records are visible.
type places struct {
	lines   map[a2a.RecordID]bool // records whose first line has an anchor of its own
	entries map[spot][]a2a.RecordID
	turns   map[a2a.TurnID]bool
}

// A spot is an entry of a turn; block and entry are -1 for the turn's own message.
type spot struct {
	turn         a2a.TurnID
	block, entry int
}

func newPlaces() *places {
	return &places{lines: map[a2a.RecordID]bool{}, entries: map[spot][]a2a.RecordID{}, turns: map[a2a.TurnID]bool{}}
}

// id returns the anchor of a spot.
func (s spot) id() string {
	t := "t" + strconv.Itoa(int(s.turn))
	if s.block < 0 {
		return t
	}
	return t + "-" + strconv.Itoa(s.block) + "-" + strconv.Itoa(s.entry)
}

// lineID returns the anchor of the first line that a record brought.
func lineID(id a2a.RecordID) string { return "l" + strconv.FormatUint(uint64(id), 10) }

// add notes that a line of a record begins here. It reports whether that is the first one.
func (p *places) add(s spot, id a2a.RecordID) bool {
	if id == 0 || p.lines[id] {
		return false
	}
	p.lines[id] = true
	p.entries[s] = append(p.entries[s], id)
	return true
}

// of returns the anchor nearest to what a record built, empty if the page does not show it.
func (p *places) of(s *model.State, id a2a.RecordID) string {
	if p.lines[id] {
		return lineID(id)
	}
	at, ok := s.Anchor(id)
	if !ok || !p.turns[at.Turn] {
		return ""
	}
	here := spot{at.Turn, at.Block, at.Entry}
	lines, known := p.entries[here]
	if i, _ := slices.BinarySearch(lines, id); i > 0 {
		return lineID(lines[i-1])
	}
	if known || at.Block < 0 {
		return here.id()
	}
	return spot{at.Turn, -1, -1}.id()
}

// Package excerpt selects what an export contains: a whole session, one of its
// conversations, or the records that a filter lists. [Choose] selects it from a
// [model.State], and the formats write it record by record.
package excerpt

import (
	"iter"
	"slices"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// An Excerpt is the chosen part of a session.
type Excerpt struct {
	State *model.State
	Name  string // of the session, as a title
	// Conversations are the chosen ones in order, or those of the chosen records.
	Conversations []*model.Conversation
	// One is set if a single conversation was chosen, and Filter is the text of the filter that
	// chose records, empty without one.
	One    bool
	Filter string

	marked  func(a2a.RecordID) bool
	comment func(a2a.RecordID) string
	all     bool
	records []a2a.RecordID // in order, unless all are chosen
}

// Len returns how many records are chosen.
func (p *Excerpt) Len() int {
	if p.all {
		return p.State.Log.Len()
	}
	return len(p.records)
}

// Remark returns what the user added to a record: whether it is marked, and a comment.
func (p *Excerpt) Remark(id a2a.RecordID) (marked bool, comment string) {
	if p.comment != nil {
		comment = p.comment(id)
	}
	return p.marked != nil && p.marked(id), comment
}

// Has reports whether a record is chosen.
func (p *Excerpt) Has(id a2a.RecordID) bool {
	if p.all {
		return id > 0 && int(id) <= p.State.Log.Len()
	}
	_, found := slices.BinarySearch(p.records, id)
	return found
}

// IDs returns the numbers of the chosen records, in order.
func (p *Excerpt) IDs() iter.Seq[a2a.RecordID] {
	return func(yield func(a2a.RecordID) bool) {
		for i := range p.Len() {
			id := a2a.RecordID(i + 1)
			if !p.all {
				id = p.records[i]
			}
			if !yield(id) {
				return
			}
		}
	}
}

// Items returns the chosen records, in order, for a format that only shows them: see
// [log.Scanner].
func (p *Excerpt) Items() iter.Seq[*log.Item] {
	return func(yield func(*log.Item) bool) {
		items := p.State.Log.View().Scan()
		for id := range p.IDs() {
			if it := items.At(id); it != nil && !yield(it) {
				return
			}
		}
	}
}

// Began returns the time of the first record of the session, the zero time if there is none.
func (p *Excerpt) Began() time.Time { return p.State.Log.TimeOf(1) }

// Exchanges returns the exchanges of which records are chosen, with these records, in the order
// in which they began.
func (p *Excerpt) Exchanges() iter.Seq2[a2a.ExchangeID, []a2a.RecordID] {
	return func(yield func(a2a.ExchangeID, []a2a.RecordID) bool) {
		for _, s := range p.State.Log.Streams() {
			ids := p.State.Log.Exchange(s.Exchange)
			if !p.all {
				ids = slices.DeleteFunc(slices.Clone(ids), func(id a2a.RecordID) bool { return !p.Has(id) })
			}
			if len(ids) > 0 && !yield(s.Exchange, ids) {
				return
			}
		}
	}
}

// Package jsonl exports records as a session file, one JSON object per line, which every command
// that reads a session reads too.
//
// All records of a session keep their numbers. Those of an excerpt get new ones, because a reader
// takes a gap for lost records, and what no reader could do without comes along: the request and
// the heads of the exchange of a chosen record, and how its agent was found.
package jsonl

import (
	"bufio"
	"context"
	"io"
	"maps"

	"parley/a2a"
	"parley/session/export/excerpt"
	"parley/session/journal"
	"parley/session/log"
)

// Write writes the records of an excerpt. It calls step after each.
func Write(ctx context.Context, out io.Writer, p *excerpt.Excerpt, step func(done, total int)) error {
	b := bufio.NewWriterSize(out, 64<<10)
	w, err := journal.NewWriter(b, p.Began())
	if err != nil {
		return err
	}
	n := numbering{excerpt: p, new: map[a2a.RecordID]a2a.RecordID{}}
	whole := p.Len() == p.State.Log.Len()
	if !whole {
		n.collect()
	}
	for id := a2a.RecordID(1); int(id) <= p.State.Log.Len(); id++ {
		if whole || n.needs[id] {
			r := p.State.Log.At(id).Record
			if !whole {
				n.renumber(&r)
			}
			if err := w.Write(&r); err != nil {
				return err
			}
		}
		step(int(id), p.State.Log.Len())
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return b.Flush()
}

// A numbering gives the records of an excerpt numbers without gaps.
type numbering struct {
	excerpt *excerpt.Excerpt
	needs   map[a2a.RecordID]bool
	new     map[a2a.RecordID]a2a.RecordID
}

// collect finds the records that are written: the chosen ones and what they need.
func (n *numbering) collect() {
	l := n.excerpt.State.Log
	n.needs = map[a2a.RecordID]bool{}
	agents := map[a2a.AgentID]bool{}
	for x, ids := range n.excerpt.Exchanges() {
		n.needs[x] = true
		agents[l.Owner(x).Agent] = true
		const heads = 4 // first records of an exchange, which contain its head
		all := l.Exchange(x)
		for _, id := range all[:min(len(all), heads)] {
			if l.At(id).Record.Kind == a2a.KindHead {
				n.needs[id] = true
			}
		}
		const ends = 2 // last records of an exchange, of which one may be its end
		for _, id := range all[max(0, len(all)-ends):] {
			if l.At(id).Record.Kind == a2a.KindEnd {
				n.needs[id] = true
			}
		}
		for _, id := range ids {
			n.needs[id] = true
		}
	}
	for id := range n.excerpt.IDs() {
		n.needs[id] = true
		agents[l.Owner(id).Agent] = true
	}
	for id := a2a.RecordID(1); int(id) <= l.Len(); id++ {
		owner := l.Owner(id)
		if owner.Conversation == 0 && owner.Agent != 0 && agents[owner.Agent] && n.finds(id) {
			n.needs[id] = true
		}
	}
}

// finds reports whether a record is a part of how its agent was found, named and set.
func (n *numbering) finds(id a2a.RecordID) bool {
	r := &n.excerpt.State.Log.At(id).Record
	if r.Note != nil {
		return r.Note.Type != log.NoteClosed
	}
	return r.Call != nil && (r.Call.Op == a2a.OpCard || r.Call.Op == a2a.OpExtendedCard)
}

// renumber gives a record its new number, and those that it refers to theirs. What it refers to
// and is not written gets the number 0.
func (n *numbering) renumber(r *a2a.Record) {
	id := a2a.RecordID(len(n.new) + 1)
	n.new[r.ID] = id
	r.ID = id
	if r.Exchange != 0 {
		r.Exchange = n.new[r.Exchange]
	}
	if r.Call != nil && (r.Call.EditedFrom != 0 || r.Call.Delivery != nil && r.Call.Delivery.Repeats != 0) {
		call := *r.Call
		call.EditedFrom = n.new[call.EditedFrom]
		if call.Delivery != nil {
			facts := *call.Delivery
			facts.Repeats = n.new[facts.Repeats]
			call.Delivery = &facts
		}
		r.Call = &call
	}
	if r.Note == nil {
		return
	}
	note := a2a.Note{Type: r.Note.Type, Attrs: maps.Clone(r.Note.Attrs)}
	for _, name := range []string{log.AttrRecord, log.AttrExchange} {
		if old := log.IDIn[a2a.RecordID](note.Attrs, name); old != 0 {
			note.Attrs[name] = log.IDText(n.new[old])
		}
	}
	r.Note = &note
}

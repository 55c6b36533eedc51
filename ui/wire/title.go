package wire

import (
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// Title returns the title of the frame: the scope, once an agent is shown.
func (p *Pane) Title() string {
	if p.rows.scope.view.Agent == 0 {
		return "wire"
	}
	if t := &p.title; t.scope != p.Scope() || t.st != p.st {
		*t = titleText{p.Scope(), p.st, "wire " + p.st.G[styles.Separator] + " " + p.Scope().String()}
	}
	return p.title.text
}

// A titleText is the title of the frame, with what it was made from.
type titleText struct {
	scope Scope
	st    *styles.Styles
	text  string
}

// A titleNote is the note of the frame, with all that it was made from.
type titleNote struct {
	extent                             extent
	total, inScope, hits, flags, fresh int
	filtered, follow                   bool
	mutes                              uint64
	w                                  int
	st                                 *styles.Styles
	text                               string
}

// Note returns the note of the frame: how many records are in scope and how many are not, with
// their errors and warnings, and whether the pane follows.
func (p *Pane) Note() string {
	r, last := &p.rows, &p.note
	now := titleNote{
		extent: r.scope.extent(), total: r.total, inScope: r.scope.in.len(), hits: r.hits.len(), flags: len(r.scope.flags.all), fresh: r.list.Unseen(),
		filtered: r.filtered, follow: r.follow, mutes: r.log.Findings().Mutes(), w: p.w, st: p.st, text: last.text,
	}
	if *last != now {
		now.text = p.makeNote()
		*last = now
	}
	return last.text
}

// makeNote returns the longest note that fits.
func (p *Pane) makeNote() string {
	const edge = 5 // the frame's own cells between title and note
	room := p.w - canvas.Width(p.Title()) - edge
	sep := " " + p.st.G[styles.Separator] + " "
	state := sep + "follow"
	if !p.rows.follow {
		if state = sep + "held"; p.rows.list.Unseen() > 0 {
			state += sep + units.Count(p.rows.list.Unseen()) + " new"
		}
	}
	in, out := p.counts()
	long, short := in.text(p.st, true), in.text(p.st, false)
	var notes []string
	if out.records > 0 {
		elsewhere := sep + "+" + units.Count(out.records)
		if out.flags > 0 {
			elsewhere += " " + p.st.G[styles.Flag] + units.Count(out.flags)
		}
		elsewhere += " elsewhere"
		notes = []string{long + elsewhere + state, short + elsewhere + state}
		if p.rows.follow { // which needs saying less than what is missing
			notes = append(notes, short+elsewhere)
		}
	}
	notes = append(notes, long+state, short+state)
	if p.rows.follow {
		notes = append(notes, short)
	} else {
		bare := count{records: in.records, of: in.of}
		notes = append(notes, bare.text(p.st, false)+state, bare.text(p.st, false)+sep+"held", "held")
	}
	for _, note := range notes {
		if canvas.Width(note) <= room {
			return note
		}
	}
	return notes[len(notes)-1]
}

// emptyText says why there are no rows.
func (p *Pane) emptyText() string {
	in, out := p.counts()
	switch {
	case p.rows.filtered && in.of > 0:
		return p.noMatchText()
	case p.allCleared():
		return "cleared: " + keys.Name(p.Of(clearRows)) + " shows the records again"
	case out.records > 0:
		return "no records of this " + p.Scope().String() + " yet: " + keys.Name(p.Of(changeScope)) + " shows others"
	case p.send == "": // a recording, at its beginning
		return "no records yet"
	default:
		return "Every request, answer and event appears here as it crosses the wire: " + keys.Name(p.find) + " opens an agent, " + p.send + " sends it a message."
	}
}

// A count is a number of records with their errors and warnings. of is the number of records
// that the filter chose them from, 0 without a filter.
type count struct{ records, of, flags int }

// text returns the count; long names the records.
func (c count) text(st *styles.Styles, long bool) string {
	out := units.Count(c.records)
	switch {
	case c.of > 0:
		out += " of " + units.Count(c.of)
	case long:
		out = units.Plural(c.records, "record")
	}
	if c.flags > 0 {
		out += " " + st.G[styles.Flag] + " " + units.Count(c.flags)
	}
	return out
}

// counts returns what is in scope, and what is not.
func (p *Pane) counts() (in, out count) {
	s := &p.rows.scope
	in.records = p.rows.total - int(s.cleared)
	if s.kind() != OfAll {
		in.records = s.in.len() - s.in.rank(s.cleared+1)
	}
	out.records = p.rows.total - in.records
	if p.rows.filtered {
		in.of, in.records = in.records, p.rows.matching(&p.rows.hits).len()
	}
	if out.records > 0 { // else the header has the only number
		in.flags, out.flags = s.flags.count(s, p.rows.log.Findings())
	}
	return in, out
}

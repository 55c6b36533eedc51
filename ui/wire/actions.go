package wire

import (
	"charm.land/bubbles/v2/key"

	"parley/internal/units"
)

// An Action is a named operation of the pane, with its key.
type Action struct {
	Key  key.Binding
	Name string
	Why  string // why it is not available now; empty if it is
	Do   func() Intent
}

// Actions returns the operations on the rows and on the selected record. [Pane.SetSize] must
// have been called before one is run.
func (p *Pane) Actions() []Action {
	p.sync()
	return append(p.actions(p.keys), p.recordActions()...)
}

// actions returns the operations on the rows, with their keys in k.
func (p *Pane) actions(k KeyMap) []Action {
	none, lost, bare, loose := "", "", "", ""
	switch {
	case p.rows.total == 0:
		none = "there are no records yet"
	case p.rows.sel == 0:
		none = "no record is listed"
	}
	if p.search.find == nil {
		lost = "there is no search: " + k.Search.Open.Help().Key + " searches"
	}
	if p.rows.marks.len() == 0 {
		bare = "no record is marked"
	}
	if loose = none; loose == "" && !p.rows.foldable(p.rows.sel) {
		loose = "the selected record belongs to no exchange"
	}
	mark, fold := "Mark the selected record", "Fold the selected exchange"
	if p.rows.marks.has(p.rows.sel) {
		mark = "Unmark the selected record"
	}
	comment := "Comment on the selected record"
	if p.Comment(p.rows.sel) != "" {
		comment = "Change the comment on the selected record"
	}
	if len(p.rows.foldedChecks(p.rows.sel)) > 0 {
		fold = "Show the checks of the selected stream"
	}
	if n, folded := p.rows.foldedAt(p.rows.sel); folded {
		fold = "Unfold the selected exchange, " + units.Plural(n, "record")
	}
	follow := "Follow the newest record"
	if p.rows.follow {
		follow = "Stay at the selected record"
	}
	clear := "Clear the rows: hide all records up to now"
	if p.allCleared() {
		clear = "Show the cleared rows"
	}
	empty := ""
	if p.rows.total == 0 {
		empty = none
	}
	stream := "Show the timeline of the stream"
	if p.stream.on {
		stream = "Show the record instead of the stream"
	}
	return []Action{
		{k.Stream.Toggle, stream, none, p.withoutIntent(p.toggleStream)},
		{k.Search.Open, "Search the wire", none, p.withoutIntent(p.openSearch)},
		{k.Search.Next, "Go to the next match", lost, func() Intent { return p.seek(1) }},
		{k.Search.Prev, "Go to the previous match", lost, func() Intent { return p.seek(-1) }},
		{k.Marks.Toggle, mark, none, p.withoutIntent(p.mark)},
		{k.Marks.Next, "Go to the next mark", bare, func() Intent { return p.toMark(1) }},
		{k.Marks.Prev, "Go to the previous mark", bare, func() Intent { return p.toMark(-1) }},
		{k.Marks.Comment, comment, none, p.comment},
		{k.Fold, fold, loose, p.withoutIntent(func() { p.rows.toggleRow(p.rows.sel) })},
		{k.FoldAll, "Fold all exchanges", none, p.withoutIntent(func() { p.rows.foldAll(true) })},
		{k.UnfoldAll, "Unfold all exchanges", none, p.withoutIntent(func() { p.rows.foldAll(false) })},
		{k.Follow, follow, none, p.withoutIntent(p.toggleFollow)},
		{k.Scope, "Change the scope of the wire: conversation, agent, all", p.fixedScope(), p.withoutIntent(p.nextScope)},
		{k.Clear, clear, empty, p.withoutIntent(p.clearRows)},
		{k.Clock, "Show times " + p.clock.next().words(), none, p.withoutIntent(p.nextClock)},
	}
}

// withoutIntent wraps a function that has no intent as an action.
func (p *Pane) withoutIntent(do func()) func() Intent {
	return func() Intent {
		do()
		p.arrange()
		return nil
	}
}

// nextClock switches the time column to its next reference point.
func (p *Pane) nextClock() {
	p.clock = p.clock.next()
	p.rows.redraw()
}

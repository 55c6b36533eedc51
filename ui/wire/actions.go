package wire

import (
	"charm.land/bubbles/v2/key"

	"parley/internal/units"
)

// An Action is a named operation of the pane, with its key.
type Action struct {
	Key  key.Binding // the zero value if there is none
	Name string
	Why  string // why it is not available now; empty if it is
	Do   func() Intent
	Also []string // what else users call it
}

// Actions returns the operations on the rows and on the selected record. [Pane.SetSize] must
// have been called before one is run.
func (p *Pane) Actions() []Action {
	p.sync()
	return append(p.actions(p.keys), p.recordActions()...)
}

// actions returns the operations on the rows, with their keys in k.
func (p *Pane) actions(k KeyMap) []Action {
	why, name := p.reasons(k), p.labels()
	return []Action{
		{k.Stream.Toggle, name.stream, why.noRecord, p.withoutIntent(p.toggleStream), []string{"latency", "events"}},
		{key.Binding{}, "Go to the longest gap", why.noRecord, p.toLongestGap, []string{"slow", "latency", "pause", "timing"}},
		{k.Search.Open, "Search the wire", why.noRecord, p.withoutIntent(p.openSearch), []string{"find", "log", "records"}},
		{k.Search.Next, "Go to the next match", why.noSearch, func() Intent { return p.seek(1) }, nil},
		{k.Search.Prev, "Go to the previous match", why.noSearch, func() Intent { return p.seek(-1) }, nil},
		{k.Marks.Toggle, name.mark, why.noRecord, p.withoutIntent(p.mark), []string{"bookmark"}},
		{k.Marks.Next, "Go to the next mark", why.noMark, func() Intent { return p.toMark(1) }, nil},
		{k.Marks.Prev, "Go to the previous mark", why.noMark, func() Intent { return p.toMark(-1) }, nil},
		{k.Marks.Comment, name.comment, why.noRecord, p.comment, []string{"note"}},
		{k.Fold, name.fold, why.noExchange, p.withoutIntent(func() { p.rows.toggleRow(p.rows.sel) }), nil},
		{k.FoldAll, "Fold all exchanges", why.noRecord, p.withoutIntent(func() { p.rows.foldAll(true) }), nil},
		{k.UnfoldAll, "Unfold all exchanges", why.noRecord, p.withoutIntent(func() { p.rows.foldAll(false) }), nil},
		{k.Follow, name.follow, why.noRecord, p.withoutIntent(p.toggleFollow), []string{"pause", "tail"}},
		{k.Scope, "Change the scope of the wire: conversation, agent, all", p.fixedScope(), p.withoutIntent(p.nextScope), []string{"whole agent"}},
		{k.Clear, name.clear, why.empty, p.withoutIntent(p.clearRows), nil},
		{k.Clock, "Show times " + p.clock.next().words(), why.noRecord, p.withoutIntent(p.nextClock), []string{"timing", "clock", "gap"}},
	}
}

// reasons are why the operations on the rows are not available now. A reason is empty if its
// operations are available.
type reasons struct {
	empty      string // there is no record at all
	noRecord   string // none is listed
	noSearch   string
	noMark     string
	noExchange string // the selected record belongs to none
}

// reasons returns why the operations on the rows are not available now.
func (p *Pane) reasons(k KeyMap) (why reasons) {
	switch {
	case p.rows.total == 0:
		why.empty = "there are no records yet"
		why.noRecord = why.empty
	case p.rows.sel == 0:
		why.noRecord = "no record is listed"
	}
	if p.search.find == nil {
		why.noSearch = "there is no search: " + k.Search.Open.Help().Key + " searches"
	}
	if p.rows.marks.len() == 0 {
		why.noMark = "no record is marked"
	}
	if why.noExchange = why.noRecord; why.noExchange == "" && !p.rows.foldable(p.rows.sel) {
		why.noExchange = "the selected record belongs to no exchange"
	}
	return why
}

// labels are the names of the operations whose effect depends on the rows as they are.
type labels struct{ stream, mark, comment, fold, follow, clear string }

// labels returns the names of these operations.
func (p *Pane) labels() labels {
	name := labels{
		stream: "Show the timeline of the stream", mark: "Mark the selected record", comment: "Comment on the selected record",
		fold: "Fold the selected exchange", follow: "Follow the newest record", clear: "Clear the rows: hide all records up to now",
	}
	if p.stream.on {
		name.stream = "Show the record instead of the stream"
	}
	if p.rows.marks.has(p.rows.sel) {
		name.mark = "Unmark the selected record"
	}
	if p.Comment(p.rows.sel) != "" {
		name.comment = "Change the comment on the selected record"
	}
	if len(p.rows.foldedChecks(p.rows.sel)) > 0 {
		name.fold = "Show the checks of the selected stream"
	}
	if n, folded := p.rows.foldedAt(p.rows.sel); folded {
		name.fold = "Unfold the selected exchange, " + units.Plural(n, "record")
	}
	if p.rows.follow {
		name.follow = "Stay at the selected record"
	}
	if p.allCleared() {
		name.clear = "Show the cleared rows"
	}
	return name
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

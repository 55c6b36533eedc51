package wire

import (
	"slices"
	"strings"

	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/keys"
	"parley/ui/record"
)

// Actions that texts and footers name.
const (
	// SaveBody saves the body of the selected record.
	SaveBody = record.SaveBody
	// FilterRecords opens the line of the filter.
	FilterRecords action.ID = "filter-records"

	changeScope    action.ID = "change-scope"
	clearRows      action.ID = "clear-rows"
	pause          action.ID = "hold-rows"
	switchClock    action.ID = "switch-gap-or-clock"
	showInChat     action.ID = "show-in-chat"
	searchRecords  action.ID = "search-records"
	nextMatch      action.ID = "next-match"
	previousMatch  action.ID = "previous-match"
	longestGap     action.ID = "go-to-longest-gap"
	foldExchange   action.ID = "fold-exchange"
	markRecord     action.ID = "mark-record"
	showStream     action.ID = "show-stream"
	previousRecord action.ID = "previous-record"
	nextRecord     action.ID = "next-record"
	readRecord     action.ID = "read-record"
	showOnlyRecord action.ID = "show-only-record"
	scrollDown     action.ID = "scroll-record-down"
	scrollUp       action.ID = "scroll-record-up"
	goBack         action.ID = "go-back"
)

// actions returns the table of the rows. The lines that are typed, the record and the timeline have
// tables of their own, and so have the rows while there is a search: its footer is another one.
func (p *Pane) actions() *action.Table[Intent] {
	rows := func(ranked bool, footer ...action.ID) *action.Table[Intent] {
		return p.table(ranked, footer,
			p.moveActions(rowMotion(p)), p.listActions(), p.filterAction("filter records", p.openFilter), p.revealAction(p.selected), p.recordActions(p.detail.CopyActions()),
			p.searchActions(), p.foldActions(), p.markActions(), p.streamActions(),
			p.readActions("read record"), p.scrollActions(), p.visibleActions(p.detail.TabActions()), p.backAction(), p.visibleActions(p.detail.ReadActions()),
		).Then(func() bool { return p.filter.open }, p.line)
	}
	return rows(true, showInChat, readRecord, showStream, longestGap, FilterRecords, changeScope, foldExchange, nextRecord, record.NextTab, switchClock, record.CopyText, markRecord, pause).
		While(func() bool { return p.filter.open }, p.line, p.onFilterKey).
		While(func() bool { return p.search.typing }, p.typedSearch(), p.onSearchKey).
		While(func() bool { return p.reading && p.stream.on }, p.timelineActions(), nil).
		While(func() bool { return p.reading }, p.readingActions(), nil).
		While(p.search.on, rows(false, nextMatch, previousMatch, searchRecords, goBack, readRecord, showInChat, markRecord, record.CopyText), nil)
}

// readingActions returns the table while the record has the keys. There is no filter within one
// record: its key searches.
func (p *Pane) readingActions() *action.Table[Intent] {
	return p.table(false,
		[]action.ID{readRecord, record.FoldText, record.GoToPlace, record.ShowDecoded, record.RevealSecret, record.MuteRule, record.NextTab, scrollDown, record.CopyText, showOnlyRecord},
		p.moveActions(recordMotion(p)), p.listActions(), p.recordActions(p.detail.CopyActions()),
		p.filterAction("search records", p.openSearch), p.searchActions(), p.unlessMuting(p.markActions()), p.streamActions()[:1],
		p.readActions("back to rows"), p.stepActions(), p.recordActions(p.detail.TabActions()), p.backAction(), p.recordActions(p.detail.ReadActions()),
	)
}

// footStep is the distance of places in the footer: the actions on the record under the cursor stand
// between those of the pane.
const footStep = 10

// table returns a table of actions, those of the footer in its order. That is also the order of their
// ranks, unless they are ranked.
func (p *Pane) table(ranked bool, footer []action.ID, groups ...[]action.Action[Intent]) *action.Table[Intent] {
	rows := slices.Concat(groups...)
	for i := range rows {
		at := slices.Index(footer, rows[i].ID) + 1
		if rows[i].Foot = at * footStep; !ranked {
			rows[i].Rank = at
		}
	}
	return action.New(func(why string) Intent { return Say{"Not available now: " + why + "."} }, rows...).Live()
}

// Commands returns the actions for the finder. [Pane.SetSize] must have been called before one is
// run.
func (p *Pane) Commands() []action.Command[Intent] {
	p.sync()
	all := p.Table.Commands()
	for i := range all {
		if all[i].Off && all[i].Why == "" {
			all[i].Why = record.Unread
		}
	}
	return all
}

// do returns what runs an action without an intent.
func (p *Pane) do(act func()) func() Intent {
	return func() Intent {
		act()
		p.arrange()
		return nil
	}
}

// noRecord says why an action that needs a record is not possible; empty if it is.
func (p *Pane) noRecord() string {
	switch {
	case p.rows.total == 0:
		return "there are no records yet"
	case p.rows.sel == 0:
		return "no record is listed"
	}
	return ""
}

// some returns how an action stands that needs a record.
func (p *Pane) some() action.State {
	why := p.noRecord()
	return action.State{Off: why != "", Why: why}
}

// quiet returns how an action stands that needs a record, without a reason.
func (p *Pane) quiet() action.State { return action.State{Off: p.rows.sel == 0} }

// does returns how an action stands that needs a record, and that has other words at times.
func (p *Pane) does(other string, is func() bool) func() action.State {
	return func() action.State {
		s := p.some()
		if is() {
			s.Does = other
		}
		return s
	}
}

// listActions returns the actions on the list as a whole.
func (p *Pane) listActions() []action.Action[Intent] {
	stays := func() bool { return !p.rows.follow }
	return []action.Action[Intent]{
		{
			Row: action.Row{ID: pause, Keys: []string{"f"}, Does: "hold rows", Rank: 12, Named: action.Either("Stay at the selected record", "Follow the newest record", stays), Also: []string{"pause", "tail"}, Now: p.holds},
			Run: p.do(p.toggleFollow),
		},
		{
			Row: action.Row{ID: changeScope, Keys: []string{"a"}, Does: "change scope", Rank: 4, Name: "Change the scope of the wire: conversation, agent, all", Also: []string{"whole agent"}, Now: func() action.State {
				why := p.fixedScope()
				return action.State{Off: why != "", Why: why, Short: scopeWords[p.rows.scope.next()], Wide: wideScopeWords[p.rows.scope.next()], Least: "more"}
			}},
			Run: p.do(p.nextScope),
		},
		{
			Row: action.Row{ID: clearRows, Keys: []string{"L"}, Does: "clear rows", Named: action.Either("Clear the rows: hide all records up to now", "Show the cleared rows", p.allCleared), Now: p.canClear},
			Run: p.do(p.clearRows),
		},
		{
			Row: action.Row{ID: switchClock, Keys: []string{"t"}, Does: "switch gap or clock", Rank: 13, Short: "clock", Named: func() string { return "Show times " + p.clock.next().words() }, Also: []string{"timing", "clock", "gap"}, Now: p.some},
			Run: p.do(p.nextClock),
		},
	}
}

// holds returns how the action stands that keeps the rows where they are. While a stream is open it is
// one of the first.
func (p *Pane) holds() action.State {
	s := p.some()
	if !p.rows.follow {
		s.Does = "follow"
	}
	if p.streams {
		s.Rank, s.Foot = 2, 2
	}
	return s
}

// reveals returns how the action stands that shows a record in the conversation. While a stream is open
// others matter more.
func (p *Pane) reveals() action.State {
	s := p.quiet()
	if p.streams {
		s.Rank = 4
	}
	return s
}

// scopeWords name the scopes in a footer with little room, and wideScopeWords where there is much.
var (
	scopeWords     = [scopes]string{"conversation", "agent", "all agents"}
	wideScopeWords = [scopes]string{"conversation", "whole agent", "all agents"}
)

// SetStreaming says whether a stream is open that the user can disturb, which changes what is most
// useful.
func (p *Pane) SetStreaming(on bool) { p.streams = on }

// canClear returns how the action stands that clears the rows. The finder does not offer it for none.
func (p *Pane) canClear() (s action.State) {
	if p.allCleared() {
		s.Does = "show cleared rows"
	}
	if p.rows.total == 0 {
		s.Why = p.noRecord()
	}
	return s
}

// nextClock switches the time column to its next reference point.
func (p *Pane) nextClock() {
	p.clock = p.clock.next()
	p.rows.redraw()
}

// filterAction returns the action of the filter's key.
func (p *Pane) filterAction(does string, open func()) []action.Action[Intent] {
	return []action.Action[Intent]{{Row: action.Row{ID: FilterRecords, Keys: []string{"/"}, Does: does, Rank: 3, Short: strings.Fields(does)[0], Wide: strings.Fields(does)[0]}, Run: p.do(open)}}
}

// revealAction returns the action that shows a record in the conversation.
func (p *Pane) revealAction(in func() Intent) []action.Action[Intent] {
	return []action.Action[Intent]{{Row: action.Row{ID: showInChat, Keys: []string{"enter"}, Does: "show in chat", Rank: 1, Short: "chat", Now: p.reveals}, Run: in}}
}

// selected asks to show the selected record in the conversation.
func (p *Pane) selected() Intent { return Reveal{Record: p.rows.sel} }

// searchActions returns the actions of the search, and the one that finds the longest gap.
func (p *Pane) searchActions() []action.Action[Intent] {
	again := func() action.State {
		s := p.some()
		if !s.Off && p.search.find == nil {
			s.Why = "there is no search: " + keys.Name(p.Of(searchRecords)) + " searches"
		}
		return s
	}
	return []action.Action[Intent]{
		{Row: action.Row{ID: searchRecords, Keys: []string{"ctrl+f"}, Does: "search records", Rank: 3, Short: "search", Name: "Search the wire", Also: []string{"find", "log", "records"}, Now: p.some}, Run: p.do(p.openSearch)},
		{Row: action.Row{ID: nextMatch, Keys: []string{"n"}, Does: "next match", Rank: 1, Name: "Go to the next match", Now: again}, Run: func() Intent { return p.seek(1) }},
		{Row: action.Row{ID: previousMatch, Keys: []string{"N"}, Does: "previous match", Rank: 2, Name: "Go to the previous match", Now: again}, Run: func() Intent { return p.seek(-1) }},
		{
			Row: action.Row{ID: longestGap, Keys: []string{"M"}, Does: "go to longest gap", Rank: 6, Short: "longest gap", Wide: "longest gap", Name: "Go to the longest gap", Also: []string{"slow", "latency", "pause", "timing"}, Now: p.some},
			Run: p.toLongestGap,
		},
	}
}

// foldActions returns the actions that fold exchanges.
func (p *Pane) foldActions() []action.Action[Intent] {
	all := func(fold bool) func() Intent { return p.do(func() { p.rows.foldAll(fold); p.split.at = 0 }) }
	return []action.Action[Intent]{
		{Row: action.Row{ID: foldExchange, Keys: []string{"space"}, Does: "fold exchange", Rank: 10, Short: "fold", Named: p.foldName, Now: p.canFold}, Run: p.do(func() { p.rows.toggleRow(p.rows.sel); p.split.at = 0 })},
		{Row: action.Row{Keys: []string{"-"}, Does: "fold all", Name: "Fold all exchanges", Now: p.some}, Run: all(true)},
		{Row: action.Row{Keys: []string{"+", "="}, Does: "unfold all", Name: "Unfold all exchanges", Now: p.some}, Run: all(false)},
	}
}

// canFold returns how the action stands that folds the selected exchange.
func (p *Pane) canFold() action.State {
	s := p.some()
	if !s.Off && !p.rows.foldable(p.rows.sel) {
		return action.State{Off: true, Why: "the selected record belongs to no exchange"}
	}
	if _, folded := p.rows.foldedAt(p.rows.sel); folded {
		s.Does = "unfold exchange"
	} else if p.rows.runAt(p.rows.sel) != nil {
		s.Does = "unfold chunks"
	} else if p.rows.openRun(p.rows.sel) != nil {
		s.Does = "fold chunks"
	}
	if len(p.rows.foldedChecks(p.rows.sel)) > 0 {
		s.Does = "show checks"
	}
	return s
}

// foldName names the action that folds the selected exchange.
func (p *Pane) foldName() string {
	if n, folded := p.rows.foldedAt(p.rows.sel); folded {
		return "Unfold the selected exchange, " + units.Plural(n, "record")
	}
	if len(p.rows.foldedChecks(p.rows.sel)) > 0 {
		return "Show the checks of the selected stream"
	}
	if of := p.rows.runAt(p.rows.sel); of != nil {
		return "Unfold the selected chunks, " + units.Plural(of.records, "record")
	}
	if p.rows.openRun(p.rows.sel) != nil {
		return "Fold the chunks of the artifact"
	}
	return "Fold the selected exchange"
}

// markActions returns the actions of the marks and comments.
func (p *Pane) markActions() []action.Action[Intent] {
	marked := func() bool { return p.rows.marks.has(p.rows.sel) }
	marks := func() action.State {
		s := p.some()
		if !s.Off && p.rows.marks.len() == 0 {
			s.Why = "no record is marked"
		}
		return s
	}
	return []action.Action[Intent]{
		{
			Row: action.Row{ID: markRecord, Keys: []string{"m"}, Does: "mark record", Rank: 11, Short: "mark", Wide: "mark", Named: action.Either("Mark the selected record", "Unmark the selected record", marked), Also: []string{"bookmark"}, Now: p.does("unmark record", marked)},
			Run: p.do(p.mark),
		},
		{Row: action.Row{Keys: []string{"'"}, Does: "next mark", Name: "Go to the next mark", Now: marks}, Run: func() Intent { return p.toMark(1) }},
		{Row: action.Row{Keys: []string{"\""}, Does: "previous mark", Name: "Go to the previous mark", Now: marks}, Run: func() Intent { return p.toMark(-1) }},
		{
			Row: action.Row{Keys: []string{";"}, Does: "comment on record", Named: action.Either("Comment on the selected record", "Change the comment on the selected record", func() bool { return p.Comment(p.rows.sel) != "" }), Also: []string{"note"}, Now: p.some},
			Run: p.comment,
		},
	}
}

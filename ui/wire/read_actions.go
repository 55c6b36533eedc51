package wire

import (
	"parley/ui/action"
	"parley/ui/record"
)

// A motion is what the keys of movements move.
type motion struct {
	by          func(n int)
	page        func() int // rows of a page
	first, last func()
	newest      string // other words of the last movement
}

// rowMotion selects rows.
func rowMotion(p *Pane) motion {
	return motion{by: p.rows.move, page: p.listHeight, first: func() { p.rows.move(-farthest) }, last: p.rows.resume}
}

// recordMotion moves in the record.
func recordMotion(p *Pane) motion {
	return motion{
		by: p.detail.Move, page: func() int { return p.detailHeight() - 1 }, // without the row of tabs
		first: func() { p.detail.End(false) }, last: func() { p.detail.End(true) }, newest: "last",
	}
}

// timelineMotion moves in the timeline.
func timelineMotion(p *Pane) motion {
	by := func(n int) {
		p.stream.view.Move(n)
		p.selectTimelineRecord()
	}
	return motion{by: by, page: p.stream.view.Room, first: func() { by(-farthest) }, last: func() { by(farthest) }, newest: "last"}
}

// farthest is farther than any list is long.
const farthest = 1 << 30

// moveActions returns the movements.
func (p *Pane) moveActions(m motion) []action.Action[Intent] {
	by := func(n int) func() Intent { return p.do(func() { m.by(n) }) }
	page := func(dir int) func() Intent { return p.do(func() { m.by(dir * max(1, m.page()-1)) }) } // one row stays visible
	return []action.Action[Intent]{
		{Row: action.Row{Keys: []string{"k", "up"}, Does: "up", Now: p.quiet}, Run: by(-1)},
		{Row: action.Row{Keys: []string{"j", "down"}, Does: "down", Now: p.quiet}, Run: by(1)},
		{Row: action.Row{Keys: []string{"pgup", "ctrl+b"}, Does: "page up", Now: p.quiet}, Run: page(-1)},
		{Row: action.Row{Keys: []string{"pgdown"}, Shown: "pgdn", Does: "page down", Now: p.quiet}, Run: page(1)},
		{Row: action.Row{Keys: []string{"g", "home"}, Does: "first", Now: p.quiet}, Run: p.do(m.first)},
		{
			Row: action.Row{Keys: []string{"G", "end"}, Does: "newest", Now: func() action.State {
				s := p.quiet()
				s.Does = m.newest
				return s
			}},
			Run: p.do(m.last),
		},
	}
}

// streamActions returns the action that shows or hides the timeline, and those that move in it from
// the rows.
func (p *Pane) streamActions() []action.Action[Intent] {
	on := func() bool { return p.stream.on }
	step := func(by int) func() Intent {
		return p.do(func() {
			p.stream.view.Step(by)
			p.selectTimelineRecord()
		})
	}
	shown := func() action.State { return action.State{Off: !p.stream.on} }
	return []action.Action[Intent]{
		{
			Row: action.Row{ID: showStream, Keys: []string{"s"}, Does: "show stream", Rank: 2, Short: "stream", Wide: "stream", Named: action.Either("Show the timeline of the stream", "Show the record instead of the stream", on), Also: []string{"latency", "events"}, Now: p.showing},
			Run: p.do(p.toggleStream),
		},
		{Row: action.Row{ID: previousRecord, Keys: []string{"h", "left"}, Does: "previous record", Now: shown}, Run: step(-1)},
		{Row: action.Row{ID: nextRecord, Keys: []string{"l", "right"}, Does: "next record", Rank: 5, Now: shown}, Run: step(1)},
	}
}

// showing returns how the action stands that shows the stream of the selected record. While a stream is
// open others matter more.
func (p *Pane) showing() action.State {
	s := p.some()
	if p.stream.on {
		s.Does = "show record"
	}
	if p.streams {
		s.Rank = 5
	}
	return s
}

// timelineActions returns the table while the timeline has the keys.
func (p *Pane) timelineActions() *action.Table[Intent] {
	view := p.stream.view
	copied := []action.Action[Intent]{{
		Row: action.Row{ID: record.CopyText, Keys: []string{"y"}, Does: "copy text"},
		Run: func() Intent {
			text, what := view.Text()
			return Copy{Text: text, What: what}
		},
	}}
	return p.table(false,
		[]action.ID{showStream, showInChat, nextRecord, readRecord, scrollDown, record.CopyText, showOnlyRecord},
		p.moveActions(timelineMotion(p)), p.listActions(), p.revealAction(func() Intent { return Reveal{Record: view.Selected()} }), copied,
		p.filterAction("search records", p.openSearch), p.searchActions(), p.markActions(), p.streamActions(),
		p.readActions("read record"), p.stepActions(), p.backAction(),
	)
}

// readActions returns the actions that show the record, and give it the keys or take them from it.
func (p *Pane) readActions(does string) []action.Action[Intent] {
	return []action.Action[Intent]{
		{
			Row: action.Row{ID: readRecord, Keys: []string{"d"}, Does: "read record", Rank: 8, Now: func() action.State {
				s := p.quiet()
				s.Does = does
				return s
			}},
			Run: p.do(func() { p.reading, p.stream.on = !p.reading || p.stream.on, false }),
		},
		{
			Row: action.Row{ID: showOnlyRecord, Keys: []string{"D"}, Does: "show only record", Now: func() action.State { return action.State{Off: p.rows.sel == 0 || p.h < splitFrom} }},
			Run: p.do(func() {
				p.whole = !p.whole
				p.reading = p.whole
			}),
		},
	}
}

// scrollActions returns the actions that scroll the record, or the timeline in its place, while the
// rows have the keys.
func (p *Pane) scrollActions() []action.Action[Intent] {
	return p.otherActions("", "", func(by int) {
		if !p.stream.on {
			p.detail.Scroll(by * p.half())
			return
		}
		p.stream.view.Page(by)
		p.selectTimelineRecord()
	})
}

// stepActions returns the actions that select another record while the record has the keys.
func (p *Pane) stepActions() []action.Action[Intent] {
	return p.otherActions("next record", "previous record", p.rows.move)
}

// otherActions returns the actions that move in the half of the pane without the keys, in their words
// or in others.
func (p *Pane) otherActions(down, up string, move func(by int)) []action.Action[Intent] {
	now := func(does string) func() action.State {
		return func() action.State { return action.State{Off: p.rows.sel == 0 || p.detailHeight() <= 0, Does: does} }
	}
	return []action.Action[Intent]{
		{Row: action.Row{ID: scrollDown, Keys: []string{"J", "ctrl+d"}, Does: "scroll record down", Now: now(down)}, Run: p.do(func() { move(1) })},
		{Row: action.Row{ID: scrollUp, Keys: []string{"K", "ctrl+u"}, Does: "scroll record up", Now: now(up)}, Run: p.do(func() { move(-1) })},
	}
}

// backAction returns the action that goes back.
func (p *Pane) backAction() []action.Action[Intent] {
	now := func() action.State {
		return action.State{Off: !p.reading && !p.whole && !p.stream.on && !p.filter.on() && !p.search.on()}
	}
	return []action.Action[Intent]{{Row: action.Row{ID: goBack, Keys: []string{"esc"}, Does: "go back", Now: now}, Run: p.do(func() { p.Back() })}}
}

// recordActions returns actions of the record as those of the pane.
func (p *Pane) recordActions(actions []action.Action[record.Intent]) []action.Action[Intent] {
	return action.As(p.onRecordIntent, actions...)
}

// visibleActions is [Pane.recordActions] while the rows have the keys: what needs to be seen is not
// possible while the timeline hides the record.
func (p *Pane) visibleActions(actions []action.Action[record.Intent]) []action.Action[Intent] {
	out := p.recordActions(actions)
	for i, a := range out {
		if a.Name == "" && a.Named == nil {
			out[i].Now = unless(func() bool { return p.stream.on }, a.Now)
		}
	}
	return out
}

// unlessMuting gives the key of the mark to the rule under the cursor, which it mutes.
func (p *Pane) unlessMuting(marks []action.Action[Intent]) []action.Action[Intent] {
	marks[0].Now = unless(p.detail.OnFinding, marks[0].Now)
	return marks
}

// unless returns how an action stands that is not possible while others have its key.
func unless(on func() bool, now func() action.State) func() action.State {
	return func() action.State {
		if on() {
			return action.State{Off: true}
		}
		return now()
	}
}

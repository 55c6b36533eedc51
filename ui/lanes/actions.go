package lanes

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/list"
)

// closeLanes is an action that texts of the pane name.
const closeLanes action.ID = "close"

// laneKeys are the keys that move from lane to lane.
func laneKeys() list.Keys {
	k := list.DefaultKeys()
	k.Up.Does, k.Down.Does, k.First.Does, k.Last.Does = "lane above", "lane below", "first lane", "last lane"
	k.PageDown = action.Row{Keys: []string{"pgdown", "ctrl+d"}, Does: k.PageDown.Does} // the other one folds
	return k
}

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	lanes := list.Motion{
		Rows:   p.count,
		Height: p.visible,
		Move:   p.move,
	}
	return action.New[Intent](nil,
		slices.Concat(list.Actions[Intent](laneKeys(), list.Foot{}, lanes), p.moves(), p.windows(), p.acts())...)
}

// run returns what an action does that needs nothing of others.
func run[A any](do func(A), with A) func() Intent {
	return func() Intent { do(with); return nil }
}

// moves returns the actions that move the cursor in time.
func (p *Pane) moves() []action.Action[Intent] {
	return []action.Action[Intent]{
		{Row: action.Row{Keys: []string{"h", "left"}, Does: "earlier", Now: p.some}, Run: run(p.step, -1)},
		{Row: action.Row{Keys: []string{"l", "right"}, Does: "later", Foot: 6, Now: p.some}, Run: run(p.step, 1)},
		{Row: action.Row{Keys: []string{"H", "shift+left"}, Does: "half a window earlier", Now: p.some}, Run: run(p.pan, -1)},
		{Row: action.Row{Keys: []string{"L", "shift+right"}, Does: "half a window later", Now: p.some}, Run: run(p.pan, 1)},
		{Row: action.Row{Keys: []string{"n"}, Does: "next record", Foot: 7, Now: p.some}, Run: run(p.stepRecord, 1)},
		{Row: action.Row{Keys: []string{"N"}, Does: "previous record", Now: p.some}, Run: run(p.stepRecord, -1)},
		{Row: action.Row{Keys: []string{"M"}, Does: "go to longest gap", Foot: 2, Short: "longest gap", Wide: "longest gap", Now: p.some}, Run: func() Intent { p.toLongestGap(); return nil }},
	}
}

// windows returns the actions that change how much of the session is in the window.
func (p *Pane) windows() []action.Action[Intent] {
	return []action.Action[Intent]{
		{Row: action.Row{Keys: []string{"+", "="}, Does: "zoom in", Foot: 3, Now: p.some}, Run: run(p.zoom, false)},
		{Row: action.Row{Keys: []string{"-"}, Does: "zoom out", Foot: 4, Now: p.some}, Run: run(p.zoom, true)},
		{
			Row: action.Row{Keys: []string{"0"}, Does: "show whole session", Foot: 8, Now: p.some},
			Run: func() Intent { p.showWhole(); return nil },
		},
		{
			Row: action.Row{Keys: []string{"f"}, Does: "follow", Foot: 9, Now: p.inWords(&p.window.follow, true, "pause")},
			Run: func() Intent { p.toggleFollow(); return nil },
		},
	}
}

// acts returns the actions about the span and about the record under the cursor.
func (p *Pane) acts() []action.Action[Intent] {
	return []action.Action[Intent]{
		{
			Row: action.Row{Keys: []string{"v"}, Does: "begin span", Foot: 2, Now: p.inWords(&p.span.open, true, "end span")},
			Run: func() Intent { p.toggleSpan(); return nil },
		},
		{
			Row: action.Row{Keys: []string{"w"}, Does: "filter wire by span", Foot: 5, Now: p.onClosedSpan},
			Run: func() Intent { return Filter{p.filter()} },
		},
		{Row: action.Row{Keys: []string{"z"}, Does: "zoom to span", Foot: 12, Now: p.onSpan}, Run: func() Intent { p.zoomToSpan(); return nil }},
		{Row: action.Row{Keys: []string{"m"}, Does: "mark record", Foot: 10, Now: p.some}, Run: func() Intent { return Mark{p.current()} }},
		{
			Row: action.Row{Keys: []string{"y"}, Does: "copy span", Foot: 11, Now: p.inWords(&p.span.on, false, "copy window")},
			Run: func() Intent {
				text, what := p.text()
				return Copy{text, what}
			},
		},
		{
			Row: action.Row{Keys: []string{"enter"}, Does: "show record", Foot: 1, Now: p.inWords(&p.span.open, true, "filter wire by span")},
			Run: p.show,
		},
		{
			Row: action.Row{Keys: []string{"space"}, Does: "unfold requests", Short: "unfold", Foot: 1, Now: p.folding},
			Run: func() Intent { p.toggleFold(); return nil },
		},
		{
			Row: action.Row{
				Keys: []string{"esc"}, Does: "drop span", Fixed: true, Passing: true,
				Now: func() action.State { return action.State{Off: !p.span.open} },
			},
			Run: func() Intent { p.span = span{}; return nil },
		},
		{
			Row: action.Row{ID: closeLanes, Keys: []string{"esc", "q", "f6"}, Does: "close", Foot: 13, Now: p.closing},
			Run: func() Intent { return Close{} },
		},
	}
}

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	p.update()
	return p.Table.Key(msg)
}

// count returns the number of lanes and lines, with those that are new.
func (p *Pane) count() int {
	p.takeStreams()
	p.list()
	return len(p.entries)
}

// visible returns how many lanes and lines begin in the window.
func (p *Pane) visible() int {
	from, _ := slices.BinarySearch(p.entries, p.List.Top)
	to, _ := slices.BinarySearch(p.entries, p.List.Top+p.parts().List)
	return to - from
}

// some says whether there is a lane.
func (p *Pane) some() action.State { return action.State{Off: p.count() == 0} }

// folding says whether the selected lane is folded with others, or was.
func (p *Pane) folding() action.State {
	f := p.onFold()
	switch {
	case p.count() == 0 || f == nil:
		return action.State{Off: true}
	case f.open:
		return action.State{Does: "fold requests"}
	default:
		return action.State{}
	}
}

// inWords returns how an action on lanes stands, which has other words while a switch is on, or off.
func (p *Pane) inWords(of *bool, on bool, words string) func() action.State {
	return func() action.State {
		s := p.some()
		if *of == on {
			s.Does = words
		}
		return s
	}
}

func (p *Pane) onSpan() action.State {
	return action.State{Off: p.count() == 0 || !p.span.on}
}

// onClosedSpan says whether there is a span that has ended. For an open one, another key does so.
func (p *Pane) onClosedSpan() action.State {
	return action.State{Off: p.count() == 0 || !p.span.on || p.span.open}
}

func (p *Pane) closing() action.State {
	if p.span.open {
		return action.State{Does: "drop span"}
	}
	return action.State{}
}

// zoomToSpan makes the span fill the window.
func (p *Pane) zoomToSpan() {
	if from, to, ok := p.span.bounds(p); ok {
		p.span = span{on: true, from: from, to: to}
		p.zoomTo(from, to)
	}
}

// show returns the intent that shows the record under the cursor; while a span is open, the one that
// filters the wire by it.
func (p *Pane) show() Intent {
	if p.span.open {
		p.toggleSpan()
		return Filter{p.filter()}
	}
	if id := p.current(); id != 0 {
		return Show{id}
	}
	return nil
}

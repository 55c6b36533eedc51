package wire

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/filter"
	"parley/session/log"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/keys"
)

// searchHeight returns the number of rows of the search.
func (p *Pane) searchHeight() int {
	if p.search.typing && p.h > 0 || p.search.on() && p.h > 2 {
		return 1
	}
	return 0
}

// matches returns the matches that are in scope and pass the filter.
func (p *Pane) matches() *set {
	if !p.rows.filtered {
		return p.rows.matching(&p.search.hits)
	}
	both := p.search.hits.clone()
	both.intersect(&p.rows.hits)
	return p.rows.matching(&both)
}

// openSearch opens the search line.
func (p *Pane) openSearch() {
	p.search.typing = true
	p.search.input.CursorEnd()
	p.search.input.Focus()
}

// typedSearch returns the table of the open search line.
func (p *Pane) typedSearch() *action.Table[Intent] {
	s := &p.search
	return action.New(nil,
		action.Action[Intent]{Row: action.Row{Keys: []string{"enter"}, Does: "find", Foot: 1, Fixed: true}, Run: p.do(p.acceptSearch)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"esc"}, Does: "end search", Foot: 2, Fixed: true}, Run: p.do(p.endSearch)},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"up"}, Does: "earlier search", Fixed: true, Now: func() action.State { return action.State{Off: !s.history.canOlder(s.input.Value())} }},
			Run: p.do(func() { p.recall(s.history.older()) }),
		},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"down"}, Does: "later search", Fixed: true, Now: func() action.State { return action.State{Off: s.history.at == 0} }},
			Run: p.do(func() { p.recall(s.history.newer()) }),
		},
	).Live()
}

// onSearchKey handles the other keys while the search line is open: they edit it.
func (p *Pane) onSearchKey(msg tea.KeyPressMsg) Intent {
	p.search.input.Key(msg)
	p.startSearch()
	return nil
}

// acceptSearch goes to the first match, or to the record that the text names.
func (p *Pane) acceptSearch() {
	id, wrong, named := p.byNumber(p.search.input.Value())
	switch {
	case wrong != "":
		p.search.bad = wrong
	case named:
		p.endSearch()
		p.Select(id)
	}
	if named || p.search.bad != "" {
		return
	}
	p.search.history.add(p.search.input.Value())
	if p.search.close(); p.search.find != nil {
		p.firstMatch()
	}
}

// byNumber returns the record that a text names by its number, such as #144; wrong says that there is
// none of that number.
func (p *Pane) byNumber(text string) (id a2a.RecordID, wrong string, ok bool) {
	if id, ok = filter.RecordNumber(text); ok && p.rows.log.At(id) == nil {
		wrong = log.NoRecord(id, p.rows.log.Len())
	}
	return id, wrong, ok
}

// recall searches for an earlier text.
func (p *Pane) recall(text string) {
	p.search.input.SetValue(text)
	p.startSearch()
}

// firstMatch goes to the first match: from the cursor if the record has the keys, else from the
// selected record, which counts, too.
func (p *Pane) firstMatch() {
	if p.inRecord() && p.detail.Seek(false) {
		return
	}
	from := p.rows.sel
	if !p.inRecord() {
		from--
	}
	p.search.step(1, from)
	p.completeStep()
}

// inRecord reports whether the record has the keys, so that it is searched first.
func (p *Pane) inRecord() bool { return p.reading && !p.stream.on }

// startSearch starts a search for the text of the input.
func (p *Pane) startSearch() {
	p.search.start(p.search.input.Value(), p.rows.sel, p.rows.total)
	p.detail.SetFinder(p.search.find)
	p.rows.redraw()
}

func (p *Pane) endSearch() {
	p.search.end()
	p.detail.SetFinder(nil)
	p.rows.redraw()
}

// seek goes to the next match in a direction: in the record if it has the keys, then in other
// records.
func (p *Pane) seek(dir int) Intent {
	if p.search.find == nil {
		return Say{"There is no search: " + keys.Name(p.Of(searchRecords)) + " searches."}
	}
	if p.inRecord() && p.detail.Seek(dir < 0) {
		return nil
	}
	p.search.step(dir, p.rows.sel)
	p.completeStep()
	return nil
}

// completeStep takes the pending step if its target is known.
func (p *Pane) completeStep() {
	dir := p.search.dir
	id := p.search.stepTarget(p.matches())
	if id == 0 {
		return
	}
	p.Select(id)
	p.arrange()
	p.detail.Show(p.rows.item())
	p.detail.End(dir < 0)
	p.detail.Seek(dir < 0)
}

// searchJob returns the work on the next slice of the search, nil if there is none.
func (p *Pane) searchJob() Job {
	s := &p.search
	if s.find == nil {
		return nil
	}
	s.scan.extend(p.rows.total)
	job := s.scan.job(p.rows.log.View(), s.has, &s.hits)
	if job == nil {
		return nil
	}
	return func() func() bool {
		arrive := job()
		return func() bool {
			if !arrive() {
				return false
			}
			p.completeStep()
			p.rows.redraw()
			return true
		}
	}
}

// searchRow draws the row of the search.
func (p *Pane) searchRow() string {
	st, s := p.st, &p.search
	state := ""
	switch {
	case s.bad != "":
		state = st.Failed.S(canvas.SanitizeLine(s.bad))
	case s.find != nil:
		state = st.Faint.S(s.words(p.matches(), p.rows.sel, &st.G))
	}
	if !s.typing {
		text := canvas.SanitizeLine(s.input.Value())
		line := st.Accent.S("find ") + st.Text.S(text) + "  " + state + st.Faint.S("  "+keys.Name(p.Of(nextMatch))+" next  "+keys.Name(p.Of(previousMatch))+" before  "+keys.Name(p.Of(goBack))+" ends")
		return canvas.Fit(line, p.w)
	}
	room := p.w - canvas.Width(state) - 2
	if room < p.w/2 {
		room, state = p.w, ""
	}
	s.input.SetWidth(room)
	return canvas.Fit(canvas.Fit(s.input.View(), room)+state, p.w)
}

package wire

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/filter"
	"parley/session/log"
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

// onSearchKey handles a key while the search line is open.
func (p *Pane) onSearchKey(msg tea.KeyPressMsg) {
	switch {
	case key.Matches(msg, p.search.accept):
		id, wrong, named := p.named(p.search.input.Value())
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
	case key.Matches(msg, p.search.leave):
		p.endSearch()
	case msg.Code == tea.KeyUp && p.search.history.canOlder(p.search.input.Value()):
		p.recall(p.search.history.older())
	case msg.Code == tea.KeyDown && p.search.history.at > 0:
		p.recall(p.search.history.newer())
	default:
		p.search.input.Key(msg)
		p.startSearch()
	}
}

// named returns the record that a text names by its number, such as #144; wrong says that there is none of that number.
func (p *Pane) named(text string) (id a2a.RecordID, wrong string, ok bool) {
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
		return Say{"There is no search: " + keys.Name(p.keys.Search.Open) + " searches."}
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
		line := st.Accent.S("find ") + st.Text.S(text) + "  " + state + st.Faint.S("  "+keys.Name(p.keys.Search.Next)+" next  "+keys.Name(p.keys.Search.Prev)+" before  "+keys.Name(p.keys.Back)+" ends")
		return canvas.Fit(line, p.w)
	}
	room := p.w - canvas.Width(state) - 2
	if room < p.w/2 {
		room, state = p.w, ""
	}
	s.input.SetWidth(room)
	return canvas.Fit(canvas.Fit(s.input.View(), room)+state, p.w)
}

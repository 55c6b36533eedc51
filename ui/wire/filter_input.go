package wire

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session/filter"
	"parley/ui/action"
)

// Actions of the open filter line that texts name.
const (
	keepFilter    action.ID = "keep-filter"
	completeWord  action.ID = "complete"
	earlierFilter action.ID = "choose-earlier-filter"
)

// filterActions returns the table of the open filter line. The help has its keys always.
func (p *Pane) filterActions() *action.Table[Intent] {
	f := &p.filter
	page := func(dir int) func() Intent {
		return p.do(func() { p.rows.move(dir * max(1, p.listHeight()-1)) })
	}
	open := func() action.State { return action.State{Off: !f.open} }
	return action.New(nil,
		action.Action[Intent]{
			Row: action.Row{ID: keepFilter, Keys: []string{"enter"}, Does: "keep filter", Foot: 1, Now: func() action.State {
				s := action.State{Off: !f.open, Idle: f.wrong != nil}
				if f.candidates.pick >= 0 {
					s.Does, s.Idle = "accept", false
				}
				return s
			}},
			Run: p.do(p.accept),
		},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"esc"}, Does: "clear filter", Foot: 2, Now: func() action.State {
				s := open()
				if f.candidates.pick >= 0 {
					s.Does = "close list"
				}
				return s
			}},
			Run: p.do(p.leaveFilter),
		},
		action.Action[Intent]{
			Row: action.Row{ID: completeWord, Keys: []string{"tab"}, Does: "complete", Foot: 3, Now: func() action.State { return action.State{Off: !f.open, Idle: len(f.candidates.all) == 0} }},
			Run: p.do(p.complete),
		},
		action.Action[Intent]{Row: action.Row{ID: earlierFilter, Keys: []string{"up"}, Does: "choose, earlier filter", Foot: 5, Now: f.olderState}, Run: p.do(p.onOlderKey)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"down"}, Does: "choose, later filter", Foot: 4, Now: f.newerState}, Run: p.do(p.onNewerKey)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"pgup"}, Does: "rows up", Now: open}, Run: page(-1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"pgdown"}, Shown: "pgdn", Does: "rows down", Now: open}, Run: page(1)},
	).Live()
}

// olderState returns how the action stands that chooses the word before, or an earlier filter.
func (f *filterLine) olderState() action.State {
	s := action.State{Off: !f.open, Foot: -1}
	switch {
	case f.history.canOlder(f.input.Value()):
		s.Does, s.Foot = "earlier filter", 0
	case len(f.candidates.visible()) > 0:
		s.Does = "choose"
	}
	return s
}

// newerState returns how the action stands that chooses the next word, or a later filter.
func (f *filterLine) newerState() action.State {
	s := action.State{Off: !f.open, Foot: -1}
	if len(f.candidates.visible()) > 0 {
		s.Does, s.Foot = "choose", 0
	}
	return s
}

// leaveFilter closes the list of words, or the line without its filter.
func (p *Pane) leaveFilter() {
	if p.filter.candidates.pick >= 0 {
		p.filter.candidates.pick = -1
		return
	}
	p.closeFilter(false)
}

// Completes reports whether tab completes the filter instead of changing the focus.
func (p *Pane) Completes() bool { return p.filter.open }

func (p *Pane) openFilter() {
	p.whole, p.reading = false, false
	if p.filter.set == nil {
		p.filter.before = p.rows.sel
	}
	p.filter.open = true
	p.filter.history.at = 0
	p.filter.input.CursorEnd()
	p.filter.input.Focus()
	p.updateCandidates()
}

// closeFilter closes the line. If keep is false it clears the filter and restores the
// selection.
func (p *Pane) closeFilter(keep bool) {
	f := &p.filter
	f.open = false
	f.input.Blur()
	f.candidates = candidateList{pick: -1}
	if keep {
		f.input.SetValue(strings.TrimSpace(f.input.Value()))
		f.history.add(f.input.Value())
		return
	}
	p.setFilter("")
	if i, ok := p.rows.index(f.before); ok && !p.rows.follow {
		p.rows.choose(i)
	}
}

// onFilterKey handles the other keys while the filter line is open: they edit it.
func (p *Pane) onFilterKey(msg tea.KeyPressMsg) Intent {
	p.filter.input.Key(msg)
	p.onEdit()
	return nil
}

// accept inserts the selected candidate; without one it closes the line if the filter is valid. A
// number alone, such as #144, leads to its record.
func (p *Pane) accept() {
	switch f := &p.filter; {
	case f.candidates.pick >= 0:
		p.insertCandidate(f.candidates.pick)
	default:
		text := f.input.Value()
		id, wrong, named := p.byNumber(text)
		switch p.refilter(len(text)); {
		case wrong != "":
			f.wrong = &filter.Error{Off: 0, End: len(text), Message: wrong}
		case named:
			p.closeFilter(false)
			p.Select(id)
		case f.wrong == nil:
			p.closeFilter(true)
		}
	}
}

// onEdit parses the filter after the text or the cursor changed.
func (p *Pane) onEdit() {
	f := &p.filter
	f.history.at = 0
	p.updateCandidates()
	p.refilter(f.activeLength())
}

// onOlderKey selects the previous candidate. On an empty line it recalls an earlier filter;
// without candidates it selects the row above.
func (p *Pane) onOlderKey() {
	f := &p.filter
	switch {
	case f.history.canOlder(f.input.Value()) && f.candidates.pick < 0:
		p.setFilter(f.history.older())
		p.updateCandidates()
	case len(f.candidates.visible()) > 0:
		f.candidates.move(-1)
	case f.history.at == 0:
		p.rows.move(-1)
	}
}

// onNewerKey does the same in the other direction.
func (p *Pane) onNewerKey() {
	f := &p.filter
	switch {
	case f.history.at > 0:
		p.setFilter(f.history.newer())
		p.updateCandidates()
	case len(f.candidates.visible()) > 0:
		f.candidates.move(1)
	default:
		p.rows.move(1)
	}
}

// Paste inserts text into the open filter or search line.
func (p *Pane) Paste(msg tea.PasteMsg) {
	switch {
	case p.search.typing:
		p.search.input.Paste(msg.Content)
		p.startSearch()
	case p.filter.open:
		p.filter.input.Paste(msg.Content)
		p.onEdit()
	}
}

// maxHistory is the length of the history.
const maxHistory = 100

// lineHistory is the history of a line, the newest entry last, for one run of the program.
type lineHistory struct {
	lines []string
	at    int // how many entries back the line is; 0 is new text
}

func (h *lineHistory) add(line string) {
	h.at = 0
	if n := len(h.lines); line == "" || n > 0 && h.lines[n-1] == line {
		return
	}
	h.lines = append(h.lines, line)
	if len(h.lines) > maxHistory {
		h.lines = h.lines[1:]
	}
}

// canOlder reports whether the up key recalls an earlier entry.
func (h *lineHistory) canOlder(line string) bool {
	return h.at < len(h.lines) && (line == "" || h.at > 0)
}

func (h *lineHistory) older() string {
	h.at++
	return h.lines[len(h.lines)-h.at]
}

func (h *lineHistory) newer() string {
	if h.at--; h.at == 0 {
		return ""
	}
	return h.lines[len(h.lines)-h.at]
}

package wire

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/session/filter"
	"parley/ui/keys"
	"parley/ui/list"
)

// FilterKeys are the keys of the open filter line.
type FilterKeys struct {
	list.Keys                             // page through the rows
	Accept, Clear, Complete, Older, Newer key.Binding
}

func defaultFilterKeys() FilterKeys {
	return FilterKeys{
		Accept:   keys.Bind("enter", "keep filter"),
		Clear:    keys.Bind("esc", "clear filter"),
		Complete: keys.Bind("tab", "complete"),
		Older:    keys.Bind("up", "choose, earlier filter"),
		Newer:    keys.Bind("down", "choose, later filter"),
		Keys:     list.Keys{PageUp: keys.Bind("pgup", "rows up"), PageDown: keys.Bind("pgdn", "rows down", "pgdown")},
	}
}

// all returns the keys for the full help.
func (k *FilterKeys) all() []key.Binding {
	return []key.Binding{k.Accept, k.Clear, k.Complete, k.Older, k.Newer, k.PageUp, k.PageDown}
}

// help returns the keys with those disabled that have no effect now, and with help texts for
// the current state.
func (f *filterLine) help() FilterKeys {
	k := f.keys
	shown := len(f.candidates.visible()) > 0
	if f.candidates.pick >= 0 {
		k.Accept.SetHelp(k.Accept.Help().Key, "accept")
		k.Clear.SetHelp(k.Clear.Help().Key, "close list")
	}
	k.Accept.SetEnabled(f.open && (f.wrong == nil || f.candidates.pick >= 0))
	k.Clear.SetEnabled(f.open)
	k.Complete.SetEnabled(f.open && len(f.candidates.all) > 0)
	k.Older.SetEnabled(f.open)
	k.Newer.SetEnabled(f.open)
	k.Keys.SetEnabled(f.open)
	switch {
	case f.history.canOlder(f.input.Value()):
		k.Older.SetHelp(k.Older.Help().Key, "earlier filter")
	case shown:
		k.Older.SetHelp(k.Older.Help().Key, "choose")
	}
	if shown {
		k.Newer.SetHelp(k.Newer.Help().Key, "choose")
	}
	return k
}

// shortHelp returns the keys for the footer.
func (f *filterLine) shortHelp() []key.Binding {
	k := f.help()
	out := []key.Binding{k.Accept, k.Clear, k.Complete}
	if len(f.candidates.visible()) > 0 {
		out = append(out, k.Newer)
	}
	if f.history.canOlder(f.input.Value()) {
		out = append(out, k.Older)
	}
	return out
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

// onFilterKey handles a key while the filter line is open.
func (p *Pane) onFilterKey(msg tea.KeyPressMsg) {
	f := &p.filter
	k := &f.keys
	if n, ok := k.Distance(msg, p.listHeight()); ok {
		p.rows.move(n)
		return
	}
	switch {
	case key.Matches(msg, k.Accept):
		p.accept()
	case key.Matches(msg, k.Clear):
		if f.candidates.pick >= 0 {
			f.candidates.pick = -1
			return
		}
		p.closeFilter(false)
	case key.Matches(msg, k.Complete):
		p.complete()
	case key.Matches(msg, k.Older):
		p.onOlderKey()
	case key.Matches(msg, k.Newer):
		p.onNewerKey()
	default:
		p.filter.input.Key(msg)
		p.onEdit()
	}
}

// accept inserts the selected candidate; without one it closes the line if the filter is valid. A number alone, such as
// #144, leads to its record.
func (p *Pane) accept() {
	switch f := &p.filter; {
	case f.candidates.pick >= 0:
		p.insertCandidate(f.candidates.pick)
	default:
		text := f.input.Value()
		id, wrong, named := p.named(text)
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

package wire

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/list"
)

// FilterKeys act while the filter is written.
type FilterKeys struct {
	list.Keys                             // through the rows, a page at a time
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

// all lists the keys.
func (k *FilterKeys) all() []key.Binding {
	return []key.Binding{k.Accept, k.Clear, k.Complete, k.Older, k.Newer, k.PageUp, k.PageDown}
}

// help returns the filter's keys with those disabled that would do nothing, and with the
// words that fit.
func (f *filterLine) help() FilterKeys {
	k := f.keys
	shown := len(f.offers.shown()) > 0
	if f.offers.pick >= 0 {
		k.Accept.SetHelp("enter", "accept")
		k.Clear.SetHelp("esc", "close list")
	}
	k.Accept.SetEnabled(f.open && (f.wrong == nil || f.offers.pick >= 0))
	k.Clear.SetEnabled(f.open)
	k.Complete.SetEnabled(f.open && len(f.offers.all) > 0)
	k.Older.SetEnabled(f.open)
	k.Newer.SetEnabled(f.open)
	k.Keys.SetEnabled(f.open)
	switch {
	case f.past.canOlder(f.input.Value()):
		k.Older.SetHelp("up", "earlier filter")
	case shown:
		k.Older.SetHelp("up", "choose")
	}
	if shown {
		k.Newer.SetHelp("down", "choose")
	}
	return k
}

// shortHelp returns the keys for the line at the bottom.
func (f *filterLine) shortHelp() []key.Binding {
	k := f.help()
	out := []key.Binding{k.Accept, k.Clear, k.Complete}
	if len(f.offers.shown()) > 0 {
		out = append(out, k.Newer)
	}
	if f.past.canOlder(f.input.Value()) {
		out = append(out, k.Older)
	}
	return out
}

// Completes reports whether the key that leads to the next pane elsewhere completes the
// filter.
func (p *Pane) Completes() bool { return p.filter.open }

func (p *Pane) openFilter() {
	p.whole, p.reading = false, false
	if p.filter.set == nil {
		p.filter.before = p.rows.sel
	}
	p.filter.open = true
	p.filter.past.at = 0
	p.filter.input.CursorEnd()
	p.filter.input.Focus()
	p.offer()
}

// closeFilter ends the writing. Without keep the rows are as before the line was
// opened.
func (p *Pane) closeFilter(keep bool) {
	f := &p.filter
	f.open = false
	f.input.Blur()
	f.offers = offers{pick: -1}
	if keep {
		f.input.SetValue(strings.TrimSpace(f.input.Value()))
		f.past.add(f.input.Value())
		return
	}
	p.setFilter("")
	if i, ok := p.rows.index(f.before); ok && !p.rows.follow {
		p.rows.choose(i)
	}
}

// typed takes a key while the filter is written.
func (p *Pane) typed(msg tea.KeyPressMsg) {
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
		if f.offers.pick >= 0 {
			f.offers.pick = -1
			return
		}
		p.closeFilter(false)
	case key.Matches(msg, k.Complete):
		p.complete()
	case key.Matches(msg, k.Older):
		p.upward()
	case key.Matches(msg, k.Newer):
		p.downward()
	default:
		p.filter.input.Key(msg)
		p.onEdit()
	}
}

// accept takes the offer that is chosen, or keeps the filter if it can be read.
func (p *Pane) accept() {
	switch f := &p.filter; {
	case f.offers.pick >= 0:
		p.take(f.offers.pick)
	default:
		if p.refilter(len(f.input.Value())); f.wrong == nil {
			p.closeFilter(true)
		}
	}
}

// onEdit reads the filter again after the user edited it or moved in it.
func (p *Pane) onEdit() {
	f := &p.filter
	f.past.at = 0
	p.offer()
	p.refilter(f.settled())
}

// upward chooses the offer above; on an empty line it goes back in history, without
// either it selects the row above.
func (p *Pane) upward() {
	f := &p.filter
	switch {
	case f.past.canOlder(f.input.Value()) && f.offers.pick < 0:
		p.setFilter(f.past.older())
		p.offer()
	case len(f.offers.shown()) > 0:
		f.offers.move(-1)
	case f.past.at == 0:
		p.rows.move(-1)
	}
}

// downward does the same the other way.
func (p *Pane) downward() {
	f := &p.filter
	switch {
	case f.past.at > 0:
		p.setFilter(f.past.newer())
		p.offer()
	case len(f.offers.shown()) > 0:
		f.offers.move(1)
	default:
		p.rows.move(1)
	}
}

// Paste inserts into the filter or the search while that is written.
func (p *Pane) Paste(msg tea.PasteMsg) {
	switch {
	case p.search.typing:
		p.search.input.Paste(msg.Content)
		p.look()
	case p.filter.open:
		p.filter.input.Paste(msg.Content)
		p.onEdit()
	}
}

// maxPast is how many filters are remembered.
const maxPast = 100

// past remembers the filters that were kept, the newest last, for as long as the program
// runs.
type past struct {
	lines []string
	at    int // how far back the line is; 0 is what is written anew
}

func (h *past) add(line string) {
	h.at = 0
	if n := len(h.lines); line == "" || n > 0 && h.lines[n-1] == line {
		return
	}
	h.lines = append(h.lines, line)
	if len(h.lines) > maxPast {
		h.lines = h.lines[1:]
	}
}

// canOlder reports whether up goes back from what the line holds.
func (h *past) canOlder(line string) bool { return h.at < len(h.lines) && (line == "" || h.at > 0) }

func (h *past) older() string {
	h.at++
	return h.lines[len(h.lines)-h.at]
}

func (h *past) newer() string {
	if h.at--; h.at == 0 {
		return ""
	}
	return h.lines[len(h.lines)-h.at]
}

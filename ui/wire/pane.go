package wire

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/record"
	"parley/ui/styles"
)

// NameKeys gives the pane the keys of others that its texts name: the one that finds an agent, and
// the one that sends.
func (p *Pane) NameKeys(of func(action.ID) key.Binding, send key.Binding) {
	p.find, p.send = of(action.FindAnything), keys.Name(send)
}

// A Pane lists the records of a session and shows one of them. It is not safe for
// use by several goroutines.
type Pane struct {
	*action.Table[Intent]
	line      *action.Table[Intent] // of the open filter line
	st        *styles.Styles
	find      key.Binding // keys of others, see [Pane.NameKeys]
	send      string
	rows      rows
	filter    filterLine
	search    search
	detail    *record.View
	onMark    func(id a2a.RecordID, marked bool)
	stream    streamView
	summaries map[a2a.ExchangeID]*exchangeSummary
	mutes     uint64 // state of the mutes in the last frame
	title     titleText
	note      titleNote
	top       topRow
	clock     clock
	zone      *time.Location // the zone of displayed times; nil leaves times as recorded

	describe func(*log.Item) (what, tail string)

	w, h         int
	listW, listH int // the list's size
	split        split
	focused      bool
	reading      bool // the record has the keys
	whole        bool // the record hides the rows
	streams      bool // see [Pane.SetStreaming]
}

// New returns a pane that follows an empty log.
func New(st *styles.Styles) *Pane {
	p := &Pane{
		st: st, filter: newFilter(st), search: newSearch(st), stream: newStreamView(st),
		summaries: map[a2a.ExchangeID]*exchangeSummary{}, describe: log.Words,
	}
	p.detail = record.New(st, p.inRecord)
	p.line = p.filterActions()
	p.Table = p.actions()
	p.detail.NameFold(p.Of(record.FoldText))
	p.rows.draw = p.drawRow
	p.SetLog(log.New())
	return p
}

// SetLog shows another log, from its end.
func (p *Pane) SetLog(log *log.Log) {
	p.rows.reset(log)
	p.detail.SetLog(log)
	p.stream.view.SetLog(log)
	p.stream.shownFor = 0
	p.filter.reset()
	p.endSearch()
	clear(p.summaries)
	p.sync()
}

// AddRecords takes over new records, up to the given one, at O(1) per record.
func (p *Pane) AddRecords(a2a.RecordID) {
	p.sync()
	p.redrawStalls()
}

// sync takes over the records of the log that are new.
func (p *Pane) sync() {
	digits, named := p.digits(p.w), false
	if p.rows.total < p.rows.log.Len() && p.stream.stalls {
		p.redrawStalls()
	}
	for p.rows.total < p.rows.log.Len() {
		id := a2a.RecordID(p.rows.total + 1)
		it := p.rows.log.At(id)
		p.rows.addRecord(id, it, p.filter.addRecord(it, p.rows.log))
		p.summarize(it)
		named = named || names(it)
	}
	p.reapplyFilter()
	p.detail.Show(p.rows.item())
	p.detail.SetComment(p.Comment(p.rows.sel))
	mutes := p.rows.log.Findings().Mutes()
	if p.digits(p.w) != digits || mutes != p.mutes || named {
		p.mutes = mutes
		p.rows.redraw()
	}
}

// summarize adds a record to the summary of its exchange.
func (p *Pane) summarize(it *log.Item) {
	x := it.Record.Exchange
	if x == 0 {
		return
	}
	g := p.summaries[x]
	if g == nil {
		g = &exchangeSummary{}
		p.summaries[x] = g
	}
	g.add(it)
}

// Reveals reports whether a secret of a record is shown.
func (p *Pane) Reveals() bool { return p.detail.Reveals() }

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *styles.Styles) {
	p.st = st
	p.detail.SetStyles(st)
	p.detail.NameFold(p.Of(record.FoldText))
	p.stream.view.SetStyles(st)
	p.filter.input.SetStyles(st)
	p.search.input.SetStyles(st)
	p.rows.redraw()
}

// SetNow sets the time, which determines the age of an open stream and the zone of displayed
// times.
func (p *Pane) SetNow(now time.Time) {
	p.rows.now = now
	p.stream.view.SetNow(now)
	p.redrawStalls()
	if zone := now.Location(); zone != p.zone {
		p.zone = zone
		p.rows.redraw()
	}
}

// SetNewChunk gives the pane the function that tells whether a record brought the newest chunk of a stream just
// now: what it brought is drawn on a ground of its own for so long.
func (p *Pane) SetNewChunk(is func(a2a.RecordID) bool) { p.rows.newChunk = is }

// SetSize sets the size in cells.
func (p *Pane) SetSize(w, h int) {
	if w, h = max(w, 0), max(h, 0); w == p.w && h == p.h {
		return
	}
	p.w, p.h, p.split = w, h, split{}
	p.arrange()
}

// arrange lays the pane out. If the selection was visible it stays so.
func (p *Pane) arrange() {
	p.divide()
	w, h := p.w, p.listHeight()
	if w != p.listW || h != p.listH {
		shown := p.visible(func(id a2a.RecordID) bool { return id == p.rows.sel })
		p.listW, p.listH = w, h
		p.rows.list.SetSize(w, h)
		if shown {
			p.rows.reveal()
		}
		p.filter.input.SetWidth(w)
	}
	if p.rows.follow {
		p.rows.reveal()
	}
	p.detail.SetSize(p.w, p.detailHeight())
	p.detail.Show(p.rows.item())
	p.detail.SetComment(p.Comment(p.rows.sel))
	p.arrangeStream()
}

// visible reports whether a row in the window satisfies f.
func (p *Pane) visible(f func(id a2a.RecordID) bool) bool {
	for i := range p.rows.list.Window() {
		if f(p.rows.at(i)) {
			return true
		}
	}
	return false
}

// The parts from top to bottom are the head row, the list, the filter, the search and the
// record.

func (p *Pane) detailHeight() int {
	switch {
	case p.rows.sel == 0 && !p.filter.open, p.rows.total == 0: // an open filter line does not move
		return 0
	case p.filter.open && p.h < splitFrom, p.search.typing && p.h < splitFrom && !p.whole && !p.reading:
		return 0
	case p.whole, p.reading && p.h < splitFrom:
		return p.h - p.searchHeight()
	case p.h < splitFrom:
		return 0
	default:
		return p.h - p.split.at
	}
}

// Spare returns how many lines at the bottom show neither rows nor what is typed: those of the record
// below its rule, or all while there is nothing to list.
func (p *Pane) Spare() int {
	if p.rows.Len() == 0 && p.detailHeight()+p.filterHeight()+p.searchHeight() == 0 {
		return p.h
	}
	return max(0, p.detailHeight()-1)
}

func (p *Pane) headHeight() int {
	if left := p.h - p.detailHeight() - p.filterHeight() - p.searchHeight(); left >= 4 {
		return 1
	}
	return 0
}

func (p *Pane) listHeight() int {
	return p.h - p.detailHeight() - p.filterHeight() - p.searchHeight() - p.headHeight()
}

// Focus gives the pane the keys.
func (p *Pane) Focus() { p.focused = true }

// Blur takes the keys from the pane.
func (p *Pane) Blur() { p.focused = false }

// Focused reports whether the pane has the keys.
func (p *Pane) Focused() bool { return p.focused }

// Typing reports whether the filter or the search line is open, so that letters are text.
func (p *Pane) Typing() bool { return p.filter.open || p.search.typing }

// Selected returns the selected record, 0 if there is none.
func (p *Pane) Selected() a2a.RecordID { return p.rows.sel }

// Select selects a record. It clears a filter that hides the record and unfolds its exchange.
// Any record but the newest pauses following.
func (p *Pane) Select(id a2a.RecordID) {
	p.sync()
	if p.rows.log.At(id) == nil {
		return
	}
	if p.rows.filtered && !p.rows.hits.has(id) {
		p.setFilter("")
	}
	p.widen(id)
	p.rows.unfold(id)
	if i, ok := p.rows.index(id); ok {
		p.rows.choose(i)
	}
}

// Cursor returns the terminal's cursor relative to the pane, nil unless the filter or the
// search line is open.
func (p *Pane) Cursor() *tea.Cursor {
	in, y := &p.filter.input, p.headHeight()+p.listHeight()
	if p.search.typing {
		in, y = &p.search.input, y+p.filterHeight()
	}
	if !p.Typing() || !p.focused || y >= p.h {
		return nil
	}
	return in.Cursor(0, y, p.w, p.h)
}

// Lines returns the rows of the pane: exactly its height, each exactly its width.
func (p *Pane) Lines() []string {
	p.sync()
	p.arrange()
	out := make([]string, 0, p.h)
	if p.headHeight() > 0 {
		out = append(out, p.topRow())
	}
	if n := p.listHeight(); p.rows.Len() == 0 && n > 0 {
		out = append(out, canvas.Block(canvas.Paragraph(p.emptyText(), p.w, p.st.Faint), p.w, n)...)
	} else if n > 0 {
		rows := p.rows.list.Lines()
		if p.reading {
			rows = canvas.HoldRows(rows, p.st)
		}
		out = append(out, rows...)
	}
	out = append(out, p.filterRows()...)
	if p.searchHeight() > 0 {
		out = append(out, p.searchRow())
	}
	if p.stream.on {
		return p.drawCandidates(append(out, p.stream.view.Lines(p.reading && p.focused)...))
	}
	return p.drawCandidates(append(out, p.detail.Lines(p.reading && p.focused)...))
}

package wire

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/keys"
	"parley/ui/styles"
	"parley/ui/timeline"
)

// A streamView shows the timeline of the selected record's stream in place of the record. Its
// cursor and the selection of the rows move together, except for records that the filter hides,
// and while the pane follows and the newest record belongs to another exchange.
type streamView struct {
	view     *timeline.View
	on       bool
	shownFor a2a.RecordID // the selection when the view was last updated

	stalls bool // a visible row shows a stream that stalls
}

func newStreamView(st *styles.Styles) streamView { return streamView{view: timeline.New(st)} }

// ShowStream shows the timeline of the selected record's stream and gives it the keys. It
// reports whether a record is selected.
func (p *Pane) ShowStream() bool {
	p.sync()
	if p.rows.sel == 0 {
		return false
	}
	p.stream.on, p.stream.shownFor, p.reading = true, 0, true
	p.stream.view.Show(0)
	p.arrange()
	return true
}

// toggleStream switches between the timeline and the record.
func (p *Pane) toggleStream() {
	if p.stream.on {
		p.stream.on, p.reading, p.whole = false, false, false
		return
	}
	p.ShowStream()
}

// arrangeStream updates the timeline after the selection moved.
func (p *Pane) arrangeStream() {
	s := &p.stream
	if !s.on {
		return
	}
	s.view.SetSize(p.w, p.detailHeight())
	switch {
	case p.rows.follow:
		s.view.Follow(p.rows.sel)
	case p.rows.sel != s.shownFor:
		s.view.Show(p.rows.sel)
	}
	s.shownFor = p.rows.sel
}

// selectTimelineRecord selects the record under the timeline's cursor, if it is listed.
func (p *Pane) selectTimelineRecord() {
	id := p.stream.view.Selected()
	p.rows.pause()
	if id != 0 && p.rows.passes(id) {
		p.rows.unfold(id)
		if i, ok := p.rows.index(id); ok {
			p.rows.choose(i)
		}
	}
	p.stream.shownFor = p.rows.sel
}

// streamMouse handles a mouse event at x, y of the timeline.
func (p *Pane) streamMouse(msg tea.MouseMsg, x, y int) {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		p.stream.view.Scroll(wheelRows * keys.Wheel(msg))
	case tea.MouseClickMsg:
		if msg.Button != tea.MouseLeft {
			return
		}
		p.reading = true
		p.stream.view.Click(x, y)
	default:
		return
	}
	p.selectTimelineRecord()
}

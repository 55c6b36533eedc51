package wire

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/keys"
	"parley/ui/record"
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

	now    time.Time
	stalls bool // a visible row shows a stream that stalls
}

// StreamKeys act in the timeline.
type StreamKeys struct{ Toggle, Before, After, Copy key.Binding }

func defaultStreamKeys() StreamKeys {
	return StreamKeys{
		Toggle: keys.Bind("s", "show stream"),
		Before: keys.Bind("h", "previous record", "h", "left"),
		After:  keys.Bind("l", "next record", "l", "right"),
		Copy:   keys.Bind("y", "copy text"),
	}
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

// streamHelp sets the help texts for the timeline, and disables its keys while it is hidden.
func (p *Pane) streamHelp(k *KeyMap) {
	on := p.stream.on
	k.Stream.Toggle.SetEnabled(p.rows.sel != 0)
	k.Stream.Before.SetEnabled(on)
	k.Stream.After.SetEnabled(on)
	k.Stream.Copy.SetEnabled(on && p.reading)
	if !on {
		return
	}
	k.Stream.Toggle.SetHelp(k.Stream.Toggle.Help().Key, "show record")
	k.Detail.SetHelp(k.Detail.Help().Key, "read record")
	if p.reading {
		k.Reveal.SetEnabled(true)
	}
}

// recordKeys returns the keys that act on the record: while the timeline hides the record, only
// those that do not need to show it.
func (p *Pane) recordKeys() record.KeyMap {
	r := p.detail.Keys(p.reading)
	switch {
	case !p.stream.on:
		return r
	case p.reading:
		return record.KeyMap{}
	default:
		return record.KeyMap{Copy: r.Copy, Save: r.Save}
	}
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

// streamKey handles the keys of the timeline and reports whether msg is one.
func (p *Pane) streamKey(msg tea.KeyPressMsg, k KeyMap) (in Intent, used bool) {
	v := p.stream.view
	switch {
	case key.Matches(msg, k.Stream.Before):
		v.Step(-1)
	case key.Matches(msg, k.Stream.After):
		v.Step(1)
	case !p.reading:
		return p.lowerHalfKey(msg, k)
	case key.Matches(msg, k.Stream.Copy):
		text, what := v.Text()
		return Copy{Text: text, What: what}, true
	case key.Matches(msg, k.Reveal):
		return Reveal{Record: v.Selected()}, true
	default:
		n, moves := k.Move.Distance(msg, v.Room())
		if !moves {
			return nil, false
		}
		v.Move(n)
	}
	p.selectTimelineRecord()
	return nil, true
}

// lowerHalfKey handles the keys that act on the lower half while the rows have the keys.
func (p *Pane) lowerHalfKey(msg tea.KeyPressMsg, k KeyMap) (in Intent, used bool) {
	r := p.detail.Keys(false)
	switch {
	case key.Matches(msg, r.Copy, r.Save): // they act on the selected record
		in, used := p.detail.Key(msg, false)
		return p.onRecordIntent(in), used
	case key.Matches(msg, k.OtherUp):
		p.stream.view.Page(-1)
	case key.Matches(msg, k.OtherDown):
		p.stream.view.Page(1)
	default:
		return nil, false
	}
	p.selectTimelineRecord()
	return nil, true
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

package record

import (
	"parley/a2a"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/jsonview"
	"parley/ui/markdown"
	"parley/ui/styles"
)

// A Tab is one way to look at a record.
type Tab uint8

// The tabs.
const (
	Pretty Tab = iota
	Raw
	Headers
	Timing
	Findings // only of records in which something was found
)

var tabNames = [...]string{"pretty", "raw", "headers", "timing", "findings"}

// A show is what fills the view.
type show uint8

const (
	showNothing show = iota
	showTree
	showBytes
	showSheet
)

// A View shows one record. It is not safe for use by several goroutines.
type View struct {
	st   *styles.Styles
	keys KeyMap
	log  *log.Log
	it   *log.Item // nil for none
	tab  Tab       // as chosen; a record may not have it
	w, h int

	tree  *jsonview.View
	raw   *jsonview.Bytes
	id    a2a.RecordID // that tree and raw hold
	held  []byte       // of it, what raw shows
	masks []bodyMask   // in the payload of that
	above int          // rows above the tree
	said  uint64       // what was muted when the tree's marks were made

	sheet sheet
	find  canvas.Finder
	bare  secret // the one that is revealed
	frame frame
}

// New returns a view of no record.
func New(st *styles.Styles) *View {
	v := &View{st: st, keys: DefaultKeyMap(), tree: jsonview.New(st), raw: jsonview.NewBytes(st)}
	v.SetLog(log.New())
	v.SetStyles(st)
	return v
}

// SetStyles changes the styles.
func (v *View) SetStyles(st *styles.Styles) {
	v.st = st
	v.tree.SetStyles(st)
	v.raw.SetStyles(st)
	v.tree.SetProse(func(text string, w int) []string { return markdown.Render(st, text, w) })
	v.sheet.stale = true
	v.changed()
}

// SetLog shows records of another log, for now none.
func (v *View) SetLog(log *log.Log) {
	v.log, v.it, v.id, v.bare = log, nil, 0, secret{}
	v.sheet.stale = true
	v.changed()
}

// Show shows a record of the log, nil for none. A secret that was revealed in another
// one is hidden again.
func (v *View) Show(it *log.Item) {
	if it == v.it || it != nil && v.it != nil && it.Record.ID == v.it.Record.ID {
		return // the same record, be it another copy of it
	}
	v.it, v.bare = it, secret{}
	v.changed()
}

// SetSize sets the size in cells, the rule included.
func (v *View) SetSize(w, h int) {
	if w != v.w || h != v.h {
		v.w, v.h = w, h
		v.tree.SetSize(w, h-1)
		v.raw.SetSize(w, h-1)
		v.changed()
	}
}

// Job returns the index that the body shown waits for because it is large, once.
// Run it in a goroutine of its own and give the result to [View.Apply]; until then
// the body is shown as bytes. It need not have been drawn yet.
func (v *View) Job() (jsonview.Job, bool) {
	if v.h <= 0 || v.shows() != showTree {
		return jsonview.Job{}, false
	}
	v.hold()
	return v.tree.Job()
}

// Apply takes the result of a job and reports whether anything changed.
func (v *View) Apply(d jsonview.Done) bool {
	v.changed()
	return v.tree.Apply(d)
}

// Tab returns the tab that is shown of a record: the chosen one if it has it.
func (v *View) Tab() Tab {
	if v.tab == Findings && (v.it == nil || len(v.it.Findings) == 0) {
		return Pretty
	}
	return v.tab
}

// SetTab chooses a tab.
func (v *View) SetTab(t Tab) {
	v.tab = t
	v.changed()
}

// pick chooses a tab of a record; n counts from 0 and goes round.
func (v *View) pick(n int) {
	count := int(Findings)
	if v.it != nil && len(v.it.Findings) > 0 {
		count++
	}
	v.tab = Tab((n%count + count) % count)
}

// shows returns what a record fills the view with.
func (v *View) shows() show {
	switch {
	case v.it == nil:
		return showNothing
	case v.Tab() == Pretty && len(v.it.Record.Raw) > 0 && v.it.Record.Kind != a2a.KindEnd:
		return showTree
	case v.Tab() == Raw && len(v.bytes()) > 0:
		return showBytes
	default:
		return showSheet
	}
}

// bytes returns what the raw tab shows: the body, or the head of a record without one as
// it crossed the wire.
func (v *View) bytes() []byte {
	r := &v.it.Record
	if len(r.Raw) > 0 || r.Kind != a2a.KindHead && r.Kind != a2a.KindRequest {
		return r.Raw
	}
	return []byte(v.wire(r))
}

// hold makes tree and raw those of the record.
func (v *View) hold() {
	r, said := &v.it.Record, v.log.Findings().Mutes()
	if r.ID != v.id {
		v.id, v.said, v.masks = r.ID, said, bodyMasks(r)
		v.tree.SetBody(r.Payload(), v.marks())
		v.held = v.bytes()
		v.raw.SetBody(v.held)
	} else if len(v.held) == 0 && len(v.bytes()) > 0 { // the head of a request is known later
		v.held = v.bytes()
		v.raw.SetBody(v.held)
	} else if said != v.said && len(v.it.Findings) > 0 {
		v.said = said
		v.tree.SetMarks(v.marks())
	}
}

// A frame is what was drawn last, and what it was drawn from.
type frame struct {
	lines []string
	of    drawnOf
}

// drawnOf tells frames apart. What the view is told itself changes its version; all
// else that a frame shows is here.
type drawnOf struct {
	version uint64
	reading bool
	it      *log.Item
	records int // of its exchange
	next    a2a.ExchangeID
	said    uint64 // the state of what is muted
}

// changed says that the next frame is another one.
func (v *View) changed() { v.frame.of.version, v.frame.lines = v.frame.of.version+1, nil }

// Lines returns the view as exactly its height of rows of exactly its width; reading
// says whether the user is in it. They must not be changed. A frame that shows what
// the one before did is not drawn again.
func (v *View) Lines(reading bool) []string {
	if v.h <= 0 {
		return nil
	}
	of := drawnOf{version: v.frame.of.version, reading: reading, it: v.it, said: v.log.Findings().Mutes(), next: v.next()}
	if t := v.Tab(); v.it != nil && (t == Headers || t == Timing) {
		of.records = len(v.log.Exchange(v.it.Record.Exchange))
	}
	if v.frame.lines == nil || of != v.frame.of {
		v.frame = frame{v.draw(reading), of}
	}
	return v.frame.lines
}

// next returns the stream that went on with the record's, 0 if there is none yet.
func (v *View) next() a2a.ExchangeID {
	if v.it == nil {
		return 0
	}
	if s := v.log.Stream(v.it.Record.Exchange); s != nil {
		return s.Next
	}
	return 0
}

func (v *View) draw(reading bool) []string {
	w, h := v.w, v.h-1
	out := append(make([]string, 0, v.h), canvas.Fit(v.rule(reading), w))
	switch v.shows() {
	case showTree:
		v.hold()
		out = append(out, v.pretty(reading, h)...)
	case showBytes:
		v.hold()
		notes := v.incomplete()
		notes = notes[:min(len(notes), h/2)]
		if reading && h >= leastWhere {
			notes = append(notes, v.shown())
		}
		v.raw.SetSize(w, h-len(notes))
		out = append(append(out, v.raw.Lines()...), notes...)
	case showSheet:
		v.sheet.fill(v)
		out = append(out, v.sheet.window(v, h, reading)...)
	}
	return append(out, canvas.Blank(w, v.h-len(out))...)
}

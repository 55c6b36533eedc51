package record

import (
	"parley/a2a"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/jsonview"
	"parley/ui/markdown"
	"parley/ui/styles"
)

// A Tab is one way to show a record.
type Tab uint8

// The tabs.
const (
	Pretty Tab = iota
	Raw
	Headers
	Timing
	Findings // only for records with findings
)

var tabNames = [...]string{"pretty", "raw", "headers", "timing", "findings"}

// A show is what the view draws.
type show uint8

const (
	showNothing show = iota
	showTree
	showBytes
	showSheet
)

// A View shows one record. It is not safe for use by several goroutines.
type View struct {
	st      *styles.Styles
	reading func() bool // whether the view has the keys
	log     *log.Log
	it      *log.Item // nil for no record
	tab     Tab       // the chosen one; a record may not have it
	w, h    int

	tree     *jsonview.View
	raw      *jsonview.Bytes
	id       a2a.RecordID // the record in tree and raw
	rawBytes []byte       // the bytes in raw
	masks    []bodyMask   // in the payload of the record
	above    int          // rows above the tree
	mutes    uint64       // state of the mutes when the tree's marks were made

	sheet       sheet
	find        canvas.Finder
	shownSecret secret // the revealed secret
	comment     string // what the user wrote about the record
	frame       frame
	need        need
}

// New returns a view without a record. Reading reports whether the view has the keys.
func New(st *styles.Styles, reading func() bool) *View {
	v := &View{st: st, reading: reading, tree: jsonview.New(st), raw: jsonview.NewBytes(st)}
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
	v.invalidate()
}

// SetLog switches to another log and shows no record.
func (v *View) SetLog(log *log.Log) {
	v.log, v.it, v.id, v.shownSecret = log, nil, 0, secret{}
	v.sheet.stale = true
	v.invalidate()
}

// Show shows a record of the log, nil for none. It hides a secret revealed in another record.
func (v *View) Show(it *log.Item) {
	if it == v.it || it != nil && v.it != nil && it.Record.ID == v.it.Record.ID {
		return // possibly another copy of the same record
	}
	v.it, v.shownSecret = it, secret{}
	v.invalidate()
}

// SetComment sets what the user wrote about the record, empty for nothing.
func (v *View) SetComment(text string) {
	if text != v.comment {
		v.comment, v.sheet.stale = text, true
		v.invalidate()
	}
}

// SetSize sets the size in cells, with the rule.
func (v *View) SetSize(w, h int) {
	if w != v.w || h != v.h {
		v.w, v.h = w, h
		v.tree.SetSize(w, h-1)
		v.raw.SetSize(w, h-1)
		v.invalidate()
	}
}

// Job returns the indexing of a large body, once. Run it in its own goroutine and pass the
// result to [View.Apply]; until then the body is shown as bytes. It works before the first
// frame, too.
func (v *View) Job() (jsonview.Job, bool) {
	if v.h <= 0 || v.shows() != showTree {
		return jsonview.Job{}, false
	}
	v.load()
	return v.tree.Job()
}

// Apply applies the result of a job and reports whether anything changed.
func (v *View) Apply(d jsonview.Result) bool {
	v.invalidate()
	return v.tree.Apply(d)
}

// Tab returns the current tab: the chosen one if the record has it, else the tree.
func (v *View) Tab() Tab {
	if v.tab == Findings && (v.it == nil || len(v.it.Findings) == 0) {
		return Pretty
	}
	return v.tab
}

// SetTab chooses a tab.
func (v *View) SetTab(t Tab) {
	v.tab = t
	v.invalidate()
}

// pick chooses the tab with index n, which wraps around.
func (v *View) pick(n int) {
	count := int(Findings)
	if v.it != nil && len(v.it.Findings) > 0 {
		count++
	}
	v.tab = Tab((n%count + count) % count)
}

// shows returns what the view draws in the current tab.
func (v *View) shows() show {
	switch {
	case v.it == nil:
		return showNothing
	case v.Tab() == Pretty && len(v.it.Record.Raw) > 0 && v.it.Record.Kind != a2a.KindEnd && v.it.Record.Kind != a2a.KindSurplus:
		return showTree
	case v.Tab() == Raw && len(v.bytes()) > 0:
		return showBytes
	default:
		return showSheet
	}
}

// bytes returns the bytes of the raw tab: the body, or the head of a record without one.
func (v *View) bytes() []byte {
	r := &v.it.Record
	if r.Binary != nil && len(r.Binary.Bytes) > 0 {
		return r.Binary.Bytes
	}
	if len(r.Raw) > 0 || r.Kind != a2a.KindHead && r.Kind != a2a.KindRequest {
		return r.Raw
	}
	return []byte(v.wire(r))
}

// load loads the record into tree and raw.
func (v *View) load() {
	r, said := &v.it.Record, v.log.Findings().Mutes()
	if r.ID != v.id {
		v.id, v.mutes, v.masks = r.ID, said, bodyMasks(r)
		v.tree.SetBody(r.Payload(), v.marks())
		v.rawBytes = v.bytes()
		v.raw.SetBody(v.rawBytes)
		if r.Binary != nil {
			v.raw.SetHex(true)
		}
	} else if len(v.rawBytes) == 0 && len(v.bytes()) > 0 { // a request's head becomes known later
		v.rawBytes = v.bytes()
		v.raw.SetBody(v.rawBytes)
	} else if said != v.mutes && len(v.it.Findings) > 0 {
		v.mutes = said
		v.tree.SetMarks(v.marks())
	}
}

// A frame is the last drawn frame with all that it was drawn from.
type frame struct {
	lines  []string
	scroll canvas.Scroll
	of     frameKey
}

// frameKey identifies a frame. Changes of the view increase its version; the other fields are
// all else that a frame depends on.
type frameKey struct {
	version uint64
	reading bool
	it      *log.Item
	records int // number of records of its exchange
	next    a2a.ExchangeID
	mutes   uint64 // state of the mutes
}

// invalidate invalidates the frame.
func (v *View) invalidate() { v.frame.of.version, v.frame.lines = v.frame.of.version+1, nil }

// Lines returns the rows of the view: exactly its height, each exactly its width. reading says
// whether the view has the keys. The caller must not change the rows; they are cached until
// something changes.
func (v *View) Lines(reading bool) []string {
	if v.h <= 0 {
		return nil
	}
	of := v.key(reading)
	if v.frame.lines == nil || of != v.frame.of {
		v.frame = frame{v.draw(reading), v.window(), of}
	}
	return v.frame.lines
}

// Window returns the part of the record that was drawn last.
func (v *View) Window() canvas.Scroll {
	if v.h <= 0 {
		return canvas.Scroll{}
	}
	return v.frame.scroll
}

// window returns the part of the record that is in the window.
func (v *View) window() (s canvas.Scroll) {
	switch v.shows() {
	case showTree:
		s = v.tree.Window()
		s.Y = 1 + v.above
	case showBytes:
		s = v.raw.Window()
		s.Y = 1
	case showSheet:
		s = v.sheet.cursor.Window(1, v.sheet.len(), v.h-1)
	}
	return s
}

// key returns all that a frame depends on.
func (v *View) key(reading bool) frameKey {
	of := frameKey{version: v.frame.of.version, reading: reading, it: v.it, mutes: v.log.Findings().Mutes(), next: v.next()}
	if t := v.Tab(); v.it != nil && (t == Headers || t == Timing) {
		of.records = len(v.log.Exchange(v.it.Record.Exchange))
	}
	return of
}

// next returns the stream that continued the record's stream, 0 if there is none.
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
		v.load()
		out = append(out, v.pretty(reading, h)...)
	case showBytes:
		v.load()
		notes := v.incomplete()
		notes = notes[:min(len(notes), h/2)]
		if reading && h >= leastWhere {
			notes = append(notes, v.byteRange())
		}
		v.raw.SetSize(w, h-len(notes))
		out = append(append(out, v.raw.Lines()...), notes...)
	case showSheet:
		v.sheet.fill(v)
		out = append(out, v.sheet.window(v, h, reading)...)
	}
	return append(out, canvas.Blank(w, v.h-len(out))...)
}

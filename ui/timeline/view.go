package timeline

import (
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/styles"
)

// A View shows one stream and those that went on with it. It is not safe for use by
// several goroutines.
type View struct {
	st  *styles.Styles
	log *log.Log
	now time.Time

	sel     a2a.RecordID // 0 for none
	chain   chain
	at, top int          // entries: the one under the cursor, and the first in the window
	without a2a.RecordID // no record up to this one was of a stream when it came

	w, h    int
	drawn   frame
	lines   []string
	redrawn int // how often the lines were made, for tests
}

// frame is what the lines depend on; while it stays the same, so do they.
type frame struct {
	st       *styles.Styles
	records  int
	sel      a2a.RecordID
	at, top  int
	w, h     int
	now      time.Time
	focused  bool
	stalled  bool
	exchange a2a.ExchangeID
}

// New returns a view of nothing.
func New(st *styles.Styles) *View { return &View{st: st, log: log.New()} }

// SetStyles changes the styles.
func (v *View) SetStyles(st *styles.Styles) { v.st = st }

// SetLog shows records of another log, for now none.
func (v *View) SetLog(log *log.Log) {
	v.log, v.sel, v.chain, v.at, v.top, v.drawn, v.without = log, 0, chain{}, 0, 0, frame{}, 0
}

// SetNow tells the time, from which the age of an open stream follows.
func (v *View) SetNow(now time.Time) { v.now = now }

// SetSize sets the size in cells, the rule at the top included.
func (v *View) SetSize(w, h int) {
	if w, h = max(w, 0), max(h, 0); w != v.w || h != v.h {
		v.w, v.h = w, h
		v.reveal()
	}
}

// Show shows the stream that a record belongs to, with the cursor on the record. The
// cursor stays where it is if it stands on that record already.
func (v *View) Show(id a2a.RecordID) {
	v.sel = id
	v.load()
	if !v.chain.covers(v.at, id) {
		v.at = v.chain.find(v.log, id)
	}
	v.reveal()
}

// Follow shows the newest record, but only of streams: it stays with the one that is
// shown while that is open, and when it is over until another one begins. Polls and
// streams beside it do not push it away.
func (v *View) Follow(id a2a.RecordID) {
	v.load()
	switch it := v.log.At(id); {
	case it == nil || v.chain.stream(it.Exchange()) >= 0:
	case v.Streams() && v.chain.last().Streamed() && (v.chain.last().Open() || !v.streamed(id)):
		id = v.chain.newest()
	case !v.streamed(id):
		id = v.newestStream(id)
	}
	v.Show(id)
}

// streamed reports whether a record belongs to a stream.
func (v *View) streamed(id a2a.RecordID) bool {
	it := v.log.At(id)
	if it == nil {
		return false
	}
	s := v.log.Stream(it.Exchange())
	return s != nil && s.Streamed()
}

// newestStream returns the newest record of a stream up to id, id if there is none. It
// looks at each record once: an exchange becomes a stream with a new one.
func (v *View) newestStream(id a2a.RecordID) a2a.RecordID {
	for i := id; i > v.without; i-- {
		if v.streamed(i) {
			return i
		}
	}
	v.without = max(v.without, id)
	return id
}

// load takes over what the log knows by now.
func (v *View) load() {
	it := v.log.At(v.sel)
	if it == nil {
		v.chain = chain{}
		return
	}
	x := it.Exchange()
	if v.chain.stream(x) >= 0 && v.chain.last().Next == 0 {
		v.chain.measure()
		return
	}
	v.chain = newChain(v.log.Chain(x))
}

// Selected returns the record that the cursor stands on, 0 if there is none.
func (v *View) Selected() a2a.RecordID { return v.sel }

// Streams reports whether there is an exchange to be shown.
func (v *View) Streams() bool { return len(v.chain.streams) > 0 }

// Move moves the cursor by n entries.
func (v *View) Move(n int) { v.choose(v.at + n) }

// Page moves the cursor by a window's height, up if n is negative.
func (v *View) Page(n int) { v.Move(n * max(v.Room()-1, 1)) }

// Step moves the cursor to the next record, or to the one before if delta is -1 and not
// 1: through all that an entry stands for, and from one stream to the next.
func (v *View) Step(delta int) {
	v.load()
	if id := v.chain.beside(v.log, v.sel, delta); id != 0 {
		v.Show(id)
	}
}

// choose puts the cursor on entry i, or the nearest there is.
func (v *View) choose(i int) {
	v.load()
	n := v.entries()
	if n == 0 {
		return
	}
	v.at = min(max(i, 0), n-1)
	v.sel = v.chain.record(v.at)
	v.reveal()
}

// Click puts the cursor on what was clicked: an entry, or the record that is nearest to
// a time in the lanes. It reports whether there is anything.
func (v *View) Click(x, y int) bool {
	v.load()
	l := v.layout()
	switch {
	case !v.Streams():
		return false
	case l.lanes > 0 && y >= 1 && y < 1+l.lanes:
		axis := v.axis()
		v.Show(v.chain.nearest(v.log, axis.time(x)))
		return true
	case y >= l.top() && y < l.top()+l.rows && v.top+y-l.top() < v.entries():
		v.choose(v.top + y - l.top())
		return true
	}
	return false
}

// Scroll moves the window by n entries; the cursor stays in it.
func (v *View) Scroll(n int) {
	v.load()
	rows := v.Room()
	v.top = max(min(v.top+n, v.entries()-rows), 0)
	if at := min(max(v.at, v.top), v.top+max(rows-1, 0)); at != v.at {
		v.choose(at)
	}
}

// entries returns how many entries there are.
func (v *View) entries() int { return v.chain.len() }

// Room returns how many entries the window shows.
func (v *View) Room() int { return v.layout().rows }

// reveal scrolls as little as possible so that the cursor is in the window.
func (v *View) reveal() {
	rows := v.Room()
	if rows <= 0 {
		return
	}
	v.top = min(v.top, v.at)
	v.top = max(v.top, v.at-rows+1, 0)
	v.top = max(min(v.top, v.entries()-rows), 0)
}

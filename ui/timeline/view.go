package timeline

import (
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/styles"
)

// A View shows one stream and the streams that continued it. It is not safe for use by several
// goroutines.
type View struct {
	st  *styles.Styles
	log *log.Log
	now time.Time

	sel           a2a.RecordID // 0 for none
	chain         chain
	at, top       int          // entries: the one under the cursor, and the first in the window
	noStreamUntil a2a.RecordID // records up to this one belonged to no stream

	w, h  int
	drawn frame
	lines []string
}

// frame contains the inputs of the lines. The lines are drawn again when it changes.
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

// New returns an empty view.
func New(st *styles.Styles) *View { return &View{st: st, log: log.New()} }

// SetStyles changes the styles.
func (v *View) SetStyles(st *styles.Styles) { v.st = st }

// SetLog replaces the log and clears the selection.
func (v *View) SetLog(log *log.Log) {
	v.log, v.sel, v.chain, v.at, v.top, v.drawn, v.noStreamUntil = log, 0, chain{}, 0, 0, frame{}, 0
}

// SetNow sets the time, which determines the age of an open stream.
func (v *View) SetNow(now time.Time) { v.now = now }

// SetSize sets the size in cells, including the rule at the top.
func (v *View) SetSize(w, h int) {
	if w, h = max(w, 0), max(h, 0); w != v.w || h != v.h {
		v.w, v.h = w, h
		v.reveal()
	}
}

// Show shows the stream of a record, with the cursor on the record. The cursor does not move if
// its entry includes the record already.
func (v *View) Show(id a2a.RecordID) {
	v.sel = id
	v.load()
	if !v.chain.covers(v.at, id) {
		v.at = v.chain.find(v.log, id)
	}
	v.reveal()
}

// Follow shows the newest record if it belongs to a stream. It stays with the shown stream
// while that is open, and after its end until another one begins. Polls and other streams do
// not replace it.
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

// newestStream returns the newest record of a stream up to id, id if there is none. It checks
// each record once: only a new record makes an exchange a stream.
func (v *View) newestStream(id a2a.RecordID) a2a.RecordID {
	for i := id; i > v.noStreamUntil; i-- {
		if v.streamed(i) {
			return i
		}
	}
	v.noStreamUntil = max(v.noStreamUntil, id)
	return id
}

// load updates the chain from the log.
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

// Selected returns the record under the cursor, 0 if there is none.
func (v *View) Selected() a2a.RecordID { return v.sel }

// Streams reports whether an exchange is shown.
func (v *View) Streams() bool { return len(v.chain.streams) > 0 }

// Move moves the cursor by n entries.
func (v *View) Move(n int) { v.choose(v.at + n) }

// Page moves the cursor by a window's height, up if n is negative.
func (v *View) Page(n int) { v.Move(n * max(v.Room()-1, 1)) }

// Step moves the cursor to the next record, or to the previous one if delta is -1 and not 1:
// through all records of an entry, and from one stream to the next.
func (v *View) Step(delta int) {
	v.load()
	if id := v.chain.neighbour(v.log, v.sel, delta); id != 0 {
		v.Show(id)
	}
}

// choose puts the cursor on entry i, or on the nearest one.
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

// Click puts the cursor on the clicked entry, or on the record nearest to a clicked time in the
// lanes. It reports whether there is one.
func (v *View) Click(x, y int) bool {
	v.load()
	l := v.layout()
	switch {
	case !v.Streams():
		return false
	case l.lanes > 0 && y >= 1 && y < 1+l.lanes:
		v.Show(v.chain.nearest(v.log, v.axis().Time(x)))
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

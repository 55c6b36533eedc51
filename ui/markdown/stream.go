package markdown

import (
	"time"

	"parley/ui/styles"
)

// A Stream is a Markdown text that grows. It belongs to one goroutine; only its [Job] runs
// elsewhere.
type Stream struct {
	st   *styles.Styles
	now  func() time.Time
	code code // set if the text is code, not Markdown

	in      lineBuffer
	src     []byte // sanitised complete lines; append-only, so that Jobs may read it
	size    int    // bytes as received
	closed  bool
	version uint64

	seq uint64 // number of the text: results for an earlier one are dropped
	out bool   // a Job is running

	blocks     []block             // src up to openAt, divided at its cuts
	openAt     int                 // offset of the open end
	defined    references          // defined before openAt
	late       references          // defined in the open end of a closed text
	dependents map[string][]int    // labels to the blocks that could not resolve them
	fresh      watermark           // blocks that need no rendering
	tail       tail                // the open end
	next       time.Time           // when the open end may be rendered again
	memo       map[string][]string // highlighted code of the open end

	view  view
	views uint64 // number of views so far
}

// A block is a piece of the text between two cuts.
type block struct {
	start, end int
	rows       []string
	w          int  // width of rows; 0 if they were never rendered
	stale      bool // rows must be rendered again

	fittedRows []string // rows, or the source, for another width
	fittedTo   int
}

// A watermark is the number of first blocks that are rendered for width w.
type watermark struct{ w, n int }

// New returns an empty Stream. The clock paces the rendering of the open end.
func New(st *styles.Styles, now func() time.Time) *Stream {
	s := &Stream{st: st, now: now}
	s.Reset(nil)
	return s
}

// Append adds p, as received from the agent, to the text. p may end anywhere, even inside a
// rune. A closed text is open again.
func (s *Stream) Append(p []byte) {
	if len(p) == 0 {
		return
	}
	if s.closed {
		s.closed = false
		s.seq++
		s.setLate(nil)
	}
	s.src = s.in.feed(s.src, p)
	s.size += len(p)
	s.version++
}

// Reset replaces the text by p.
func (s *Stream) Reset(p []byte) {
	*s = Stream{
		st: s.st, now: s.now, code: s.code, in: lineBuffer{verbatim: s.code.is}, version: s.version + 1, seq: s.seq + 1, out: s.out, views: s.views,
		defined: references{}, dependents: map[string][]int{},
	}
	s.Append(p)
}

// Close marks the text as complete: its open end is rendered as final.
func (s *Stream) Close() {
	if !s.closed {
		s.closed = true
		s.version++
	}
}

// Restyle changes the styles. Until a Job has been applied, the text is shown in the old ones.
func (s *Stream) Restyle(st *styles.Styles) {
	s.st = st
	s.seq++
	s.version++
	s.fresh, s.memo, s.tail.w = watermark{}, nil, 0
	for i := range s.blocks {
		s.blocks[i].stale = true
	}
	s.view = view{}
}

// Len returns the size of the text in bytes, as received.
func (s *Stream) Len() int { return s.size }

// Closed reports whether the text is complete.
func (s *Stream) Closed() bool { return s.closed }

// Version changes whenever [Stream.Lines] may return something new.
func (s *Stream) Version() uint64 { return s.version }

// setLate replaces the definitions of the open end and marks the blocks that this changes.
func (s *Stream) setLate(late references) {
	for key := range s.late {
		if _, ok := late[key]; !ok {
			s.mark(key)
		}
	}
	for key := range late {
		if _, ok := s.late[key]; !ok {
			s.mark(key)
		}
	}
	s.late = late
}

// mark marks the blocks that could not resolve key as stale.
func (s *Stream) mark(key string) {
	for _, i := range s.dependents[key] {
		s.blocks[i].stale = true
		s.fresh.n = min(s.fresh.n, i)
	}
}

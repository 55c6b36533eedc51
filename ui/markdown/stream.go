package markdown

import (
	"time"

	"parley/ui/styles"
)

// A Stream is a Markdown text that grows. It belongs to one goroutine; only a
// [Job] of it runs elsewhere.
type Stream struct {
	st   *styles.Styles
	now  func() time.Time
	code code // no Markdown, if it is code

	in      intake
	src     []byte // sanitised complete lines; only ever appended to, so Jobs may read what they were given
	size    int    // bytes as they came
	closed  bool
	version uint64

	seq uint64 // of the text: what was rendered from an earlier one is not taken
	out bool   // a Job is out

	blocks []block             // src up to frozen, divided at its cuts
	frozen int                 // where the open end begins
	known  references          // defined before frozen
	late   references          // defined in the open end of a closed text
	wanted map[string][]int    // blocks that looked a label up in vain
	fresh  watermark           // blocks that need no rendering
	tail   tail                // the open end
	next   time.Time           // when the open end may be rendered again
	memo   map[string][]string // highlighted code of the open end

	view  view
	views uint64 // that there were
}

// A block is a piece of the text between two cuts.
type block struct {
	start, end int
	rows       []string
	w          int  // what rows are wrapped to; 0 if they were never rendered
	stale      bool // rows are not what they should be

	fitted   []string // rows, or the source, at another width
	fittedTo int
}

// A watermark says that the first n blocks are rendered for width w.
type watermark struct{ w, n int }

// New returns an empty Stream. The clock paces the rendering of the open end.
func New(st *styles.Styles, now func() time.Time) *Stream {
	s := &Stream{st: st, now: now}
	s.Reset(nil)
	return s
}

// Append adds p, as it came from the agent, to the text. p may end anywhere, inside
// a rune too. A text that was closed is open again.
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
		st: s.st, now: s.now, code: s.code, in: intake{verbatim: s.code.is}, version: s.version + 1, seq: s.seq + 1, out: s.out, views: s.views,
		known: references{}, wanted: map[string][]int{},
	}
	s.Append(p)
}

// Close says that the text is complete: its open end is rendered as what it is.
func (s *Stream) Close() {
	if !s.closed {
		s.closed = true
		s.version++
	}
}

// Restyle changes how the text looks. Until a Job has been applied it keeps its
// old looks.
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

// Len returns the size of the text in bytes, as it came.
func (s *Stream) Len() int { return s.size }

// Closed reports whether the text is complete.
func (s *Stream) Closed() bool { return s.closed }

// Version changes whenever [Stream.Lines] may return something new.
func (s *Stream) Version() uint64 { return s.version }

// setLate makes late the definitions of the open end and marks the blocks for
// which that changes something.
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

// mark makes the blocks that looked key up in vain stale.
func (s *Stream) mark(key string) {
	for _, i := range s.wanted[key] {
		s.blocks[i].stale = true
		s.fresh.n = min(s.fresh.n, i)
	}
}

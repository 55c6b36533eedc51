package markdown

import (
	"bytes"
	"slices"
	"time"

	"parley/ui/styles"
)

const (
	// maxWork is how many bytes of source one Job renders in frozen blocks; the
	// rest is left to the next. A long text appears piece by piece.
	maxWork = 64 << 10

	// perBlock is what a block costs besides its size, in bytes.
	perBlock = 32

	// share is the part of the time, one in so many, that rendering the open end may
	// cost. With what its rows cost when they are drawn it is less than a fifth.
	share = 6
)

// A Job renders what a [Stream] needs rendered. It reads only what cannot change,
// so it may run in any goroutine.
type Job struct {
	seq uint64
	w   int
	st  *styles.Styles
	now func() time.Time
	as  code

	src    []byte
	frozen int
	stale  []span // blocks to be rendered again
	known  references
	late   references
	memo   map[string][]string

	tail   bool   // the open end is to be rendered
	rest   []byte // of the text: its last line, not complete
	size   int    // of the text, as it came
	closed bool
}

// A span is the place of the block with the index i.
type span struct{ i, start, end int }

// A Done is the result of a [Job], for [Stream.Apply].
type Done struct {
	seq      uint64
	w        int
	redone   []rendered // blocks that were stale
	blocks   []rendered // blocks that follow those the Stream has
	frozen   int
	defined  []reference
	late     references
	tail     *tail // nil if the open end was not rendered
	memo     map[string][]string
	cost     time.Duration // of the open end
	finished time.Time
	given    int // bytes of source that went through Glamour and the lexers
}

// rendered is a block with rows, or without if its turn has not come.
type rendered struct {
	span
	rows  []string
	done  bool
	wants map[string]struct{}
}

// Job returns what is to be rendered so that [Stream.Lines] is at its best for the
// width w. It reports false if there is nothing to do, if an earlier Job has not
// come back through [Stream.Apply], or if it is too early; see [Stream.Due].
func (s *Stream) Job(w int) (Job, bool) {
	if s.out || w <= 0 {
		return Job{}, false
	}
	j := Job{stale: s.staleBlocks(w)}
	j.tail = s.tailChanged(w) && (s.tailUrgent(w) || !s.now().Before(s.next))
	if len(j.stale) == 0 && !j.tail {
		return Job{}, false
	}
	s.out = true
	j.seq, j.w, j.st, j.now, j.as = s.seq, w, s.st, s.now, s.code
	j.src, j.frozen = s.src[:len(s.src):len(s.src)], s.frozen
	j.known, j.late, j.memo = s.known, s.late, s.memo
	j.rest, j.size, j.closed = bytes.Clone(s.in.rest()), s.size, s.closed
	return j, true
}

// Due returns when [Stream.Job] will offer the rendering of the open end that it
// holds back now; false if it holds nothing back. With no further chunks nothing
// else reminds the caller.
func (s *Stream) Due() (time.Time, bool) {
	if s.out || s.tail.w == 0 || !s.tailChanged(s.tail.w) {
		return time.Time{}, false
	}
	return s.next, true
}

// staleBlocks returns the first blocks that are not as they should be, maxWork
// bytes or one block of them.
func (s *Stream) staleBlocks(w int) []span {
	if s.fresh.w != w {
		s.fresh = watermark{w: w}
	}
	for s.fresh.n < len(s.blocks) && s.blocks[s.fresh.n].is(w) {
		s.fresh.n++
	}
	var stale []span
	for i, work := s.fresh.n, 0; i < len(s.blocks) && work < maxWork; i++ {
		if b := &s.blocks[i]; !b.is(w) {
			stale = append(stale, span{i, b.start, b.end})
			work += b.end - b.start + perBlock
		}
	}
	return stale
}

// is reports whether b needs no rendering for the width w.
func (b *block) is(w int) bool { return b.w == w && !b.stale }

// tailUrgent reports whether the open end looks wrong for a reason that cannot
// occur again and again.
func (s *Stream) tailUrgent(w int) bool { return s.tail.w != w || s.tail.closed != s.closed }

// tailChanged reports whether rendering the open end would change it. While a code
// block is open it would not: its lines are shown as they come.
func (s *Stream) tailChanged(w int) bool {
	if s.size == 0 {
		return false
	}
	if s.code.is {
		return s.codeChanged(w)
	}
	if s.tailUrgent(w) {
		return true
	}
	if s.tail.size == s.size {
		return false
	}
	f := s.tail.inside
	if f == nil {
		return true
	}
	// Here code is where the lines begin that have not been looked at.
	scanned, closed := f.scan(s.src[f.code:])
	f.code += scanned
	return closed || f.closedBy(s.in.rest())
}

// Run renders. Its cost is bounded by the guards: see the package comment.
func (j Job) Run() Done {
	d := Done{seq: j.seq, w: j.w, frozen: j.frozen, late: j.late}
	p := newPainter(j.st)
	p.memo = j.memo
	if j.as.is {
		return j.runCode(p, d)
	}
	var o outline
	if j.tail {
		began := j.now()
		open := j.src[j.frozen:]
		o = outlineOf(open[:bytes.LastIndexByte(open, '\n')+1])
		d.cost = j.now().Sub(began)
		d.defined = o.defined
	}
	fresh := references{}
	fresh.add(d.defined)
	refs := lookup{known: j.known, fresh: fresh, late: j.late}
	work := 0
	for _, at := range j.stale {
		d.redone = append(d.redone, j.render(p, at, refs, &work))
	}
	if !j.tail {
		d.given = p.given
		return d
	}
	for i := 1; i < len(o.cuts); i++ {
		at := span{start: j.frozen + o.cuts[i-1], end: j.frozen + o.cuts[i]}
		d.blocks = append(d.blocks, j.render(p, at, refs, &work))
		d.frozen = at.end
	}
	began := j.now()
	j.renderTail(p, &d, o, refs)
	d.finished = j.now()
	d.cost += d.finished.Sub(began)
	d.given = p.given
	return d
}

// render renders the block at a place, unless that would be too much for one Job.
func (j Job) render(p *painter, at span, refs lookup, work *int) rendered {
	if *work >= maxWork {
		return rendered{span: at}
	}
	*work += at.end - at.start + perBlock
	rows := p.piece(j.src[at.start:at.end], j.w, &refs)
	return rendered{at, rows, true, refs.wants}
}

// renderTail renders what follows the last cut.
func (j Job) renderTail(p *painter, d *Done, o outline, refs lookup) {
	t := &tail{w: j.w, size: j.size, closed: j.closed}
	d.tail, d.late = t, nil
	p.used = map[string][]string{}
	defer func() { d.memo = p.used }()
	if o.fence != nil && !j.closed && !o.fence.closedBy(j.rest) {
		complete := j.src[j.frozen : bytes.LastIndexByte(j.src, '\n')+1]
		t.rows = p.piece(complete[d.frozen-j.frozen:o.fence.start], j.w, &refs)
		if len(t.rows) > 0 {
			t.rows = append(t.rows, "")
		}
		t.rows = append(t.rows, p.plainCode(complete[o.fence.code:], j.w)...)
		t.from = j.frozen + len(complete)
		t.inside = &fence{code: t.from, char: o.fence.char, width: o.fence.width}
		return
	}
	text := append(bytes.Clone(j.src[d.frozen:]), j.rest...)
	if j.closed {
		d.late = references{}
		d.late.add(definitions(nil, parse(structure(), text, nil)))
	}
	t.rows = p.piece(text, j.w, &refs)
	t.from = d.frozen + len(bytes.TrimRight(text, " "))
}

// Apply takes the result of a Job over and reports whether that changed anything.
// A result for a text that has been replaced since is dropped. Every Job that was
// run has to come back here: until then the Stream offers no other.
func (s *Stream) Apply(d Done) bool {
	s.out = false
	if d.seq != s.seq {
		return false
	}
	for _, r := range d.redone {
		s.put(r, d.w)
	}
	if len(d.redone) > 0 {
		s.view = view{}
	}
	s.version++
	if d.tail == nil {
		return true
	}
	for _, r := range d.blocks {
		r.i = len(s.blocks)
		s.blocks = append(s.blocks, block{start: r.start, end: r.end})
		s.put(r, d.w)
	}
	for _, key := range s.known.add(d.defined) {
		s.mark(key)
	}
	s.setLate(d.late)
	d.tail.id = s.tail.id + 1
	s.tail, s.frozen, s.memo = *d.tail, d.frozen, d.memo
	s.next = d.finished.Add((share - 1) * d.cost)
	return true
}

// put takes over the rows of a block.
func (s *Stream) put(r rendered, w int) {
	if !r.done {
		return
	}
	b := &s.blocks[r.i]
	*b = block{start: b.start, end: b.end, rows: r.rows, w: w}
	for label := range r.wants {
		if !slices.Contains(s.wanted[label], r.i) {
			s.wanted[label] = append(s.wanted[label], r.i)
		}
	}
}

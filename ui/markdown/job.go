package markdown

import (
	"bytes"
	"slices"
	"time"

	"parley/ui/styles"
)

const (
	// maxWork is how many bytes of source one Job renders in complete blocks. The next Job
	// renders the rest, so that a long text appears piece by piece.
	maxWork = 64 << 10

	// perBlock is the cost of a block besides its size, in bytes.
	perBlock = 32

	// share limits the time spent on rendering the open end to one part in share. Including the
	// cost of drawing its rows it is less than a fifth.
	share = 6
)

// A Job renders the new parts of a [Stream]. It reads only what cannot change, so it may run in
// any goroutine.
type Job struct {
	seq  uint64
	w    int
	st   *styles.Styles
	now  func() time.Time
	code code

	src     []byte
	openAt  int
	stale   []span // blocks to render again
	defined references
	late    references
	memo    map[string][]string

	tail   bool   // render the open end
	rest   []byte // the last, incomplete line of the text
	size   int    // of the unsanitised text
	closed bool
}

// A span is the range of the block with the index i.
type span struct{ i, start, end int }

// A Result is the result of a [Job], for [Stream.Apply].
type Result struct {
	seq           uint64
	w             int
	replacements  []renderedBlock // of blocks that were stale
	blocks        []renderedBlock // blocks after those of the Stream
	openAt        int
	definitions   []reference
	late          references
	tail          *tail // nil if the open end was not rendered
	memo          map[string][]string
	cost          time.Duration // of rendering the open end
	finished      time.Time
	renderedBytes int // source bytes passed to Glamour and the lexers
}

// renderedBlock is a block with its rows; done is false if the Job has no room for it.
type renderedBlock struct {
	span
	rows       []string
	done       bool
	unresolved map[string]struct{}
}

// Job returns the work that brings [Stream.Lines] up to date for the width w. It reports false
// if there is no work, if an earlier Job has not come back through [Stream.Apply], or if it is
// too early; see [Stream.Due].
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
	j.seq, j.w, j.st, j.now, j.code = s.seq, w, s.st, s.now, s.code
	j.src, j.openAt = s.src[:len(s.src):len(s.src)], s.openAt
	j.defined, j.late, j.memo = s.defined, s.late, s.memo
	j.rest, j.size, j.closed = bytes.Clone(s.in.rest()), s.size, s.closed
	return j, true
}

// Due returns the time at which [Stream.Job] will offer the delayed rendering of the open end;
// false if none is delayed. Without further chunks, nothing else triggers that rendering.
func (s *Stream) Due() (time.Time, bool) {
	if s.out || s.tail.w == 0 || !s.tailChanged(s.tail.w) {
		return time.Time{}, false
	}
	return s.next, true
}

// staleBlocks returns the first blocks that need rendering: maxWork bytes of them, or one
// block.
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

// tailUrgent reports whether the open end looks wrong for a reason that cannot occur
// repeatedly.
func (s *Stream) tailUrgent(w int) bool { return s.tail.w != w || s.tail.closed != s.closed }

// tailChanged reports whether rendering the open end would change it. That is false while a
// code block is open, because its lines are shown as they arrive.
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
	f := s.tail.openFence
	if f == nil {
		return true
	}
	// In this fence, code is the offset of the first line that was not scanned.
	scanned, closed := f.scan(s.src[f.code:])
	f.code += scanned
	return closed || f.closedBy(s.in.rest())
}

// Run renders. The guards limit its cost, see the package comment.
func (j Job) Run() Result {
	d := Result{seq: j.seq, w: j.w, openAt: j.openAt, late: j.late}
	p := &painter{st: j.st, memo: j.memo}
	if j.code.is {
		return j.runCode(p, d)
	}
	var o outline
	if j.tail {
		began := j.now()
		open := j.src[j.openAt:]
		o = outlineOf(open[:bytes.LastIndexByte(open, '\n')+1])
		d.cost = j.now().Sub(began)
		d.definitions = o.definitions
	}
	fresh := references{}
	fresh.add(d.definitions)
	refs := lookup{defined: j.defined, fresh: fresh, late: j.late}
	work := 0
	for _, at := range j.stale {
		d.replacements = append(d.replacements, j.render(p, at, refs, &work))
	}
	if !j.tail {
		d.renderedBytes = p.renderedBytes
		return d
	}
	for i := 1; i < len(o.cuts); i++ {
		at := span{start: j.openAt + o.cuts[i-1], end: j.openAt + o.cuts[i]}
		d.blocks = append(d.blocks, j.render(p, at, refs, &work))
		d.openAt = at.end
	}
	began := j.now()
	j.renderTail(p, &d, o, refs)
	d.finished = j.now()
	d.cost += d.finished.Sub(began)
	d.renderedBytes = p.renderedBytes
	return d
}

// render renders a block, unless that exceeds the limit of one Job.
func (j Job) render(p *painter, at span, refs lookup, work *int) renderedBlock {
	if *work >= maxWork {
		return renderedBlock{span: at}
	}
	*work += at.end - at.start + perBlock
	rows := p.piece(j.src[at.start:at.end], j.w, &refs)
	return renderedBlock{at, rows, true, refs.unresolved}
}

// renderTail renders the text after the last cut.
func (j Job) renderTail(p *painter, d *Result, o outline, refs lookup) {
	t := &tail{w: j.w, size: j.size, closed: j.closed}
	d.tail, d.late = t, nil
	p.used = map[string][]string{}
	defer func() { d.memo = p.used }()
	if o.fence != nil && !j.closed && !o.fence.closedBy(j.rest) {
		complete := j.src[j.openAt : bytes.LastIndexByte(j.src, '\n')+1]
		t.rows = p.piece(complete[d.openAt-j.openAt:o.fence.start], j.w, &refs)
		if len(t.rows) > 0 {
			t.rows = append(t.rows, "")
		}
		t.rows = append(t.rows, p.plainCode(complete[o.fence.code:], j.w)...)
		t.from = j.openAt + len(complete)
		t.openFence = &fence{code: t.from, char: o.fence.char, width: o.fence.width}
		return
	}
	text := append(bytes.Clone(j.src[d.openAt:]), j.rest...)
	if j.closed {
		d.late = references{}
		d.late.add(definitions(nil, parse(structure(), text, nil)))
	}
	t.rows = p.piece(text, j.w, &refs)
	t.from = d.openAt + len(bytes.TrimRight(text, " "))
}

// Apply takes the result of a Job and reports whether it changed anything. It drops the result
// for a text that was replaced since. Every Job that ran must be passed to Apply: until then
// the Stream offers no other.
func (s *Stream) Apply(d Result) bool {
	s.out = false
	if d.seq != s.seq {
		return false
	}
	for _, r := range d.replacements {
		s.put(r, d.w)
	}
	if len(d.replacements) > 0 {
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
	for _, key := range s.defined.add(d.definitions) {
		s.mark(key)
	}
	s.setLate(d.late)
	d.tail.id = s.tail.id + 1
	s.tail, s.openAt, s.memo = *d.tail, d.openAt, d.memo
	s.next = d.finished.Add((share - 1) * d.cost)
	return true
}

// put stores the rows of a block.
func (s *Stream) put(r renderedBlock, w int) {
	if !r.done {
		return
	}
	b := &s.blocks[r.i]
	*b = block{start: b.start, end: b.end, rows: r.rows, w: w}
	for label := range r.unresolved {
		if !slices.Contains(s.dependents[label], r.i) {
			s.dependents[label] = append(s.dependents[label], r.i)
		}
	}
}

package markdown

import (
	"time"
	"unicode/utf8"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// A tail is the open end as rendered by a Job.
type tail struct {
	rows      []string
	w         int
	size      int // of the rendered text, in bytes as received
	closed    bool
	from      int    // offset in the sanitised text: text from here on is not in rows
	openFence *fence // set if the code block at the end of rows is still open
	id        uint64 // changes with rows
}

// A view caches the rows that Lines returned last, so that the next call only appends.
type view struct {
	w        int
	version  uint64
	rows     []string // the returned rows: a part of all
	all      []string // including blank rows at the end
	base     int      // how many rows belong to blocks
	blocks   int      // how many blocks have rows
	tail     uint64   // id of the tail that follows them
	flowRows int      // how many rows of flow follow the tail
	fixed    int      // how many rows do not change while the tail does not
	flow     flow     // the text after the rendered tail
	flowEnd  int      // offset of the end of flow in the text

	id      uint64 // unique among the views of the Stream
	rebuilt uint64 // how often the rows behind base were rebuilt
}

// A Mark identifies the rows of one call of [Stream.Lines], so that they can be compared
// without reading them. The zero Mark is that of no rows.
type Mark struct {
	stream        *Stream
	view, rebuilt uint64
	base, fixed   int
}

// Mark returns the mark of the rows that Lines returned last.
func (s *Stream) Mark() Mark {
	v := &s.view
	return Mark{stream: s, view: v.id, rebuilt: v.rebuilt, base: v.base, fixed: v.fixed}
}

// Final returns how many of the first rows belong to blocks that are complete. They change only if
// the definition of a link comes after its use.
func (m Mark) Final() int { return m.base }

// Unchanged returns how many of the first rows of before are the same in m. The number may
// exceed the number of rows, and more rows may be the same.
func (m Mark) Unchanged(before Mark) int {
	switch {
	case m.stream == nil || m.stream != before.stream || m.view != before.view:
		return 0
	case m.rebuilt != before.rebuilt:
		return before.base
	default:
		return before.fixed
	}
}

// Lines returns the text in rows of at most w cells that can be drawn directly. It does not
// render: before a Job for this width was applied, it returns older rows refitted, or the plain
// source. The rows belong to the Stream and are valid until it changes.
func (s *Stream) Lines(w int) []string {
	if w <= 0 {
		return nil
	}
	v := &s.view
	if v.w != w {
		s.views++
		*v = view{w: w, id: s.views}
	} else if v.version == s.version {
		return v.rows
	}
	rows := v.all[:v.fixed]
	if v.fixed == 0 || v.blocks < len(s.blocks) || v.tail != s.tail.id {
		rows = s.rebuild(v)
	}
	if v.flowEnd < len(s.src) {
		v.flow.write(trimPartialRune(s.src[v.flowEnd:]))
		v.flowEnd = len(s.src)
	}
	rows = append(rows, v.flow.rows[v.flowRows:]...)
	v.flowRows, v.fixed = len(v.flow.rows), len(rows)

	last := v.flow
	if rest := s.in.rest(); v.flowEnd-len(s.src) < len(rest) {
		last.open += trimPartialRune(rest[v.flowEnd-len(s.src):])
	}
	v.all = append(rows, last.openRows()...)
	n := len(v.all)
	for n > 0 && blank(v.all[n-1]) {
		n--
	}
	v.rows, v.version = v.all[:n:n], s.version
	return v.rows
}

// trimPartialRune returns text without the end of a rune at its beginning. An incomplete line
// may be sanitised differently when more of it is known, so that its former end is now inside a
// rune.
func trimPartialRune(text []byte) string {
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return string(text)
}

// rebuild returns the rows up to the end of the tail and resets the flow that follows.
func (s *Stream) rebuild(v *view) []string {
	rows := v.all[:v.base]
	for ; v.blocks < len(s.blocks); v.blocks++ {
		rows = join(rows, s.fit(&s.blocks[v.blocks], v.w), true)
	}
	v.base, v.tail, v.flowRows = len(rows), s.tail.id, 0
	v.rebuilt++
	v.flowEnd = max(s.tail.from, s.openAt)
	v.flow = flow{w: v.w, paint: s.st.Text}
	shown := refit(s.tail.rows, s.tail.w, v.w)
	if s.tail.openFence != nil {
		v.flow = codeFlow(s.st, v.w)
	} else if n := len(shown); n > 0 && !s.lineStart(v.flowEnd) {
		v.flow.head, shown = shown[n-1], shown[:n-1]
	}
	if len(rows) > 0 {
		rows = append(rows, "")
	}
	return append(rows, shown...)
}

// lineStart reports whether a line begins at the offset at.
func (s *Stream) lineStart(at int) bool {
	return at == 0 || at <= len(s.src) && s.src[at-1] == '\n'
}

// fit returns the rows of b for the width w.
func (s *Stream) fit(b *block, w int) []string {
	if b.w == w {
		return b.rows
	}
	if b.fittedTo != w {
		b.fittedTo = w
		if b.w > 0 {
			b.fittedRows = refit(b.rows, b.w, w)
		} else {
			b.fittedRows = plainRows(s.src[b.start:b.end], w, s.st.Text)
		}
	}
	return b.fittedRows
}

// refit returns rows of one width so that they fit another.
func refit(rows []string, from, to int) []string {
	if from <= to {
		return rows
	}
	var out []string
	for _, row := range rows {
		if canvas.Width(row) > to {
			out = append(out, wrap(row, to)...)
		} else {
			out = append(out, row)
		}
	}
	return out
}

// Render renders a small, complete text in rows of at most w cells. It takes about a
// millisecond per kilobyte, so callers cache the result.
func Render(st *styles.Styles, text string, w int) []string {
	s := New(st, func() time.Time { return time.Time{} })
	s.Append([]byte(text))
	s.Close()
	for job, ok := s.Job(w); ok; job, ok = s.Job(w) {
		s.Apply(job.Run())
	}
	return s.Lines(w)
}

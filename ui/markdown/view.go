package markdown

import (
	"time"
	"unicode/utf8"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// A tail is the open end as a Job left it, and where text has come since.
type tail struct {
	rows   []string
	w      int
	size   int // of the text that was rendered, in bytes as they came
	closed bool
	from   int    // in sanitised text: what follows is not in rows
	inside *fence // if the code block at the end of rows is still open
	id     uint64 // changes with rows
}

// A view remembers the rows that Lines returned last, so that the next call adds
// only what is new.
type view struct {
	w       int
	version uint64
	rows    []string // what was returned: a part of all
	all     []string // with blank rows at the end
	base    int      // how many belong to blocks
	blocks  int      // how many blocks that are
	tail    uint64   // the tail that comes next
	flowed  int      // how many rows of flow follow it
	fixed   int      // rows that stay while the tail does
	flow    flow     // what came after the tail was rendered
	fed     int      // where in the text flow ends

	id      uint64 // of all views of the Stream
	rebuilt uint64 // how often the rows behind base were made anew
}

// A Mark tells the rows that [Stream.Lines] returned at one time from those of
// another, without looking at them. The zero Mark is of no rows.
type Mark struct {
	of            *Stream
	view, rebuilt uint64
	base, fixed   int
}

// Mark returns the mark of the rows that Lines returned last.
func (s *Stream) Mark() Mark {
	v := &s.view
	return Mark{of: s, view: v.id, rebuilt: v.rebuilt, base: v.base, fixed: v.fixed}
}

// Kept returns how many of the first rows that before marks stand among those of m
// where they stood. It may be more than there were, and there may be more of them.
func (m Mark) Kept(before Mark) int {
	switch {
	case m.of == nil || m.of != before.of || m.view != before.view:
		return 0
	case m.rebuilt != before.rebuilt:
		return before.base
	default:
		return before.fixed
	}
}

// Lines returns the text in rows of at most w cells that can be drawn as they are.
// It does not render: where no Job has been applied yet, or not for this width, it
// shows older rows refitted or the plain source. The rows belong to the Stream and
// are valid until it changes.
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
	if v.fed < len(s.src) {
		v.flow.write(wholly(s.src[v.fed:]))
		v.fed = len(s.src)
	}
	rows = append(rows, v.flow.rows[v.flowed:]...)
	v.flowed, v.fixed = len(v.flow.rows), len(rows)

	last := v.flow
	if rest := s.in.rest(); v.fed-len(s.src) < len(rest) {
		last.open += wholly(rest[v.fed-len(s.src):])
	}
	v.all = append(rows, last.unfinished()...)
	n := len(v.all)
	for n > 0 && blank(v.all[n-1]) {
		n--
	}
	v.rows, v.version = v.all[:n:n], s.version
	return v.rows
}

// wholly returns text without the end of a rune at its beginning. A line that is not
// complete may be sanitised differently once more of it is known, so that what was
// the end of it lies inside a rune now.
func wholly(text []byte) string {
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return string(text)
}

// rebuild returns the rows up to the end of the tail and prepares the flow after
// them.
func (s *Stream) rebuild(v *view) []string {
	rows := v.all[:v.base]
	for ; v.blocks < len(s.blocks); v.blocks++ {
		rows = join(rows, s.fit(&s.blocks[v.blocks], v.w), true)
	}
	v.base, v.tail, v.flowed = len(rows), s.tail.id, 0
	v.rebuilt++
	v.fed = max(s.tail.from, s.frozen)
	v.flow = flow{w: v.w, paint: s.st.Text}
	shown := refit(s.tail.rows, s.tail.w, v.w)
	if s.tail.inside != nil {
		v.flow = codeFlow(s.st, v.w)
	} else if n := len(shown); n > 0 && !s.lineStart(v.fed) {
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
			b.fitted = refit(b.rows, b.w, w)
		} else {
			b.fitted = plain(s.src[b.start:b.end], w, s.st.Text)
		}
	}
	return b.fitted
}

// refit returns rows made for one width so that they fit into another.
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

// Render renders a small text that is complete, in rows of at most w cells. It
// takes about a millisecond per kilobyte: the caller keeps what it returns.
func Render(st *styles.Styles, text string, w int) []string {
	s := New(st, func() time.Time { return time.Time{} })
	s.Append([]byte(text))
	s.Close()
	for job, ok := s.Job(w); ok; job, ok = s.Job(w) {
		s.Apply(job.Run())
	}
	return s.Lines(w)
}

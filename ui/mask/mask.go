// Package mask masks the secrets of a session in finished rows.
//
// What crossed the wire was masked before it was recorded, in every spelling and over the chunks of a
// stream. Only a row shows what Markdown, a table or several parts make of a text, so rows are searched once more:
// all rows of a part of the screen together, because a secret may be broken over them. The text that the user types
// and a secret that the user reveals are not masked.
//
// A frame costs what changed since the last one: only these rows are read, and only those near them are searched.
package mask

import (
	"iter"
	"slices"
	"strings"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/present"
)

// Nowhere says that the user types in no row.
const Nowhere = -2

// A Mask masks rows. The zero Mask, of a session without secrets, returns them as they are.
type Mask struct {
	secrets *a2a.Secrets
	sign    string // stands for a secret
	areas   [present.Areas]area
	reads   int // rows that were read, not taken from the last frame; for tests
}

// An area is a part of the screen in the last frame.
type area struct {
	by     *a2a.DrawnSecrets
	typed  int
	rows   []string // as they were drawn
	texts  []text   // of these rows
	shown  []string // as they were shown, if a secret is masked in them
	masked bool

	// For reuse in the next frame: texts, fresh rows, joined texts, and where in them those of the rows begin.
	spare  []text
	fresh  []bool
	joined []byte
	starts []int
}

// A text is what a row says.
type text struct {
	row  string // without links to a secret
	from int    // where in its plain text the text begins, after decoration
	said string // the text
}

// New returns a mask of the secrets of a session.
func New(secrets *a2a.Secrets) *Mask { return &Mask{secrets: secrets, sign: a2a.Mask} }

// SetSign changes the sign that stands for a secret.
func (m *Mask) SetSign(sign string) {
	m.sign = sign
	m.areas = [present.Areas]area{}
}

// Rows masks the rows of an area, apart from the one in which the user types, which may be [Nowhere]. It keeps the
// rows until the next call, and returns rows that are not to be changed.
func (m *Mask) Rows(of present.Area, rows []string, typed int) []string {
	by := m.secrets.Drawn()
	if by == nil {
		return rows
	}
	a := &m.areas[of]
	if a.by == by && a.typed == typed && slices.Equal(a.rows, rows) {
		if a.masked {
			return a.shown
		}
		return rows
	}
	if a.by != by || a.typed != typed {
		*a = area{by: by, typed: typed}
	}
	fresh := m.read(a, rows)
	if a.masked { // also where nothing changed
		for y := range fresh {
			fresh[y] = true
		}
	}
	a.masked = false
	for from, to := range a.stretches(fresh, by.Longest()) {
		m.search(a, from, to)
	}
	if a.masked {
		return a.shown
	}
	return rows
}

// read reads the rows of an area, and reports which of them, or of their neighbours, were not in the last frame.
func (m *Mask) read(a *area, rows []string) (fresh []bool) {
	texts, last := a.spare[:0], -1 // where the row above was
	fresh = a.fresh[:0]
	for y, row := range rows {
		t, at := text{}, a.find(row, last+1)
		if y != a.typed {
			if at >= 0 {
				t = a.texts[at]
			} else {
				t = m.readRow(row, a.by)
			}
		}
		texts = append(texts, t)
		fresh = append(fresh, at < 0 || at != last+1)
		last = at
	}
	a.rows, a.texts, a.spare, a.fresh = append(a.rows[:0], rows...), texts, a.texts, fresh
	return fresh
}

// stretches yields the stretches of rows in which a secret of a length may have a fresh row.
func (a *area) stretches(fresh []bool, longest int) iter.Seq2[int, int] {
	near := slices.Clone(fresh)
	budget := 0
	reach := func(y int) {
		switch {
		case fresh[y]:
			budget = longest
		case budget > 0:
			near[y] = true
			budget -= len(a.texts[y].said)
		}
	}
	for y := range fresh {
		reach(y)
	}
	budget = 0
	for y := len(fresh) - 1; y >= 0; y-- {
		reach(y)
	}
	return func(yield func(from, to int) bool) {
		for from := 0; from < len(near); from++ {
			to := from
			for to < len(near) && near[to] {
				to++
			}
			if to > from && !yield(from, to) {
				return
			}
			from = to
		}
	}
}

// search masks the secrets in a stretch of rows.
func (m *Mask) search(a *area, from, to int) {
	joined, starts, linked := a.joined[:0], a.starts[:0], false
	for y := from; y < to; y++ {
		starts = append(starts, len(joined))
		joined = append(append(joined, a.texts[y].said...), '\n')
		linked = linked || y != a.typed && a.texts[y].row != a.rows[y]
	}
	a.joined, a.starts = joined, starts
	spans := a.by.Spans(joined)
	if len(spans) == 0 && !linked {
		return
	}
	if !a.masked {
		a.masked, a.shown = true, slices.Clone(a.rows)
	}
	for y := from; y < to; y++ {
		if y != a.typed {
			a.shown[y] = m.patched(&a.texts[y], spans, starts[y-from])
		}
	}
}

// find returns where a row was in the last frame, -1 for nowhere. It is mostly where it is expected.
func (a *area) find(row string, at int) int {
	if at >= 0 && at < len(a.rows) && a.rows[at] == row {
		return at
	}
	return slices.Index(a.rows, row)
}

// readRow reads a row.
func (m *Mask) readRow(row string, by *a2a.DrawnSecrets) text {
	m.reads++
	row = canvas.WithoutLinks(row, func(address string) bool { return len(by.Spans([]byte(address))) > 0 })
	plain := canvas.Plain(row)
	said := strings.TrimLeftFunc(plain, decorates)
	return text{row: row, from: len(plain) - len(said), said: strings.TrimRightFunc(said, decorates)}
}

// decorates reports whether a character at an edge of a row belongs to no text: a space, a bar or a rule.
func decorates(r rune) bool { return r == ' ' || r == '|' || r >= 0x2500 && r <= 0x259f }

// patched returns a row with a sign in place of each span of the joined texts, in which its own begins at an offset.
func (m *Mask) patched(t *text, spans [][2]int, start int) string {
	var patches []canvas.Patch
	for _, s := range spans {
		from, to := s[0]-start, min(s[1]-start, len(t.said))
		if to <= 0 || from >= len(t.said) {
			continue
		}
		p := canvas.Patch{From: t.from + max(from, 0), To: t.from + to, Text: m.sign}
		if from < 0 { // it begins in a row above
			p.Text = ""
		}
		patches = append(patches, p)
	}
	return canvas.Patched(t.row, patches)
}

// Line masks a line that stands alone, such as a title.
func (m *Mask) Line(s string) string {
	by := m.secrets.Drawn()
	if by == nil {
		return s
	}
	plain := canvas.Plain(s)
	spans := by.Spans([]byte(plain))
	if len(spans) == 0 {
		return s
	}
	patches := make([]canvas.Patch, len(spans))
	for i, at := range spans {
		patches[i] = canvas.Patch{From: at[0], To: at[1], Text: m.sign}
	}
	return strings.TrimRight(canvas.Patched(s, patches), " ")
}

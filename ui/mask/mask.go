// Package mask masks the secrets of a session in finished rows.
//
// What crossed the wire was masked before it was recorded, in every spelling and over the chunks of a
// stream. Only a row shows what Markdown, a table or several parts make of a text, so rows are searched once more:
// all rows of a part of the screen together, because a secret may be broken over them. The text that the user types
// and a secret that the user reveals are not masked.
//
// A frame costs the parts of the screen that changed since the last one, and of these mostly only the search.
package mask

import (
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
	read    int // rows that were read, not taken from the last frame; for tests
}

// An area is a part of the screen in the last frame.
type area struct {
	by    *a2a.DrawnSecrets
	typed int
	rows  []string // as they were drawn
	shown []string
	texts map[string]text // of these rows
	older map[string]text // of the rows before, for reuse

	joined []byte // the texts
	starts []int  // of the rows in them
}

// A text is what a row says.
type text struct {
	row   string // without links to a secret
	plain string
	from  int    // where in plain the text begins, after decoration
	said  string // the text
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
		return a.shown
	}
	if a.by != by || a.texts == nil {
		a.texts, a.older = map[string]text{}, map[string]text{}
	}
	texts, joined, starts := a.older, a.joined[:0], a.starts[:0]
	clear(texts)
	changed := false
	for y, row := range rows {
		starts = append(starts, len(joined))
		if y == typed {
			continue
		}
		t, known := a.texts[row]
		if !known {
			t = m.readRow(row, by)
		}
		texts[row] = t
		joined = append(append(joined, t.said...), '\n')
		changed = changed || t.row != row
	}
	a.by, a.typed, a.rows, a.shown = by, typed, append(a.rows[:0], rows...), rows
	a.texts, a.older, a.joined, a.starts = texts, a.texts, joined, starts
	if spans := by.Spans(joined); changed || len(spans) > 0 {
		a.shown = m.patched(rows, texts, starts, spans, typed)
	}
	return a.shown
}

// readRow reads a row.
func (m *Mask) readRow(row string, by *a2a.DrawnSecrets) text {
	m.read++
	row = canvas.WithoutLinks(row, func(address string) bool { return len(by.Spans([]byte(address))) > 0 })
	plain := canvas.Plain(row)
	said := strings.TrimLeftFunc(plain, decorates)
	return text{row: row, plain: plain, from: len(plain) - len(said), said: strings.TrimRightFunc(said, decorates)}
}

// decorates reports whether a character at an edge of a row belongs to no text: a space, a bar or a rule.
func decorates(r rune) bool { return r == ' ' || r == '|' || r >= 0x2500 && r <= 0x259f }

// patched returns rows with a sign in place of each span of their joined texts.
func (m *Mask) patched(rows []string, texts map[string]text, starts []int, spans [][2]int, typed int) []string {
	out := slices.Clone(rows)
	for y, row := range rows {
		if y == typed {
			continue
		}
		t := texts[row]
		var patches []canvas.Patch
		for _, s := range spans {
			from, to := s[0]-starts[y], min(s[1]-starts[y], len(t.said))
			if to <= 0 || from >= len(t.said) {
				continue
			}
			p := canvas.Patch{From: t.from + max(from, 0), To: t.from + to, Text: m.sign}
			if from < 0 { // it begins in a row above
				p.Text = ""
			}
			patches = append(patches, p)
		}
		out[y] = canvas.Patched(t.row, patches)
	}
	return out
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

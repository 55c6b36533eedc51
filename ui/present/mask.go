package present

import (
	"slices"
	"strings"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// An Area is a part of the screen whose rows are masked together.
type Area uint8

// The areas.
const (
	Header Area = iota
	Agents
	Talk
	Popup
	Text // the text field
	Wire
	Second
	Overlay
	Footer
	Notice
	Edge  // titles and notes of frames
	Areas // how many there are
)

// A Mask hides in finished rows what an audience must not see: credentials, the paths of homes,
// and all but the beginning of long ids. A row keeps its width.
type Mask struct {
	find  finder
	memos [Areas]canvas.Memo
	typed [Areas]canvas.Memo
	drawn int // rows that were masked, not taken from a memo; for tests
}

// NewMask returns a mask for a user with a home; empty if it is not known.
func NewMask(home string) *Mask { return &Mask{find: finder{home: home}} }

// SetStyles changes the signs that stand for what is hidden.
func (m *Mask) SetStyles(st *styles.Styles) {
	m.find.setSigns(&st.G)
	m.memos, m.typed = [Areas]canvas.Memo{}, [Areas]canvas.Memo{}
}

// Sign returns what stands for a hidden secret.
func (m *Mask) Sign() string { return m.find.mark }

// Rows masks the rows of an area.
func (m *Mask) Rows(of Area, rows []string) []string {
	out, all := make([]string, len(rows)), m.read(rows)
	for y, row := range rows {
		out[y] = m.memos[of].Row(y, m.row, canvas.Parts{all[y].before, row, all[y].after})
	}
	return out
}

// All says that the user types in all rows of an area.
const All = -1

// Typed masks the rows of an area of which the user types in one, or in [All]: there every cell
// stays where it is, so that the cursor is right.
func (m *Mask) Typed(of Area, rows []string, in int) []string {
	out, all := make([]string, len(rows)), m.read(rows)
	for y, row := range rows {
		memo, put := &m.memos[of], m.row
		if in == All || in == y {
			memo, put = &m.typed[of], m.typedRow
		}
		out[y] = memo.Row(y, put, canvas.Parts{all[y].before, row, all[y].after})
	}
	return out
}

// Line masks a line that stands alone, such as a title.
func (m *Mask) Line(s string) string {
	return strings.TrimRight(m.row(&canvas.Parts{"", s, ""}), " ")
}

// A reading is the text of a row. A word that is longer than a pane is broken, so the first one may
// have begun in the rows above, and the last one may go on in the rows below.
type reading struct {
	text          string // without decoration
	head, tail    string // its first word and its last one
	before, after string // the rest of them in the rows above, with a rowEnd between rows, and below
	goesOn        bool
}

const (
	// longestWord is how much of a word is read in other rows, in bytes.
	longestWord = 4 << 10
	rowEnd      = "\n"
)

// read reads rows.
func (m *Mask) read(rows []string) []reading {
	all := make([]reading, len(rows))
	for y, row := range rows {
		r := &all[y]
		plain := canvas.Plain(row)
		r.text = strings.TrimRight(undecorated(plain), " ")
		r.head, _, _ = strings.Cut(r.text, " ")
		r.tail = r.text[strings.LastIndexByte(r.text, ' ')+1:]
		r.goesOn = r.text != "" && (strings.IndexByte(joints, r.text[len(r.text)-1]) >= 0 || reaches(plain))
		if y > 0 && all[y-1].goesOn {
			if r.before = all[y-1].tail; all[y-1].whole() && len(all[y-1].before) < longestWord {
				r.before = all[y-1].before + rowEnd + r.before
			}
		}
	}
	for y := len(all) - 2; y >= 0; y-- {
		if r, below := &all[y], &all[y+1]; r.goesOn {
			if r.after = below.head; below.whole() && len(below.after) < longestWord {
				r.after += below.after
			}
		}
	}
	return all
}

// whole reports whether a row is one word.
func (r *reading) whole() bool { return len(r.head) == len(r.text) }

// joints are the characters behind which a word may be broken, besides at the edge.
const joints = "-/_.,:;?&=+@"

// reaches reports whether a row has text up to its right edge.
func reaches(plain string) bool {
	const slack = 2 // cells that a pane may leave free
	return len(plain)-len(strings.TrimRight(plain, " ")) <= slack
}

// undecorated returns a row without the spaces, bars and rules at its left edge.
func undecorated(row string) string {
	return strings.TrimLeftFunc(row, func(r rune) bool { return r == ' ' || r == '|' || r >= 0x2500 && r <= 0x259f })
}

// row masks a row between the parts of words in the rows above and below.
func (m *Mask) row(parts *canvas.Parts) string {
	m.drawn++
	line := canvas.WithoutLinks(parts[1], func(address string) bool { return len(m.find.patches(address)) > 0 })
	return canvas.Patched(line, m.patches(parts))
}

// typedRow is row with a sign in every hidden cell.
func (m *Mask) typedRow(parts *canvas.Parts) string {
	m.drawn++
	plain, patches := canvas.Plain(parts[1]), m.patches(parts)
	patches = slices.DeleteFunc(patches, func(p canvas.Patch) bool { // of ids, whose owner types them
		return p.Text != m.find.ellipsis && strings.HasSuffix(p.Text, m.find.ellipsis)
	})
	for i := range patches {
		p := &patches[i]
		p.Text = strings.Repeat(m.find.dot, canvas.Width(plain[p.From:p.To]))
	}
	return canvas.Patched(parts[1], patches)
}

// patches returns the patches of a row.
func (m *Mask) patches(parts *canvas.Parts) []canvas.Patch {
	before, plain, after := parts[0], canvas.Plain(parts[1]), parts[2]
	found := m.find.patches(plain)
	begin, end := len(plain)-len(undecorated(plain)), len(strings.TrimRight(plain, " "))
	if before == "" && after == "" || begin >= end {
		return found
	}
	add := func(before string) {
		for _, p := range m.find.patches(before + plain[begin:end] + after) {
			from, to := p.From-len(before)+begin, p.To-len(before)+begin
			if to <= begin || from >= end {
				continue
			}
			if from < begin && p.Text != m.find.mark { // its beginning is in the row above
				p.Text = ""
			}
			found = append(found, canvas.Patch{From: max(from, begin), To: min(to, end), Text: p.Text})
		}
	}
	add("")
	for n := 0; before != "" && n < mostBegins; n++ { // it may begin in any of the rows above
		above := before
		if n > 0 {
			_, above, _ = strings.Cut(before, rowEnd)
			before = above
		}
		add(strings.ReplaceAll(above, rowEnd, ""))
	}
	return apart(found)
}

// mostBegins is in how many rows a word is thought to begin: the first of them and those below.
const mostBegins = 12

// apart sorts patches and drops those that overlap an earlier one.
func apart(all []canvas.Patch) []canvas.Patch {
	slices.SortStableFunc(all, func(a, b canvas.Patch) int {
		if a.From != b.From {
			return a.From - b.From
		}
		return b.To - a.To // the longest first
	})
	out := all[:0]
	for _, p := range all {
		if n := len(out); n > 0 && p.From < out[n-1].To {
			out[n-1].To = max(out[n-1].To, p.To)
			continue
		}
		out = append(out, p)
	}
	return out
}

// A finder finds what is hidden in a text.
type finder struct {
	home                string
	mark, ellipsis, dot string
}

func (f *finder) setSigns(g *styles.Glyphs) {
	f.dot, f.ellipsis = "•", g[styles.Ellipsis]
	if g[styles.Bullet] != styles.Unicode()[styles.Bullet] {
		f.dot = "*"
	}
	f.mark = strings.Repeat(f.dot, 3)
}

// patches returns what replaces the hidden parts of a text, in order.
func (f *finder) patches(text string) []canvas.Patch {
	if !suspicious(text) && (f.home == "" || !strings.Contains(text, f.home)) {
		return nil
	}
	var all []canvas.Patch
	hide := func(from, to int) { all = append(all, canvas.Patch{From: from, To: to, Text: f.mark}) }
	for _, s := range a2a.TokenSpans(text) {
		hide(s[0], s[1])
	}
	userInfo(text, hide)
	namedValues(text, hide)
	f.homes(text, func(from, to int) { all = append(all, canvas.Patch{From: from, To: to, Text: "~"}) })
	f.runs(text, &all)
	return apart(all)
}

// suspicious reports whether a text can contain anything that is hidden, besides the user's home:
// most rows cannot.
func suspicious(text string) bool {
	first := undecorated(text)
	n := 0
	for n < len(first) && isName(first[n]) {
		n++
	}
	if n > 0 && strings.HasPrefix(first[n:], "  ") { // a row of a table
		return true
	}
	run := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '=' || c == ':' || c == '"' || c == '@' || c == '\\':
			return true
		case c == '/' && i+1 < len(text) && (text[i+1] == 'h' || text[i+1] == 'U'):
			return true
		case isRun(c):
			if run++; run >= shortestRun {
				return true
			}
		default:
			run = 0
		}
	}
	return false
}

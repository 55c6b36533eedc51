package jsonview

import (
	"bytes"
	"slices"

	"parley/a2a/jsontok"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A Look is a way to show a string or a number below its line.
type Look uint8

// The looks.
const (
	Closed     Look = iota // on its line only, abbreviated where it does not fit
	AsText                 // wrapped
	AsJSON                 // as the tree of the JSON that it holds
	AsMarkdown             // rendered
	AsBytes                // what its base64 stands for, in hexadecimal
)

// String returns the look in words: "as JSON".
func (l Look) String() string {
	switch l {
	case AsText:
		return "as text"
	case AsJSON:
		return "as JSON"
	case AsMarkdown:
		return "as Markdown"
	case AsBytes:
		return "as bytes"
	default:
		return "closed"
	}
}

const (
	piece     = 64 << 10 // bytes of one string that are opened at a time
	mostProse = 16 << 10 // bytes that are rendered as Markdown: some 20 ms
)

// opened says how a scalar is shown, and how many pieces of its text.
type opened struct {
	look   Look
	pieces int
}

// SetProse gives the view the means to show text as Markdown in w cells. Without it
// that look is not offered.
func (v *View) SetProse(render func(text string, w int) []string) { v.prose = render }

// Look changes how the string under the cursor is shown: to the next way that suits
// it, what it holds before plain text. It reports the way, Closed if there is none.
func (v *View) Look() Look {
	i, ok := v.textAt()
	if !ok {
		return Closed
	}
	looks := v.looks(i)
	at := slices.Index(looks, v.opened[i].look)
	look := looks[(at+1)%len(looks)]
	v.open(i, opened{look, 1})
	v.win.jump(v, place{row: i})
	return look
}

// CanLook reports whether [View.Look] would do anything.
func (v *View) CanLook() bool {
	_, ok := v.textAt()
	return ok
}

// textAt returns the string under the cursor; an empty one does not count.
func (v *View) textAt() (i int, ok bool) {
	if !v.win.settle(v) || v.win.at.row >= v.x.doc.Len() {
		return 0, false
	}
	i = v.win.at.row
	t := v.x.doc.Token(i)
	return i, t.Kind == jsontok.String && !t.Key && t.End > t.Off+2
}

// looks returns the ways that suit string i, the most telling first.
func (v *View) looks(i int) []Look {
	raw, torn := v.x.inner(i)
	var out []Look
	if seemsJSON(raw) && len(raw) <= inline && !torn {
		if text, _ := unescape(raw, inline); new(jsontok.Doc).Parse([]byte(text)) == nil {
			out = append(out, AsJSON)
		}
	}
	size, coded := base64Size(raw)
	if coded = coded && bytes.IndexByte(raw, '\\') < 0 && size > 0; coded {
		out = append(out, AsBytes)
	}
	if v.prose != nil && !coded {
		out = append(out, AsMarkdown)
	}
	return append(out, AsText)
}

// seemsJSON reports whether a string, of which raw are the bytes between the quotes,
// looks like JSON that is worth a tree.
func seemsJSON(raw []byte) bool {
	const space = " \t\r\n"
	head := bytes.TrimLeft(bytes.ReplaceAll(raw[:min(len(raw), 64)], []byte(`\n`), nil), space)
	tail := bytes.TrimRight(bytes.ReplaceAll(raw[max(len(raw)-64, 0):], []byte(`\n`), nil), space)
	if len(head) == 0 || len(tail) == 0 {
		return false
	}
	last := tail[len(tail)-1]
	return head[0] == '{' && last == '}' || head[0] == '[' && last == ']'
}

// open shows scalar i in another way.
func (v *View) open(i int, as opened) {
	if as.look == Closed {
		delete(v.opened, i)
	} else {
		v.opened[i] = as
	}
	delete(v.memo.insets, i)
	v.redraw()
}

// An inset is what stands below the line of an opened scalar.
type inset interface {
	len() int
	line(k int) string
}

// inset returns the lines of an opened scalar.
func (v *View) inset(i int) inset {
	if in, ok := v.memo.insets[i]; ok {
		return in
	}
	in := v.makeInset(i, max(v.w-canvas.Width(v.margin(i, -1)), 1))
	v.memo.setInset(i, in)
	return in
}

func (v *View) makeInset(i, room int) inset {
	n, as := v.x.doc.Node(i), v.opened[i]
	if n.Kind() != jsontok.String {
		return v.plainText(n.Raw(), as.pieces, room, v.st.Number, func(b []byte) string { return string(b) })
	}
	raw, _ := v.x.inner(i)
	switch as.look {
	case AsJSON:
		text, _ := unescape(raw, inline)
		return newTreeInset(v.st, text, room)
	case AsBytes:
		return newHexInset(v.st, raw, room)
	case AsMarkdown:
		return v.markdown(raw, room)
	default:
		return v.plainText(raw, as.pieces, room, v.st.OK, func(b []byte) string {
			text, _ := unescape(b, len(b))
			return text
		})
	}
}

// rows is an inset whose lines are all there.
type rows struct {
	lines []string
	paint styles.Paint
	rest  string // the last line, which tells what is not shown; empty if all is
	more  bool   // more of that can be opened
}

func (r rows) len() int {
	if r.rest != "" {
		return len(r.lines) + 1
	}
	return len(r.lines)
}

func (r rows) line(k int) string {
	if k == len(r.lines) {
		return r.rest
	}
	return r.paint.S(r.lines[k])
}

// plainText lays the first pieces of a text out.
func (v *View) plainText(raw []byte, pieces, room int, paint styles.Paint, read func([]byte) string) inset {
	out, left := rows{paint: paint}, raw
	for range max(pieces, 1) {
		n := len(left)
		if n > piece {
			n = cut(left, piece)
		}
		if n == 0 {
			break
		}
		out.lines = append(out.lines, canvas.Wrap(canvas.Sanitize(visible(read(left[:n]))), room)...)
		left = left[n:]
	}
	if len(left) > 0 {
		out.rest, out.more = v.rest(len(left), "space opens more", room), true
	}
	return out
}

// markdown renders the begin of a text.
func (v *View) markdown(raw []byte, room int) inset {
	text, whole := unescape(raw, mostProse)
	out := rows{lines: v.prose(text, room)}
	if !whole {
		out.rest = v.rest(len(raw)-mostProse, "show it as text", room)
	}
	return out
}

// rest tells that n bytes are not shown, and what to do about it.
func (v *View) rest(n int, advice string, room int) string {
	words := v.st.G[styles.Ellipsis] + " " + units.Bytes(int64(n)) + " more; " + advice + "; copying includes all of it"
	return v.st.Faint.S(canvas.Ellipsize(words, room, v.st.G[styles.Ellipsis]))
}

// onMore returns the scalar of which the cursor is on the line that stands for the
// rest of its text.
func (v *View) onMore() (i int, ok bool) {
	at := v.win.at
	if at.row >= v.x.doc.Len() || at.sub == 0 {
		return 0, false
	}
	r, ok := v.inset(at.row).(rows)
	return at.row, ok && r.more && at.sub == r.len()
}

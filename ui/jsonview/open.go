package jsonview

import (
	"bytes"
	"slices"

	"parley/a2a/jsontok"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// A Format is a way to show a string or a number below its line.
type Format uint8

// The formats.
const (
	Closed     Format = iota // only on its line, shortened if it does not fit
	AsText                   // wrapped
	AsJSON                   // as the tree of the JSON inside
	AsMarkdown               // rendered
	AsBytes                  // the decoded base64, in hexadecimal
)

// String describes the format: "as JSON".
func (l Format) String() string {
	return [...]string{"closed", "as text", "as JSON", "as Markdown", "as bytes"}[l]
}

const (
	piece     = 64 << 10 // bytes of a string that open at a time
	mostProse = 16 << 10 // bytes that are rendered as Markdown, in some 20 ms
)

// openState is the format of a scalar and the number of its visible pieces.
type openState struct {
	format Format
	pieces int
}

// SetProse sets the renderer for Markdown in w cells. Without it that format is not offered.
func (v *View) SetProse(render func(text string, w int) []string) { v.prose = render }

// NextFormat switches the string under the cursor to its next format: encoded forms come before
// plain text. It returns the format, Closed if there is none.
func (v *View) NextFormat() Format {
	i, ok := v.textAt()
	if !ok {
		return Closed
	}
	formats := v.formats(i)
	at := slices.Index(formats, v.opened[i].format)
	format := formats[(at+1)%len(formats)]
	v.open(i, openState{format, 1})
	v.win.jump(v, place{row: i})
	return format
}

// HasFormats reports whether [View.NextFormat] has an effect.
func (v *View) HasFormats() bool {
	_, ok := v.textAt()
	return ok
}

// textAt returns the string under the cursor, unless it is empty.
func (v *View) textAt() (i int, ok bool) {
	if !v.win.settle(v) || v.win.at.row >= v.x.doc.Len() {
		return 0, false
	}
	i = v.win.at.row
	t := v.x.doc.Token(i)
	return i, t.Kind == jsontok.String && !t.Key && t.End > t.Off+2
}

// formats returns the formats for string i, the most specific first.
func (v *View) formats(i int) []Format {
	raw, torn := v.x.inner(i)
	var out []Format
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

// seemsJSON reports whether a string formats like an object or an array; raw is the text between
// the quotes.
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

// open sets the format of scalar i.
func (v *View) open(i int, as openState) {
	if as.format == Closed {
		delete(v.opened, i)
	} else {
		v.opened[i] = as
	}
	delete(v.memo.insets, i)
	v.redraw()
}

// An inset is the lines below an opened scalar.
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
	switch as.format {
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

// rows is an inset with all its lines in memory.
type rows struct {
	lines []string
	paint styles.Paint
	rest  string // last line, which describes the hidden rest; empty if there is none
	more  bool   // the rest can be opened
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

// plainText lays out the first pieces of a text.
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
		out.rest, out.more = v.rest(len(left), keys.Name(v.fold)+" opens more", room), true
	}
	return out
}

// markdown renders the start of a text.
func (v *View) markdown(raw []byte, room int) inset {
	text, whole := unescape(raw, mostProse)
	out := rows{lines: v.prose(text, room)}
	if !whole {
		out.rest = v.rest(len(raw)-mostProse, "show it as text", room)
	}
	return out
}

// rest describes n hidden bytes, with advice.
func (v *View) rest(n int, advice string, room int) string {
	words := v.st.G[styles.Ellipsis] + " " + units.Bytes(int64(n)) + " more; " + advice + "; copying includes all of it"
	return v.st.Faint.S(canvas.Ellipsize(words, room, v.st.G[styles.Ellipsis]))
}

// onMore returns the scalar whose rest the cursor's line describes.
func (v *View) onMore() (i int, ok bool) {
	at := v.win.at
	if at.row >= v.x.doc.Len() || at.sub == 0 {
		return 0, false
	}
	r, ok := v.inset(at.row).(rows)
	return at.row, ok && r.more && at.sub == r.len()
}

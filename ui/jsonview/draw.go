package jsonview

import (
	"strconv"
	"strings"

	"parley/a2a/jsontok"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/styles"
)

const (
	alignMost = 24 // maximum width to which names are padded
	alignLook = 64 // how many members are measured for the padding

	leastValue = 16  // cells that marks leave for the value before them
	sizeFrom   = 100 // bytes from which shortened text shows its size
)

// draw returns the line at p. Values are shortened to the window's width; the rest of a line
// may exceed it.
func (v *View) draw(p place) string {
	n := v.x.doc.Len()
	switch {
	case p.row > n:
		return v.tail.draw(v.toFlow(p))
	case p.row == n:
		return v.sentence()[p.sub]
	case p.sub > 0:
		return v.margin(p.row, -1) + v.inset(p.row).line(p.sub-1)
	}
	return v.treeLine(p.row)
}

// sentence returns the lines that explain why the tree ends.
func (v *View) sentence() []string {
	paint, mark := v.st.Failed, v.st.G[styles.Failed]
	if v.x.pending {
		paint, mark = v.st.Dim, v.st.G[styles.Bullet]
	}
	return canvas.WrapPainted(mark+" "+v.x.sentence, v.w, paint)
}

// margin returns the start of a line of token i: the line number, unless it is negative, and
// the indentation.
func (v *View) margin(i, number int) string {
	s := ""
	if digits := v.gutter(); digits > 0 {
		s = strings.Repeat(" ", digits)
		if number >= 0 {
			s = canvas.FitRight(strconv.Itoa(number), digits)
		}
		s = v.st.Faint.S(s) + " "
	}
	depth := v.depth(i)
	indent := strings.Repeat(" ", min(2*depth, v.deepest()))
	if 2*depth > v.deepest() {
		indent = v.st.Faint.S(canvas.Fit(strconv.Itoa(depth)+v.st.G[styles.Ellipsis], v.deepest()))
	}
	if number < 0 {
		indent += "  "
	}
	return s + indent
}

// deepest returns the maximum indentation; deeper lines show their depth as a number.
func (v *View) deepest() int { return max(min(v.w/2, 40)&^1, 2) }

// gutter returns the width of line numbers, 0 if there is no room for them.
func (v *View) gutter() int {
	if v.edge != edgeAll || v.w < 24 {
		return 0
	}
	return max(2, len(strconv.Itoa(v.x.lines)))
}

// treeLine draws the line of token i.
func (v *View) treeLine(i int) string {
	head, used := v.head(i)
	value, open := v.value(i, v.w-used-2)
	fold := " "
	switch {
	case v.edge == edgeNone:
	case v.x.isTree(i) && !v.folded(i), v.opened[i].format != Closed:
		fold = v.st.G[styles.Unfolded]
	case v.x.isTree(i), open:
		fold = v.st.G[styles.Folded]
	}
	return v.margin(i, v.number(i)) + v.st.Dim.S(fold) + " " + head + value
}

// head returns the name of token i with a space behind it, and the width of the margin and the
// name.
func (v *View) head(i int) (string, int) {
	used := min(2*v.depth(i), v.deepest())
	if digits := v.gutter(); digits > 0 {
		used += digits + 1
	}
	key, parent := v.x.key(i), v.x.doc.Token(i).Parent
	switch {
	case key >= 0:
		name := v.name(key)
		w := canvas.Width(name)
		pad := 1
		if !v.x.isTree(i) {
			pad = max(v.nameWidth(parent)-w, 0) + 1
		}
		return v.st.Dim.S(name) + strings.Repeat(" ", pad), used + w + pad
	case parent >= 0:
		name := strconv.Itoa(v.position(parent, i))
		return v.st.Faint.S(name) + " ", used + canvas.Width(name) + 1
	}
	return "", used
}

// name returns a member's name, in quotes only if it would be ambiguous without.
func (v *View) name(key int) string {
	raw, _ := v.x.inner(key)
	text, whole := unescape(raw, 4*alignMost+v.w)
	text = canvas.SanitizeLine(escaped(text))
	if text == "" || strings.IndexByte(text, ' ') >= 0 || strings.IndexByte(text, '\\') >= 0 {
		text = `"` + text + `"`
	}
	if !whole {
		text += v.st.G[styles.Ellipsis]
	}
	return canvas.Ellipsize(text, max(v.w/2, 1), v.st.G[styles.Ellipsis])
}

// nameWidth returns the width to which the names of an object's scalars are padded.
func (v *View) nameWidth(object int) int {
	if w, ok := v.memo.widths[object]; ok {
		return w
	}
	w, end := 0, v.x.doc.Token(object).Next
	for i, n := object+1, 0; i+1 < end && n < alignLook; n++ {
		if !v.x.isTree(i + 1) {
			if kw := canvas.Width(v.name(i)); kw <= min(alignMost, v.w/3) {
				w = max(w, kw)
			}
		}
		i = v.x.doc.Token(i + 1).Next
	}
	v.memo.setWidth(object, w)
	return w
}

// value draws the value of token i and its marks in room cells; open reports whether it can be
// opened.
func (v *View) value(i, room int) (s string, open bool) {
	remarks, rw := v.remarks(i, room-leastValue)
	room = max(room-rw, 4)
	switch t := v.x.doc.Token(i); {
	case t.Key:
		s = ""
	case v.x.isTree(i):
		if v.folded(i) || i == 0 {
			s = v.st.Faint.S(v.shape(i, room))
		}
	case t.Kind == jsontok.Object:
		s = v.st.Faint.S("{}")
	case t.Kind == jsontok.Array:
		s = v.st.Faint.S("[]")
	default:
		s, open = v.scalar(i, room)
	}
	return s + remarks, open
}

// openable reports whether token i is a shortened scalar.
func (v *View) openable(i int) bool {
	_, used := v.head(i)
	_, open := v.value(i, v.w-used-2)
	return open
}

// scalar draws a string, number or literal in room cells; a long one is shortened and shows its
// size.
func (v *View) scalar(i, room int) (s string, open bool) {
	n := v.x.doc.Node(i)
	if n.Kind() != jsontok.String {
		raw := n.Raw()
		text := canvas.SanitizeLine(string(raw[:min(len(raw), room+1)]))
		if len(raw) > room {
			return v.shorten(v.st.Number, text, units.Plural(len(raw), "digit"), room), true
		}
		return v.st.Number.S(text), false
	}
	paint := v.st.Text
	if v.memo.fresh[i] {
		paint = v.st.Agent
	}
	raw, torn := v.x.inner(i)
	text, whole := unescape(raw, 4*room+64)
	line := `"` + canvas.SanitizeLine(escaped(text))
	closing := `"`
	if torn {
		closing = v.st.G[styles.Ellipsis]
	}
	if whole && canvas.Width(line)+1 <= room {
		return paint.S(line + closing), strings.Contains(text, "\n")
	}
	note := ""
	if len(raw) >= sizeFrom {
		note = units.Bytes(int64(len(raw)))
		if seemsJSON(raw) {
			note = "JSON " + note
		}
	}
	if size, ok := base64Size(raw); ok {
		note = "base64 " + units.Bytes(size)
	}
	return v.shorten(paint, line, note, room), true
}

func (v *View) shorten(paint styles.Paint, text, note string, room int) string {
	mark := v.st.G[styles.Ellipsis]
	keep := room - canvas.Width(note) - 1
	if keep < 8 || note == "" {
		return paint.S(canvas.Ellipsize(text+"  ", room, mark))
	}
	// The spaces force an ellipsis where the text alone would fit.
	return paint.S(canvas.Ellipsize(text+strings.Repeat(" ", keep), keep, mark)) + " " + v.st.Faint.S(note)
}

// shape summarizes a folded tree: "[3]", "{state, timestamp}".
func (v *View) shape(i, room int) string {
	t := v.x.doc.Token(i)
	if t.Kind == jsontok.Array {
		return "[" + units.Count(v.x.position(i, t.Next)) + "]"
	}
	s := "{"
	for k := i + 1; k+1 < t.Next && canvas.Width(s) < room; {
		if len(s) > 1 {
			s += ", "
		}
		s += v.name(k)
		k = v.x.doc.Token(k + 1).Next
	}
	return canvas.Ellipsize(s, room-1, v.st.G[styles.Ellipsis]) + "}"
}

// remarks returns the marks of token i and their width. If they take more than room, only their
// sign remains.
func (v *View) remarks(i, room int) (s string, w int) {
	key := v.x.key(i)
	repeated := key >= 0 && v.x.repeated[key]
	if !repeated && len(v.memo.marks[i]) == 0 {
		return "", 0
	}
	flag := "  " + v.st.G[styles.Flag]
	said := map[string]bool{}
	warned := false
	add := func(text string, quiet bool) {
		if said[text] {
			return
		}
		said[text] = true
		paint, text := v.st.Faint, "  "+canvas.SanitizeLine(text)
		if !quiet {
			paint, text, warned = v.st.Waiting, flag+text[1:], true
		}
		s += paint.S(text)
		w += canvas.Width(text)
	}
	for _, m := range v.memo.marks[i] {
		add(m.Text, m.Quiet)
	}
	if repeated {
		add("name repeated", false)
	}
	if w > max(room, 0) && warned {
		return v.st.Waiting.S(flag), canvas.Width(flag)
	}
	return s, w
}

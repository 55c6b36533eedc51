package jsonview

import (
	"strconv"
	"strings"
)

// Go moves the cursor to offset in the body or, if offset is negative, to a JSON pointer, and
// unfolds what contains it; while the index is pending, it does so later. It reports whether
// the place exists; if not, the cursor moves to the nearest one.
func (v *View) Go(offset int, pointer string) bool {
	if v.x.pending {
		v.target = &Mark{Offset: offset, Pointer: pointer}
		return true
	}
	if v.x.doc.Len() == 0 || offset >= 0 && offset >= v.x.rest && v.x.rest < len(v.body) {
		if offset < 0 {
			return false
		}
		v.win.top = v.fromFlow(v.tail.fix(place{offset, offset}))
		v.win.jump(v, v.win.top)
		return true
	}
	i, found := max(v.x.doc.At(offset).Index(), 0), true
	if offset < 0 {
		i = v.x.find(pointer)
		found = v.x.pointer(i) == pointer
	}
	v.unfoldTo(v.x.lineOf(i))
	return found
}

// unfoldTo unfolds the containers of token i and moves the cursor to it.
func (v *View) unfoldTo(i int) {
	for a := v.x.doc.Token(i).Parent; a >= 0; a = v.x.doc.Token(a).Parent {
		if v.folded(a) {
			v.folds[a] = v.foldAll
			v.redraw()
		}
	}
	v.center(place{row: i})
}

// center moves the cursor to p. If p is not visible, the window moves so that a third of it is
// above p.
func (v *View) center(p place) {
	if !v.win.settle(v) {
		return
	}
	p = v.fix(p)
	if bottom := step(v, v.win.top, v.win.h-1); p.before(v.win.top) || bottom.before(p) {
		v.win.top = step(v, p, -v.win.h/3)
	}
	v.win.jump(v, p)
}

// Pointer returns the JSON pointer (RFC 6901) of the value under the cursor, "" for the root
// and for text after the tree. In JSON inside a string, the inner pointer follows after a
// space.
func (v *View) Pointer() string {
	if !v.win.settle(v) || v.win.at.row >= v.x.doc.Len() {
		return ""
	}
	pointer := v.x.pointer(v.win.at.row)
	if x, i, ok := v.inside(); ok {
		pointer += " " + x.pointer(i)
	}
	return pointer
}

// inside returns the value under the cursor if it is part of JSON inside a string.
func (v *View) inside() (x *index, i int, ok bool) {
	at := v.win.at
	if at.sub == 0 || at.row >= v.x.doc.Len() {
		return nil, 0, false
	}
	in, ok := v.inset(at.row).(treeInset)
	if !ok {
		return nil, 0, false
	}
	return in.tree.x, in.tree.x.onLine(at.sub - 1), true
}

// Span returns the range of the body that the value under the cursor takes.
func (v *View) Span() (from, to int) {
	if !v.win.settle(v) {
		return 0, 0
	}
	if i := v.win.at.row; i < v.x.doc.Len() {
		t := v.x.doc.Token(i)
		return t.Off, t.End
	}
	return v.x.rest, len(v.body)
}

// lineSpan returns the range of the body that the cursor's line shows.
func (v *View) lineSpan() (from, to int) {
	from, to = v.Span()
	i := v.win.at.row
	if i >= v.x.doc.Len() {
		return from, to
	}
	if v.x.isTree(i) {
		to = from + 1
	}
	if key := v.x.key(i); key >= 0 {
		from = v.x.doc.Token(key).Off
	}
	return from, to
}

// pointer returns the JSON pointer of token i. Unlike [jsontok.Node.Pointer] it does not count
// array elements from the first.
func (x *index) pointer(i int) string {
	var names []string
	for t := x.doc.Token(i); t.Parent >= 0; i, t = t.Parent, x.doc.Token(t.Parent) {
		if key := x.key(i); key >= 0 {
			raw, _ := x.inner(key)
			name, _ := unescape(raw, len(raw))
			if strings.ContainsAny(name, "~/") {
				name = strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
			}
			names = append(names, name)
		} else {
			names = append(names, strconv.Itoa(x.position(t.Parent, i)))
		}
	}
	var b strings.Builder
	for k := len(names) - 1; k >= 0; k-- {
		b.WriteString("/" + names[k])
	}
	return b.String()
}

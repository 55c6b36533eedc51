package jsonview

import (
	"strconv"
	"strings"

	"parley/a2a/jsontok"
)

// A memo caches what was computed for drawn lines.
type memo struct {
	marks  map[int][]Mark // by token
	fresh  map[int]bool   // the strings that the body brought
	insets map[int]inset  // of opened scalars, for the current width
	widths map[int]int    // padding of names, by object
	deep   depth          // of the last line
	count  count          // of the last line
	nth    element        // of the last line
	frame  frame
}

// A count is the number of lines of the unfolded tree before a token.
type count struct{ token, lines int }

// An element is the position of a token in an array.
type element struct{ array, token, position int }

// number returns the line number of token i in the unfolded tree.
func (v *View) number(i int) int {
	c, start := v.memo.count, i-i%sampling
	if max(i-c.token, c.token-i) > i-start {
		c = count{start, int(v.x.ranks[i/sampling])}
	}
	for ; c.token < i; c.token++ {
		if v.x.isLine(c.token) {
			c.lines++
		}
	}
	for c.token > i {
		if c.token--; v.x.isLine(c.token) {
			c.lines--
		}
	}
	v.memo.count = c
	return c.lines + 1
}

// position returns the number of elements of an array before token i.
func (v *View) position(array, i int) int {
	e := v.memo.nth
	if e.array != array || e.token <= array || e.token > i || e.token < i-sampling {
		e = element{array, i, v.x.position(array, i)}
	}
	for ; e.token < i; e.token = v.x.doc.Token(e.token).Next {
		e.position++
	}
	v.memo.nth = e
	return e.position
}

// A depth is the number of containers around the children of parent.
type depth struct{ parent, n int }

// depth returns the number of containers with a line of their own around token i. Lines are
// drawn in order, so most have the same parent as the previous line or are in it.
func (v *View) depth(i int) int {
	parent := v.x.doc.Token(i).Parent
	if parent < 0 {
		return 0
	}
	n, known := 0, v.memo.deep
	for a := parent; a >= 0; a = v.x.doc.Token(a).Parent {
		if a == known.parent && known.n > 0 {
			n += known.n
			break
		}
		n++
	}
	v.memo.deep = depth{parent, n}
	if v.x.hidesRoot() {
		n--
	}
	return n
}

func (m *memo) setInset(i int, in inset) {
	if m.insets == nil {
		m.insets = make(map[int]inset)
	}
	m.insets[i] = in
}

func (m *memo) setWidth(object, w int) {
	if m.widths == nil {
		m.widths = make(map[int]int)
	}
	m.widths[object] = w
}

// place returns the remarks by token, and the tokens that are fresh. A mark on a missing member goes
// to its object.
func (x *index) place(marks []Mark) (at map[int][]Mark, fresh map[int]bool) {
	at, fresh = make(map[int][]Mark), make(map[int]bool)
	if x.doc.Len() == 0 {
		return at, fresh
	}
	for _, m := range marks {
		i := -1
		if m.Offset >= 0 {
			i = x.doc.At(m.Offset).Index()
		} else {
			i = x.find(m.Pointer)
		}
		if i = x.lineOf(max(i, 0)); m.Fresh {
			fresh[i] = true
		} else if x.isLine(i) {
			at[i] = append(at[i], m)
		}
	}
	return at, fresh
}

// find returns the token at a JSON pointer, or the nearest existing ancestor.
func (x *index) find(pointer string) int {
	n := x.doc.Root()
	for pointer != "" {
		var name string
		name, pointer, _ = strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
		if pointer != "" {
			pointer = "/" + pointer
		}
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		child := n.Get(name)
		if k, err := strconv.Atoi(name); err == nil && n.Kind() == jsontok.Array {
			for e := range n.Elems() {
				if k--; k < 0 {
					child = e
					break
				}
			}
		}
		if !child.Exists() {
			break
		}
		n = child
	}
	return n.Index()
}

// exactText returns the text of a string; ok is false if some of it is not a character.
func exactText(n jsontok.Node) (string, bool) {
	text := n.Text()
	return text, n.IsText() && !strings.ContainsRune(text, '\uFFFD')
}

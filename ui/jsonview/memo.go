package jsonview

import (
	"strconv"
	"strings"

	"parley/a2a/jsontok"
)

// A memo keeps what was worked out about the body for lines that were drawn.
type memo struct {
	marks  map[int][]Mark // by token
	insets map[int]inset  // of opened scalars, for one width
	widths map[int]int    // by object: what names are padded to
	deep   depth          // of the line whose depth was asked for last
	count  count          // of the line whose number was asked for last
	nth    element        // that was asked for last
	frame  frame
}

// A count is how many lines of the fully open tree are before that of a token.
type count struct{ token, lines int }

// An element of an array: which it is.
type element struct{ array, token, position int }

// number returns the number of the line of token i in the fully open tree.
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

// position returns how many elements of an array come before that of token i.
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

// A depth is how many containers what stands in parent is in.
type depth struct{ parent, n int }

// depth returns how many containers with a line of their own token i is in. Lines are
// asked for in turn, and most stand beside the one before or in it.
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

// place finds the tokens that marks are about. What is about a member that is not
// there stands at the object that should have it.
func (x *index) place(marks []Mark) map[int][]Mark {
	at := make(map[int][]Mark)
	if x.doc.Len() == 0 {
		return at
	}
	for _, m := range marks {
		i := -1
		if m.Offset >= 0 {
			i = x.doc.At(m.Offset).Index()
		} else {
			i = x.find(m.Pointer)
		}
		if i = x.lineOf(max(i, 0)); x.isLine(i) {
			at[i] = append(at[i], m)
		}
	}
	return at
}

// find returns the token at a JSON pointer, or the innermost on the way to it.
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

// exactText returns the text of a string unless some of it is no character.
func exactText(n jsontok.Node) (string, bool) {
	text := n.Text()
	return text, n.IsText() && !strings.ContainsRune(text, '\uFFFD')
}

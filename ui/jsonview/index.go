package jsonview

import (
	"errors"
	"slices"
	"strconv"

	"parley/a2a/jsontok"
	"parley/internal/units"
)

// sampling is the distance at which an index remembers what would take too long to
// count: lines before a token, elements before an element.
const sampling = 256

// An index is what a View knows about a body. It is made once and not changed.
type index struct {
	doc *jsontok.Doc
	// ranks counts the lines of the fully open tree before every 256th token.
	ranks []int32
	lines int
	// elements holds every 256th element of the arrays that have so many.
	elements map[int][]int32
	// repeated holds the tokens of the names that their object had before.
	repeated map[int]bool
	// sentence says why the tree ends before the body does; rest is where.
	sentence string
	rest     int
	pending  bool // the index is still being made
}

// newIndex indexes body, into doc.
func newIndex(doc *jsontok.Doc, body []byte) *index {
	err := doc.Parse(body)
	x := &index{doc: doc, rest: len(body)}
	if err != nil && len(body) > 0 {
		x.broken(body, err)
	}
	x.ranks = make([]int32, 0, doc.Len()/sampling+1)
	for i := range doc.Len() {
		if i%sampling == 0 {
			x.ranks = append(x.ranks, int32(x.lines))
		}
		if x.isLine(i) {
			x.lines++
		}
		if doc.Token(i).Kind == jsontok.Array {
			x.sample(i)
		}
	}
	for key := range doc.Duplicates() {
		if x.repeated == nil {
			x.repeated = map[int]bool{}
		}
		x.repeated[key.Index()] = true
	}
	return x
}

// broken takes note of where and why the tree ends.
func (x *index) broken(body []byte, err error) {
	if tail := x.doc.Tail(); len(tail) > 0 {
		x.rest = x.doc.TailOffset()
		x.sentence = "The JSON is complete here, but " + units.Bytes(int64(len(tail))) + " follow it:"
		return
	}
	x.rest = 0
	if n := x.doc.Len(); n > 0 {
		x.rest = x.lastEnd(n - 1)
	}
	x.sentence = "Not JSON."
	var syntax *jsontok.SyntaxError
	if errors.As(err, &syntax) {
		x.sentence = "Not JSON at byte " + strconv.Itoa(syntax.Offset) + ": " + syntax.Msg + "."
	}
	switch x.rest {
	case 0:
		x.sentence += " These are its bytes:"
	case len(body):
		x.sentence += " Nothing follows it."
	default:
		x.sentence += " This is what the tree does not show:"
	}
}

// lastEnd returns the end of what the tokens up to i, the last one, show.
func (x *index) lastEnd(i int) int {
	t := x.doc.Token(i)
	end := t.End
	if t.Torn && t.Kind != jsontok.String {
		end = t.Off + 1
	}
	for t.Parent >= 0 {
		if t = x.doc.Token(t.Parent); t.Torn {
			break
		}
		end = t.End
	}
	return end
}

// inner returns the bytes between the quotes of string i; the closing quote may
// be missing at the end of a body.
func (x *index) inner(i int) (raw []byte, torn bool) {
	raw = x.doc.Node(i).Raw()[1:]
	if torn = x.doc.Token(i).Torn; !torn {
		raw = raw[:len(raw)-1]
	}
	return raw, torn
}

// hidesRoot reports whether the root has no line of its own, because it is an
// object with members: they tell that.
func (x *index) hidesRoot() bool {
	return x.doc.Len() > 1 && x.doc.Token(0).Kind == jsontok.Object
}

// isLine reports whether token i has a line: values do, and a name at which the
// body broke.
func (x *index) isLine(i int) bool {
	t := x.doc.Token(i)
	if i == 0 {
		return !x.hidesRoot()
	}
	return !t.Key || i+1 >= x.doc.Token(t.Parent).Next
}

// key returns the index of the name that belongs to the line of token i, -1 for
// elements and the root.
func (x *index) key(i int) int {
	t := x.doc.Token(i)
	switch {
	case t.Key:
		return i
	case t.Parent >= 0 && x.doc.Token(t.Parent).Kind == jsontok.Object:
		return i - 1
	default:
		return -1
	}
}

// isTree reports whether token i is a container with something in it.
func (x *index) isTree(i int) bool {
	t := x.doc.Token(i)
	return (t.Kind == jsontok.Object || t.Kind == jsontok.Array) && t.Next > i+1
}

// sample remembers every 256th element of an array.
func (x *index) sample(array int) {
	n, end := 0, x.doc.Token(array).Next
	for e := array + 1; e < end; e = x.doc.Token(e).Next {
		if n > 0 && n%sampling == 0 {
			if x.elements == nil {
				x.elements = map[int][]int32{}
			}
			x.elements[array] = append(x.elements[array], int32(e))
		}
		n++
	}
}

// position returns how many elements of an array come before token i.
func (x *index) position(array, i int) int {
	known := x.elements[array]
	k, _ := slices.BinarySearch(known, int32(i)+1)
	n, e := k*sampling, array+1
	if k > 0 {
		e = int(known[k-1])
	}
	for ; e < i; e = x.doc.Token(e).Next {
		n++
	}
	return n
}

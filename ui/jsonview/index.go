package jsonview

import (
	"errors"
	"slices"
	"strconv"

	"parley/a2a/jsontok"
	"parley/internal/units"
)

// sampling is the distance between the tokens and elements whose rank an index stores.
const sampling = 256

// An index is the structure of a body. It is immutable.
type index struct {
	doc *jsontok.Doc
	// ranks are the numbers of lines of the unfolded tree before every 256th token.
	ranks []int32
	lines int
	// elements are the tokens of every 256th element, by array.
	elements map[int][]int32
	// repeated is the set of name tokens that repeat a name of their object.
	repeated map[int]bool
	// sentence explains why the tree ends before the body; rest is the offset.
	sentence string
	rest     int
	pending  bool // the index is not built yet
}

// newIndex parses body into doc and indexes it.
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

// broken records where and why the tree ends.
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

// lastEnd returns the offset after the last token i and the containers that end there.
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

// inner returns the bytes between the quotes of string i; torn reports that the closing quote
// is missing.
func (x *index) inner(i int) (raw []byte, torn bool) {
	raw = x.doc.Node(i).Raw()[1:]
	if torn = x.doc.Token(i).Torn; !torn {
		raw = raw[:len(raw)-1]
	}
	return raw, torn
}

// hidesRoot reports whether the root has no line because it is an object with members.
func (x *index) hidesRoot() bool {
	return x.doc.Len() > 1 && x.doc.Token(0).Kind == jsontok.Object
}

// isLine reports whether token i has a line: values have one, and so has a name without a value
// at a syntax error.
func (x *index) isLine(i int) bool {
	t := x.doc.Token(i)
	if i == 0 {
		return !x.hidesRoot()
	}
	return !t.Key || i+1 >= x.doc.Token(t.Parent).Next
}

// key returns the name token of the line of token i, -1 for elements and the root.
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

// isTree reports whether token i is a container that is not empty.
func (x *index) isTree(i int) bool {
	t := x.doc.Token(i)
	return (t.Kind == jsontok.Object || t.Kind == jsontok.Array) && t.Next > i+1
}

// sample stores every 256th element of an array.
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

// position returns the number of elements of an array before token i.
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

package jsontok

import (
	"iter"
	"math"
	"strconv"
	"strings"
	"unsafe"
)

// A Node is one value, or the name of one member, in a [Doc]. It is valid until the next Parse
// into that Doc. Nodes can be compared. The zero Node represents something absent: its kind is
// [Invalid] and every method returns a zero value.
type Node struct {
	doc *Doc
	i   int32
}

func (n Node) token() *token { return &n.doc.tokens[n.i] }

// Exists reports whether the node is part of the body; a null is.
func (n Node) Exists() bool { return n.doc != nil }

// Kind returns the kind of the value. A name is a String.
func (n Node) Kind() Kind {
	if n.doc == nil {
		return Invalid
	}
	return n.token().kind
}

// Index returns the node's index among the tokens of the Doc, -1 for the zero Node.
func (n Node) Index() int {
	if n.doc == nil {
		return -1
	}
	return int(n.i)
}

// Raw returns the node's bytes, which are a part of the body and not a copy.
func (n Node) Raw() []byte {
	if n.doc == nil {
		return nil
	}
	t := n.token()
	return n.doc.src[t.off:t.end:t.end]
}

// Offset returns the offset of the node's first byte in the body.
func (n Node) Offset() int {
	if n.doc == nil {
		return 0
	}
	return int(n.token().off)
}

// End returns the offset after the node's last byte.
func (n Node) End() int {
	if n.doc == nil {
		return 0
	}
	return int(n.token().end)
}

// Parent returns the container of the node, or the zero Node for the root.
func (n Node) Parent() Node {
	if n.doc == nil {
		return Node{}
	}
	return n.doc.Node(int(n.token().parent))
}

// keys yields the token indices of the names of an object.
func (n Node) keys() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if n.Kind() != Object {
			return
		}
		tokens := n.doc.tokens
		for i, end := n.i+1, n.token().next; i < end; {
			if !yield(i) || i+1 >= end {
				return
			}
			i = tokens[i+1].next
		}
	}
}

// hasValue reports whether the name at index key is followed by its value; the last name of an
// incomplete object may not be.
func (n Node) hasValue(key int32) bool { return key+1 < n.token().next }

// Len returns the number of members or elements. It counts them, which takes a
// step for each.
func (n Node) Len() (count int) {
	switch n.Kind() {
	case Object:
		for key := range n.keys() {
			if n.hasValue(key) {
				count++
			}
		}
	case Array:
		for range n.Elems() {
			count++
		}
	}
	return count
}

// Get returns the value of the member called name, the last one if there are several. The case
// of letters matters; escapes in the body do not.
func (n Node) Get(name string) (value Node) {
	if n.Kind() != Object {
		return Node{}
	}
	d := n.doc
	// Not a loop over keys, because this is the hot path of every decoder.
	for key, end := n.i+1, n.token().next; key+1 < end; key = d.tokens[key+1].next {
		if d.textIs(key, name) {
			value = Node{d, key + 1}
		}
	}
	return value
}

// GetAny returns the member that exists among names, the first if there are several.
func (n Node) GetAny(names ...string) Node {
	for _, name := range names {
		if value := n.Get(name); value.Exists() {
			return value
		}
	}
	return Node{}
}

// Members yields the members of an object in the order of the body, repeated
// names included.
func (n Node) Members() iter.Seq2[string, Node] {
	return func(yield func(string, Node) bool) {
		for key := range n.keys() {
			if n.hasValue(key) && !yield(string(n.doc.text(key)), Node{n.doc, key + 1}) {
				return
			}
		}
	}
}

// Elems yields the elements of an array.
func (n Node) Elems() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.Kind() != Array {
			return
		}
		for i, end := n.i+1, n.token().next; i < end; i = n.doc.tokens[i].next {
			if !yield(Node{n.doc, i}) {
				return
			}
		}
	}
}

// Is reports whether the node is a string without escapes that equals text.
func (n Node) Is(text string) bool {
	raw := n.Raw()
	return len(raw) == len(text)+2 && raw[0] == '"' && string(raw[1:len(raw)-1]) == text
}

// IsText reports whether the node is a string.
func (n Node) IsText() bool { return n.Kind() == String }

// Text returns the text of a string, "" for any other kind. Unpaired surrogates
// and invalid UTF-8 read as U+FFFD.
func (n Node) Text() string {
	if n.Kind() != String {
		return ""
	}
	return n.doc.decoded(n.i)
}

// SharedText is Text without a copy where possible: a long string without escapes is a part of
// the body itself, and keeps all of it in memory. The body must never change.
func (n Node) SharedText() string {
	const long = 64 << 10 // a shorter copy takes less memory than its body
	if n.Kind() != String {
		return ""
	}
	if s := n.doc.inner(n.i); len(s) >= long && n.token().flags.lossless() {
		return unsafe.String(unsafe.SliceData(s), len(s))
	}
	return n.doc.decoded(n.i)
}

// Number returns the digits of a number exactly as in the body, "" for any other kind.
func (n Node) Number() string {
	if n.Kind() != Number {
		return ""
	}
	return string(n.Raw())
}

// Int returns the value of a number that is an integer and fits, whatever its
// notation: some servers pass integers through floating point and write 42.0.
func (n Node) Int() (int64, bool) {
	if n.Kind() != Number {
		return 0, false
	}
	if v, err := strconv.ParseInt(string(n.Raw()), 10, 64); err == nil {
		return v, true
	}
	const exact = 1 << 53 // beyond it a float does not distinguish integers
	f, err := strconv.ParseFloat(string(n.Raw()), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > exact {
		return 0, false
	}
	return int64(f), true
}

// Bool returns the value of true or false; ok is false for any other kind.
func (n Node) Bool() (v, ok bool) {
	k := n.Kind()
	return k == True, k == True || k == False
}

// Pointer returns the JSON pointer (RFC 6901) of the node, "" for the root. A name
// has the pointer of its value. Finding the index of an array element takes a step
// for each element before it.
func (n Node) Pointer() string {
	if n.doc == nil {
		return ""
	}
	tokens := n.doc.tokens
	var path []int32 // from the node up, without the root
	for i := n.i; tokens[i].parent >= 0; i = tokens[i].parent {
		path = append(path, i)
	}
	var b []byte
	for len(path) > 0 {
		i := path[len(path)-1]
		path = path[:len(path)-1]
		b = append(b, '/')
		switch parent := tokens[i].parent; {
		case tokens[parent].kind == Array:
			b = strconv.AppendInt(b, elementIndex(tokens, parent, i), 10)
		case tokens[i].flags&isKey != 0:
			b = append(b, pointerEscaper.Replace(string(n.doc.text(i)))...)
		default:
			b = append(b, pointerEscaper.Replace(string(n.doc.text(i-1)))...)
		}
	}
	return string(b)
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

func elementIndex(tokens []token, array, i int32) (index int64) {
	for e := array + 1; e < i; e = tokens[e].next {
		index++
	}
	return index
}

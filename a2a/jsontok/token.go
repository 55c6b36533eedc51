package jsontok

import (
	"iter"
	"math"
	"sort"
	"unicode/utf8"
)

// Kind is the type of a JSON value.
type Kind uint8

// The kinds. Invalid is the kind of the zero [Node].
const (
	Invalid Kind = iota
	Object
	Array
	String
	Number
	True
	False
	Null
)

var kindNames = [...]string{"invalid", "object", "array", "string", "number", "true", "false", "null"}

// String returns the kind in lower case.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[Invalid]
}

// token is one entry of the index. Tokens are in the order of their bytes: a container before
// its content, a name directly before its value.
type token struct {
	off, end int32
	parent   int32 // index of the container, -1 for the root
	next     int32 // index of the first token after this one and its content
	kind     Kind
	flags    flag
}

type flag uint8

const (
	isKey   flag = 1 << iota // the name of an object member
	torn                     // ended by the end of the body or by an error
	escaped                  // the string contains a backslash
	badUTF8                  // the string contains invalid UTF-8
)

// lossless reports whether the bytes between the quotes are the text itself.
func (f flag) lossless() bool { return f&(escaped|badUTF8) == 0 }

const (
	maxDepth = 10_000
	maxSize  = math.MaxInt32 // offsets are int32
	// maxTokens limits the index of a body, which is ten times as long as one like [1,1,1, unless Doc.Values says
	// otherwise: values and names beyond it are not indexed.
	maxTokens = 1_000_000

	// A Doc that once held a huge body releases the memory when it is reused for smaller
	// bodies.
	keepTokens = 1 << 16
)

// A Doc is the index of one JSON body. The zero Doc is empty and ready for use. It refers to
// the bytes given to Parse, which must not change while it or its nodes are in use. One
// goroutine must not parse into a Doc while another one reads it.
type Doc struct {
	// Values is how many values and names of a body are read at most; 0 is 1,000,000.
	Values int

	src    []byte
	tokens []token
	bom    bool

	tail, tailEnd int // the text after the first value; empty unless that is complete

	badAt, loneAt int // first invalid UTF-8 and first unpaired surrogate, -1 if none

	sound  bool   // src is valid
	buffer []byte // memory for a copy of src
}

// A Token is one entry of the index as a tree view needs it.
type Token struct {
	Kind     Kind
	Off, End int  // bytes [Off, End) of the body
	Parent   int  // index of the container, -1 for the root
	Next     int  // index of the first token that is not inside this one
	Key      bool // a member's name; its value is the next token, if any
	Torn     bool // the body broke before this token was complete
}

// Len returns the number of tokens.
func (d *Doc) Len() int { return len(d.tokens) }

// Token returns the token at index i, 0 ≤ i < Len. Index 0 is the root.
func (d *Doc) Token(i int) Token {
	t := &d.tokens[i]
	return Token{
		Kind: t.kind, Off: int(t.off), End: int(t.end), Parent: int(t.parent), Next: int(t.next),
		Key: t.flags&isKey != 0, Torn: t.flags&torn != 0,
	}
}

// Node returns the token at index i as a node, or the zero Node if there is none.
func (d *Doc) Node(i int) Node {
	if i < 0 || i >= len(d.tokens) {
		return Node{}
	}
	return Node{d, int32(i)}
}

// Root returns the first value of the body, or the zero Node if there is none.
func (d *Doc) Root() Node { return d.Node(0) }

// BOM reports whether the body started with a byte order mark.
func (d *Doc) BOM() bool { return d.bom }

// Tail returns the text after the first complete value, without white space and NULs around it.
// It is empty for a valid body. Parsing the tail, then its tail, reads consecutive values.
func (d *Doc) Tail() []byte { return d.src[d.tail:d.tailEnd:d.tailEnd] }

// TailOffset returns the offset of [Doc.Tail] in the body.
func (d *Doc) TailOffset() int { return d.tail }

// InvalidUTF8 returns the offset of the first byte inside a string that is not
// valid UTF-8. Such bytes read as U+FFFD.
func (d *Doc) InvalidUTF8() (offset int, found bool) { return max(d.badAt, 0), d.badAt >= 0 }

// LoneSurrogate returns the offset of the first \u escape that is half of a pair.
// Such escapes read as U+FFFD.
func (d *Doc) LoneSurrogate() (offset int, found bool) { return max(d.loneAt, 0), d.loneAt >= 0 }

// At returns the innermost value or name whose bytes include offset, or the zero
// Node if offset is outside the root. It takes O(log n + depth) steps.
func (d *Doc) At(offset int) Node {
	i := sort.Search(len(d.tokens), func(i int) bool { return int(d.tokens[i].off) > offset }) - 1
	for i >= 0 && int(d.tokens[i].end) <= offset {
		i = int(d.tokens[i].parent)
	}
	return d.Node(i)
}

// smallObject is the number of members up to which comparing each pair of names
// is cheaper than a map.
const smallObject = 16

// Duplicates yields the name of every member that repeats an earlier name of the
// same object, one object after the other.
func (d *Doc) Duplicates() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for i := range d.tokens {
			if d.tokens[i].kind == Object && !d.duplicatesIn(Node{d, int32(i)}, yield) {
				return
			}
		}
	}
}

func (d *Doc) duplicatesIn(object Node, yield func(Node) bool) bool {
	var names [smallObject][]byte
	var seen map[string]struct{}
	n := 0
	for key := range object.keys() {
		name := d.text(key)
		repeated := false
		if n < smallObject {
			for _, earlier := range names[:n] {
				repeated = repeated || string(earlier) == string(name)
			}
			names[n] = name
		} else {
			if seen == nil {
				seen = make(map[string]struct{}, 2*smallObject)
				for _, earlier := range names {
					seen[string(earlier)] = struct{}{}
				}
			}
			_, repeated = seen[string(name)]
			seen[string(name)] = struct{}{}
		}
		n++
		if repeated && !yield(Node{d, key}) {
			return false
		}
	}
	return true
}

// firstInvalid returns the index of the first byte of s that is not valid UTF-8.
func firstInvalid(s []byte) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRune(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

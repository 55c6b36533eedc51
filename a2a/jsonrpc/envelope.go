package jsonrpc

import (
	"parley/a2a/jsontok"
)

// Version is the only value of the jsonrpc member.
const Version = "2.0"

// An Envelope is a request, a response, or an object that claims to be one. Its nodes are valid
// as long as the Doc that they belong to. An absent member is a zero node, a null member a node
// of kind Null.
type Envelope struct {
	Node       jsontok.Node // the whole object; zero if there is none
	JSONRPC    string       // the version, if it is a string
	HasJSONRPC bool         // the member is there, whatever its kind
	ID         ID
	Method     string
	Params     jsontok.Node
	Result     jsontok.Node
	Error      jsontok.Node
	// Batch is the number of elements of the array that the envelope was taken
	// from, 0 if the body is a single object.
	Batch int
}

// ParseEnvelope reads the envelope of a body, the first one of a batch. A body that
// is neither gives the zero Envelope.
func ParseEnvelope(doc *jsontok.Doc) Envelope { return Find(doc, ID{}) }

// Find is like ParseEnvelope but takes from a batch the first envelope whose id
// equals id, if there is one.
func Find(doc *jsontok.Doc, id ID) Envelope {
	root := doc.Root()
	if root.Kind() != jsontok.Array {
		return read(root)
	}
	var found jsontok.Node
	batch := 0
	matched := false
	for element := range root.Elems() {
		batch++
		if element.Kind() != jsontok.Object || matched {
			continue
		}
		if !found.Exists() {
			found = element
		}
		if !id.Missing() && idOf(element).Equal(id) {
			found, matched = element, true
		}
	}
	e := read(found)
	e.Batch = batch
	return e
}

func read(object jsontok.Node) Envelope {
	if object.Kind() != jsontok.Object {
		return Envelope{}
	}
	version := object.Get("jsonrpc")
	e := Envelope{
		Node:       object,
		HasJSONRPC: version.Exists(),
		ID:         idOf(object),
		Method:     object.Get("method").Text(),
		Params:     object.Get("params"),
		Result:     object.Get("result"),
		Error:      object.Get("error"),
	}
	if string(version.Raw()) == `"`+Version+`"` {
		e.JSONRPC = Version // saves a string for every envelope
	} else {
		e.JSONRPC = version.Text()
	}
	return e
}

func idOf(object jsontok.Node) ID { return ID{string(object.Get("id").Raw())} }

// Failed reports whether the envelope carries an error; a null error is none.
func (e Envelope) Failed() bool {
	return e.Error.Exists() && e.Error.Kind() != jsontok.Null
}

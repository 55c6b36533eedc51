package grpc

import (
	"fmt"
	"sync"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// A Format renders and builds the messages of A2A. The zero Format is not usable; NewFormat
// makes one.
type Format struct {
	schema    func() *schema
	renderers sync.Pool // of *renderer
}

// NewFormat returns a format. It costs nothing before its first use.
func NewFormat() *Format { return &Format{schema: newSchema()} }

// Render returns a message as JSON; of a broken one, what can be read. A message of an unknown
// type has members that name the numbers of its fields.
func (f *Format) Render(b *a2a.Binary) (text []byte, fault *a2a.Fault) {
	m := f.schema().messages[b.Kind]
	if m == nil {
		m = &message{name: b.Kind}
	}
	r, _ := f.renderers.Get().(*renderer)
	if r == nil {
		r = &renderer{schema: f.schema()}
	}
	text, fault = r.render(m, b.Bytes)
	if cap(r.entries) <= maxKeptEntries {
		f.renderers.Put(r)
	}
	return text, fault
}

// maxKeptEntries limits the memory that a large message leaves behind.
const maxKeptEntries = 1 << 12

// Build returns the request of a method that JSON describes.
func (f *Format) Build(path string, text []byte) (*a2a.Binary, error) {
	m, ok := f.schema().methods[path]
	if !ok {
		return nil, &a2a.EncodeError{Sentence: fmt.Sprintf("gRPC has no method %s in A2A; correct the path", path)}
	}
	return f.Rebuild(m.takes.name, text)
}

// Rebuild returns the message of a type that JSON describes.
func (f *Format) Rebuild(kind string, text []byte) (*a2a.Binary, error) {
	m := f.schema().messages[kind]
	if m == nil {
		m = &message{name: kind}
	}
	var doc jsontok.Doc
	if len(text) == 0 {
		text = []byte("{}")
	}
	if err := doc.Parse(text); err != nil {
		return nil, &a2a.EncodeError{Sentence: fmt.Sprintf("The message is not JSON (%v); correct it", err)}
	}
	b := builder{schema: f.schema(), doc: &doc}
	out, err := b.message(m, nil, doc.Root(), 0)
	if err != nil {
		return nil, err
	}
	return &a2a.Binary{Kind: kind, Bytes: out}, nil
}

// Answers returns the type of the messages that answer a request to a path.
func (f *Format) Answers(path string) string {
	if m, ok := f.schema().methods[path]; ok {
		return m.answers.name
	}
	return ""
}

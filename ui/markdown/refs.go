package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// A reference is a link reference definition: `[label]: destination "title"`.
type reference struct {
	key string // the label, normalised for comparison
	ref parser.Reference
}

// references contains the definitions of a text by key. The first definition of a key is used.
type references map[string]parser.Reference

// add stores definitions and returns the new keys.
func (r references) add(defined []reference) (added []string) {
	for _, d := range defined {
		if _, ok := r[d.key]; !ok {
			r[d.key] = d.ref
			added = append(added, d.key)
		}
	}
	return added
}

// definitions appends the definitions in n and its descendants.
func definitions(to []reference, n ast.Node) []reference {
	if def, ok := n.(*ast.LinkReferenceDefinition); ok {
		return append(to, reference{
			key: util.ToLinkReference(def.Label),
			ref: parser.NewReference(bytes.Clone(def.Label), bytes.Clone(def.Destination), bytes.Clone(def.Title)),
		})
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() == ast.TypeBlock {
			to = definitions(to, c)
		}
	}
	return to
}

// A lookup is a parser's context that resolves labels with definitions from elsewhere in the
// text, and records the labels that are not defined before the open end of the text.
type lookup struct {
	parser.Context
	defined    references // defined before the open end
	fresh      references // defined in text that has just left the open end
	late       references // defined in the open end of a closed text
	unresolved map[string]struct{}
}

// Reference implements [parser.Context]. The parser passes normalised labels.
func (l *lookup) Reference(label string) (parser.Reference, bool) {
	if ref, ok := l.defined[label]; ok {
		return ref, true
	}
	if ref, ok := l.fresh[label]; ok {
		return ref, true
	}
	if l.unresolved == nil {
		l.unresolved = map[string]struct{}{}
	}
	l.unresolved[label] = struct{}{}
	if ref, ok := l.Context.Reference(label); ok {
		return ref, true
	}
	ref, ok := l.late[label]
	return ref, ok
}

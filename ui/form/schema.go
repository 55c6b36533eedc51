package form

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"parley/a2a/jsontok"
	"parley/ui/canvas"
)

// A kind is the way in which a value is edited.
type kind uint8

const (
	kindText kind = iota
	kindNumber
	kindInteger
	kindChoice // one of several values, including booleans
	kindList
	kindGroup
	kindJSON  // edited as JSON, whatever the schema is
	kindFixed // a constant
)

// A choice is a value that a schema allows.
type choice struct {
	value json.RawMessage
	label string
}

// A shape is what a schema declares about one value. Its own members come before those of the
// schemas that it refers to or combines.
type shape struct {
	kind    kind
	layers  []jsontok.Node
	choices []choice
	secret  bool
	null    bool   // null is allowed
	note    string // why the value has to be edited as JSON
}

const (
	maxLayers  = 32    // schemas of one value
	maxChoices = 2_000 // choices of one value
	maxWords   = 400   // bytes of a title or a description
)

// A document is a schema with its definitions.
type document struct {
	doc  jsontok.Doc
	refs map[string]jsontok.Node // references that were resolved
}

// read returns the shape of a value. It terminates because it reads each schema once.
func (d *document) read(n jsontok.Node) shape {
	var s shape
	if why := d.layer(&s, n); why != "" {
		s.kind, s.note = kindJSON, why
		return s
	}
	s.secret = s.get("format").Text() == "password" || isTrue(s.get("writeOnly"))
	s.kind = s.decide()
	return s
}

// layer adds a schema and the schemas that it refers to or combines. It returns the reason why
// that is not possible, empty if it is.
func (d *document) layer(s *shape, n jsontok.Node) (why string) {
	switch {
	case n.Kind() == jsontok.True:
		return ""
	case n.Kind() != jsontok.Object:
		return "it has no schema"
	case slices.Contains(s.layers, n):
		return "its schema refers to itself"
	case len(s.layers) >= maxLayers:
		return "its schema combines too many others"
	}
	s.layers = append(s.layers, n)
	if ref := n.Get("$ref"); ref.IsText() {
		to, ok := d.find(ref.Text())
		if !ok {
			return "its schema is elsewhere: " + line(ref.Text())
		}
		return d.layer(s, to)
	}
	for e := range n.Get("allOf").Elems() {
		if why = d.layer(s, e); why != "" {
			return why
		}
	}
	return d.either(s, n)
}

// either adds the alternatives of a schema if there is only one besides null, or if all are
// constants.
func (d *document) either(s *shape, n jsontok.Node) (why string) {
	list := n.GetAny("anyOf", "oneOf")
	if list.Kind() != jsontok.Array {
		return ""
	}
	var others []jsontok.Node
	plain := true
	for e := range list.Elems() {
		if e.Get("type").Text() == "null" {
			s.null = true
			continue
		}
		if others = append(others, e); len(others) > maxChoices {
			return "it has too many alternatives"
		}
		plain = plain && e.Get("const").Exists()
	}
	switch {
	case len(others) == 0:
		return ""
	case plain:
		for _, e := range others {
			s.choices = append(s.choices, choice{bytes.Clone(e.Get("const").Raw()), line(e.Get("title").Text())})
		}
		return ""
	case len(others) == 1:
		return d.layer(s, others[0])
	}
	return "it has " + strconv.Itoa(len(others)) + " alternatives"
}

// find resolves a reference within the document.
func (d *document) find(ref string) (jsontok.Node, bool) {
	if n, seen := d.refs[ref]; seen {
		return n, n.Exists()
	}
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return jsontok.Node{}, false
	}
	n := d.doc.Root()
	if path, err := url.PathUnescape(path); err == nil && path != "" {
		for _, step := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
			step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
			if i, err := strconv.Atoi(step); err == nil && n.Kind() == jsontok.Array {
				n = element(n, i)
			} else {
				n = n.Get(step)
			}
		}
	}
	d.refs[ref] = n
	return n, n.Exists()
}

func element(list jsontok.Node, i int) jsontok.Node {
	for e := range list.Elems() {
		if i == 0 {
			return e
		}
		i--
	}
	return jsontok.Node{}
}

// get returns a member of the first layer that has it.
func (s *shape) get(name string) jsontok.Node {
	for _, l := range s.layers {
		if n := l.Get(name); n.Exists() {
			return n
		}
	}
	return jsontok.Node{}
}

// The choices of a boolean.
const (
	yes = iota
	no
)

// isSwitch reports whether a value is a boolean.
func (s *shape) isSwitch() bool {
	return s.kind == kindChoice && len(s.choices) == 2 && string(s.choices[yes].value) == "true" && string(s.choices[no].value) == "false"
}

// decide returns the kind of a value.
func (s *shape) decide() kind {
	if fixed := s.get("const"); fixed.Exists() {
		s.choices = []choice{{value: bytes.Clone(fixed.Raw())}}
		return kindFixed
	}
	names := s.get("enumNames")
	for e := range s.get("enum").Elems() {
		if len(s.choices) == maxChoices {
			break
		}
		s.choices = append(s.choices, choice{bytes.Clone(e.Raw()), line(element(names, len(s.choices)).Text())})
	}
	if len(s.choices) > 0 {
		return kindChoice
	}
	switch s.word() {
	case "object":
		if names, _, _ := s.properties(); len(names) == 0 {
			s.note = "its schema names no members"
			return kindJSON
		}
		return kindGroup
	case "array":
		return kindList
	case "string":
		return kindText
	case "number":
		return kindNumber
	case "integer":
		return kindInteger
	case "boolean":
		s.choices = []choice{yes: {json.RawMessage("true"), "yes"}, no: {json.RawMessage("false"), "no"}}
		return kindChoice
	case "null":
		s.choices = []choice{{value: json.RawMessage("null")}}
		return kindFixed
	}
	s.note = "its schema does not name a type"
	return kindJSON
}

// word returns the type that a schema declares, or that its members imply.
func (s *shape) word() string {
	t := s.get("type")
	if t.IsText() {
		return t.Text()
	}
	var some []string
	for e := range t.Elems() {
		if e.Text() == "null" {
			s.null = true
		} else {
			some = append(some, e.Text())
		}
	}
	if len(some) == 1 {
		return some[0]
	}
	if len(some) > 1 {
		return ""
	}
	for _, guess := range [...]struct{ member, word string }{
		{"properties", "object"}, {"items", "array"}, {"pattern", "string"}, {"minLength", "string"}, {"maxLength", "string"},
		{"format", "string"}, {"minimum", "number"}, {"maximum", "number"}, {"multipleOf", "number"},
	} {
		if s.get(guess.member).Exists() {
			return guess.word
		}
	}
	return ""
}

// properties returns the members of an object in their order, with their schemas and which of
// them are required.
func (s *shape) properties() (names []string, schemas map[string]jsontok.Node, required map[string]bool) {
	schemas, required = map[string]jsontok.Node{}, map[string]bool{}
	for _, l := range s.layers {
		for name, n := range l.Get("properties").Members() {
			if _, seen := schemas[name]; !seen {
				names = append(names, name)
				schemas[name] = n
			}
		}
		for e := range l.Get("required").Elems() {
			required[e.Text()] = true
		}
	}
	return names, schemas, required
}

// title returns the title of a value, empty if it has none.
func (s *shape) title() string { return line(s.get("title").Text()) }

// about returns the description of a value.
func (s *shape) about() string { return line(s.get("description").Text()) }

// line returns a foreign text as one sanitized line.
func line(text string) string {
	return strings.TrimSpace(canvas.SanitizeLine(strings.ToValidUTF8(text[:min(len(text), maxWords)], "")))
}

func isTrue(n jsontok.Node) bool { v, ok := n.Bool(); return v && ok }

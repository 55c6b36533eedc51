package form

import (
	"encoding/json"
	"slices"
	"strconv"

	"parley/a2a/jsontok"
)

const (
	// maxFields is the largest number of values of a form. It is more than a user fills in.
	maxFields = 20_000
	// openDepth is the depth up to which required groups are open at first.
	openDepth = 6
	// maxItems is the largest number of items that a list starts with.
	maxItems = 100
)

// A node is a value of the form: a field, a group or a list.
type node struct {
	shape
	name     string
	required bool
	parent   *node // the group or list that contains it, nil for the root
	depth    int
	children []*node // members of a group, once it is open, or items of a list
	open     bool    // a group that is present, or a list
	text     string  // of a value that is typed
	pick     int     // index in choices, -1 for none
	problem  string
	rest     []extra // initial members of a group that the schema does not declare
}

// An extra is a member that the schema does not declare.
type extra struct {
	name  string
	value json.RawMessage
}

// make creates the node of a schema, with its initial value.
func (p *Pane) make(name string, schema jsontok.Node, required bool, up *node) *node {
	f := &node{shape: p.doc.read(schema), name: name, required: required, parent: up, pick: -1}
	if p.count++; up != nil {
		f.depth = up.depth + 1
	}
	if f.kind == kindList {
		f.open = true
		if least, ok := f.get("minItems").Int(); ok && f.depth < openDepth {
			for range min(least, maxItems) {
				p.add(f)
			}
		}
	}
	if f.kind == kindGroup && (up == nil || required && f.depth < openDepth && !f.within(schema)) {
		p.expand(f)
	}
	if def := f.get("default"); def.Exists() {
		p.fill(f, def)
	}
	return f
}

// within reports whether a node is inside of a node that has the same schema.
func (f *node) within(schema jsontok.Node) bool {
	own := f.shape.layers[len(f.shape.layers)-1]
	for up := f.parent; up != nil; up = up.parent {
		if slices.Contains(up.layers, own) || slices.Contains(up.layers, schema) {
			return true
		}
	}
	return false
}

// expand opens a group and creates its members.
func (p *Pane) expand(f *node) {
	if f.open = true; f.children != nil {
		return
	}
	names, schemas, required := f.properties()
	for _, name := range names {
		if p.count >= maxFields {
			p.cut = true
			return
		}
		f.children = append(f.children, p.make(name, schemas[name], required[name], f))
	}
}

// add appends an item to a list and returns it, nil if the form has reached its limit.
func (p *Pane) add(f *node) *node {
	if p.count >= maxFields {
		p.cut = true
		return nil
	}
	schema := f.get("items")
	if prefix := element(f.get("prefixItems"), len(f.children)); prefix.Exists() {
		schema = prefix
	}
	item := p.make(strconv.Itoa(len(f.children)+1), schema, true, f)
	f.children = append(f.children, item)
	return item
}

// remove removes an item from its list.
func (f *node) remove() {
	list := f.parent
	i := slices.Index(list.children, f)
	list.children = slices.Delete(list.children, i, i+1)
	for i, item := range list.children {
		item.name = strconv.Itoa(i + 1)
	}
}

// item returns the innermost list item that is the node or contains it, nil if there is none.
func (f *node) item() *node {
	for ; f != nil && f.parent != nil; f = f.parent {
		if f.parent.kind == kindList {
			return f
		}
	}
	return nil
}

// fill sets the value of a node. It ignores a value of the wrong type.
func (p *Pane) fill(f *node, v jsontok.Node) {
	switch f.kind {
	case kindGroup:
		if v.Kind() == jsontok.Object {
			p.fillGroup(f, v)
		}
	case kindList:
		if v.Kind() != jsontok.Array {
			return
		}
		f.children = nil
		for e := range v.Elems() {
			item := p.add(f)
			if item == nil {
				return
			}
			p.fill(item, e)
		}
	case kindChoice:
		f.pick = slices.IndexFunc(f.choices, func(c choice) bool { return same(c.value, v.Raw()) })
	case kindText:
		if v.IsText() {
			f.text = v.Text()
		}
	case kindNumber, kindInteger:
		f.text = v.Number()
	case kindJSON:
		f.text = string(v.Raw())
	case kindFixed:
	}
}

func (p *Pane) fillGroup(f *node, v jsontok.Node) {
	p.expand(f)
	known := make(map[string]*node, len(f.children))
	for _, b := range f.children {
		known[b.name] = b
	}
	f.rest = nil
	for name, value := range v.Members() {
		if b := known[name]; b != nil {
			p.fill(b, value)
		} else {
			f.rest = append(f.rest, extra{name, slices.Clone(value.Raw())})
		}
	}
}

// same reports whether two JSON values are equal.
func same(a, b json.RawMessage) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	one, _ := json.Marshal(x)
	other, _ := json.Marshal(y)
	return string(one) == string(other)
}

// visible appends the visible rows below a node.
func (f *node) visible(rows []*node) []*node {
	if !f.open {
		return rows
	}
	for _, b := range f.children {
		if b.kind != kindFixed {
			rows = b.visible(append(rows, b))
		}
	}
	return rows
}

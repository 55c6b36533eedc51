package table

import (
	"parley/a2a/jsontok"
)

// objects is a JSON array of objects.
type objects struct {
	doc   *jsontok.Doc
	names []string
	at    []int32 // token indexes of the elements
}

// JSON returns the table in a JSON array whose elements are objects of one shape: on average,
// each has at least half of all names, and none has a name twice. If the root is an object
// whose only member is such an array, the member's name becomes the table's. The result is
// false for anything else. The caller must not change the Doc.
func JSON(doc *jsontok.Doc) (*Table, bool) {
	root, name := doc.Root(), ""
	if root.Kind() == jsontok.Object && root.Len() == 1 {
		for name, root = range root.Members() {
			break
		}
	}
	t, ok := array(doc, root)
	if ok {
		t.name = name
	}
	return t, ok
}

// array returns the table in an array.
func array(doc *jsontok.Doc, root jsontok.Node) (*Table, bool) {
	if root.Kind() != jsontok.Array {
		return nil, false
	}
	o := &objects{doc: doc}
	known := map[string]int{} // the last row that had the name, counted from 1
	filled := 0
	for e := range root.Elems() {
		if e.Kind() != jsontok.Object {
			return nil, false
		}
		o.at = append(o.at, int32(e.Index()))
		for name := range e.Members() {
			row, seen := known[name]
			switch {
			case row == len(o.at), !seen && len(o.names) == MaxColumns:
				return nil, false
			case !seen:
				o.names = append(o.names, name)
			}
			known[name] = len(o.at)
			filled++
		}
	}
	if len(o.at) == 0 || len(o.names) == 0 || 2*filled < len(o.at)*len(o.names) {
		return nil, false
	}
	names := append([]string(nil), o.names...)
	return newTable(columnNames(names), o), true
}

func (o *objects) len() int { return len(o.at) }

func (o *objects) cells(i int, cells []Cell, most int) {
	row := o.doc.Node(int(o.at[i]))
	for j := range cells {
		cells[j] = cellOf(row.Get(o.names[j]), most)
	}
}

// cellOf returns a value as a cell: text without quotes, everything else unchanged.
func cellOf(n jsontok.Node, most int) Cell {
	switch n.Kind() {
	case jsontok.Invalid:
		return Cell{None: true}
	case jsontok.String:
		raw := n.Raw()
		if most > 0 && len(raw) > most {
			return Cell{Text: string(raw[1:most])}
		}
		return Cell{Text: n.Text()}
	}
	raw := n.Raw()
	if most > 0 {
		raw = raw[:min(len(raw), most)]
	}
	return Cell{Text: string(raw), Number: n.Kind() == jsontok.Number, None: n.Kind() == jsontok.Null}
}

func (o *objects) span(i int) (from, to int) {
	n := o.doc.Node(int(o.at[i]))
	return n.Offset(), n.End()
}

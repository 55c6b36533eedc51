package chain

import "slices"

// A key is what a child and its parent may have in common.
type key struct {
	by   evidence
	text string // an id, a hash
	sum  uint64 // a checksum
}

// maxAlike is how many exchanges with the same key are remembered.
const maxAlike = 64

// An index finds exchanges by what they have in common with a request.
type index map[key][]*exchange

// put adds an exchange under a key, in place of one that can be no parent any more, or of the
// oldest one.
func (ix index) put(k key, x *exchange) {
	if k.text == "" && k.sum == 0 || slices.Contains(x.indexed, k) {
		return
	}
	list := ix[k]
	if len(list) == maxAlike {
		at := max(slices.IndexFunc(list, func(o *exchange) bool { return !o.alive(x.moved) }), 0)
		list[at].indexed = slices.DeleteFunc(list[at].indexed, func(o key) bool { return o == k })
		list = slices.Delete(list, at, at+1)
	}
	ix[k] = append(list, x)
	x.indexed = append(x.indexed, k)
}

// drop removes an exchange.
func (ix index) drop(x *exchange) {
	for _, k := range x.indexed {
		list := slices.DeleteFunc(ix[k], func(o *exchange) bool { return o == x })
		if ix[k] = list; len(list) == 0 {
			delete(ix, k)
		}
	}
	x.indexed = nil
}

// keysOf returns the keys of a request, which are those that its children may share.
func keysOf(x *exchange) []key {
	m := &x.message
	all := []key{
		{by: byTap, text: x.tap}, {by: byTrace, text: x.trace.trace}, {by: byContext, text: m.context},
		{by: byMessage, text: m.id}, {by: byText, sum: m.text},
	}
	for _, c := range x.credentials {
		all = append(all, key{by: byCredential, text: c.hash})
	}
	return all
}

// wanted returns the keys by which the parents of a request are found.
func wanted(x *exchange) []key {
	m := &x.message
	all := []key{
		{by: byTap, text: x.from}, {by: byTrace, text: x.trace.trace}, {by: byContext, text: m.context},
		{by: byOwnContext, text: m.context}, {by: byMessage, text: m.id}, {by: byText, sum: m.text},
	}
	for _, task := range m.references {
		all = append(all, key{by: byReference, text: task})
	}
	for _, c := range x.credentials {
		all = append(all, key{by: byCredential, text: c.hash})
	}
	return all
}

// Package cardaddress puts other addresses into agent cards: those of a server that answers from a
// recording, or of a tap in front of the agent. Everything else in a card stays byte for byte, except
// that its signatures are dropped, because they are of the addresses too.
package cardaddress

import (
	"bytes"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// An Interface is an interface as a card declares it.
type Interface struct {
	URL     string
	Binding a2a.Binding // JSON-RPC if it is not named, other if it is unknown
	Version string      // of the protocol, as two numbers: "0.3"; empty if it is not named
}

// A Rewriter puts other addresses into cards. It may be used for several, one after the other; the
// results add up.
type Rewriter struct {
	// Address returns the URL in place of that of an interface, which is the same if it stays.
	Address func(Interface) string
	// Keep reports whether an interface stays in the card; nil keeps all. Exact is set while the
	// version counts; if no interface of a card is kept then, the card is read again without.
	Keep func(i Interface, exact bool) bool

	Dropped  int  // interfaces that were left out
	Unsigned bool // signatures were dropped

	doc     jsontok.Doc
	edits   []jsontok.Edit
	changed bool // the newest card
}

// Rewrite returns the JSON of a card, or of an answer that contains one, with other addresses.
// Everything that does not concern addresses stays byte for byte. What is no JSON stays as it is.
func (r *Rewriter) Rewrite(src []byte) []byte {
	r.edits = nil
	if r.doc.Parse(src) != nil {
		return src
	}
	for i := range r.doc.Len() {
		t := r.doc.Token(i)
		if n := r.doc.Node(i); t.Kind == jsontok.Object && isCard(n) {
			r.card(i, n)
		}
	}
	return jsontok.Apply(src, r.edits)
}

// isCard reports whether an object is an agent card.
func isCard(n jsontok.Node) bool {
	return n.Get("name").IsText() && n.GetAny("supportedInterfaces", "supported_interfaces", "skills", "url").Exists() &&
		n.GetAny("capabilities", "skills", "supportedInterfaces", "supported_interfaces").Exists()
}

// card rewrites one card, whose token has an index.
func (r *Rewriter) card(i int, n jsontok.Node) {
	r.changed = false
	additional := n.GetAny("additionalInterfaces", "additional_interfaces")
	supported := n.GetAny("supportedInterfaces", "supported_interfaces")
	exact := r.keeps(additional, true) || r.keeps(supported, true) || r.keeping(n, true)
	kept := r.interfaces(additional, exact)
	r.interfaces(supported, exact)
	if u := n.Get("url"); u.IsText() {
		if !r.keeping(n, false) && kept.Exists() {
			r.Dropped++
			r.changed = true
			r.move(u, kept)
			word := jsontok.Quote(transportOf(kept))
			if t := n.GetAny("preferredTransport", "preferred_transport"); t.Exists() {
				r.edits = append(r.edits, jsontok.Edit{From: t.Offset(), To: t.End(), With: word})
			} else {
				r.edits = append(r.edits, jsontok.Edit{From: u.End(), To: u.End(), With: append([]byte(`,"preferredTransport":`), word...)})
			}
		} else {
			r.move(u, n)
		}
	}
	if r.changed && r.drop(i, "signatures") {
		r.Unsigned = true
	}
}

// keeps reports whether any interface of a list is kept.
func (r *Rewriter) keeps(list jsontok.Node, exact bool) bool {
	for e := range list.Elems() {
		if r.keeping(e, exact) {
			return true
		}
	}
	return false
}

// interfaces rewrites a list of interfaces, without those that are not kept, and returns the first
// that stays.
func (r *Rewriter) interfaces(list jsontok.Node, exact bool) (first jsontok.Node) {
	all := r.keeps(list, exact)
	var kept [][]byte
	dropped := 0
	for e := range list.Elems() {
		if all && !r.keeping(e, exact) {
			dropped++
			continue
		}
		if u := e.Get("url"); u.IsText() {
			raw, by := e.Raw(), u.Offset()-e.Offset()
			moved := r.moved(u, e)
			kept = append(kept, jsontok.Apply(raw, []jsontok.Edit{{From: by, To: by + u.End() - u.Offset(), With: moved}}))
			if dropped == 0 {
				r.edits = append(r.edits, jsontok.Edit{From: u.Offset(), To: u.End(), With: moved})
			}
		} else {
			kept = append(kept, e.Raw())
		}
		if all && !first.Exists() {
			first = e
		}
	}
	if dropped > 0 {
		r.Dropped += dropped
		r.changed = true
		r.edits = slices.DeleteFunc(r.edits, func(e jsontok.Edit) bool { return e.From >= list.Offset() && e.To <= list.End() })
		r.edits = append(r.edits, jsontok.Edit{From: list.Offset(), To: list.End(), With: slices.Concat([]byte("["), bytes.Join(kept, []byte(",")), []byte("]"))})
	}
	return first
}

// transportOf returns how an interface names its binding.
func transportOf(n jsontok.Node) string {
	return n.GetAny("transport", "protocolBinding", "protocol_binding", "preferredTransport", "preferred_transport").Text()
}

// drop removes a member of an object, whose token has an index. It reports whether there was one.
func (r *Rewriter) drop(object int, name string) bool {
	before, first := -1, true // the end of the value before it
	for i := object + 1; i < r.doc.Token(object).Next; i = r.doc.Token(i + 1).Next {
		value := r.doc.Token(i + 1)
		if r.doc.Node(i).Text() != name {
			before, first = value.End, false
			continue
		}
		switch next := value.Next; {
		case !first:
			r.edits = append(r.edits, jsontok.Edit{From: before, To: value.End, With: nil})
		case next < r.doc.Token(object).Next:
			r.edits = append(r.edits, jsontok.Edit{From: r.doc.Token(i).Off, To: r.doc.Token(next).Off, With: nil})
		default:
			r.edits = append(r.edits, jsontok.Edit{From: r.doc.Token(i).Off, To: value.End, With: nil})
		}
		return true
	}
	return false
}

// interfaceOf reads an interface, or a card as one.
func interfaceOf(n jsontok.Node) Interface {
	version := n.GetAny("protocolVersion", "protocol_version").Text()
	words := strings.SplitN(version, ".", 3)
	return Interface{URL: n.Get("url").Text(), Binding: BindingOf(transportOf(n)), Version: strings.Join(words[:min(2, len(words))], ".")}
}

// keeping reports whether an interface stays.
func (r *Rewriter) keeping(n jsontok.Node, exact bool) bool {
	return r.Keep == nil || r.Keep(interfaceOf(n), exact)
}

// moved returns the JSON of the URL of an interface: as it stands if that stays.
func (r *Rewriter) moved(u, of jsontok.Node) []byte {
	to := r.Address(interfaceOf(of))
	if to == u.Text() {
		return u.Raw()
	}
	r.changed = true
	return jsontok.Quote(to)
}

// move replaces the URL of a card by that of an interface.
func (r *Rewriter) move(u, of jsontok.Node) {
	r.edits = append(r.edits, jsontok.Edit{From: u.Offset(), To: u.End(), With: r.moved(u, of)})
}

// BindingOf reads the name of a binding as cards write it.
func BindingOf(word string) a2a.Binding {
	switch word = strings.ToUpper(strings.TrimSpace(word)); {
	case word == "", strings.Contains(word, "RPC") && strings.Contains(word, "JSON"):
		return a2a.BindingJSONRPC
	case strings.Contains(word, "GRPC"):
		return a2a.BindingGRPC
	case strings.Contains(word, "HTTP"), word == "REST":
		return a2a.BindingREST
	default:
		return a2a.BindingOther
	}
}

// GRPC returns an address of gRPC without TLS in the form of another one: as host and port, or with
// a scheme and a path.
func GRPC(form, hostPort string) string {
	scheme, rest, found := strings.Cut(form, "://")
	if !found {
		return hostPort
	}
	_, path, _ := strings.Cut(rest, "/")
	scheme = strings.ToLower(strings.Replace(strings.Replace(scheme, "https", "http", 1), "grpcs", "grpc", 1))
	return strings.TrimSuffix(scheme+"://"+hostPort+"/"+path, "/")
}

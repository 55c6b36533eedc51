package model

import (
	"bytes"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/a2a/jsontok"
	"parley/session/problem"
)

// An AuthRequest is a way to authenticate that an agent asks for in a message: an
// AuthenticationInfo (specification 0.1.0 §4.5, §6.9; 1.0 §4.3.2), or a security scheme as in
// cards.
type AuthRequest struct {
	Schemes []string // such as Bearer; any of them is sufficient
	Fields  []AuthField
}

// An AuthField is a detail of a way to authenticate. Secrets in it are masked.
type AuthField struct {
	Name  string // as it stood on the wire
	Value string
	Link  bool // Value is an http or https URL
}

const (
	maxAuth       = 64 << 10 // of a part that is searched, in bytes
	maxAuthDepth  = 4        // depth of nested objects that are searched
	maxAuthAsks   = 6        // of one part
	maxAuthFields = 12       // of one request
	maxAuthValue  = 2 << 10  // of one field, in bytes
)

// AuthIn returns the ways to authenticate that JSON from an agent asks for, nil if it asks for
// none.
func AuthIn(data []byte) []AuthRequest {
	if len(data) > maxAuth || !bytes.Contains(data, []byte("cheme")) {
		return nil
	}
	var doc jsontok.Doc
	if doc.Parse(data) != nil {
		return nil
	}
	var found []AuthRequest
	authIn(doc.Root(), 0, &found)
	return found
}

// authIn adds the requests in a value.
func authIn(n jsontok.Node, depth int, found *[]AuthRequest) {
	if depth > maxAuthDepth || len(*found) >= maxAuthAsks {
		return
	}
	switch n.Kind() {
	case jsontok.Array:
		for e := range n.Elems() {
			authIn(e, depth+1, found)
		}
	case jsontok.Object:
		if schemes := schemesOf(n); len(schemes) > 0 {
			r := AuthRequest{Schemes: schemes}
			r.describe(n, 0)
			*found = append(*found, r)
			return
		}
		for name, v := range n.Members() {
			if name == "securitySchemes" || name == "security_schemes" {
				schemesIn(v, found)
				continue
			}
			authIn(v, depth+1, found)
		}
	}
}

// schemesIn adds the schemes of a map, as in cards.
func schemesIn(n jsontok.Node, found *[]AuthRequest) {
	for name, v := range n.Members() {
		if v.Kind() != jsontok.Object || len(*found) >= maxAuthAsks {
			continue
		}
		r := AuthRequest{Schemes: []string{problem.Clip(name)}}
		r.describe(v, 0)
		*found = append(*found, r)
	}
}

// schemesOf returns the schemes that an AuthenticationInfo names, nil for another object: a
// list in 0.1 to 0.3, one word in 1.0.
func schemesOf(n jsontok.Node) (out []string) {
	add := func(v jsontok.Node) {
		if word := strings.TrimSpace(problem.Clip(v.Text())); v.IsText() && word != "" && len(out) < maxAuthAsks && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	list := n.Get("schemes")
	for e := range list.Elems() {
		add(e)
	}
	if list.Exists() {
		return out
	}
	if v := n.Get("scheme"); v.IsText() && !strings.ContainsAny(v.Text(), " /") {
		add(v)
	}
	return out
}

// describe adds an object's members besides its schemes; the credentials of 0.1 are JSON in a
// string.
func (r *AuthRequest) describe(n jsontok.Node, depth int) {
	for name, v := range n.Members() {
		if len(r.Fields) >= maxAuthFields {
			return
		}
		switch {
		case depth == 0 && (name == "schemes" || name == "scheme"):
		case name == "scopes":
			r.field(name, scopesOf(v))
		case v.Kind() == jsontok.Object && depth < maxAuthDepth:
			r.describe(v, depth+1)
		case v.Kind() == jsontok.Array:
			r.field(name, scopesOf(v))
		case v.IsText():
			r.text(name, v.Text(), depth)
		case v.Kind() != jsontok.Null:
			r.field(name, string(v.Raw()))
		}
	}
}

// text adds a string, or the content of an object.
func (r *AuthRequest) text(name, text string, depth int) {
	if inner := strings.TrimSpace(text); strings.HasPrefix(inner, "{") && depth < maxAuthDepth {
		var doc jsontok.Doc
		if doc.Parse([]byte(inner)) == nil {
			r.describe(doc.Root(), depth+1)
			return
		}
	}
	r.field(name, text)
}

// field adds a field without the secrets in it.
func (r *AuthRequest) field(name, value string) {
	value = strings.TrimSpace(value)
	if value == "" || len(r.Fields) >= maxAuthFields {
		return
	}
	f := AuthField{Name: problem.Clip(name)}
	switch {
	case len(value) > maxAuthValue:
		f.Value = a2a.MaskText(strings.ToValidUTF8(value[:maxAuthValue], "")) + "…"
		if a2a.SecretName(name) {
			f.Value = a2a.Mask
		}
	case hostname.OfLink(value) != "":
		f.Value, f.Link = a2a.MaskURL(value), true
	case a2a.SecretName(name):
		f.Value = a2a.Mask
	default:
		f.Value = a2a.MaskText(value)
	}
	r.Fields = append(r.Fields, f)
}

// scopesOf returns the names in a list, or those of an object's members.
func scopesOf(n jsontok.Node) string {
	var out []string
	for e := range n.Elems() {
		if e.IsText() {
			out = append(out, problem.Clip(e.Text()))
		}
	}
	for name := range n.Members() {
		out = append(out, problem.Clip(name))
	}
	if n.IsText() {
		out = append(out, problem.Clip(n.Text()))
	}
	const most = 20
	if more := len(out) - most; more > 0 {
		out = append(out[:most], "…")
	}
	return strings.Join(out, ", ")
}

package model

import (
	"bytes"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// AsksSecret reports whether a task waits for something that only its agent should read: it
// asks for credentials by its state, or by a data part that lists authentication schemes, as
// agents do in the dialect without that state (specification 0.1.0 §4.5).
func (t *Task) AsksSecret() bool {
	switch {
	case t == nil || t.Forgotten:
		return false
	case t.State == a2a.StateAuthRequired:
		return true
	case t.State != a2a.StateInputRequired || t.Prompt == nil:
		return false
	}
	for i := range t.Prompt.Parts {
		if p := &t.Prompt.Parts[i]; p.Kind == a2a.PartData && listsSchemes(p.Data) {
			return true
		}
	}
	return false
}

// listsSchemes reports whether a data part is about authentication.
func listsSchemes(data []byte) bool {
	if len(data) > maxAuth || !bytes.Contains(data, []byte(`"schemes"`)) {
		return false
	}
	var doc jsontok.Doc
	if doc.Parse(data) != nil {
		return false
	}
	root := doc.Root()
	for _, n := range []jsontok.Node{root, root.Get("authentication"), root.Get("auth")} {
		if schemes := n.Get("schemes"); schemes.Kind() == jsontok.Array || schemes.Kind() == jsontok.Object {
			return schemes.Len() > 0
		}
	}
	return false
}

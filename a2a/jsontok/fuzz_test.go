package jsontok

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, body := range vectors(f) {
		f.Add(body)
	}
	for _, s := range []string{
		`{"a":1,"a":[{}],"\u0061":"\ud800"}`, `{"a":1,"b":`, `[1,2`, "\xEF\xBB\xBF[]\x00", `1 2`, "\"\xff\"", `[0.0e+00,-0]`, `{"":{"":""}}`, `"\ud800\u`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) { checkAgainstEncodingJSON(t, "input", body) })
}

// checkAgainstEncodingJSON checks what must be true for any bytes.
func checkAgainstEncodingJSON(t *testing.T, name string, body []byte) {
	t.Helper()
	var d Doc
	err := d.Parse(body)
	var syntax *SyntaxError
	if err != nil && !errors.As(err, &syntax) {
		t.Fatalf("%s: got error of type %T, want SyntaxError", name, err)
	}
	plain := bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF"))
	if trimmed := trimEnd(plain); len(trimmed) > 0 {
		plain = trimmed
	}
	if valid := json.Valid(plain); valid != (err == nil) {
		t.Fatalf("%s: json.Valid = %v, but Parse = %v", name, valid, err)
	}
	if syntax != nil && (syntax.Offset < 0 || syntax.Offset > len(body) || syntax.Msg == "") {
		t.Fatalf("%s: got error %+v, want an offset in the body and a message", name, syntax)
	}
	checkTree(t, name, &d, body)
	if err == nil {
		checkMembers(t, name, d.Root())
		if len(d.Tail()) != 0 {
			t.Fatalf("%s: got tail %q of a valid body, want none", name, d.Tail())
		}
	}
}

// checkTree checks that tokens are inside the body, in order and inside their parents.
func checkTree(t *testing.T, name string, d *Doc, body []byte) {
	t.Helper()
	for i := range d.Len() {
		k := d.Token(i)
		if k.Kind == Invalid || k.Off < 0 || k.Off >= k.End || k.End > len(body) || k.Next <= i || k.Next > d.Len() || k.Parent >= i {
			t.Fatalf("%s: got token %d %+v, out of bounds", name, i, k)
		}
		if i > 0 {
			if p := d.Token(k.Parent); k.Off < p.Off || k.End > p.End || k.Next > p.Next || i >= p.Next {
				t.Fatalf("%s: got token %d %+v, want it inside of its parent %+v", name, i, k, p)
			}
			if prev := d.Token(i - 1); k.Off <= prev.Off {
				t.Fatalf("%s: got token %d at offset %d, want it after %d", name, i, k.Off, prev.Off)
			}
		}
		n := d.Node(i)
		if at := d.At(k.Off); at != n {
			t.Fatalf("%s: At(%d) = token %d, want %d", name, k.Off, at.Index(), i)
		}
		_, _, _ = n.Text(), n.Number(), n.Kind().String()
		if k.Kind == String && !k.Torn {
			checkText(t, name, n, body)
		}
		if i < 1000 { // Pointer counts the elements before a node
			_ = n.Pointer()
		}
	}
	for range d.Duplicates() {
		break
	}
}

// checkText reads a string of a body alone.
func checkText(t *testing.T, name string, n Node, body []byte) {
	t.Helper()
	var d Doc
	text, end, ok := d.ReadText(body, n.Offset())
	exact := n.doc.badAt < 0 && n.doc.loneAt < 0
	if exact && !ok || ok && (text != n.Text() || end != n.End()) {
		t.Fatalf("%s: got text %q to %d, %v, of the string at %d; want %q to %d", name, text, end, ok, n.Offset(), n.Text(), n.End())
	}
}

// checkMembers compares the members of an object with those that encoding/json finds.
func checkMembers(t *testing.T, name string, root Node) {
	t.Helper()
	var want map[string]json.RawMessage
	if root.Kind() != Object || json.Unmarshal(root.Raw(), &want) != nil {
		return
	}
	for key, raw := range want {
		value := root.Get(key)
		if !bytes.Equal(value.Raw(), raw) {
			t.Fatalf("%s: got member %q %q, want %q", name, key, value.Raw(), raw)
		}
		var text string
		if value.IsText() && (json.Unmarshal(raw, &text) != nil || text != value.Text()) {
			t.Fatalf("%s: got text %q of member %q, want %q", name, value.Text(), key, text)
		}
	}
	repeated := root.Len() - len(want)
	for key := range root.doc.Duplicates() {
		if key.Parent() == root {
			repeated--
		}
	}
	if repeated != 0 {
		t.Fatalf("%s: got %d names in %d members, and %d duplicates too few", name, len(want), root.Len(), repeated)
	}
}

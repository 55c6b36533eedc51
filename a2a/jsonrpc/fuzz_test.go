package jsonrpc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"parley/a2a/jsontok"
)

func FuzzRequest(f *testing.F) {
	f.Add("c41f-1", "message/send")
	f.Add("\"\\\x00\u2028\xff<>&", "")
	f.Fuzz(func(t *testing.T, id, method string) {
		body := Request(id, method, json.RawMessage(`{}`))
		var want struct{ ID, Method string }
		if err := json.Unmarshal(body, &want); err != nil {
			t.Fatal(err)
		}
		if want.ID != string([]rune(id)) {
			t.Fatalf("got id %q, want %q", want.ID, id)
		}
		var doc jsontok.Doc
		if err := doc.Parse(body); err != nil {
			t.Fatal(err)
		}
		e := ParseEnvelope(&doc)
		if e.ID != (ID{string(appendString(nil, id))}) || e.ID.Text() != want.ID || e.Method != want.Method {
			t.Fatalf("got envelope %+v, want %+v", e, want)
		}
	})
}

func FuzzEnvelope(f *testing.F) {
	paths, err := filepath.Glob("../testdata/vectors/*/*.json")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no vectors: %v", err)
	}
	for _, path := range paths {
		body, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body, `"1"`)
	}
	f.Fuzz(func(t *testing.T, body []byte, id string) {
		want := ParseID(id)
		var doc jsontok.Doc
		broken := doc.Parse(body) != nil
		e := Find(&doc, want)
		if raw := e.ID.String(); !broken && raw != "" && !json.Valid([]byte(raw)) {
			t.Fatalf("got id %q, want valid JSON", raw)
		}
		if e.ID.Equal(want) != want.Equal(e.ID) || !e.ID.Equal(e.ID) || !want.Equal(want) {
			t.Fatalf("Equal of %q and %q is not symmetric", e.ID, want)
		}
		if !e.ID.Missing() && e.ID.Text() == "" && e.ID.String() != `""` && !broken {
			t.Fatalf("id %q: got no Text, want one", e.ID)
		}
		_ = e.Failed()
	})
}

package log

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
)

func TestLinksOfAMessage(t *testing.T) {
	text := func(s string) a2a.Part { return a2a.TextPart(s) }
	for _, c := range []struct {
		name  string
		parts []a2a.Part
		want  []string
	}{
		{"a sentence", []a2a.Part{text("Sign in at https://login.example/x?a=1&b=2, then come back.")}, []string{"https://login.example/x?a=1&b=2"}},
		{"markdown", []a2a.Part{text("[here](https://a.example/p) or (http://b.example) or <https://c.example/>")}, []string{"https://a.example/p", "http://b.example", "https://c.example/"}},
		{"brackets of its own", []a2a.Part{text("https://en.example/wiki/A_(b)")}, []string{"https://en.example/wiki/A_(b)"}},
		{"twice", []a2a.Part{text("https://a.example https://a.example")}, []string{"https://a.example"}},
		{"data", []a2a.Part{a2a.DataPart([]byte(`{"z":1,"auth":{"url":"https:\/\/a.example\/\u0061"},"b":["http://b.example"]}`))}, []string{"https://a.example/a", "http://b.example"}},
		{"a file", []a2a.Part{{Kind: a2a.PartURL, URL: "https://f.example/x"}}, []string{"https://f.example/x"}},
		{"others", []a2a.Part{text("javascript:alert(1) file:///etc/passwd http:// https:/// httpx://h http"), {Kind: a2a.PartURL, URL: "file:///x"}}, nil},
		{"broken", []a2a.Part{a2a.DataPart([]byte(`{"a":`)), text("http://[::1 http://%zz")}, nil},
	} {
		if got := Links(&a2a.Message{Parts: c.parts}); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if got := Links(&a2a.Message{Parts: []a2a.Part{text(strings.Repeat("https://a.example/"+strings.Repeat("x", 5000)+" ", 100))}}); len(got) != 0 {
		t.Errorf("got %d links of more than the maximum length, want 0", len(got))
	}
	var many strings.Builder
	for i := range 100 {
		many.WriteString("https://a.example/" + strings.Repeat("x", i) + " ")
	}
	if got := Links(&a2a.Message{Parts: []a2a.Part{text(many.String())}}); len(got) != maxLinks {
		t.Errorf("got %d links, want %d", len(got), maxLinks)
	}
	if Links(nil) != nil {
		t.Error("got links of no message")
	}
}

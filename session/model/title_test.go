package model

import (
	"strings"
	"testing"

	"parley/a2a"
)

func TestTitlesAreTheFirstWords(t *testing.T) {
	for text, want := range map[string]string{
		"  Book me\n\ta flight ": "Book me a flight",
		strings.Repeat("ü", 70):  strings.Repeat("ü", 60) + "…",
		" \n ":                   "1",
	} {
		m := &a2a.Message{Parts: []a2a.Part{a2a.DataPart([]byte("1")), a2a.TextPart(text)}}
		if got := title(m, m.Text()); got != want {
			t.Errorf("%q: got title %q, want %q", text, got, want)
		}
	}
}

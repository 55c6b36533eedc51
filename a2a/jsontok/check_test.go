package jsontok

import (
	"encoding/json"
	"testing"
)

func TestAMistakeIsToldByLineAndColumn(t *testing.T) {
	for _, c := range []struct {
		src          string
		line, column int
	}{
		{"{\n  \"ä\": 1,\n}", 2, 9},
		{`{"ä" 1}`, 1, 6},
		{"", 1, 1},
		{"{} {}", 1, 4},
		{"[1,\n2", 2, 2},
		{"\"\xff\"", 1, 2},
		{"nul", 1, 4},
	} {
		bad := Check([]byte(c.src))
		if bad == nil {
			t.Errorf("Check(%q) = nil, want an error", c.src)
			continue
		}
		if line, column := bad.Position([]byte(c.src)); line != c.line || column != c.column {
			t.Errorf("%q: %d:%d, want %d:%d (%s)", c.src, line, column, c.line, c.column, bad.Msg)
		}
	}
	for _, src := range []string{"{}", " [1, 2.50]\n", `"a"`, "null", "12345678901234567890"} {
		if bad := Check([]byte(src)); bad != nil {
			t.Errorf("Check(%q) = %v, want nil", src, bad)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"{}", "[1,]", "\"\\ud800\"", "{\"a\":1}{", "\xef\xbb\xbf{}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		bad := Check(src)
		if bad == nil && !json.Valid(src) {
			t.Errorf("Check(%q) = nil, want an error", src)
		}
		if bad != nil {
			if line, column := bad.Position(src); line < 1 || column < 1 {
				t.Errorf("%q: got position %d:%d, want 1:1 or later", src, line, column)
			}
		}
	})
}

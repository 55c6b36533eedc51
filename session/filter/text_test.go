package filter

import (
	"bytes"
	"strings"
	"testing"
)

func TestTextIsFoundInAnyCaseAndSpelling(t *testing.T) {
	for _, c := range []struct {
		s, text  string
		from, to int
	}{
		{"abcABC", "Cab", 2, 5}, {"aaaaab", "aab", 3, 6}, {"AAAB", "aab", 1, 4}, {"", "a", -1, -1}, {"a", "", -1, -1}, {"xX", "xx", 0, 2}, {"[{", "[{", 0, 2},
		{"bAnAnA", "nan", 2, 5}, {"ab", "abc", -1, -1}, {"zzzZ", "y", -1, -1}, {"kK\u212a", "kk", 0, 2}, {"\u212a", "k", -1, -1},
		{"GRÜSSE", "grüsse", 0, 7}, {"Straße", "STRASSE", -1, -1}, {"İstanbul", "İstanbul", 0, 9}, {"ǅ", "ǆ", 0, 2}, {"xé", "É", 1, 3}, {"日本", "本", 3, 6},
		{`Gr\u00fc\u00DFe`, "GRÜßE", 0, 15}, {`\u00c9`, "é", 0, 6}, {`a\ud83d\ude00b`, "a😀B", 0, 14}, {`\ud83d`, "😀", -1, -1}, {`\u12`, "é", -1, -1}, {`\`, "é", -1, -1},
		{`say \"hi\"`, `"hi"`, 4, 10}, {`a\\b`, `a\b`, 0, 4}, {`a\b`, `a\b`, 0, 3}, {`x\u003cb\u003e`, `<b>`, 1, 14}, {`tasks\/get`, "tasks/get", 0, 10}, {`\u00fc`, `\u00fc`, 0, 6},
		{"a\xffb", "b", 2, 3}, {"a\xffb", "a\ufffd", 0, 2}, {"a\x00b", "\x00b", 1, 3},
	} {
		if from, to := NewText(c.text).Index([]byte(c.s)); from != c.from || to != c.to {
			t.Errorf("%q in %q: got %d to %d, want %d to %d", c.text, c.s, from, to, c.from, c.to)
		}
	}
}

// FuzzText compares the search with a slow one.
func FuzzText(f *testing.F) {
	for _, s := range []string{"abcABC", "aaaaab", `Gr\u00fc\u00DFe`, "GRÜSSE", `a\\b "`, "\xff\xfe", `tasks\/get`} {
		f.Add([]byte(s), "aab")
		f.Add([]byte(s), s[:len(s)/2])
	}
	f.Fuzz(func(t *testing.T, s []byte, text string) {
		from, to := NewText(text).Index(s)
		if from >= 0 && (to <= from || to > len(s)) {
			t.Fatalf("%q in %q: got %d to %d, which is not a range of the text", text, s, from, to)
		}
		ascii := func(r rune) bool { return r >= 0x80 || r == '\\' }
		if strings.ContainsFunc(text, ascii) || bytes.IndexByte(s, '\\') >= 0 || bytes.ContainsFunc(s, ascii) {
			if text != "" && strings.ToValidUTF8(text, "") == text && bytes.Contains(s, []byte(text)) && from < 0 {
				t.Fatalf("%q: got no match in %q, want one", text, s)
			}
			return
		}
		want := -1
		if text != "" {
			want = strings.Index(strings.ToLower(string(s)), strings.ToLower(text))
		}
		if from != want {
			t.Fatalf("%q in %q: got index %d, want %d", text, s, from, want)
		}
	})
}

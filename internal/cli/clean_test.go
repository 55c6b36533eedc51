package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "plain\n", evil, "\xff\xfe", "a\tb\r\nc", "👩‍🚀 한국어"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := clean(s); !utf8.ValidString(got) || control.MatchString(got) {
			t.Errorf("clean(%q): got %q, want UTF-8 without controls", s, got)
		}
		if got := line(s); strings.ContainsAny(got, "\n\t") {
			t.Errorf("line(%q): got %q, want one line", s, got)
		}
	})
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":"b\"c\\"}`, quoted(evil), `["` + evil + `"]`, "\"\xff\"", `"\ud800"`, `"\`, `{"\u202e":1.50}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := compact(raw)
		if err != nil {
			if json.Valid(raw) {
				t.Errorf("valid JSON %q: got error %v", raw, err)
			}
			return
		}
		if !json.Valid(got) || !utf8.Valid(got) || control.Match(got) || strings.Contains(string(got), "\n") {
			t.Errorf("escape(%q): got %q, want one line of valid JSON without controls", raw, got)
		}
		var before, after any
		if json.Unmarshal(raw, &before) == nil {
			_ = json.Unmarshal(got, &after)
			if fmt.Sprint(before) != fmt.Sprint(after) {
				t.Errorf("got %q, want the same value as %q", got, raw)
			}
		}
	})
}

// The floor is the same work without the search for unsafe characters.
func BenchmarkCompact(b *testing.B) {
	raw := []byte(`{"task":{"id":"t1","parts":[` + strings.Repeat(`{"text":"Tides come in, and tides go out — twice a day."},`, 2000) + `{}]}}`)
	b.Run("floor", func(b *testing.B) {
		b.SetBytes(int64(len(raw)))
		for b.Loop() {
			var buf bytes.Buffer
			if json.Compact(&buf, raw) != nil {
				b.Fatal("the input is no JSON")
			}
		}
	})
	b.Run("compact", func(b *testing.B) {
		b.SetBytes(int64(len(raw)))
		for b.Loop() {
			if _, err := compact(raw); err != nil {
				b.Fatal(err)
			}
		}
	})
}

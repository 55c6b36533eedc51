package cli

import (
	"strings"
	"testing"

	"parley/a2a"
)

func TestServiceParameters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]a2a.HeaderPair{
		"x-a:1":                {Name: "x-a", Value: "1"},
		" x-a : b:c ":          {Name: "x-a", Value: "b:c"},
		"public:x-a:1":         {Name: "x-a", Value: "1", Public: true},
		"public: x-a : b:c":    {Name: "x-a", Value: "b:c", Public: true},
		"public:1":             {Name: "public", Value: "1"},
		"Public:x-a:1":         {Name: "Public", Value: "x-a:1"},
		"public:Cookie:a=b":    {Name: "Cookie", Value: "a=b", Public: true},
		"x-a:":                 {Name: "x-a"},
		"public-data:x-a:true": {Name: "public-data", Value: "x-a:true"},
	} {
		if got, ok := param(text); !ok || got != want {
			t.Errorf("param(%q): got %+v %t, want %+v", text, got, ok, want)
		}
	}
	for text, why := range map[string]string{"": "name:value", ":x": "name:value", "x": "name:value", "public::x": "name:value", "public:cookie:a=b": "Cookie always carries a credential"} {
		if got := checkParam(text); !strings.Contains(got, why) {
			t.Errorf("checkParam(%q): got %q, want %q", text, got, why)
		}
	}
}

func FuzzParam(f *testing.F) {
	for _, s := range []string{"", "a:b", "public:a:b", "public:Authorization:x", "public::", "\x00:\xff", "a\r\nb:c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h, ok := param(s)
		if ok && (h.Name == "" || h.Name != strings.TrimSpace(h.Name)) {
			t.Errorf("param(%q): got name %q", s, h.Name)
		}
		n := network{}
		if h.Public && checkParam(s) == "" && n.secret(h) {
			t.Errorf("param(%q): got a header that is public and a secret", s)
		}
		if !h.Public && !a2a.PublicNames(nil).Has(h.Name) && h.Value != "" && !n.secret(h) {
			t.Errorf("param(%q): got a header that is no secret", s)
		}
	})
}

package compare

import (
	"reflect"
	"strings"
	"testing"
)

func TestAlign(t *testing.T) {
	for _, c := range []struct {
		first, second string
		want          []pair
	}{
		{"", "", nil},
		{"a", "", []pair{{0, -1}}},
		{"", "a b", []pair{{-1, 0}, {-1, 1}}},
		{"a b c", "a b c", []pair{{0, 0}, {1, 1}, {2, 2}}},
		{"a b c", "a c", []pair{{0, 0}, {1, -1}, {2, 1}}},
		{"a b c", "x a c", []pair{{-1, 0}, {0, 1}, {1, -1}, {2, 2}}},
		{"a x c", "a y c", []pair{{0, 0}, {1, 1}, {2, 2}}},
		{"a hi b hi", "hi a hi b hi", []pair{{-1, 0}, {0, 1}, {1, 2}, {2, 3}, {3, 4}}},
		{"hi hi hi", "hi hi", []pair{{0, -1}, {1, 0}, {2, 1}}},
	} {
		got, guessed := align(strings.Fields(c.first), strings.Fields(c.second))
		if !reflect.DeepEqual(got, c.want) || guessed {
			t.Errorf("%q and %q: got %v, want %v", c.first, c.second, got, c.want)
		}
	}
}

// Every element is in exactly one pair, in order.
func FuzzAlign(f *testing.F) {
	f.Add("a b c d", "b a d c e")
	f.Add("a a a b a", "b a a")
	f.Fuzz(func(t *testing.T, first, second string) {
		a, b := strings.Fields(first), strings.Fields(second)
		i, j := 0, 0
		pairs, _ := align(a, b)
		for _, p := range pairs {
			if p.first >= 0 {
				if p.first != i {
					t.Fatalf("got %v of %q and %q: the first side is out of order", pairs, a, b)
				}
				i++
			}
			if p.second >= 0 {
				if p.second != j {
					t.Fatalf("got %v of %q and %q: the second side is out of order", pairs, a, b)
				}
				j++
			}
		}
		if i != len(a) || j != len(b) {
			t.Fatalf("got %v of %q and %q: elements are missing", pairs, a, b)
		}
	})
}

func TestPointers(t *testing.T) {
	for text, fails := range map[string]string{
		"": "no JSON pointer", "a": "no JSON pointer", "/a~": "after ~", "/a~2": "after ~", strings.Repeat("/x", 200): "too long",
	} {
		if p, err := ParsePointer(text); err == nil || !strings.Contains(err.Error(), fails) {
			t.Errorf("%.20q: got %q and %v, want %q", text, p, err, fails)
		}
	}
	p, err := ParsePointer("/artifacts/*/a~1b~0c")
	if err != nil || !(Pointers{p}).Has([]string{"artifacts", "7", "a/b~c", "deep"}) || (Pointers{p}).Has([]string{"artifacts", "7"}) {
		t.Errorf("got %q and %v", p, err)
	}
}

// A pointer that can be read is written as it was read, apart from its escapes.
func FuzzParsePointer(f *testing.F) {
	for _, s := range []string{"/a", "/a/*/b", "/~0~1", "//", "/~", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePointer(s)
		if err != nil {
			return
		}
		if again := pointerText(p); again != s {
			t.Fatalf("got %q, want %q", again, s)
		}
		if !(Pointers{p}).Has(p) {
			t.Fatalf("got %q that does not have itself", p)
		}
	})
}

package patterns

import (
	"strings"
	"testing"
)

func TestASetFindsWhatAPlainSearchFinds(t *testing.T) {
	t.Parallel()
	all := []string{"ab", "abc", "bcab", "aaaa", "\xff\x00"}
	text := "abcabcaaaaabcab\xff\x00ab"
	got := map[string]int{}
	New(all).Find([]byte(text), func(p, from int) {
		if !strings.HasPrefix(text[from:], all[p]) {
			t.Errorf("got %q at %d, where it is not", all[p], from)
		}
		got[all[p]]++
	})
	for _, p := range all {
		want := 0
		for i := range text {
			if strings.HasPrefix(text[i:], p) {
				want++
			}
		}
		if got[p] != want {
			t.Errorf("found %q %d times, want %d", p, got[p], want)
		}
	}
}

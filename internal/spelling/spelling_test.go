package spelling

import (
	"strings"
	"testing"
)

func TestNearestIsTheNameThatIsMeant(t *testing.T) {
	names := []string{"task", "theme", "target", "export", "Expect", "no"}
	for word, want := range map[string]string{
		"tasks": "task", "TASK": "task", "themes": "theme", "tehme": "theme", "exprot": "export", "expct": "Expect",
		"xyz": "", "": "", "n": "no", "ab": "", "elephants": "",
		strings.Repeat("t", MaxWord+1): "",
	} {
		if got, ok := Nearest(word, names); got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", word, got, ok, want)
		}
	}
}

func TestDifferencesCountsCharacters(t *testing.T) {
	for _, c := range []struct {
		word, name string
		want       int
	}{
		{"same", "Same", 0}, {"", "abc", 3}, {"ab", "ba", 1}, {"über", "uber", 1}, {"日本", "日本語", 1}, {"kitten", "sitting", 3},
		{"a", strings.Repeat("x", 5*MaxWord), 5 * MaxWord},
	} {
		if got := Differences([]rune(c.word), c.name); got != c.want {
			t.Errorf("%q, %q: got %d, want %d", c.word, c.name, got, c.want)
		}
	}
}

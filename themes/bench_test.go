package themes

import "testing"

// BenchmarkOneTheme is what a start costs: one theme is read, no other.
func BenchmarkOneTheme(b *testing.B) {
	for b.Loop() {
		if _, ok := ByName("nord"); !ok {
			b.Fatal("got no theme")
		}
	}
}

// BenchmarkFewColours is what a terminal with 256 colours adds.
func BenchmarkFewColours(b *testing.B) {
	t, _ := ByName("nord")
	for b.Loop() {
		t.In(Indexes256).OnSelection()
	}
}

package editor

import (
	"strings"
	"testing"

	"parley/internal/panetest"
)

func TestAPasteIsInsertedWhole(t *testing.T) {
	e := New()
	e.Insert("ab")
	e.GoTo(0, 1)
	big := strings.Repeat("{\"k\": \"v\"}\n", 100_000)
	e.Insert(big)
	if e.Text() != "a"+big+"b" || e.Row != 100_000 || e.Col != 0 {
		t.Errorf("the cursor is at %d:%d", e.Row, e.Col)
	}
}

func BenchmarkAKeyInALineOfAMegabyte(b *testing.B) {
	e := New()
	e.Set(strings.Repeat("x", 1<<20))
	e.H = 20
	e.GoTo(0, 1<<19)
	keys := DefaultKeyMap()
	for b.Loop() {
		e.Key(panetest.Key("right"), keys)
		e.Reveal(80)
	}
}

package distinct

import (
	"strconv"
	"testing"
)

func TestACounterCountsDifferentThings(t *testing.T) {
	var c Counter
	for i, step := range []struct {
		do   func()
		want int
	}{
		{func() {}, 0},
		{func() { c.Add('a', "t", "x") }, 1},
		{func() { c.Add('a', "t", "x") }, 1},
		{func() { c.Add('a', "tx", "") }, 2}, // another division of the same text
		{func() { c.Add('b', "t", "x") }, 3},
		{func() { c.Add('a') }, 4},
		{func() { c.Change('s', "working", "t") }, 5},
		{func() { c.Change('s', "working", "t") }, 5},
		{func() { c.Change('s', "done", "t") }, 6},
		{func() { c.Change('s', "working", "t") }, 7},
		{func() { c.Change('s', "", "u") }, 8},
		{func() { c.Change('s', "", "u") }, 8},
	} {
		step.do()
		if c.Len() != step.want {
			t.Errorf("step %d: got %d, want %d", i, c.Len(), step.want)
		}
	}
}

// What is known is asked about with every chunk of a stream.
func TestWhatIsKnownTakesNoMemory(t *testing.T) {
	var c Counter
	ask := func() {
		c.Add('a', "a task", "an artifact")
		c.Change('s', "working", "a task")
	}
	ask()
	if n := testing.AllocsPerRun(100, ask); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}

func BenchmarkAdd(b *testing.B) {
	var c Counter
	for i := range 10_000 {
		c.Add('a', "0dbb7a2e-6c56-4f5c-a0a6-a8a2ef5ff34d", strconv.Itoa(i))
	}
	b.ReportAllocs()
	for b.Loop() {
		c.Add('a', "0dbb7a2e-6c56-4f5c-a0a6-a8a2ef5ff34d", "77")
	}
}

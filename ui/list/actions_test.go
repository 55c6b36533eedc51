package list_test

import (
	"testing"

	"parley/internal/panetest"
	"parley/ui/action"
	"parley/ui/list"
)

// A list beside an input keeps its keys where nothing can move: they would edit the text.
func TestAListKeepsItsKeysWhereOthersType(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		rows func() int
		done bool
	}{
		{"a list of one row", func() int { return 1 }, false},
		{"a list of two rows", func() int { return 2 }, true},
		{"a list beside an input", nil, true},
	} {
		moved := 0
		table := action.New(func(string) int { return 0 }, list.Actions[int](list.RowKeys(), list.Foot{}, list.Motion{
			Rows: c.rows, Move: func(by int) { moved += by },
		})...)
		if _, done := table.Press(panetest.Key("down")); done != c.done || (moved == 1) != c.done {
			t.Errorf("%s: got %v and %d rows moved, want %v", c.name, done, moved, c.done)
		}
	}
}

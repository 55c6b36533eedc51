package canvas

import (
	"slices"
	"strings"
	"testing"
)

func TestAMemoMakesOnlyRowsWhosePartsChanged(t *testing.T) {
	var m Memo
	made := 0
	put := func(parts *Parts) string { made++; return strings.Join(parts[:], "|") }
	for _, step := range []struct {
		y     int
		parts Parts
		made  int
	}{
		{2, Parts{"a", "b"}, 1},
		{2, Parts{"a", "b"}, 1},
		{2, Parts{"a", "c"}, 2},
		{3, Parts{"a", "c"}, 3},
		{2, Parts{"a", "c"}, 3},
		{4, Parts{"a", "d"}, 4},
		{2, Parts{"a", "d"}, 4}, // it moved up by two rows
		{3, Parts{"a", "e"}, 5},
		{3, Parts{"a", "d"}, 5}, // by one row
		{0, Parts{"a", "d"}, 5}, // by two rows, again
		{2 + mostMoved, Parts{"f"}, 6},
		{1, Parts{"f"}, 7}, // too far
		{1, Parts{}, 8},
	} {
		if got := m.Row(step.y, put, step.parts); got != strings.Join(step.parts[:], "|") || made != step.made {
			t.Errorf("row %d of %q is %q after %d makings, want %d", step.y, step.parts, got, made, step.made)
		}
	}
}

func TestAMemoDrawsWhatIsDrawnWithoutOne(t *testing.T) {
	st := dark()
	var boxes, columns Memo
	content := []string{"one", st.Text.S("two"), "三", strings.Repeat("long ", 20)}
	for _, step := range []struct{ w, h int }{{20, 6}, {20, 6}, {12, 6}, {12, 3}, {2, 4}, {30, 9}} {
		for _, focused := range []bool{false, true, false} {
			f := Frame{Title: "pane", Note: "4", Focused: focused}
			want := Box(st, f, step.w, step.h, content)
			got := boxes.Box(st, f, step.w, step.h, content)
			if !slices.Equal(got, want) {
				t.Fatalf("box of %v, focused %v: got\n%q\nwant\n%q", step, focused, got, want)
			}
			if got, want := columns.Columns(got, want[:1]), Columns(want, want[:1]); !slices.Equal(got, want) {
				t.Fatalf("columns of %v: got\n%q\nwant\n%q", step, got, want)
			}
			content = append(content[1:], content[0])
		}
	}
}

package sheet_test

import (
	"slices"
	"testing"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/action"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// A pane hears of each change of the words: of typed ones, and of esc, which clears those kept.
func TestAFilterTellsWhenItsWordsChange(t *testing.T) {
	t.Parallel()
	f := sheet.NewFilter(styles.New(themes.Mono(), styles.ASCII()))
	var heard []string
	table := sheet.Filtered(action.New(func(string) int { return 0 }, slices.Concat(
		sheet.FilterActions[int](&f, "tasks", 1, func() bool { return true }),
		[]action.Action[int]{{Row: action.Row{Keys: []string{"esc"}, Does: "close"}, Run: func() int { return 1 }}},
	)...), &f, func() { heard = append(heard, f.Words()) })
	for _, c := range []struct {
		press string
		want  int
	}{{"/", 0}, {"A", 0}, {"enter", 0}, {"esc", 0}, {"esc", 1}} {
		if got := table.Key(panetest.Key(c.press)); got != c.want {
			t.Errorf("%s: got %d, want %d", c.press, got, c.want)
		}
	}
	if want := []string{"a", "a", ""}; !slices.Equal(heard, want) {
		t.Errorf("got words %q, want %q", heard, want)
	}
}

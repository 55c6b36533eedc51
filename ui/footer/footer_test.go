package footer_test

import (
	"strings"
	"testing"

	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/footer"
)

// hint returns a key at a place, with its rank and its words where there is little and much room.
func hint(name string, place, rank int, short, wide string) action.Hint {
	return action.Hint{Keys: action.Label(name, "does "+name), Place: place, Rank: rank, Short: short, Wide: wide}
}

// row draws the keys as the last row of a screen does.
func row(left, pane, right []action.Hint, w int) string {
	var out []string
	for _, b := range footer.Fit(left, pane, right, w) {
		out = append(out, b.Help().Key+" "+b.Help().Desc)
	}
	return " " + strings.Join(out, "  ")
}

func TestAsManyKeysAsFitTheMostUsefulFirst(t *testing.T) {
	t.Parallel()
	end := []action.Hint{hint("ctrl+p", 0, 0, "find", "find"), hint("f1", 0, 0, "help", "help")}
	tab := func(words string) []action.Hint { return []action.Hint{hint("tab", 0, 0, words, "next pane")} }
	text := []action.Hint{
		hint("enter", 1, 1, "send", "send"), hint("right", 5, 4, "accept", "accept suggestion"), hint("alt+enter", 6, 11, "new line", "new line"),
		hint("alt+1-7", 7, 2, "examples", "examples"), hint("/", 8, 3, "commands", "commands"), hint("alt+a", 9, 5, "attach", "attach"),
		hint("alt+e", 13, 8, "editor", "editor"), hint("ctrl+n", 14, 9, "new conversation", "new conversation"),
		hint("f2", 15, 6, "card", "card"), hint("f6", 16, 10, "lanes", "lanes"),
	}
	scope := hint("a", 6, 4, "agent", "whole agent")
	scope.Least = "more"
	long := hint("a", 2, 2, "conversation", "")
	long.Least = "more"
	wire := []action.Hint{
		hint("enter", 1, 1, "chat", "show in chat"), hint("s", 3, 2, "stream", "stream"), hint("M", 4, 6, "longest gap", "longest gap"),
		hint("/", 5, 3, "filter", "filter"), scope, hint("c", 7, 5, "copy", "copy as"), hint("e", 8, 7, "resend", "edit, resend"),
		hint("!", 9, 8, "faults", "inject faults"), hint("F", 10, 10, "findings", "findings"), hint("d", 2, 9, "read record", "read record"),
		hint("m", 11, 11, "mark", "mark"), hint("f", 12, 12, "hold rows", "hold rows"),
	}
	for _, c := range []struct {
		left, pane, right []action.Hint
		w                 int
		want              string
	}{
		{text, tab("next pane"), end, 40, " enter send  ctrl+p find  f1 help"},
		{text, tab("next pane"), end, 60, " enter send  tab next pane  ctrl+p find  f1 help"},
		{text, tab("next pane"), end, 80, " enter send  alt+1-7 examples  / commands  tab next pane  ctrl+p find  f1 help"},
		{text, tab("next pane"), end, 120, " enter send  right accept  alt+1-7 examples  / commands  alt+a attach  f2 card  tab next pane  ctrl+p find  f1 help"},
		{text, tab("next pane"), end, 200, " enter send  right accept suggestion  alt+enter new line  alt+1-7 examples  / commands  alt+a attach  alt+e editor  ctrl+n new conversation  f2 card  f6 lanes  tab next pane  ctrl+p find  f1 help"},
		{wire, tab("pane"), end, 80, " enter chat  s stream  / filter  a more  c copy  tab pane  ctrl+p find  f1 help"},
		{wire, tab("pane"), end, 120, " enter chat  s stream  M longest gap  / filter  a agent  c copy  e resend  ! faults  tab pane  ctrl+p find  f1 help"},
		{wire, tab("pane"), end, 200, " enter show in chat  d read record  s stream  M longest gap  / filter  a whole agent  c copy as  e edit, resend  ! inject faults  F findings  m mark  f hold rows  tab next pane  ctrl+p find  f1 help"},
		{text, nil, nil, 24, " enter send"},
		{text, tab("next pane"), end, 26, " ctrl+p find  f1 help"},
		{text, tab("next pane"), end, 12, " f1 help"},
		{[]action.Hint{hint("enter", 1, 1, "chat", ""), long, hint("x", 3, 3, "y", "")}, nil, end, 47, " enter chat  a more  x y  ctrl+p find  f1 help"},
		{nil, tab("next pane"), end, 80, " tab next pane  ctrl+p find  f1 help"},
		{text, nil, end, 30, " ctrl+p find  f1 help"},
	} {
		if got := row(c.left, c.pane, c.right, c.w); got != c.want {
			t.Errorf("%d columns: got\n%q, want\n%q", c.w, got, c.want)
		}
	}
}

// A footer is never wider than the screen, whatever keys have the user's names.
func TestAFooterFitsAnyWidth(t *testing.T) {
	t.Parallel()
	left := []action.Hint{hint("ctrl+alt+shift+pgdown", 1, 1, "go", "go on"), hint("語", 2, 2, "語語語語", "語語語語語語語語"), hint("x", 3, 3, "", "")}
	pane := []action.Hint{hint("tab", 0, 0, "pane", "")}
	right := []action.Hint{hint("ctrl+alt+p", 0, 0, "find", "find"), hint("ctrl+alt+shift+f1", 0, 0, "help", "help")}
	for w := -1; w < 250; w++ {
		for _, end := range [][]action.Hint{right, nil} {
			got := footer.Fit(left, pane, end, w)
			if text := row(left, pane, end, w); len(got) > 1 && canvas.Width(text) > w-1 {
				t.Errorf("%d columns: got %d columns: %q", w, canvas.Width(text), text)
			}
		}
	}
}

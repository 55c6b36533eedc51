package action_test

import (
	"slices"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
)

// An action with a name is a command, with the keys that the user chose and the words of the moment.
func TestActionsWithANameAreCommands(t *testing.T) {
	t.Parallel()
	ran := ""
	run := func(what string) func() tea.Cmd { return func() tea.Cmd { ran += what; return nil } }
	rows := []action.Action[tea.Cmd]{
		{Row: action.Row{Keys: []string{"f2"}, Does: "show card", Slash: "card", Takes: "[NAME]", Name: "Show the card", Also: []string{"skills"}, Hidden: true}, Run: run("card"), With: func(arg string) tea.Cmd { ran += arg; return nil }},
		{Row: action.Row{Keys: []string{"tab"}, Does: "next pane"}, Run: run("next")},
		{Row: action.Row{Named: func() string { return "End" }, Now: func() action.State { return action.State{Why: "it has not begun"} }}, Run: run("begin")},
		{Row: action.Row{Keys: []string{"ctrl+c"}, Does: "clear text, then quit", Name: "Quit"}, Run: run("quit"), Press: func(tea.KeyPressMsg) tea.Cmd { ran += "clear"; return nil }},
	}
	rows = append(rows, action.Action[tea.Cmd]{Row: action.Row{ID: "save-file", Name: "Save the file"}, Run: run("save")}) // the key of another table
	of := func(id action.ID) key.Binding { return action.Label("alt+x", string(id)) }
	got := action.Commands(of, rows...)
	var names []string
	for _, c := range got {
		names = append(names, c.Name+" "+c.Keys.Help().Key+" "+c.Keys.Help().Desc+" "+c.Why)
		c.Run()
	}
	want := []string{"Show the card alt+x show-card ", "End   it has not begun", "Quit alt+x clear-text-then-quit ", "Save the file alt+x save-file "}
	if !slices.Equal(names, want) || ran != "cardbeginquitsave" {
		t.Fatalf("got commands %q that ran %q, want %q", names, ran, want)
	}
	c := got[0]
	if c.With("one"); ran != "cardbeginquitsaveone" || c.Slash != "card" || c.Takes != "[NAME]" || !slices.Equal(c.Also, []string{"skills"}) || !c.Hidden {
		t.Errorf("got %+v that ran %q", c, ran)
	}
}

// A table names those of its actions that are asked for, in that order.
func TestSomeActionsOfATableAreCommands(t *testing.T) {
	t.Parallel()
	table := newTable(
		action.Action[string]{Row: action.Row{Keys: []string{"p"}, Does: "play", Name: "Play"}, Run: do("play")},
		action.Action[string]{Row: action.Row{Keys: []string{"n"}, Does: "next", Name: "Go on"}, Run: do("next")},
		action.Action[string]{Row: action.Row{Keys: []string{"m"}, Does: "mark", Name: "Mark"}, Run: do("mark")},
	)
	got := ""
	for _, c := range table.Commands("next", "play") {
		got += c.Keys.Help().Key + " " + c.Name + " " + c.Run() + "\n"
	}
	if want := "n Go on next\np Play play\n"; got != want {
		t.Errorf("got commands %q, want %q", got, want)
	}
}

// The first reason counts, and none is asked for after it.
func TestAnActionIsPossibleUnlessThereIsAReason(t *testing.T) {
	t.Parallel()
	empty, busy, asked := true, true, 0
	now := action.Unless(
		action.If("it is empty", func() bool { return empty }),
		action.If("it is busy", func() bool { asked++; return busy }),
	)
	if got := now().Why; got != "it is empty" || asked > 0 {
		t.Errorf("got reason %q after %d more questions, want that it is empty, and none", got, asked)
	}
	if empty = false; now().Why != "it is busy" {
		t.Errorf("got reason %q, want that it is busy", now().Why)
	}
	if busy = false; now() != (action.State{}) {
		t.Errorf("got %+v, want that it is possible", now())
	}
}

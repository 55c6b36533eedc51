package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"parley/internal/golden"
	"parley/ui/keys"
)

// The names of actions and slash words are in the settings and the scripts of users, and in
// manuals: a change shows here.
func TestTheNamesOfActionsStay(t *testing.T) {
	t.Parallel()
	m := plainModel()
	var out strings.Builder
	all := keys.Actions(slices.Concat(keySections(m), sheetSections(m)))
	slices.SortFunc(all, func(a, b keys.Choice) int { return cmp.Compare(a.Action, b.Action) })
	for _, a := range all {
		fmt.Fprintf(&out, "%-50s %s\n", a.Action, strings.Join(a.Press, " "))
	}
	out.WriteString("\n")
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, Options{})
		d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		d.book(allFound)
		for _, c := range d.model.commands() {
			if c.Slash != "" {
				fmt.Fprintln(&out, strings.TrimSpace(fmt.Sprintf("/%-15s %-15s %-20s %s", c.Slash, cmp.Or(c.Takes, "-"), cmp.Or(keys.Name(c.Keys), "-"), c.Name)))
			}
		}
	})
	golden.Compare(t, "actions", out.String())
}

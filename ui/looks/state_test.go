package looks

import (
	"testing"

	"parley/a2a"
	"parley/themes"
	"parley/ui/styles"
)

// What has ended well, has ended badly, waits and goes on must be told apart without
// colour.
func TestStatesAreToldApartBySignsAlone(t *testing.T) {
	groups := [][]a2a.State{
		{a2a.StateSubmitted}, {a2a.StateWorking}, {a2a.StateCompleted}, {a2a.StateCanceled},
		{a2a.StateFailed}, {a2a.StateRejected}, {a2a.StateInputRequired}, {a2a.StateAuthRequired},
		{a2a.StateUnknown, a2a.StateOther},
	}
	for _, glyphs := range []styles.Glyphs{styles.Unicode(), styles.ASCII()} {
		st := styles.New(themes.Mono(), glyphs)
		seen := map[string]int{}
		for i, group := range groups {
			for _, s := range group {
				sign, _ := State(st, s)
				text := st.G[sign]
				if other, ok := seen[text]; text == "" || ok && other != i {
					t.Errorf("%v has the sign %q, as group %d has", s, text, other)
				}
				seen[text] = i
			}
		}
	}
}

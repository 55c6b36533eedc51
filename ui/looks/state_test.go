package looks

import (
	"slices"
	"testing"

	"parley/a2a"
	"parley/session/task"
	"parley/themes"
	"parley/ui/styles"
)

// Ended well, ended badly, waiting and working must be distinguishable without colour.
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
					t.Errorf("%v: got sign %q of group %d, want one of its own", s, text, other)
				}
				seen[text] = i
			}
		}
	}
}

func TestTheLegendNamesEveryState(t *testing.T) {
	for s := a2a.StateUnknown; s < a2a.StateOther; s++ {
		if !slices.Contains(States(), s) {
			t.Errorf("got States without %s, want it", s)
		}
	}
}

func TestTheSignOfATaskThatIsForgotten(t *testing.T) {
	st := styles.New(themes.Mono(), styles.Unicode())
	for _, s := range States() {
		if sign, _ := Task(st, &task.Lifecycle{State: s, Forgotten: true}); sign != styles.Unknown {
			t.Errorf("a forgotten task that was %s has the sign %q, want the unknown one", s, st.G[sign])
		}
		kept, _ := State(st, s)
		if sign, _ := Task(st, &task.Lifecycle{State: s}); sign != kept {
			t.Errorf("%s: got sign %q as a task, want %q as of a state", s, st.G[sign], st.G[kept])
		}
	}
}

// Amber says that a task needs the user; after an answer it does not, although the agent has not
// said yet that it works on.
func TestAnAnsweredTaskIsNotAmber(t *testing.T) {
	st := styles.New(themes.Dark(), styles.Unicode())
	for _, s := range []a2a.State{a2a.StateInputRequired, a2a.StateAuthRequired} {
		if _, paint := Task(st, &task.Lifecycle{State: s}); paint != st.Waiting {
			t.Errorf("%s: got paint %q, want amber", s, paint.S("x"))
		}
		if _, paint := Task(st, &task.Lifecycle{State: s, Answered: true}); paint == st.Waiting {
			t.Errorf("%s: an answered task is amber, want another paint", s)
		}
	}
}

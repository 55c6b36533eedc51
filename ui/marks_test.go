package ui

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session"
	"parley/themes"
	"parley/ui/looks"
	"parley/ui/styles"
)

// The header has the sign that the panes have, also where there is no colour.
func TestTheHeaderHasTheSignOfEveryState(t *testing.T) {
	for _, glyphs := range []styles.Glyphs{styles.Unicode(), styles.ASCII()} {
		st := styles.New(themes.Mono(), glyphs)
		for _, s := range looks.States() {
			sign, _ := looks.State(st, s)
			shown := panetest.Text([]string{identity{stands: session.Lifecycle{State: s}, st: st}.chip()})
			panetest.Sees(t, shown, st.G[sign]+" "+s.String())
		}
	}
}

func TestTheHelpExplainsTheSigns(t *testing.T) {
	bubble(t, 80, 24, Options{}, func(d *desk) {
		d.book(asksWhere)
		legend := panetest.Text(d.model.legend(76))
		panetest.Sees(t, legend, "◐ input-required", "◒ auth-required", "✕ failed", "⊗ rejected", "◌ unknown")
		panetest.Sees(t, panetest.Text(d.model.helpLines(76)), legend)
	})
}

// A task whose agent cannot tell its state is over in 0.1 and 0.2, and the places for the
// next message say so as they do of one that ended.
func TestATaskThatIsLostMayBeGoneOnWith(t *testing.T) {
	a := &session.Agent{ID: 1, Profile: a2a.Profile{Dialect: a2a.V02, Binding: a2a.BindingJSONRPC}, Phase: session.Ready}
	conv := &session.Conversation{ID: 1, Agent: a, ContextID: "ctx"}
	task := &session.Task{ID: "t", ContextID: "ctx", Lifecycle: session.Lifecycle{State: a2a.StateUnknown, Lost: true}, Conversation: conv}
	conv.Tasks = []*session.Task{task}
	labels := func() (out string) {
		for _, c := range targets(a, conv, nil) {
			out += c.Label + "; " + c.Note + "\n"
		}
		return out
	}
	panetest.Sees(t, labels(), "restart task t; unknown; many agents refuse that", "new task that refers to task t")
	task.Lost, task.Forgotten = false, true
	if got := labels(); strings.Contains(got, "restart") || strings.Contains(got, "refers to") {
		t.Errorf("a forgotten task is offered:\n%s", got)
	}
}

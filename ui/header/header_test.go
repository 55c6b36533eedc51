package header

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/session/task"
	"parley/themes"
	"parley/ui/looks"
	"parley/ui/styles"
)

// The header has the same sign as the panes, also without colour.
func TestTheHeaderHasTheSignOfEveryState(t *testing.T) {
	for _, glyphs := range []styles.Glyphs{styles.Unicode(), styles.ASCII()} {
		st := styles.New(themes.Mono(), glyphs)
		for _, s := range looks.States() {
			sign, _ := looks.State(st, s)
			shown := panetest.Text([]string{identity{lifecycle: task.Lifecycle{State: s}, st: st}.chip()})
			panetest.Sees(t, shown, st.G[sign]+" "+s.String())
		}
	}
}

// A version on the card that differs from the agent's stays in the header beside an open
// stream, shorter in a narrow header, and is left out before the state of the task.
func TestTheHeaderKeepsThatTheCardIsWrong(t *testing.T) {
	st := styles.New(themes.Mono(), styles.Unicode())
	who := identity{
		any: true, agent: "Saboteur", phase: model.Ready, dialect: a2a.V03, binding: a2a.BindingJSONRPC, claim: "1.0",
		context: "a5b6c7d8e9", busy: true, task: "0123456789", lifecycle: task.Lifecycle{State: a2a.StateWorking}, st: st,
	}
	activity := []segment{
		{text: "live · 3,020 events · 41 kB · 3 ev/s", rank: 4, right: true},
		{text: "⚑ 3,020 ⚑ 12", rank: 5, right: true, flags: true},
	}
	for _, c := range []struct {
		w             int
		has, hasNoted string
	}{
		{200, "card says 1.0, agent speaks 0.3", "live"},
		{120, "card 1.0, agent 0.3", "live"},
		{80, "● working", "card 1.0, agent 0.3"},
		{60, "● working", ""},
	} {
		var texts []string
		for _, s := range fit(slices.Concat(who.draw(), activity), c.w) {
			texts = append(texts, s.text)
		}
		shown := panetest.Text([]string{strings.Join(texts, gap)})
		panetest.Sees(t, shown, c.has, c.hasNoted)
	}
}

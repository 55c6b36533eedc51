package ui

import (
	"fmt"
	"slices"
	"testing"

	"parley/session/model"
	"parley/ui/palette"
)

func TestAnAgentOfUnknownSpeechIsHelped(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		e := d.engine
		a := d.model.agent()
		a.Phase, a.Problem = model.Failed, "Nobody speaks A2A 2.0 here."
		d.model.touch()
		d.send(nil)
		d.sees("Nobody speaks A2A 2.0 here.", "alt+1  pin a dialect")
		d.press("alt+1")
		if d.model.screen.over != overPalette {
			t.Fatalf("the finder is not open:\n%s", d.text())
		}
		d.sees("Pin dialect v1.0")
		d.press("enter")
		if e.Pinned.Dialect == "" {
			t.Error("got no pinned dialect, want the chosen one")
		}
		d.press("alt+2")
		if got := e.CallsOf("probe"); !slices.Equal(got, []string{fmt.Sprint(a.ID)}) {
			t.Errorf("got probes %v, want one of the agent", got)
		}
		d.press("alt+3")
		d.sees("choose template", "GetTask")
		d.press("enter", "alt+enter")
		if len(e.Requests) != 1 {
			t.Errorf("sent requests %v, want one", e.Requests)
		}
		at := slices.IndexFunc(d.model.entries(), func(e palette.Entry) bool { return e.Name == "Write a request" })
		if at < 0 || d.model.entries()[at].Why != "" {
			t.Error("the finder does not offer to write a request")
		}
	})
}

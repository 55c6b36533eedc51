package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
	"parley/ui/control/controltest"
)

func TestTheDemoIsOneKeyAwayWhereNoAgentIsOpen(t *testing.T) {
	t.Parallel()
	started := 0
	o := Options{Demo: func() ([]string, error) { started++; return []string{"http://one", "http://two"}, nil }}
	bubble(t, 120, 30, o, func(d *desk) {
		if got := d.text(); !strings.Contains(got, "alt+1  try the demo agents") {
			t.Fatalf("the demo agents are not offered:\n%s", got)
		}
		if !slices.ContainsFunc(controltest.Commands(d.model.agents.DemoActions()), func(c control.Command) bool { return strings.Contains(c.Name, "demo agents") }) {
			t.Error("the finder does not offer the demo agents")
		}
		d.send(tea.KeyPressMsg{Code: '1', Mod: tea.ModAlt})
		if started != 1 || len(d.engine.Calls) != 2 {
			t.Errorf("started the demo %d times, want 1; engine calls %v, want 2", started, d.engine.Calls)
		}
		d.run(d.model.agents.OpenDemo())
		d.settle()
		if started != 1 || len(controltest.Commands(d.model.agents.DemoActions())) != 0 {
			t.Errorf("the demo is offered again; started %d times, want 1", started)
		}
	})
}

func TestADemoThatCannotStartIsSaid(t *testing.T) {
	t.Parallel()
	o := Options{Demo: func() ([]string, error) { return nil, errors.New("listen tcp: no") }}
	bubble(t, 120, 30, o, func(d *desk) {
		d.run(d.model.agents.OpenDemo())
		d.settle()
		if got := d.text(); !strings.Contains(got, "could not be started") || strings.Contains(got, "listen tcp") {
			t.Errorf("got frame\n%s\nwant a sentence about the failed start, without the raw error", got)
		}
	})
}

// Before an agent is open, nothing has failed: the line above the text field is not an error.
func TestTheFirstScreenHasNoError(t *testing.T) {
	t.Parallel()
	bubble(t, 80, 24, Options{}, func(d *desk) {
		if text := d.text(); strings.Contains(text, "cannot send") || !strings.Contains(text, "no agent is open") {
			t.Errorf("got\n%s\nwant no error", text)
		}
		d.write("hello")
		d.sees("cannot send: no agent is open")
	})
}

package ui

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/model"
)

// extensible opens an agent that requires one extension and offers another.
func (d *desk) extensible() *fakeEngine {
	d.t.Helper()
	d.book(allFound)
	a := d.model.agent()
	a.Card.Capabilities.Extensions = []a2a.Extension{
		{URI: "https://ext.example/fares/v1", Description: "fares with taxes", Params: []byte(`{"tax": true}`)},
		{URI: "https://ext.example/consent/v2 \x1b[2J", Required: true},
	}
	a.Extensions.Missing = []string{a.Card.Capabilities.Extensions[1].URI}
	d.press("shift+tab", "tab")
	return d.engine
}

func TestARequiredExtensionIsWarnedAboutBeforeEnter(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.extensible()
		d.sees("the agent requires v2 ⟨ESC⟩", "/ext")
		d.write("hello")
		d.press("enter")
		if len(e.Sent) != 1 {
			t.Errorf("got %d messages sent in spite of the warning, want 1", len(e.Sent))
		}
	})
}

func TestExtensionsAreChosenOnTheirSheet(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.extensible()
		d.engine.Calls = nil
		d.press("f2", "x")
		d.sees("extensions", "[ ] https://ext.example/fares/v1", "fares with taxes", "required", "The card requires 1 extension")
		d.press("space")
		d.sees("request 1 extension from now on")
		if got := strings.Join(d.engine.Calls, "\n"); got != "extend 1 https://ext.example/fares/v1" {
			t.Errorf("got engine calls\n%s\nwant extend 1 with the fares extension", got)
		}
		d.press("j", "space")
		d.sees("cannot carry")
		d.press("a")
		d.write("urn:mine")
		d.press("enter")
		if got := d.engine.Calls[len(d.engine.Calls)-1]; got != "extend 1 urn:mine" {
			t.Errorf("got last engine call %s, want extend 1 urn:mine", got)
		}
		d.press("k", "k", "m", "esc")
		d.sees("requests https://ext.example/fares/v1")
		d.write("just this one")
		d.press("enter")
		d.turnOver(d.engine.Turns, "")
		d.write("and no other")
		d.press("enter")
		if len(e.Sent) != 2 || !slices.Equal(e.Sent[0].Options.Extensions, []string{"https://ext.example/fares/v1"}) || e.Sent[1].Options.Extensions != nil {
			t.Errorf("sent %+v, want the chosen extension in the first message only", e.Sent)
		}
	})
}

func TestATurnSaysWhichExtensionsAreInUse(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.extensible()
		d.book(allBooked)
		conv := d.model.conversation()
		turn := conv.Turns[0]
		turn.Extensions = model.Activation{Requested: []string{"urn:a", "urn:b"}, Active: []string{"urn:b"}, Record: 3}
		turn.Version++
		conv.Version++
		d.model.touch()
		d.press("tab", "g")
		d.sees("uses 1 of 2 extensions")
	})
}

func TestWhereNoExtensionCanBeChosenThatIsSaid(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.run(d.model.extensions.Open())
		d.sees("No agent is open")
		d.extensible()
		d.model.agent().Profile.Dialect = a2a.V01
		d.press("shift+tab", "tab")
		if strings.Contains(d.text(), "not asked for") {
			t.Error("frame warns of extensions in A2A 0.1, which has none")
		}
		d.press("f2", "x", "space")
		d.sees("A2A 0.1 has no extensions.")
	})
	bubble(t, 120, 40, Options{Name: "b"}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allBooked)
		d.press("f2", "x")
		d.sees("This is a recording")
	})
}

package ui

import (
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
)

func TestAnExampleIsWrittenWhereverTheConversationStands(t *testing.T) {
	t.Parallel()
	bubble(t, 140, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		calls := len(d.engine.Calls)
		c := d.model.panes.composer
		c.Attach(attached)
		d.write("/prompt weather")
		d.sees("What is the weather in Oslo?")
		d.press("tab", "enter")
		if got := c.Draft(); got.Text != "What is the weather in Oslo?" || len(got.Parts) != 1 || len(d.engine.Calls) != calls {
			t.Fatalf("got draft %+v and engine calls %v, want the example with the attachment and no calls", got, d.engine.Calls[calls:])
		}
		d.press("ctrl+c")
		d.write("half a thou")
		d.press("ctrl+p")
		d.write("Use one of the agent's examples")
		d.press("enter")
		d.write(`from Oslo`)
		d.press("enter")
		if got := c.Draft(); got.Text != "" || len(got.Parts) != 1 || got.Parts[0].Kind != a2a.PartData {
			t.Errorf("got draft %+v of an example that is data, want one data part", got)
		}
		d.press("up")
		if c.Value() != "half a thou" {
			t.Errorf("up restored %q, want the text written before", c.Value())
		}
		d.press("ctrl+c")
		d.write("/prompt nothing like it")
		d.press("enter")
		d.sees("has no such example")
	})
}

func TestTenThousandSkillsAreOffered(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		card := *d.model.agent().Card
		card.Skills = nil
		for i := range 10_000 {
			card.Skills = append(card.Skills, a2a.Skill{
				Name: "\x1b[2Jskill " + strings.Repeat("🧳", 1000), Examples: []a2a.Example{{Text: fmt.Sprintf("example %d\x1b[2J\u202e", i)}},
			})
		}
		d.model.agent().Card = &card
		d.write("/prompt example 99")
		d.clean()
		d.press("up")
		d.clean()
		d.press("tab", "enter")
		d.clean()
		if got := d.model.panes.composer.Value(); !strings.HasPrefix(got, "example ") {
			t.Errorf("got draft %q, want the hostile example", got)
		}
		d.press("ctrl+p")
		d.write("example 4321")
		d.clean()
	})
}

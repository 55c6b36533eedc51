package ui

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/styles"
)

// prompts are the examples of the agents' skills, each sent as a conversation of its
// own.
func (m *Model) prompts() []control.Command {
	var out []control.Command
	for _, a := range m.state.Agents {
		if a.Card == nil || m.readOnly() {
			continue
		}
		eachExample(a, func(s *a2a.Skill, e a2a.Example) {
			out = append(out, control.Command{
				Group: "prompt", Name: exampleText(e), Note: a.Name() + " " + m.st.G[styles.Separator] + " " + s.Name, Why: unready(a),
				Do: func() tea.Cmd { return m.outbox.SendFirst(a.ID, exampleDraft(e)) },
			})
		})
	}
	return out
}

// eachExample calls do with each example of an agent's skills.
func eachExample(a *model.Agent, do func(s *a2a.Skill, e a2a.Example)) {
	if a == nil || a.Card == nil {
		return
	}
	for i := range a.Card.Skills {
		s := &a.Card.Skills[i]
		for _, e := range s.Examples {
			do(s, e)
		}
	}
}

func hasExamples(a *model.Agent) bool {
	return a != nil && a.Card != nil && slices.ContainsFunc(a.Card.Skills, func(s a2a.Skill) bool { return len(s.Examples) > 0 })
}

// exampleText is an example as text: what it says, or its data.
func exampleText(e a2a.Example) string { return cmp.Or(e.Text, string(e.Data)) }

// exampleDraft is an example as it is sent.
func exampleDraft(e a2a.Example) composer.Draft {
	if len(e.Data) > 0 {
		return composer.Draft{Parts: []a2a.Part{a2a.DataPart(json.RawMessage(e.Data))}}
	}
	return composer.Draft{Text: e.Text}
}

// prompting is the command that writes an example of the agent on the screen into the
// composer, to be changed and sent where the conversation stands.
func (m *Model) prompting() []control.Command {
	why := m.refusal()
	if why == "" && !hasExamples(m.agent()) {
		why = "the card of this agent has no examples"
	}
	return []control.Command{{
		Slash: "prompt", Takes: "EXAMPLE", Name: "Write one of the agent's examples", Why: why,
		With: m.writePrompt, Offers: m.promptOffers,
	}}
}

func (m *Model) promptOffers(arg string) []composer.Offer {
	var all []composer.Offer
	eachExample(m.agent(), func(s *a2a.Skill, e a2a.Example) {
		all = append(all, composer.Offer{Text: strings.TrimSpace(exampleText(e)), Note: s.Name})
	})
	return control.Matching(arg, all)
}

// writePrompt writes the example of that text into the composer. A text that was there is
// the newest of the history then.
func (m *Model) writePrompt(text string) tea.Cmd {
	var found *composer.Draft
	eachExample(m.agent(), func(_ *a2a.Skill, e a2a.Example) {
		if found == nil && strings.TrimSpace(exampleText(e)) == text {
			d := exampleDraft(e)
			found = &d
		}
	})
	if found == nil {
		return m.say("The card of "+m.agentName(m.cur.Agent)+" has no such example: /prompt and tab lists them.", true)
	}
	m.focusComposer()
	c := m.panes.composer
	if c.Value() != "" {
		c.Clear()
	}
	d := c.Draft() // what goes with the message already
	d.Text, d.Parts = found.Text, append(d.Parts, found.Parts...)
	c.SetDraft(composer.Written(d))
	return nil
}

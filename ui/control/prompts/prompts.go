// Package prompts is the controller of the examples on agent cards, which it inserts into
// the composer. Each can be inserted in a conversation of its own or in the one on the
// screen.
package prompts

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/styles"
)

// A Composer is the text field.
type Composer interface {
	Value() string
	// Clear empties it and adds the text to the history.
	Clear() bool
	Draft() composer.Draft
	SetDraft(composer.Draft)
}

// A Controller inserts the examples of agents.
type Controller struct {
	host     control.Host
	composer Composer
	begin    func(a2a.AgentID) tea.Cmd
}

// New returns a controller. Begin goes to a new conversation with an agent.
func New(host control.Host, composer Composer, begin func(a2a.AgentID) tea.Cmd) *Controller {
	return &Controller{host: host, composer: composer, begin: begin}
}

// Entries returns a finder command for each example of all agents.
func (c *Controller) Entries(st *styles.Styles) []control.Command {
	if control.Refusal(c.host) != "" {
		return nil
	}
	var out []control.Command
	for _, a := range c.host.State().Agents {
		eachExample(a, func(s *a2a.Skill, e a2a.Example) {
			out = append(out, control.Command{
				Group: "prompt", Name: text(e), Note: a.Name() + " " + st.G[styles.Separator] + " " + s.Name, Why: control.Unready(a),
				Run: func() tea.Cmd { return c.Begin(a.ID, e) },
			})
		})
	}
	return out
}

// Actions returns the action that inserts an example of the agent on the screen into the composer.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	none := action.If("the card of this agent has no examples", func() bool { return !hasExamples(c.host.Agent()) })
	return []action.Action[tea.Cmd]{{
		Row:  action.Row{Slash: "prompt", Takes: "EXAMPLE", Name: "Use one of the agent's examples", Now: action.Unless(control.Refused(c.host), none)},
		With: c.write, Offers: c.offers,
	}}
}

func (c *Controller) offers(arg string) []action.Offer {
	var all []action.Offer
	eachExample(c.host.Agent(), func(s *a2a.Skill, e a2a.Example) {
		all = append(all, action.Offer{Text: strings.TrimSpace(text(e)), Note: s.Name})
	})
	return control.Matching(arg, all)
}

// Begin inserts an example of a skill into the composer of a new conversation, where enter sends it.
func (c *Controller) Begin(id a2a.AgentID, e a2a.Example) tea.Cmd {
	a := c.host.State().Agent(id)
	if a == nil {
		return nil
	}
	if why := cmp.Or(control.Refusal(c.host), control.Unready(a)); why != "" {
		return c.host.Say(why, true)
	}
	c.host.Close()
	cmd := c.begin(id)
	c.insert(draft(e))
	return cmd
}

// write inserts the example with that text into the composer.
func (c *Controller) write(example string) tea.Cmd {
	var found *composer.Draft
	eachExample(c.host.Agent(), func(_ *a2a.Skill, e a2a.Example) {
		if found == nil && strings.TrimSpace(text(e)) == example {
			d := draft(e)
			found = &d
		}
	})
	if found == nil {
		return c.host.Say("The card of "+c.host.AgentName(c.host.Place().Agent)+" has no such example: type /prompt and a space to list them.", true)
	}
	c.insert(*found)
	return nil
}

// Write inserts an example into the composer, where enter sends it.
func (c *Controller) Write(e a2a.Example) tea.Cmd {
	if why := control.Refusal(c.host); why != "" {
		return c.host.Say(why, true)
	}
	c.insert(draft(e))
	return nil
}

// insert replaces the text in the composer, which keeps its attachments.
func (c *Controller) insert(found composer.Draft) {
	c.host.Focus(control.OnComposer)
	if c.composer.Value() != "" {
		c.composer.Clear()
	}
	d := c.composer.Draft()
	d.Text, d.Parts = found.Text, append(d.Parts, found.Parts...)
	c.composer.SetDraft(composer.Escape(d))
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

// text returns an example as text: its text, or its data.
func text(e a2a.Example) string { return cmp.Or(e.Text, string(e.Data)) }

// draft returns an example as a draft.
func draft(e a2a.Example) composer.Draft {
	if len(e.Data) > 0 {
		return composer.Draft{Parts: []a2a.Part{a2a.DataPart(json.RawMessage(e.Data))}}
	}
	return composer.Draft{Text: e.Text}
}

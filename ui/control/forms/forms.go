// Package forms shows the form of a task that asks for data, or of an agent whose card
// describes its messages, and sends what the user fills in.
package forms

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/target"
	"parley/ui/form"
	"parley/ui/keys"
	"parley/ui/styles"
)

// SheetName identifies the sheet in which a form is filled in.
const SheetName control.SheetName = "form"

// An Outbox sends messages.
type Outbox interface {
	// Target returns where enter sends the message; it reports false if that is unknown.
	Target() (composer.TargetChoice, bool)
	// Send sends a message.
	Send(d composer.Draft, to model.Target) tea.Cmd
	// Enqueue queues a message until the turn ends.
	Enqueue(d composer.Draft) tea.Cmd
	// ResetTarget discards the target that the user chose.
	ResetTarget()
}

// Options are what the controller needs besides the host.
type Options struct {
	// Composer edits the message on the screen.
	Composer *composer.Composer
	Outbox   Outbox
	// SendOptions returns how messages to an agent are sent.
	SendOptions func(agent a2a.AgentID) model.SendOptions
}

// A Controller shows and sends forms.
type Controller struct {
	host    control.Host
	o       Options
	pane    *form.Pane
	prompts map[*a2a.Message]bool // whether a prompt has a form, for those that were searched
	task    *model.Task           // the task of the form, nil for the form of a card
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, o Options) *Controller {
	return &Controller{host: host, o: o, pane: form.New(st)}
}

// Actions returns the actions that work everywhere.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{ID: action.FillInForm, Keys: []string{"alt+i"}, Does: "fill in form", Slash: "form", Name: "Fill in the form of the question", Now: action.Unless(c.none)},
		Run: c.Open,
	}}
}

// Open shows the form of the task that asks for data, or else that of the card.
func (c *Controller) Open() tea.Cmd {
	if why := c.none(); why != "" {
		return c.host.Say(why, true)
	}
	a, t := c.host.Agent(), c.Task()
	ask := form.Ask{Key: "card " + a.Ref, Agent: a.Name()}
	source, _ := model.FormInCard(a.Card)
	if t != nil {
		ask = form.Ask{Key: "task " + t.ID + " " + t.Prompt.ID, Agent: a.Name(), Task: true, Question: question(t.Prompt)}
		source, _ = model.FormIn(t.Prompt)
	}
	c.task = t
	c.pane.Open(source, ask)
	c.host.Open(SheetName)
	return nil
}

// question returns the words of a prompt, without the schema where that is a part of them.
func question(m *a2a.Message) string {
	var words []string
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == a2a.PartText && !strings.HasPrefix(strings.TrimSpace(p.Text), "{") {
			words = append(words, p.Text)
		}
	}
	return strings.Join(words, "\n")
}

// none says why there is no form, empty if there is one.
func (c *Controller) none() string {
	a := c.host.Agent()
	switch why := control.Refusal(c.host); {
	case why != "":
		return why
	case a == nil:
		return control.NoAgent(c.host)
	case c.Task() != nil:
		return ""
	}
	if _, ok := model.FormInCard(a.Card); !ok {
		return "No task here asks for data with a JSON schema."
	}
	return ""
}

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	p := c.pane
	return control.NewSheet(p, c.onIntent, control.Sheet{
		Name: SheetName, Help: "form", Leave: control.KeyOf(c.host, action.FillInForm), KeepsCtrlC: true, Paste: p.Paste,
	})
}

// onIntent carries out what the form asks for.
func (c *Controller) onIntent(in form.Intent) tea.Cmd {
	switch in := in.(type) {
	case form.Send:
		return c.send(in)
	case form.Refused:
		return c.host.Say(in.Why, true)
	case form.Close:
		c.host.Close()
	}
	return nil
}

// send sends the form to the task that asked for it. If the task no longer waits, the form
// becomes part of the next message.
func (c *Controller) send(in form.Send) tea.Cmd {
	t := c.task
	d := composer.Draft{
		Parts: []a2a.Part{a2a.DataPart(in.Data)}, Options: c.o.SendOptions(c.host.Place().Agent), Secret: t.AsksSecret(), Secrets: in.Secrets,
	}
	to, known := c.o.Outbox.Target()
	switch {
	case t != nil && t.Asks():
		to = answer(t)
	case t != nil || !known:
		return c.add(d)
	}
	if to.Why != "" {
		return c.host.Say(to.Why, true)
	}
	c.pane.Forget()
	c.host.Close()
	if to.Kind == composer.TargetQueue {
		return c.o.Outbox.Enqueue(d)
	}
	return c.o.Outbox.Send(d, to.Target)
}

// answer returns the choice that answers a task.
func answer(t *model.Task) composer.TargetChoice {
	a := t.Conversation.Agent
	base := model.Target{Agent: a.ID, Conversation: t.Conversation.ID}
	return composer.TargetChoice{Kind: composer.TargetAnswer, Target: target.ToTask(base, t), Why: control.Unready(a)}
}

// add adds the filled-in form to the message in the composer.
func (c *Controller) add(d composer.Draft) tea.Cmd {
	now := c.o.Composer.Draft()
	now.Parts = append(now.Parts, d.Parts...)
	now.Secrets = append(now.Secrets, d.Secrets...)
	now.Secret = now.Secret || d.Secret
	c.o.Composer.SetDraft(now)
	c.o.Outbox.ResetTarget()
	c.pane.Forget()
	c.host.Close()
	c.host.Focus(control.OnComposer)
	return c.host.Say("the task no longer waits: the form goes with the next message, "+keys.Name(c.o.Composer.Of(composer.RemoveAttachment))+" removes it", true)
}

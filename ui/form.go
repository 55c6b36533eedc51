package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/target"
	"parley/ui/form"
)

// maxPrompts is how many prompts are remembered to have a form or none.
const maxPrompts = 64

// hasForm reports whether a task asks for data of which it gives the schema. A prompt is
// looked at once.
func (m *Model) hasForm(t *model.Task) bool {
	if t == nil || t.Prompt == nil || !t.Asks() {
		return false
	}
	known := m.attention.forms
	has, seen := known[t.Prompt]
	if !seen {
		if known == nil || len(known) >= maxPrompts {
			known = map[*a2a.Message]bool{}
			m.attention.forms = known
		}
		_, has = model.FormIn(t.Prompt)
		known[t.Prompt] = has
	}
	return has
}

// offerForms says of the tasks that ask for data which key fills in their form.
func (m *Model) offerForms(choices []composer.TargetChoice) {
	for i := range choices {
		c := &choices[i]
		if c.Kind == composer.TargetAnswer && m.hasForm(m.state.Task(c.Target.Agent, c.Target.TaskID)) {
			c.Note = m.keys.Form.Help().Key + " fills it in"
		}
	}
}

// formTask is the task of which the form is to be filled in: that which enter would answer,
// else the newest of the conversation that has one; nil if there is none.
func (m *Model) formTask() *model.Task {
	if to, ok := m.outbox.Target(); ok {
		if t := m.state.Task(to.Target.Agent, to.Target.TaskID); m.hasForm(t) {
			return t
		}
	}
	if conv := m.conversation(); conv != nil {
		for i := len(conv.Tasks) - 1; i >= 0; i-- {
			if m.hasForm(conv.Tasks[i]) {
				return conv.Tasks[i]
			}
		}
	}
	return nil
}

// unformed says why there is no form to fill in, empty if there is one.
func (m *Model) unformed() string {
	a := m.agent()
	switch {
	case m.readOnly():
		return m.refusal()
	case a == nil:
		return "No agent is open: ctrl+p and paste the URL of one."
	case m.formTask() != nil:
		return ""
	}
	if _, ok := model.FormInCard(a.Card); !ok {
		return "No task asks for data here and says with a JSON schema what it wants."
	}
	return ""
}

// openForm shows the form of what the agent asks, or else of what its card says that
// messages look like.
func (m *Model) openForm() tea.Cmd {
	if why := m.unformed(); why != "" {
		return m.say(why, true)
	}
	t, title := m.formTask(), "card "+m.agent().Ref
	source, _ := model.FormInCard(m.agent().Card)
	if t != nil {
		title = "task " + t.ID + " " + t.Prompt.ID
		source, _ = model.FormIn(t.Prompt)
	}
	m.attention.filling = t
	m.panes.form.Open(source, title)
	m.show(overForm)
	return nil
}

const overForm control.SheetName = "form"

// formSheet lies over the panes while a form is filled in.
func (m *Model) formSheet() control.Sheet {
	p := m.panes.form
	return control.Sheet{
		Pane: p, Help: "form", Keys: p.FullHelp, Height: p.Height(), Leave: []key.Binding{m.keys.Form}, Paste: p.Paste,
		Key:   func(msg tea.KeyPressMsg) tea.Cmd { return m.filled(p.Key(msg)) },
		Mouse: func(msg tea.MouseMsg, x, y int) tea.Cmd { return m.filled(p.Mouse(msg, x, y)) },
	}
}

// filled carries out what the form asks for.
func (m *Model) filled(in form.Intent) tea.Cmd {
	switch in := in.(type) {
	case form.Send:
		return m.sendForm(in)
	case form.Refused:
		return m.say(in.Why, true)
	case form.Close:
		m.closeOverlay()
	}
	return nil
}

// sendForm sends what was filled in to the task that asked for it. If that waits no more
// it goes with the next message.
func (m *Model) sendForm(in form.Send) tea.Cmd {
	t := m.attention.filling
	d := composer.Draft{
		Parts: []a2a.Part{a2a.DataPart(in.Data)}, Options: m.writing.options[m.cur.Agent], Secret: t.AsksSecret(), Secrets: in.Secrets,
	}
	to, ok := m.outbox.Target()
	switch {
	case t != nil && t.Asks():
		base := model.Target{Agent: t.Conversation.Agent.ID, Conversation: t.Conversation.ID}
		to = composer.TargetChoice{Target: target.ToTask(base, t), Why: unready(t.Conversation.Agent)}
	case t == nil && ok:
	default:
		return m.keepForm(d)
	}
	if to.Why != "" {
		return m.say(to.Why, true)
	}
	m.panes.form.Forget()
	m.closeOverlay()
	if to.Kind == composer.TargetQueue {
		return m.outbox.Enqueue(d)
	}
	return m.outbox.Send(d, to.Target)
}

// keepForm puts what was filled in with what is being written.
func (m *Model) keepForm(d composer.Draft) tea.Cmd {
	c := m.panes.composer
	now := c.Draft()
	now.Parts = append(now.Parts, d.Parts...)
	now.Secrets = append(now.Secrets, d.Secrets...)
	now.Secret = now.Secret || d.Secret
	c.SetDraft(now)
	m.outbox.ResetTarget()
	m.panes.form.Forget()
	m.closeOverlay()
	m.focusComposer()
	return m.say("the task waits no more: what was filled in goes with the next message, alt+x takes it away", true)
}

// forming lists what can be done with forms.
func (m *Model) forming() []control.Command {
	return []control.Command{{Key: m.keys.Form, Slash: "form", Name: "Fill in the form of what is asked", Why: m.unformed(), Do: m.openForm}}
}

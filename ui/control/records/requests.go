package records

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/session/model"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/request"
)

// RequestSheet is the name of the sheet on which a request is written.
const RequestSheet control.SheetName = "request"

// Sheet describes the sheet on which a request is written. Closing it keeps the text.
func (c *Controller) Sheet() control.Sheet {
	return control.NewSheet(c.request, c.onRequestIntent, control.Sheet{Name: RequestSheet, Help: "request", Page: true, Paste: c.request.Paste})
}

// editRequest opens the request of the record under the cursor, to be edited and sent again.
func (c *Controller) editRequest() tea.Cmd {
	if why := control.Refusal(c.host); why != "" {
		return c.host.Say(why, true)
	}
	it := c.requestOf(c.selected())
	if it == nil {
		return c.host.Say(noRequest, true)
	}
	call := it.Record.Call
	d := request.Draft{Agent: c.host.Place().Agent}
	if call != nil {
		d.Agent, d.Conversation = call.Agent, call.Conversation
	}
	d.To = c.host.AgentName(d.Agent)
	d.Request, d.Secrets, d.Missing = request.FromRecord(&it.Record)
	d.Request.From = it.Record.ID
	c.openRequest(d.Agent)
	c.request.Open(d)
	return nil
}

// noRequest says that a command needs a request.
const noRequest = "This record belongs to no request: select one that does."

// WriteRequest opens the unsent request for the agent on the screen, or the list of presets.
func (c *Controller) WriteRequest() tea.Cmd {
	if why := control.Refusal(c.host); why != "" {
		return c.host.Say(why, true)
	}
	a := c.host.Agent()
	if a == nil {
		return c.host.Say(control.NoAgent(c.host), true)
	}
	c.openRequest(a.ID)
	if !c.request.Unsent(a.ID) {
		c.request.OpenTemplates(request.Draft{Agent: a.ID, Conversation: c.host.Place().Conversation, To: a.Name()})
	}
	return nil
}

// SetRequest replaces the text of the request by what the user's editor saved.
func (c *Controller) SetRequest(text string) { c.request.Edited(text) }

func (c *Controller) openRequest(agent a2a.AgentID) {
	c.request.SetPresets(c.host.Engine().Presets(agent))
	c.request.SetNewID(c.host.Engine().NewID)
	c.host.Open(RequestSheet)
}

// onRequestIntent carries out what the sheet asks for.
func (c *Controller) onRequestIntent(in request.Intent) tea.Cmd {
	switch in := in.(type) {
	case request.Send:
		return c.sendRequest(in)
	case request.Refused:
		return c.host.Say(in.Why, true)
	case request.Edit:
		return c.host.Edit(in.Text, control.EditedMsg{Request: true})
	case request.Close:
		c.host.Close()
	}
	return nil
}

// sendRequest sends the request. The wire pane follows its answer.
func (c *Controller) sendRequest(in request.Send) tea.Cmd {
	if why := control.Refusal(c.host); why != "" {
		return c.host.Say(why, true)
	}
	c.host.Close()
	c.sent = c.host.Engine().SendRaw(in.Agent, in.Conversation, in.Request)
	c.panes.Wire.Follow()
	c.host.Focus(control.OnWire)
	return c.host.Say("sent to "+c.host.AgentName(in.Agent)+" as it was written; "+keys.Name(c.host.Key(editRequest))+" changes it again", false)
}

// OnChange shows the conversation of a request that was sent by hand, once it is known.
func (c *Controller) OnChange(ch model.Change) {
	if c.sent != 0 && c.sent == ch.Turn && ch.Conversation != 0 {
		c.sent = 0
		c.host.GoTo(control.Place{Agent: ch.Agent, Conversation: ch.Conversation})
	}
}

// check returns the findings in a request that is about to be sent. The rules know the agent's
// tasks, but no other record of the session.
func (c *Controller) check(agent a2a.AgentID, r *a2a.RawRequest) (found []a2a.Finding) {
	call, state := a2a.Call{Agent: agent}, c.host.State()
	if a := state.Agent(agent); a != nil {
		call.Dialect, call.Binding = a.Profile.Dialect, a.Profile.Binding
	}
	rec := r.Record(call)
	check := func(known *a2a.Fold) { found = lint.New().Check(&rec, &a2a.Update{}, known) }
	if !state.Known(agent, check) {
		check(nil)
	}
	return found
}

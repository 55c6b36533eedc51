// Package sendoptions is the controller of how messages are sent: blocking or not, which output
// modes, how much history, which metadata.
package sendoptions

import (
	"bytes"
	"encoding/json"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/jsonedit"
	"parley/ui/sending"
	"parley/ui/styles"
)

// SheetName identifies the sheet in which it is set how messages are sent.
const SheetName control.SheetName = "send options"

// Options are what the controller needs besides the host.
type Options struct {
	// Composer edits the message on the screen.
	Composer *composer.Composer
	// WriteJSON opens the JSON editor and calls use with the value.
	WriteJSON func(d jsonedit.Draft, use func(value json.RawMessage) tea.Cmd) tea.Cmd
}

// A Controller owns the send options of each agent.
type Controller struct {
	host    control.Host
	o       Options
	pane    *sending.Pane
	options map[a2a.AgentID]model.SendOptions
	// tasks is the metadata of requests about tasks.
	tasks map[a2a.AgentID]json.RawMessage
	modes control.CardModes
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, o Options) *Controller {
	return &Controller{
		host: host, o: o, pane: sending.New(st),
		options: map[a2a.AgentID]model.SendOptions{}, tasks: map[a2a.AgentID]json.RawMessage{},
	}
}

// Of returns the send options for an agent.
func (c *Controller) Of(agent a2a.AgentID) model.SendOptions { return c.options[agent] }

// Set sets the send options for the agent on the screen.
func (c *Controller) Set(o model.SendOptions) {
	c.options[c.host.Place().Agent] = o
	c.o.Composer.SetOptions(o)
	c.host.Touch()
}

// Open shows the send options for the agent on the screen.
func (c *Controller) Open() tea.Cmd {
	switch {
	case control.Refusal(c.host) != "":
		return c.host.Say(control.Refusal(c.host), true)
	case c.host.Agent() == nil:
		return c.host.Say(control.NoAgent(c.host), true)
	}
	c.host.Open(SheetName)
	c.pane.Open()
	c.host.Touch()
	return nil
}

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	p := c.pane
	return control.NewSheet(p, c.onIntent, control.Sheet{
		Name: SheetName, Help: "how messages are sent", Leave: func() key.Binding { return c.o.Composer.Of(composer.SetOptions) },
		Typing: p.Typing, Paste: p.Paste, Refresh: func() { p.SetAbout(c.about()) },
	})
}

// about returns what the sheet shows.
func (c *Controller) about() sending.About {
	d := c.o.Composer.Draft()
	about := sending.About{Settings: sending.Settings{
		Options: d.Options, Message: d.Metadata, Text: d.TextMetadata, Names: d.Names, Tasks: c.tasks[c.host.Place().Agent],
	}}
	if a := c.host.Agent(); a != nil {
		about.Agent, about.NoCard, about.Streams = a.Name(), a.Card == nil, a.Profile.Streaming
		about.OutputModes = c.modes.Output(a.Card)
		if spoken, ok := a.Profile.Spoken(); ok {
			about.Dialect = spoken
		}
	}
	return about
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in sending.Intent) tea.Cmd {
	switch in := in.(type) {
	case sending.Set:
		c.Set(in.Options)
		c.o.Composer.SetMetadata(in.Message)
		c.o.Composer.SetTextMetadata(in.Text)
		c.o.Composer.SetNames(in.Names)
		c.setTaskMetadata(in.Tasks)
	case sending.Write:
		return c.write(in)
	case sending.Refused:
		return c.host.Say(in.Why, true)
	case sending.Close:
		c.host.Close()
	}
	return nil
}

// setTaskMetadata sets the metadata of requests about tasks to the agent on the screen.
func (c *Controller) setTaskMetadata(metadata json.RawMessage) {
	agent := c.host.Place().Agent
	if control.Refusal(c.host) != "" || bytes.Equal(metadata, c.tasks[agent]) {
		return
	}
	c.tasks[agent] = metadata
	c.host.Engine().SetTaskMetadata(agent, metadata)
}

// write opens the JSON editor for metadata, and then this sheet again.
func (c *Controller) write(in sending.Write) tea.Cmd {
	d, title := c.o.Composer.Draft(), "metadata of the message"
	text, set := d.Metadata, func(value json.RawMessage) { c.o.Composer.SetMetadata(value) }
	switch in.Of {
	case sending.OfRequest:
		text, title = d.Options.Config.Metadata, "metadata of the request"
		set = func(value json.RawMessage) {
			o := c.o.Composer.Draft().Options
			o.Config.Metadata = value
			c.Set(o)
		}
	case sending.OfText:
		text, title = d.TextMetadata, "metadata of the text"
		set = func(value json.RawMessage) { c.o.Composer.SetTextMetadata(value) }
	case sending.OfTasks:
		text, title = c.tasks[c.host.Place().Agent], "metadata of requests about tasks"
		set = c.setTaskMetadata
	}
	return c.o.WriteJSON(jsonedit.Draft{Title: title, Text: string(text), Object: true}, func(value json.RawMessage) tea.Cmd {
		c.host.Open(SheetName)
		set(value)
		return nil
	})
}

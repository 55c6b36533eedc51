package agents

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
)

// renameAction returns the action that names the conversation on the screen.
func (c *Controller) renameAction() action.Action[tea.Cmd] {
	here := func() a2a.ConversationID { return c.host.Place().Conversation }
	none := action.If(noConversation, func() bool { return c.host.State().Conversation(here()) == nil })
	return action.Action[tea.Cmd]{
		Row: action.Row{Slash: "rename", Takes: "[NAME]", Name: "Rename this conversation", Now: action.Unless(c.host.Refusal, none)},
		Run: func() tea.Cmd { return c.askConversationName(here()) },
		With: func(name string) tea.Cmd {
			if name == "" {
				return c.askConversationName(here())
			}
			return c.renameConversation(c.host.State().Conversation(here()), name)
		},
	}
}

const noConversation = "a conversation begins with its first message"

// askConversationName asks for the name of a conversation.
func (c *Controller) askConversationName(id a2a.ConversationID) tea.Cmd {
	conv := c.host.State().Conversation(id)
	switch why := c.host.Refusal(); {
	case why != "":
		return c.host.Say(why, true)
	case conv == nil:
		return c.host.Say(noConversation, true)
	}
	now := canvas.SanitizeLine(conv.Name())
	return c.askName("rename conversation "+now, now, func(name string) tea.Cmd { return c.renameConversation(conv, name) })
}

// renameConversation gives a conversation a name, or the words of its first message again.
func (c *Controller) renameConversation(conv *model.Conversation, name string) tea.Cmd {
	if conv == nil {
		return c.host.Say(noConversation, true)
	}
	name = strings.TrimSpace(canvas.SanitizeTyped(name))
	c.host.Engine().SetConversationName(conv.Agent.ID, conv.ID, name)
	if name == "" {
		return c.host.Say("the conversation has the words of its first message as its name again", false)
	}
	return c.host.Say("the conversation is now named "+name, false)
}

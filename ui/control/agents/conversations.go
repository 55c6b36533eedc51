package agents

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/control"
)

// conversationCommands returns the commands about conversations.
func (c *Controller) conversationCommands() []control.Command {
	why := c.host.Refusal()
	here := c.host.State().Conversation(c.host.Place().Conversation)
	if why == "" && here == nil {
		why = noConversation
	}
	return []control.Command{{
		Slash: "rename", Takes: "[NAME]", Name: "Rename this conversation", Why: why,
		With: func(name string) tea.Cmd {
			if name == "" {
				return c.askConversationName(c.host.Place().Conversation)
			}
			return c.renameConversation(here, name)
		},
		Run: func() tea.Cmd { return c.askConversationName(here.ID) },
	}}
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

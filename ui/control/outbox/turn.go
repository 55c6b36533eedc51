package outbox

import (
	"bytes"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/target"
	"parley/ui/keys"
)

// maxQuote is how much of a text is quoted, in bytes.
const maxQuote = 64 << 10

// Actions returns the actions that work everywhere.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{
			ID: action.NewConversation, Keys: []string{"ctrl+n"}, Does: "new conversation", Now: action.Unless(c.host.Refusal),
			Slash: "new", Name: "New conversation", Also: []string{"chat", "clear", "reset", "restart"},
		},
		Run: func() tea.Cmd { return c.Begin(c.host.Place().Agent) },
	}}
}

// TurnActions returns the actions on the turn under the cursor of the conversation, behind the one that
// chooses the target. Those with a key that write a message or begin a conversation ask, because the letter
// may be meant as text.
func (c *Controller) TurnActions() []action.Action[tea.Cmd] {
	now := action.Unless(c.TurnRefusal)
	return append([]action.Action[tea.Cmd]{
		{
			Row: action.Row{Slash: "target", Name: "Choose the target of the message", Also: []string{"reply"}, Now: func() action.State {
				return action.State{Note: keys.Name(c.composer.Of(composer.ChangeTarget)) + " switches it", Why: control.Refusal(c.host)}
			}},
			Run: c.chooseTarget,
		},
		{Row: action.Row{Keys: []string{"Q"}, Does: "quote text", Foot: 17, Rank: 12, Short: "quote", Now: now, Slash: "quote", Name: "Quote the text under the cursor"}, Run: c.quote},
		{
			Row: action.Row{
				ID: action.ResendMessage, Keys: []string{"E"}, Does: "edit and resend message", Foot: 16, Rank: 4, Short: "resend", Wide: "edit, resend", Asks: true, Now: now,
				Slash: "resend", Name: "Edit and resend the message of this turn", Also: []string{"retry", "repeat", "send again"},
			},
			Run: c.EditAgain,
		},
		{
			Row: action.Row{
				Keys: []string{"B"}, Does: "fork turn", Foot: 18, Rank: 13, Short: "fork", Asks: true, Now: now,
				Slash: "fork", Name: "Fork from this turn: a new conversation that refers to it", Also: []string{"branch"},
			},
			Run: c.forkTurn,
		},
	}, c.againActions()...)
}

// TurnRefusal says why the commands about a turn are not possible, empty if they are.
func (c *Controller) TurnRefusal() string {
	switch {
	case control.Refusal(c.host) != "":
		return control.Refusal(c.host)
	case c.turnUnderCursor() == nil:
		return "There is no turn here yet."
	}
	return ""
}

// turnUnderCursor returns the turn under the cursor of the conversation, the newest if there is
// no cursor, nil if there is no turn.
func (c *Controller) turnUnderCursor() *model.Turn {
	conv := c.host.Conversation()
	if conv == nil || len(conv.Turns) == 0 {
		return nil
	}
	if at, ok := c.host.State().Anchor(c.chat.Selected()); ok && at.Conversation == conv.ID {
		return c.host.State().Turn(at.Turn)
	}
	return conv.Turns[len(conv.Turns)-1]
}

// quote inserts the text under the cursor into the composer, as a quotation.
func (c *Controller) quote() tea.Cmd {
	if why := c.TurnRefusal(); why != "" {
		return c.host.Say(why, true)
	}
	text := c.chat.TextAtCursor()
	if t := c.turnUnderCursor(); text == "" && t.Message != nil {
		text = t.Message.Text()
	}
	text = strings.TrimSpace(strings.ToValidUTF8(text[:min(len(text), maxQuote)], ""))
	if text == "" {
		return c.host.Say("There is no text under the cursor to quote.", true)
	}
	c.host.Focus(control.OnComposer)
	c.composer.Paste("> " + strings.ReplaceAll(text, "\n", "\n> ") + "\n\n")
	return nil
}

// EditAgain restores the message of a turn into the composer, to be edited and sent as a new
// one: to the same target, if that is still possible.
func (c *Controller) EditAgain() tea.Cmd {
	if why := c.TurnRefusal(); why != "" {
		return c.host.Say(why, true)
	}
	t := c.turnUnderCursor()
	switch {
	case t.Message == nil:
		return c.host.Say("This turn began without a message: there is nothing to edit.", true)
	case c.masked(t):
		return c.host.Say("This message contained a secret, which is not saved: write it again.", true)
	}
	words := keys.Name(c.composer.Of(composer.SendMessage)) + " sends it as a new message"
	if c.composer.Clear() {
		words += "; the earlier text is in the history"
	}
	here := c.host.Place()
	d := composer.DraftOf(t.Message)
	d.Options = c.links.Options(here.Agent)
	c.composer.SetDraft(composer.Escape(d))
	c.ResetTarget()
	c.AimAt(c.host.State().Task(t.Target.Agent, t.Target.TaskID))
	c.markReturned(here, t.Target)
	c.host.Focus(control.OnComposer)
	return c.host.Say(words, false)
}

// masked reports whether the text of a turn's message had a secret that was masked in the
// record.
func (c *Controller) masked(t *model.Turn) bool {
	it := c.host.State().Log.At(t.Record)
	if it == nil {
		return false
	}
	from := bytes.Index(it.Record.Raw, t.Message.Raw)
	return slices.ContainsFunc(it.Record.Redactions, func(r a2a.Redaction) bool {
		return r.Length > 0 && r.Offset >= from && r.Offset < from+len(t.Message.Raw)
	})
}

// forkTurn begins a conversation that refers to the newest task of the turn under the cursor.
func (c *Controller) forkTurn() tea.Cmd {
	if why := c.TurnRefusal(); why != "" {
		return c.host.Say(why, true)
	}
	t := c.turnUnderCursor()
	return c.fork(t.Conversation.Agent, newestTask(t))
}

// fork begins a conversation that refers to a task.
func (c *Controller) fork(agent *model.Agent, task *model.Task) tea.Cmd {
	c.begin(agent.ID)
	d, known := agent.Profile.Spoken()
	switch {
	case task == nil:
		return c.host.Say("A new conversation without a reference: the turn made no task, and A2A has no other way to refer to it", false)
	case !known:
		return c.host.Say("A new conversation without a reference: the agent's dialect is unknown", true)
	case !d.References():
		return c.host.Say(target.Unreferable(d), true)
	}
	c.aim.origins[control.Place{Agent: agent.ID}] = task
	c.ResetTarget()
	return c.host.Say("the first message will refer to task "+units.ID(canvas.SanitizeLine(task.ID))+"; A2A carries only this reference, and the agent decides what to do with it", false)
}

// newestTask returns the newest task of a turn, nil if it has none.
func newestTask(t *model.Turn) *model.Task {
	for _, b := range slices.Backward(t.Blocks) {
		if b.Task != nil {
			return b.Task
		}
	}
	return nil
}

package signin

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/signin"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/control"
)

// use has the agents of an origin get the new credentials, repeats the refused request once, and says
// who the user is.
func (c *Controller) use(r *run, got *signin.Result) tea.Cmd {
	cardless := c.refresh(r.origin)
	said := "signed in to " + c.host.AgentName(r.agent)
	if user := canvas.SanitizeLine(got.Identity.User); user != "" {
		said += " as " + user
	}
	switch {
	case cardless[r.agent]:
		said += "; Parley gets the card again"
	case r.refused != nil:
		if words := c.repeat(r.refused); words != "" {
			said += "; " + words
		}
	}
	bad := len(got.Doubts) > 0
	if got.Unkept != "" {
		said += ". It is kept until Parley ends"
		if !c.unkept {
			said += ": " + canvas.SanitizeLine(got.Unkept)
		}
		c.unkept = true
	}
	said += "."
	for _, d := range got.Doubts {
		said += " " + canvas.SanitizeLine(d)
	}
	if c.host.Shows(SheetName) {
		c.host.Close()
	}
	return c.host.Say(said, bad)
}

// refresh has the open agents of an origin get the credentials that the user has now. Those without
// a card are discovered again.
func (c *Controller) refresh(origin string) (cardless map[a2a.AgentID]bool) {
	cardless = map[a2a.AgentID]bool{}
	for _, a := range c.host.State().Agents {
		if a.Closed || a2a.TypedOrigin(a.Ref) != origin {
			continue
		}
		c.host.Engine().RefreshCredentials(a.ID)
		if a.Card == nil {
			cardless[a.ID] = true
			c.host.Engine().Reopen(a.ID)
		}
	}
	return cardless
}

// repeat repeats the request of a turn that was refused, and says so, or why not, in a clause.
func (c *Controller) repeat(t *model.Turn) string {
	switch {
	case c.repeated[t.ID]:
		return "the request was repeated once already: send it again yourself"
	case c.newestTurn(t.Conversation) != t:
		return "the conversation has gone on since the refused request: send it again yourself"
	}
	if t.Message != nil && t.Written == "" {
		turn, why := c.o.Repeat(t)
		if why == "" {
			c.repeated[t.ID], c.repeated[turn], why = true, true, "the message is sent again, once"
		}
		return why
	}
	it := c.host.State().Log.At(t.Record)
	if it == nil || it.Record.Call == nil {
		return ""
	}
	call, engine, turn := it.Record.Call, c.host.Engine(), a2a.TurnID(0)
	switch call.Op {
	case a2a.OpGet:
		turn = engine.Get(call.Agent, call.TaskID, t.Conversation.ID, nil)
	case a2a.OpSubscribe:
		turn = engine.Subscribe(call.Agent, call.TaskID, t.Conversation.ID, true)
	case a2a.OpCancel:
		turn = engine.Cancel(call.Agent, call.TaskID, t.Conversation.ID)
	default:
		return "repeat the refused request"
	}
	c.repeated[t.ID], c.repeated[turn] = true, true
	return "the request is sent again, once"
}

// newestTurn returns the newest turn of a conversation, nil if there is none.
func (c *Controller) newestTurn(conv *model.Conversation) *model.Turn {
	if conv == nil || len(conv.Turns) == 0 {
		return nil
	}
	return conv.Turns[len(conv.Turns)-1]
}

// renew gets another token for an identity, outside of Update.
func (c *Controller) renew(index int) tea.Cmd {
	if index >= len(c.identities) {
		return nil
	}
	i, ctx, service := c.identities[index], c.ctx, c.o.Service
	c.said, c.bad = "Parley asks for another token …", false
	return func() tea.Msg {
		_, err := service.Renew(ctx, i)
		return control.DoneMsg(func() tea.Cmd {
			c.said, c.bad = "The token for "+i.Origin+" is renewed.", false
			if err != nil {
				c.said, c.bad = sentence(err.Error()), true
			} else {
				c.refresh(i.Origin)
			}
			return c.load(nil)
		})
	}
}

// signOut forgets an identity, outside of Update.
func (c *Controller) signOut(index int) tea.Cmd {
	if index >= len(c.identities) {
		return nil
	}
	i, ctx, service := c.identities[index], c.ctx, c.o.Service
	c.said, c.bad = "Parley signs out of "+i.Origin+" …", false
	return func() tea.Msg {
		told, err := service.SignOut(ctx, i)
		return control.DoneMsg(func() tea.Cmd {
			words := []string{"Signed out of " + i.Origin + "."}
			if told {
				words = append(words, "The authorization server has ended the token.")
			}
			c.said, c.bad = strings.Join(words, " "), false
			if err != nil {
				c.said, c.bad = sentence(err.Error()), true
			} else {
				c.refresh(i.Origin)
			}
			return c.load(nil)
		})
	}
}

package outbox

import (
	"parley/a2a"
	"parley/session/model"
)

// Suggest returns what the user may want to say next: the reply that the agent suggests, or the
// first example of its skills.
func (c *Controller) Suggest(a *model.Agent, conv *model.Conversation) string {
	if a != nil && a.Tap != "" {
		return "" // nothing can be sent
	}
	return c.replies.next(a, conv)
}

// A suggestion caches the reply that a message suggests. Metadata may be of any size and is
// never changed, so it is decoded once and not for every frame.
type suggestion struct {
	of    *a2a.Message
	text  string
	reads int // for tests
}

func (r *suggestion) next(a *model.Agent, conv *model.Conversation) string {
	if a == nil || a.Card == nil {
		return ""
	}
	if conv == nil || len(conv.Turns) == 0 {
		return firstExample(a.Card)
	}
	if t := conv.Question(); t != nil {
		return r.read(t.Prompt)
	}
	return r.read(lastMessage(conv.Turns[len(conv.Turns)-1]))
}

func (r *suggestion) read(m *a2a.Message) string {
	if m != r.of {
		r.of, r.text, r.reads = m, "", r.reads+1
		if all := model.Replies(m); len(all) > 0 {
			r.text = all[0]
		}
	}
	return r.text
}

func firstExample(c *a2a.Card) string {
	for _, skill := range c.Skills {
		for _, e := range skill.Examples {
			if e.Text != "" {
				return e.Text
			}
		}
	}
	return ""
}

// lastMessage returns the newest message of a turn that is over.
func lastMessage(t *model.Turn) *a2a.Message {
	if t.Pending || len(t.Blocks) == 0 {
		return nil
	}
	entries := t.Blocks[len(t.Blocks)-1].Entries
	for i := len(entries) - 1; i >= 0; i-- {
		if m := entries[i].Message; m != nil {
			return m
		}
	}
	return nil
}

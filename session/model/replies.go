package model

import (
	"encoding/json"

	"parley/a2a"
)

// maxReplies is how many replies that an agent suggests are kept.
const maxReplies = 99

// Replies returns the replies that an agent suggests for a message: the array of strings suggestedReplies in
// the message's metadata. Empty ones are left out, and so are those that are too many. The specification has no
// such member, so that metadata of any other shape suggests nothing.
func Replies(m *a2a.Message) []string {
	if m == nil || len(m.Metadata) == 0 {
		return nil
	}
	var with struct {
		SuggestedReplies []string `json:"suggestedReplies"`
	}
	if json.Unmarshal(m.Metadata, &with) != nil {
		return nil
	}
	var out []string
	for _, r := range with.SuggestedReplies {
		if r != "" && len(out) < maxReplies {
			out = append(out, r)
		}
	}
	return out
}

// Question returns the newest task of the conversation that waits for an answer to a message of its agent; nil
// if there is none.
func (c *Conversation) Question() *Task {
	for i := len(c.Tasks) - 1; i >= 0; i-- {
		if t := c.Tasks[i]; t.Waits() && t.Prompt != nil {
			return t
		}
	}
	return nil
}

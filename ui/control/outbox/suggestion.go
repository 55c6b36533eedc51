package outbox

import (
	"encoding/json"

	"parley/a2a"
	"parley/session/model"
)

// Suggest returns what the user may want to say next: the reply that the agent suggests, or the
// first example of its skills. Agents suggest replies in a message's metadata, in the member
// suggestedReplies, an array of strings.
func (c *Controller) Suggest(a *model.Agent, conv *model.Conversation) string {
	if a != nil && a.Tap != "" {
		return "" // nothing can be sent
	}
	return c.replies.next(a, conv)
}

// A suggestion caches the reply that metadata suggests. Metadata may be of any size and is
// never changed, so it is decoded once and not for every frame.
type suggestion struct {
	metadata json.RawMessage
	text     string
	reads    int // for tests
}

func (r *suggestion) next(a *model.Agent, conv *model.Conversation) string {
	if a == nil || a.Card == nil {
		return ""
	}
	if conv == nil || len(conv.Turns) == 0 {
		return firstExample(a.Card)
	}
	for i := len(conv.Tasks) - 1; i >= 0; i-- {
		if t := conv.Tasks[i]; t.Asks() && t.Prompt != nil {
			return r.read(t.Prompt.Metadata)
		}
	}
	return r.read(lastMetadata(conv.Turns[len(conv.Turns)-1]))
}

func (r *suggestion) read(metadata json.RawMessage) string {
	same := len(metadata) == len(r.metadata) && (len(metadata) == 0 || &metadata[0] == &r.metadata[0])
	if !same {
		r.metadata, r.text, r.reads = metadata, suggestedReply(metadata), r.reads+1
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

// lastMetadata returns the metadata of the newest message of a turn that is over.
func lastMetadata(t *model.Turn) json.RawMessage {
	if t.Pending || len(t.Blocks) == 0 {
		return nil
	}
	entries := t.Blocks[len(t.Blocks)-1].Entries
	for i := len(entries) - 1; i >= 0; i-- {
		if m := entries[i].Message; m != nil {
			return m.Metadata
		}
	}
	return nil
}

func suggestedReply(metadata json.RawMessage) string {
	if len(metadata) == 0 {
		return ""
	}
	var with struct {
		SuggestedReplies []string `json:"suggestedReplies"`
	}
	if json.Unmarshal(metadata, &with) != nil || len(with.SuggestedReplies) == 0 {
		return ""
	}
	return with.SuggestedReplies[0]
}

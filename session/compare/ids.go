package compare

import (
	"strings"

	"parley/a2a"
	"parley/session/model"
)

// ids are the ids of a turn, each followed by the word for its kind.
type ids []string

// maxSearched is how many ids are searched one after the other. More are searched at once by a
// table, which takes 40 kB.
const maxSearched = 8

// replace returns a text with the kinds of the ids in place of the ids.
func (all ids) replace(text string) string {
	if len(all) > 2*maxSearched {
		return strings.NewReplacer(all...).Replace(text)
	}
	for i := 0; i < len(all); i += 2 {
		text = strings.ReplaceAll(text, all[i], all[i+1])
	}
	return text
}

// idsOf returns the ids of a turn.
func idsOf(t *model.Turn) (all ids) {
	seen := map[string]bool{}
	add := func(id, kind string) {
		if len(id) >= minID && strings.ContainsAny(id, "0123456789") && !seen[id] {
			seen[id] = true
			all = append(all, id, kind)
		}
	}
	message := func(m *a2a.Message) {
		if m != nil {
			add(m.ID, "<message id>")
		}
	}
	message(t.Message)
	for _, b := range t.Blocks {
		if b.Task != nil {
			add(b.Task.ID, "<task id>")
			add(b.Task.ContextID, "<context id>")
		}
		for i := range b.Entries {
			e := &b.Entries[i]
			message(e.Message)
			if e.Artifact != nil {
				add(e.Artifact.Key, "<artifact id>")
			}
		}
	}
	add(t.Conversation.ContextID, "<context id>")
	return all
}

package script

import (
	"cmp"
	"strings"
	"time"

	"parley/a2a"
	"parley/session/model"
)

// AnswerText returns the text of all messages and artifacts of an answer, one after the other,
// and its data as JSON.
func AnswerText(t *model.Turn) string {
	var b strings.Builder
	add := func(text string) {
		if text != "" {
			b.WriteString(text)
			b.WriteByte('\n')
		}
	}
	part := func(p *a2a.Part) {
		if p.Kind == a2a.PartText {
			add(p.Text)
		} else {
			add(cmp.Or(p.Filename, string(p.Data)))
		}
	}
	for _, block := range t.Blocks {
		for i := range block.Entries {
			e := &block.Entries[i]
			switch {
			case e.Replaced:
			case e.Kind == model.EntryMessage && e.Message != nil:
				for i := range e.Message.Parts {
					part(&e.Message.Parts[i])
				}
			case e.Kind == model.EntryArtifact && e.Artifact != nil:
				add(string(e.Artifact.Text))
				for i := range e.Artifact.Parts {
					part(&e.Artifact.Parts[i].Part)
				}
			}
		}
	}
	return b.String()
}

// AnswerTime returns how long an answer took: from its request to its last entry.
func AnswerTime(t *model.Turn) time.Duration {
	last := t.Time
	for _, b := range t.Blocks {
		for i := range b.Entries {
			if at := b.Entries[i].Time; at.After(last) {
				last = at
			}
		}
	}
	return last.Sub(t.Time)
}

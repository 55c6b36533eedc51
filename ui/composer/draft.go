package composer

import (
	"encoding/json"
	"slices"
	"strings"

	"parley/a2a"
	"parley/session/model"
)

// A Draft is a message that is not sent yet, as a value. The drafts of other conversations,
// messages that could not be sent and the entries of the history are drafts.
type Draft struct {
	Text string
	// Parts are the parts that follow the text, in order. All copies of a draft share their
	// bytes, which never change.
	Parts   []a2a.Part
	Options model.SendOptions
	// Metadata is the metadata of the message, a JSON object or nil.
	Metadata json.RawMessage
	// TextMetadata is the metadata of the part that contains the text, a JSON object or nil.
	TextMetadata json.RawMessage
	// Names are the URIs of the extensions that the message declares to use.
	Names []string
	// Secret reports whether the text must not be readable again: the history does not store
	// it, and no copy of it may outlive the run.
	Secret bool
	// Secrets are the secret values in the parts of a draft that may be readable otherwise.
	Secrets []string
}

// Empty reports whether the draft has neither text nor parts.
func (d *Draft) Empty() bool { return d.Text == "" && len(d.Parts) == 0 }

// Message returns the parts to send: the text, if it is not blank, and the other parts. A blank
// draft has none.
func (d *Draft) Message() []a2a.Part {
	if strings.TrimSpace(d.Text) == "" {
		return slices.Clip(d.Parts)
	}
	text := a2a.TextPart(d.Text)
	text.Metadata = d.TextMetadata
	return append([]a2a.Part{text}, d.Parts...)
}

// DraftOf returns a message as a draft that can be sent again. A message does not say how it
// was sent, so the draft has no options.
func DraftOf(m *a2a.Message) Draft {
	d := Draft{Text: m.Text(), Metadata: m.Metadata, Names: m.Extensions}
	for _, p := range m.Parts {
		switch {
		case p.Kind != a2a.PartText:
			d.Parts = append(d.Parts, p)
		case d.TextMetadata == nil:
			d.TextMetadata = p.Metadata
		}
	}
	return d
}

// Draft returns the current draft.
func (c *Composer) Draft() Draft {
	d := c.draft
	d.Text, d.Parts = c.Value(), slices.Clone(d.Parts)
	return d
}

// SetDraft replaces the draft and moves the cursor to the end of the text.
func (c *Composer) SetDraft(d Draft) {
	d.Parts = slices.Clone(d.Parts)
	c.draft, c.chosen = d, false
	c.draft.Text = "" // area contains it
	c.SetValue(d.Text)
}

// Restore brings back a draft that could not be sent. If the user has written another draft
// meanwhile, it leaves that one and returns false; the newest entry of the history is the
// restored draft in any case.
func (c *Composer) Restore(d Draft) bool {
	c.StopSearch(false)
	if !c.Empty() {
		return false
	}
	c.SetDraft(Escape(d))
	return true
}

// Confidential reports whether a draft contains a secret.
func (d *Draft) Confidential() bool { return d.Secret || len(d.Secrets) > 0 }

// Clear empties the composer and reports whether it was not empty. The history's previous entry
// is then the cleared draft, unless it was a secret.
func (c *Composer) Clear() bool {
	c.StopSearch(true)
	if c.Empty() {
		return false
	}
	c.past.Add(c.Draft())
	c.SetDraft(c.draft.fresh())
	return true
}

// Attach appends a part to the draft.
func (c *Composer) Attach(p a2a.Part) {
	c.draft.Parts = append(c.draft.Parts[:len(c.draft.Parts):len(c.draft.Parts)], p)
	c.dirty = true
}

// Detach removes part i and returns it. It reports false if there is no such part.
func (c *Composer) Detach(i int) (a2a.Part, bool) {
	if i < 0 || i >= len(c.draft.Parts) {
		return a2a.Part{}, false
	}
	p := c.draft.Parts[i]
	c.draft.Parts = slices.Delete(slices.Clone(c.draft.Parts), i, i+1)
	c.dirty = true
	return p, true
}

// Attached returns the number of parts besides the text.
func (c *Composer) Attached() int { return len(c.draft.Parts) }

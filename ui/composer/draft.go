package composer

import (
	"encoding/json"
	"slices"
	"strings"

	"parley/a2a"
	"parley/session/model"
)

// A Draft is a message that was not sent yet, as a value: what is kept for a
// conversation while another one is on the screen, what comes back when nothing of it
// was accepted, and what the history holds.
type Draft struct {
	Text string
	// Parts are what goes with the text, in order. Their bytes are shared by all copies
	// of a draft and never changed.
	Parts   []a2a.Part
	Options model.SendOptions
	// Metadata is that of the message, a JSON object or nil.
	Metadata json.RawMessage
	// TextMetadata is the metadata of the part that the text becomes, a JSON object or nil.
	TextMetadata json.RawMessage
	// Names are the URIs of extensions that the message says that it uses.
	Names []string
	// Secret is set for what nobody may read again: the history does not take it, and
	// what keeps it must not outlive the run.
	Secret bool
	// Secrets are the values in its parts of which that holds, where the rest may be read.
	Secrets []string
}

// Empty reports whether there is nothing to send.
func (d *Draft) Empty() bool { return d.Text == "" && len(d.Parts) == 0 }

// Message returns the parts to send: the text, unless it is blank and something goes
// with it, and what goes with it. A blank draft has none.
func (d *Draft) Message() []a2a.Part {
	if strings.TrimSpace(d.Text) == "" {
		return slices.Clip(d.Parts)
	}
	text := a2a.TextPart(d.Text)
	text.Metadata = d.TextMetadata
	return append([]a2a.Part{text}, d.Parts...)
}

// DraftOf returns a message as it can be sent again. How it was sent is not known of a
// message.
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

// Draft returns what is being written.
func (c *Composer) Draft() Draft {
	d := c.draft
	d.Text, d.Parts = c.Value(), slices.Clone(d.Parts)
	return d
}

// SetDraft replaces what is being written and puts the cursor behind the text.
func (c *Composer) SetDraft(d Draft) {
	d.Parts = slices.Clone(d.Parts)
	c.draft, c.chosen = d, false
	c.draft.Text = "" // the area holds it
	c.SetValue(d.Text)
}

// Restore brings back a draft that was sent and not accepted. What was written meanwhile
// stays, and it reports false; the draft is then the newest of the history anyway.
func (c *Composer) Restore(d Draft) bool {
	c.StopSearch(false)
	if !c.Empty() {
		return false
	}
	c.SetDraft(Written(d))
	return true
}

// Confidential reports whether a draft holds something that must not outlive the moment.
func (d *Draft) Confidential() bool { return d.Secret || len(d.Secrets) > 0 }

// Clear empties the composer and reports whether there was anything. The key for
// the history's previous entry brings it back, unless it was a secret.
func (c *Composer) Clear() bool {
	c.StopSearch(true)
	if c.Empty() {
		return false
	}
	c.past.Add(c.Draft())
	c.SetDraft(c.draft.fresh())
	return true
}

// Attach puts a part behind those that go with the text.
func (c *Composer) Attach(p a2a.Part) {
	c.draft.Parts = append(c.draft.Parts[:len(c.draft.Parts):len(c.draft.Parts)], p)
	c.dirty = true
}

// Detach takes away the part of that index and returns it. It reports false if there
// is none.
func (c *Composer) Detach(i int) (a2a.Part, bool) {
	if i < 0 || i >= len(c.draft.Parts) {
		return a2a.Part{}, false
	}
	p := c.draft.Parts[i]
	c.draft.Parts = slices.Delete(slices.Clone(c.draft.Parts), i, i+1)
	c.dirty = true
	return p, true
}

// Attached returns how many parts go with the text.
func (c *Composer) Attached() int { return len(c.draft.Parts) }

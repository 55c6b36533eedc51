package composer

import (
	"bytes"
	"slices"

	"parley/a2a"
)

// A History contains the previous messages to an agent, oldest first, and the user's position
// in them. Behind the newest entry stands the draft that the user was writing. The zero value
// is empty.
type History struct {
	all []Draft
	at  int // position; len(all) is the user's draft
	// saved is the user's draft while the position is elsewhere.
	saved Draft
}

// NewHistory returns a history of texts, oldest first.
func NewHistory(texts ...string) *History {
	h := &History{}
	for _, text := range texts {
		h.Add(Draft{Text: text})
	}
	return h
}

// Add appends a draft, unless it equals the newest entry or contains a secret, and moves behind
// the newest entry.
func (h *History) Add(d Draft) {
	if !d.Confidential() && !d.Empty() && (len(h.all) == 0 || !d.repeats(&h.all[len(h.all)-1])) {
		d.Parts = slices.Clip(d.Parts)
		h.all = append(h.all, d)
	}
	h.stop()
}

// repeats reports whether two drafts have the same content, regardless of the send options.
func (d *Draft) repeats(o *Draft) bool {
	return d.Text == o.Text && bytes.Equal(d.Metadata, o.Metadata) && bytes.Equal(d.TextMetadata, o.TextMetadata) &&
		slices.Equal(d.Names, o.Names) && slices.EqualFunc(d.Parts, o.Parts, samePart)
}

// samePart reports whether two parts of drafts have the same content.
func samePart(a, b a2a.Part) bool {
	return a.Kind == b.Kind && a.Text == b.Text && a.Encoded == b.Encoded && a.URL == b.URL && a.Filename == b.Filename &&
		a.MediaType == b.MediaType && bytes.Equal(a.Content, b.Content) && bytes.Equal(a.Data, b.Data) && bytes.Equal(a.Metadata, b.Metadata)
}

// stop moves behind the newest entry.
func (h *History) stop() { h.at, h.saved = len(h.all), Draft{} }

// step moves by one entry, backwards or forwards, and returns the entry there, which may be the
// user's draft. It reports false at the ends. current is the draft that is left.
func (h *History) step(by int, current Draft) (Draft, bool) {
	to := h.at + by
	if to < 0 || to > len(h.all) {
		return Draft{}, false
	}
	if h.at == len(h.all) {
		h.saved = current
	}
	if h.at = to; to == len(h.all) {
		return h.saved, true
	}
	return h.all[to], true
}

// Len returns the number of entries.
func (h *History) Len() int { return len(h.all) }

// Prepend inserts the entries of another history before all entries.
func (h *History) Prepend(other *History) {
	h.at += len(other.all)
	h.all = append(slices.Clone(other.all), h.all...)
}

// PrependTexts inserts texts, oldest first, before all entries.
func (h *History) PrependTexts(texts []string) {
	all := make([]Draft, 0, len(texts)+len(h.all))
	for _, text := range texts {
		if d := Escape(Draft{Text: text}); len(all) == 0 || all[len(all)-1].Text != d.Text {
			all = append(all, d)
		}
	}
	h.at += len(all)
	h.all = append(all, h.all...)
}

package composer

import (
	"bytes"
	"slices"

	"parley/a2a"
)

// A History is what was written to an agent before, oldest first, and the walk through
// it. What was being written when the walk began is its newest end. The zero value is
// empty.
type History struct {
	all []Draft
	at  int // where the walk stands; len(all) is what was being written
	// kept is what was being written when the walk left it.
	kept Draft
}

// NewHistory returns a history of texts, oldest first.
func NewHistory(texts ...string) *History {
	h := &History{}
	for _, text := range texts {
		h.Add(Draft{Text: text})
	}
	return h
}

// Add puts a draft at the end, once, and ends the walk. What is secret is not kept.
func (h *History) Add(d Draft) {
	if !d.Confidential() && !d.Empty() && (len(h.all) == 0 || !d.repeats(&h.all[len(h.all)-1])) {
		d.Parts = slices.Clip(d.Parts)
		h.all = append(h.all, d)
	}
	h.stop()
}

// repeats reports whether a draft says the same as another one, however it is sent.
func (d *Draft) repeats(o *Draft) bool {
	return d.Text == o.Text && bytes.Equal(d.Metadata, o.Metadata) && bytes.Equal(d.TextMetadata, o.TextMetadata) &&
		slices.Equal(d.Names, o.Names) && slices.EqualFunc(d.Parts, o.Parts, samePart)
}

// samePart reports whether two parts of drafts hold the same.
func samePart(a, b a2a.Part) bool {
	return a.Kind == b.Kind && a.Text == b.Text && a.Encoded == b.Encoded && a.URL == b.URL && a.Filename == b.Filename &&
		a.MediaType == b.MediaType && bytes.Equal(a.Content, b.Content) && bytes.Equal(a.Data, b.Data) && bytes.Equal(a.Metadata, b.Metadata)
}

// stop ends the walk.
func (h *History) stop() { h.at, h.kept = len(h.all), Draft{} }

// previous returns the draft before the one that stands now.
func (h *History) previous(current Draft) (Draft, bool) {
	if h.at == 0 {
		return Draft{}, false
	}
	if h.at == len(h.all) {
		h.kept = current
	}
	h.at--
	return h.all[h.at], true
}

// next returns the draft after the one that stands now, what was being written at last.
func (h *History) next(Draft) (Draft, bool) {
	if h.at >= len(h.all) {
		return Draft{}, false
	}
	h.at++
	if h.at == len(h.all) {
		return h.kept, true
	}
	return h.all[h.at], true
}

// Len returns how many drafts there are.
func (h *History) Len() int { return len(h.all) }

// Follow puts all that is in another history before what is in this one.
func (h *History) Follow(other *History) {
	h.at += len(other.all)
	h.all = append(slices.Clone(other.all), h.all...)
}

// Precede puts texts, oldest first, before all that is there.
func (h *History) Precede(texts []string) {
	all := make([]Draft, 0, len(texts)+len(h.all))
	for _, text := range texts {
		if d := Written(Draft{Text: text}); len(all) == 0 || all[len(all)-1].Text != d.Text {
			all = append(all, d)
		}
	}
	h.at += len(all)
	h.all = append(all, h.all...)
}

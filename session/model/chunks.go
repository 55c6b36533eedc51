package model

import (
	"parley/a2a"
	"parley/session/log"
)

// A Chunk is an artifact as it was after a record that brought some of it.
type Chunk struct {
	Record a2a.RecordID
	// Text and Parts are the content after the record.
	Text  []byte
	Parts []PlacedPart
	// From to To is the new part of Text, and FromPart the index of the first new one of Parts. Of
	// a replaced text only what differs is new.
	From, To, FromPart int
	// Old is what it replaced; nil if it added to the content, or began it.
	Old *Revision
}

// AllChunks returns an artifact after each record that brought some of it, in order. Its cost is
// their number, beside that of comparing a replaced text; texts are not copied and must not be
// changed.
func (a *Artifact) AllChunks() (out []Chunk) {
	var old *Revision
	for i := range a.Revisions {
		r := &a.Revisions[i]
		out = appendChunks(out, old, r.Text, r.Spans, r.Parts)
		old = r
	}
	return appendChunks(out, old, a.Text, a.Spans, a.Parts)
}

// appendChunks appends the chunks of a content, which replaced old unless that is nil.
func appendChunks(out []Chunk, old *Revision, text []byte, spans []Span, parts []PlacedPart) []Chunk {
	i, j := 0, 0 // of the spans and parts that earlier chunks brought
	for first := true; i < len(spans) || j < len(parts) || first && old != nil; first = false {
		c := Chunk{Old: old, FromPart: j}
		old = nil
		switch {
		case c.Old != nil: // its content may be empty
			c.Record = c.Old.Record
		case j == len(parts) || i < len(spans) && spans[i].Record <= parts[j].Record:
			c.Record = spans[i].Record
		default:
			c.Record = parts[j].Record
		}
		if c.From = len(text); i < len(spans) {
			c.From = spans[i].Offset
		}
		for i < len(spans) && spans[i].Record == c.Record {
			i++
		}
		for j < len(parts) && parts[j].Record == c.Record {
			j++
		}
		if c.To = len(text); i < len(spans) {
			c.To = spans[i].Offset
		}
		c.Text, c.Parts = text[:c.To:c.To], parts[:j:j]
		if c.Old != nil {
			c.From = log.CommonPrefix(c.Old.Text, c.Text)
			c.To -= log.CommonSuffix(c.Old.Text[c.From:], c.Text[c.From:])
		}
		out = append(out, c)
	}
	return out
}

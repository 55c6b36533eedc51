package session

import (
	"bytes"
	"sort"

	"parley/a2a"
)

// grow appends parts that a record brought and returns the offset in Text where
// they begin. It costs the parts' own length.
func (a *Artifact) grow(parts []a2a.Part, record a2a.RecordID) (offset int) {
	offset = len(a.Text)
	a.Chunks++
	a.Version++
	for i := range parts {
		p := &parts[i]
		a.Bytes += payloadSize(p)
		if p.Kind != a2a.PartText {
			a.Parts = append(a.Parts, PlacedPart{Offset: len(a.Text), Record: record, Part: *p})
			continue
		}
		if p.Text == "" {
			continue
		}
		if n := len(a.Spans); n == 0 || a.Spans[n-1].Record != record {
			a.Spans = append(a.Spans, Span{Offset: len(a.Text), Record: record})
		}
		a.Text = append(a.Text, p.Text...)
	}
	return offset
}

// replace makes parts the whole content. What stands already stays as it is, with
// the records that brought it: a snapshot of what a stream has built changes
// nothing, one that goes on where it stopped is appended. Anything else becomes a
// new text, and the old one a revision.
func (a *Artifact) replace(parts []a2a.Part, record a2a.RecordID) (offset int) {
	if rest, ok := a.continuation(parts); ok {
		if len(rest) == 0 {
			return len(a.Text)
		}
		return a.grow(rest, record)
	}
	a.Revisions = append(a.Revisions, Revision{Text: a.Text, Parts: a.Parts, Record: record})
	a.Text, a.Spans, a.Parts, a.Bytes = nil, nil, nil, 0
	a.Reset++
	a.grow(parts, record)
	return 0
}

// continuation reports whether parts begin with everything the artifact holds,
// and what they hold beyond that.
func (a *Artifact) continuation(parts []a2a.Part) (rest []a2a.Part, ok bool) {
	text, placed := a.Text, a.Parts
	for i := range parts {
		p := &parts[i]
		switch {
		case p.Kind != a2a.PartText && len(placed) > 0:
			if !sameContent(&placed[0].Part, p) {
				return nil, false
			}
			placed = placed[1:]
		case p.Kind != a2a.PartText:
			rest = append(rest, *p)
		case len(p.Text) <= len(text):
			if string(text[:len(p.Text)]) != p.Text {
				return nil, false
			}
			text = text[len(p.Text):]
		default:
			if p.Text[:len(text)] != string(text) {
				return nil, false
			}
			more := *p
			more.Text = p.Text[len(text):]
			rest = append(rest, more)
			text = nil
		}
	}
	return rest, len(text) == 0 && len(placed) == 0
}

// sameContent reports whether two parts that are not text carry the same.
func sameContent(a, b *a2a.Part) bool {
	return a.Kind == b.Kind && a.URL == b.URL && a.Filename == b.Filename && a.MediaType == b.MediaType &&
		a.Encoded == b.Encoded && bytes.Equal(a.Content, b.Content) && bytes.Equal(a.Data, b.Data)
}

// payloadSize returns how many bytes of content a part carries.
func payloadSize(p *a2a.Part) int64 {
	switch p.Kind {
	case a2a.PartText:
		return int64(len(p.Text))
	case a2a.PartBytes:
		return p.Size()
	case a2a.PartData:
		return int64(len(p.Data))
	default:
		return 0
	}
}

// RecordAt returns the record that brought the byte of Text at offset; 0 if there
// is no such byte.
func (a *Artifact) RecordAt(offset int) a2a.RecordID {
	if offset < 0 || offset >= len(a.Text) {
		return 0
	}
	i := sort.Search(len(a.Spans), func(i int) bool { return a.Spans[i].Offset > offset })
	return a.Spans[i-1].Record
}

// describe takes over name, description and metadata where an update has them.
func (a *Artifact) describe(from *a2a.Artifact) {
	changed := false
	set := func(to *string, v string) {
		if v != "" && *to != v {
			*to, changed = v, true
		}
	}
	set(&a.Name, from.Name)
	set(&a.Description, from.Description)
	if from.Metadata != nil && !bytes.Equal(a.Metadata, from.Metadata) {
		a.Metadata, changed = from.Metadata, true
	}
	if changed {
		a.Version++
	}
}

// stream says that a stream that may append to the artifact opened or ended.
func (a *Artifact) stream(delta int) {
	a.streams += delta
	a.setLive()
}

func (a *Artifact) seal() {
	if !a.Sealed {
		a.Sealed = true
		a.Version++
	}
	a.setLive()
}

func (a *Artifact) setLive() {
	if live := a.streams > 0 && !a.Sealed; live != a.Live {
		a.Live = live
		a.Version++
	}
}

package model

import (
	"bytes"
	"encoding/json"
	"sort"
	"unsafe"

	"parley/a2a"
)

// grow appends parts from a record. It returns the offset in Text where they begin and, if
// there is no text among them, 1 + the index in Parts of the first one. Its cost is the parts'
// own length.
func (a *Artifact) grow(parts []a2a.Part, record a2a.RecordID) (offset, part int) {
	offset, part = len(a.Text), len(a.Parts)+1
	a.Chunks++
	a.Count += len(parts)
	a.reopened = a.Sealed
	a.Version++
	for i := range parts {
		p := &parts[i]
		a.Bytes += p.PayloadSize()
		if p.Kind != a2a.PartText {
			a.Parts = append(a.Parts, PlacedPart{Offset: len(a.Text), Record: record, Part: *p})
			continue
		}
		a.Extras = extra(a.Extras, ExtraText, p.Metadata, record)
		if a.MediaType == "" {
			a.MediaType = p.MediaType
		}
		if p.Text == "" {
			continue
		}
		if n := len(a.Spans); n == 0 || a.Spans[n-1].Record != record {
			a.Spans = append(a.Spans, Span{Offset: len(a.Text), Record: record})
		}
		a.Text = appendText(a.Text, p.Text)
	}
	if len(a.Text) > offset || len(a.Parts) < part {
		part = 0
	}
	return offset, part
}

// appendText appends the text of a chunk. A giant first chunk is not copied, since its record
// keeps it anyway: texts are never overwritten, and an append finds no spare capacity behind
// it.
func appendText(text []byte, more string) []byte {
	const giant = 1 << 20
	if len(text) == 0 && len(more) >= giant {
		return unsafe.Slice(unsafe.StringData(more), len(more))
	}
	return append(text, more...)
}

// settle makes the artifacts of a task that ended share their texts with the fold, which has the same, and leaves
// no room for more. Of a task that did not end now, there are no texts.
func (t *Task) settle(texts map[string][]byte) {
	if texts == nil {
		return
	}
	for key, a := range t.byKey {
		if text := texts[key]; bytes.Equal(text, a.Text) {
			a.Text = text
		}
		if cap(a.Spans) > len(a.Spans) {
			a.Spans = append(make([]Span, 0, len(a.Spans)), a.Spans...)
		}
	}
}

// extra adds metadata to a list unless it equals the last of its kind, as with agents that
// repeat it with each chunk.
func extra(list []Extra, of ExtraKind, data json.RawMessage, record a2a.RecordID) []Extra {
	if len(data) == 0 {
		return list
	}
	const kinds = 2 // kinds alternate in a list
	for i := len(list) - 1; i >= max(0, len(list)-kinds); i-- {
		if list[i].Of == of && bytes.Equal(list[i].Data, data) {
			return list
		}
	}
	return append(list, Extra{Record: record, Of: of, Data: data})
}

// replace makes parts the whole content and keeps the earlier content as a revision. It returns
// the same as grow.
func (a *Artifact) replace(parts []a2a.Part, record a2a.RecordID) (part int) {
	a.Revisions = append(a.Revisions, Revision{Text: a.Text, Spans: a.Spans, Parts: a.Parts, Record: record})
	a.Text, a.Spans, a.Parts, a.Count, a.Bytes, a.MediaType = nil, nil, nil, 0, 0, ""
	a.Reset++
	_, part = a.grow(parts, record)
	return part
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

// describe copies name, description, extensions and metadata from an update that has them.
func (a *Artifact) describe(from *a2a.Artifact) {
	changed := false
	set := func(to *string, v string) {
		if v != "" && *to != v {
			*to, changed = v, true
		}
	}
	set(&a.Name, from.Name)
	set(&a.Description, from.Description)
	if len(from.Extensions) > len(a.Extensions) {
		a.Extensions, changed = from.Extensions, true
	}
	if from.Metadata != nil && !bytes.Equal(a.Metadata, from.Metadata) {
		a.Metadata, changed = from.Metadata, true
	}
	if changed {
		a.Version++
	}
}

// stream notes that a stream that may append to the artifact opened or ended.
func (a *Artifact) stream(delta int) {
	a.streams += delta
	if a.streams == 0 {
		a.Version++ // its type can be determined now
	}
	a.setLive()
}

func (a *Artifact) seal(sealed bool) {
	if a.Sealed != sealed {
		a.Sealed = sealed
		a.Version++
	}
	a.setLive()
}

// Streaming reports whether a stream is open that brought some of the artifact, sealed or not:
// some agents seal it with every chunk.
func (a *Artifact) Streaming() bool { return a.streams > 0 }

func (a *Artifact) setLive() {
	if live := a.streams > 0 && !a.Sealed; live != a.Live {
		a.Live = live
		a.Version++
	}
}

// artifactName returns the name of the artifact that an update extends without naming it:
// agents name an artifact with the first chunk only.
func (s *State) artifactName(x *exchange, ev *a2a.Event) string {
	if ev.Kind != a2a.EventArtifact || ev.Artifact == nil || ev.Artifact.Name != "" {
		return ""
	}
	task := s.Task(x.agent.ID, ev.TaskID)
	if task == nil || task.byKey[ev.Artifact.Key] == nil {
		return ""
	}
	return task.byKey[ev.Artifact.Key].Name
}

// An Artifact is an output that may still grow. Its text is append-only bytes,
// so that a chunk costs its own length; Spans says which record brought which
// bytes.
type Artifact struct {
	Key, Name, Description string
	// MediaType is that of the first part of text that names one, which tells
	// code from prose.
	MediaType string
	Task      *Task
	Text      []byte
	Spans     []Span
	// Files and data parts are in order of arrival; Offset is the length of Text when the part
	// came.
	Parts      []PlacedPart
	Metadata   json.RawMessage
	Extensions []string
	Extras     []Extra // of its updates and its parts of text
	Chunks     int     // updates and snapshots that brought content
	Snapshots  int     // of these, those of the whole task
	Count      int     // all parts
	Bytes      int64   // payload bytes of all parts
	Sealed     bool
	Live       bool // a stream that may still append is open
	// Revisions are the contents before each replacing update, oldest first.
	Revisions []Revision
	Reset     uint64 // grows when Text was replaced instead of appended
	Version   uint64

	place    place // of its entry
	streams  int   // open ones that brought some of it
	reopened bool  // it grew after its last chunk
	loss     loss
}

// A Span says that Record brought the bytes of Text from Offset on, up to the
// next span.
type Span struct {
	Offset int
	Record a2a.RecordID
}

// A PlacedPart is a part of an artifact that is not text.
type PlacedPart struct {
	Offset int
	Record a2a.RecordID
	Part   a2a.Part
}

// A Revision is a former content of an artifact.
type Revision struct {
	Text   []byte
	Spans  []Span
	Parts  []PlacedPart
	Record a2a.RecordID // that replaced it
}

package a2a

import (
	"bytes"

	"parley/a2a/jsontok"
)

// A Decoder decodes the payloads of one exchange in order, each with the result of [Decode]. It
// does not parse a frame again that differs from an earlier one only in the text of a chunk, as
// nearly all frames of a stream do: its [Update] is a copy with the new text. That takes a
// quarter of the time. The zero Decoder is ready for use; it is not safe for concurrent use.
type Decoder struct {
	call  *Call
	in    Input // shares the pattern's Body; nil if there is none
	at    layout
	model Event
	shape DialectName
	doc   jsontok.Doc
}

// A layout holds the positions of an event, its object and its text in a body.
type layout struct{ event, artifact, part, text stretch }

// A stretch is a range of a body; an empty one is not known.
type stretch struct{ from, to int }

func stretchOf(n jsontok.Node) stretch { return stretch{n.Offset(), n.End()} }

// of returns the bytes of the stretch in a body that is longer than the original by some bytes
// inside the stretch.
func (s stretch) of(body []byte, longer int) []byte { return body[s.from : s.to+longer : s.to+longer] }

// maxPattern is the longest body that is kept as a pattern.
const maxPattern = 64 << 10

// Decode reads the next payload, which must not change afterwards.
func (d *Decoder) Decode(call *Call, in Input) Update {
	if u, ok := d.again(call, &in); ok {
		return u
	}
	u, at := decode(call, in)
	if at.text.to > 0 && len(in.Body) <= maxPattern && plainChunk(&u) {
		d.call, d.in, d.at, d.model, d.shape = call, in, at, u.Events[0], u.Shape
	}
	return u
}

// plainChunk reports whether an update is a chunk of text without findings or evidence.
func plainChunk(u *Update) bool {
	if u.Err != nil || len(u.Findings) > 0 || len(u.Saw) > 0 || len(u.Events) != 1 {
		return false
	}
	a := u.Events[0].Artifact
	return a != nil && len(a.Parts) == 1 && a.Parts[0].Kind == PartText
}

// again makes the update of a payload that matches the pattern; it reports false if the payload
// does not match.
func (d *Decoder) again(call *Call, in *Input) (Update, bool) {
	like, body := d.in.Body, in.Body
	longer := len(body) - len(like)
	head, tail := d.at.text.from+1, d.at.text.to-1 // between the quotes
	if len(like) == 0 || call != d.call || head > tail+longer ||
		!bytes.Equal(body[:head], like[:head]) || !bytes.Equal(body[tail+longer:], like[tail:]) || !sameInput(in, &d.in) {
		return Update{}, false
	}
	text, end, ok := d.doc.ReadText(body, d.at.text.from)
	if !ok || end != d.at.text.to+longer {
		return Update{}, false
	}
	made := &struct {
		events   [1]Event
		artifact Artifact
		parts    [1]Part
	}{events: [1]Event{d.model}, artifact: *d.model.Artifact, parts: [1]Part{d.model.Artifact.Parts[0]}}
	ev, a, p := &made.events[0], &made.artifact, &made.parts[0]
	ev.Raw, ev.Artifact = d.at.event.of(body, longer), a
	a.Raw, a.Parts = d.at.artifact.of(body, longer), made.parts[:]
	p.Raw, p.Text = d.at.part.of(body, longer), text
	return Update{Events: made.events[:], Shape: d.shape}, true
}

// sameInput reports whether two inputs are the same except for their bodies.
func sameInput(a, b *Input) bool {
	return a.Status == b.Status && a.ContentType == b.ContentType && a.Stream == b.Stream && a.Torn == b.Torn &&
		a.Unprefixed == b.Unprefixed && a.Omitted == b.Omitted && a.Event == b.Event && a.RPCID == b.RPCID && a.Kind == b.Kind && a.Fault == nil && b.Fault == nil
}

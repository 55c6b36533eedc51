package a2a

import (
	"bytes"

	"parley/a2a/jsontok"
)

// A Decoder decodes the payloads of one exchange, one after the other, each to what
// [Decode] makes of it. A frame that differs from one before in nothing but the text of
// a chunk, as nearly all frames of a stream do, is not read again: its [Update] is that
// one's with another text. That costs a quarter. The zero Decoder is ready for use; it is
// not safe for concurrent use.
type Decoder struct {
	call  *Call
	in    Input // whose Body is the pattern's, nil if there is none
	at    layout
	model Event
	doc   jsontok.Doc
}

// A layout says where in a body an event, what it holds and its text stand.
type layout struct{ event, artifact, part, text stretch }

// A stretch of a body is empty if it is not known.
type stretch struct{ from, to int }

func stretchOf(n jsontok.Node) stretch { return stretch{n.Offset(), n.End()} }

// of returns its bytes in a body that is longer than the one it was found in by
// some bytes, which stand inside it.
func (s stretch) of(body []byte, longer int) []byte { return body[s.from : s.to+longer : s.to+longer] }

// maxPattern is how long a body may be that is kept to compare others with.
const maxPattern = 64 << 10

// Decode reads the next payload, which must not change afterwards.
func (d *Decoder) Decode(call *Call, in Input) Update {
	if u, ok := d.again(call, &in); ok {
		return u
	}
	u, at := decode(call, in)
	if at.text.to > 0 && len(in.Body) <= maxPattern && plainChunk(&u) {
		d.call, d.in, d.at, d.model = call, in, at, u.Events[0]
	}
	return u
}

// plainChunk reports whether an update is a chunk of text, of which nothing is to be
// said and which proves nothing.
func plainChunk(u *Update) bool {
	if u.Err != nil || len(u.Findings) > 0 || len(u.Saw) > 0 || len(u.Events) != 1 {
		return false
	}
	a := u.Events[0].Artifact
	return a != nil && len(a.Parts) == 1 && a.Parts[0].Kind == PartText
}

// again makes the update of a payload of the pattern's; it reports false if the payload
// is another.
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
	return Update{Events: made.events[:]}, true
}

// sameInput reports whether all but the bodies of two inputs is the same.
func sameInput(a, b *Input) bool {
	return a.Status == b.Status && a.ContentType == b.ContentType && a.Stream == b.Stream && a.Torn == b.Torn &&
		a.Unprefixed == b.Unprefixed && a.Omitted == b.Omitted && a.Event == b.Event && a.RPCID == b.RPCID
}

package record

import (
	"bytes"
	"strconv"

	"parley/a2a"
	"parley/a2a/jsontok"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/jsonview"
	"parley/ui/styles"
)

// leastWhere is the height from which the last row shows the cursor's place.
const leastWhere = 6

// pretty draws in h rows the fields of an SSE frame, the tree, the findings and, while the view
// has the keys, the cursor's place.
func (v *View) pretty(reading bool, h int) []string {
	if reading && h >= leastWhere {
		out := v.body(reading, h-1)
		return append(append(out, canvas.Blank(v.w, h-1-len(out))...), v.where())
	}
	return v.body(reading, h)
}

// where describes the cursor's place in the payload: the JSON pointer, shortened at its front,
// and the bytes.
func (v *View) where() string {
	from, to := v.tree.Span()
	span := "byte " + strconv.Itoa(from)
	if to > from+1 {
		span = "bytes " + strconv.Itoa(from) + " to " + strconv.Itoa(to-1)
	}
	at := canvas.SanitizeLine(v.tree.Pointer())
	if at == "" {
		return canvas.Fit(v.st.Faint.S(span), v.w)
	}
	room := max(v.w-canvas.Width(span)-2, v.w/2)
	if over := canvas.Width(at) - room; over > 0 {
		at = v.st.G[styles.Ellipsis] + canvas.Skip(at, over+1)
	}
	return canvas.Fit(v.st.Dim.S(at)+"  "+v.st.Faint.S(span), v.w)
}

// body draws the same rows without the cursor's place.
func (v *View) body(reading bool, h int) []string {
	out := v.frameFields(&v.it.Record)
	if len(out) > h/3 {
		out = out[:h/3]
	}
	v.above = len(out)
	room := h - len(out)
	notes := v.notes()
	if most := room / 2; len(notes) > most {
		notes = notes[:most]
	}
	v.tree.SetSize(v.w, room)
	if tree := v.tree.Height(room); len(notes) > 0 {
		gap := min(1, room-len(notes)-1)
		v.tree.SetSize(v.w, max(min(tree, room-len(notes)-gap), 1))
		notes = append(canvas.Blank(v.w, gap), notes...)
	}
	v.tree.SetFocused(reading)
	return append(append(out, v.tree.Lines()...), notes...)
}

// treeRow returns the row in the tree's window of row y of the view.
func (v *View) treeRow(y int) int {
	return y - 1 - v.above
}

// frameFields draws the fields of an SSE frame besides its data.
func (v *View) frameFields(r *a2a.Record) []string {
	if r.SSE == nil {
		return nil
	}
	var out []string
	for _, f := range []struct{ name, value string }{{"event", r.SSE.Event}, {"id", r.SSE.ID}, {"retry", r.SSE.Retry}} {
		if f.value != "" {
			line := v.st.Faint.S(canvas.Fit(f.name, 6)) + v.st.Text.S(canvas.SanitizeLine(f.value))
			out = append(out, canvas.Fit(line, v.w))
		}
	}
	return out
}

// byteRange draws which bytes are in the window.
func (v *View) byteRange() string {
	from, to := v.raw.VisibleRange()
	words := "bytes " + units.Count(from) + " to " + units.Count(max(to-1, 0)) + " of " + units.Count(len(v.bytes()))
	return canvas.Fit(v.st.Faint.S(words), v.w)
}

// incomplete draws why bytes are missing.
func (v *View) incomplete() []string {
	w, r := v.writer(), &v.it.Record
	switch {
	case r.Torn && v.limited():
		w.failure("Parley stopped reading here, because of a limit.")
	case r.Torn:
		w.failure("The connection ended here.")
	}
	if r.Omitted > 0 {
		w.failure(units.Bytes(int64(r.Omitted)) + " more came but were not recorded, because of a limit.")
	}
	return w.lines()
}

// limited reports whether a limit stopped the exchange, so that what is missing says nothing about
// the agent.
func (v *View) limited() bool {
	ids := v.log.Exchange(v.it.Record.Exchange)
	if len(ids) == 0 {
		return false
	}
	end := v.log.At(ids[len(ids)-1]).Record.End
	return end != nil && end.Class == a2a.ClassLimit
}

// notes draws the lines below a tree: the revealed secret, the decoding error and the findings.
func (v *View) notes() []string {
	w := v.writer()
	w.comment(v.comment)
	if v.shownSecret.in == inBody {
		v.writeRevealed(&w)
	}
	if err := v.it.Update.Err; err != nil && !(v.it.Record.Torn && v.limited()) {
		w.failure(err.Sentence)
	}
	if v.it.Record.Kind == a2a.KindRequest {
		w.unchecked(v)
	}
	w.findings(v, false)
	return append(v.incomplete(), w.lines()...)
}

// marks returns the marks in the tree: findings with a place, masks, and the text that an update
// brought.
func (v *View) marks() []jsonview.Mark {
	var out []jsonview.Mark
	for _, f := range v.log.Findings().Shown(v.it) {
		if f.Offset >= 0 || f.Pointer != "" {
			out = append(out, jsonview.Mark{Offset: f.Offset, Pointer: f.Pointer, Text: f.Rule})
		}
	}
	for _, m := range v.masks {
		out = append(out, jsonview.Mark{Offset: m.at, Text: masked(m.redaction.Size), Quiet: true})
	}
	return append(out, v.brought()...)
}

// brought marks the texts of an update of an artifact.
func (v *View) brought() (out []jsonview.Mark) {
	if !log.ExtendsArtifact(v.it) {
		return nil
	}
	var doc jsontok.Doc
	from, body := 0, v.it.Record.Payload()
	parts := v.it.Update.Events[0].Artifact.Parts
	for i := range parts {
		raw := parts[i].Raw
		at := bytes.Index(body[from:], raw)
		if parts[i].Kind != a2a.PartText || len(raw) == 0 || at < 0 || doc.Parse(raw) != nil {
			continue
		}
		if text := doc.Root().Get("text"); text.IsText() {
			out = append(out, jsonview.Mark{Offset: from + at + text.Offset(), Fresh: true})
		}
		from += at + len(raw)
	}
	return out
}

// A bodyMask is a mask in a payload.
type bodyMask struct {
	at        int // offset in the payload
	redaction *a2a.Redaction
}

// bodyMasks returns the masks in a record's payload. Redactions of an SSE frame have offsets in
// the frame's bytes; the masks in its data are in the same order. If their number differs,
// because the agent itself sent a mask, there is no result.
func bodyMasks(r *a2a.Record) []bodyMask {
	var out []bodyMask
	for i := range r.Redactions {
		if m := &r.Redactions[i]; m.Length > 0 {
			out = append(out, bodyMask{m.Offset, m})
		}
	}
	if r.Data == nil || len(out) == 0 {
		return out
	}
	if bytes.Count(r.Data, []byte(a2a.Mask)) != len(out) {
		return nil
	}
	at := 0
	for i := range out {
		at += bytes.Index(r.Data[at:], []byte(a2a.Mask))
		out[i].at = at
		at += len(out[i].redaction.Shown())
	}
	return out
}

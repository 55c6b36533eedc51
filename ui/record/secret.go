package record

import (
	"strings"

	"parley/a2a"
	"parley/internal/units"
)

// A place is the part of a record that contains a secret.
type place uint8

const (
	nowhere place = iota
	inURL
	inHeader
	inBody
)

// A secret identifies a masked value of a record. The zero secret is none.
type secret struct {
	in     place
	record a2a.RecordID
	name   string // the header's name
	nth    int    // index of the header's value, or of the mask in the payload
}

// sizeOf describes how much was masked, "" if nothing was.
func sizeOf(gone []*a2a.Redaction) string {
	if len(gone) == 0 {
		return ""
	}
	size := 0
	for _, m := range gone {
		size += m.Size
	}
	return masked(size)
}

// masked describes a mask with its size; a size of 0 is not disclosed.
func masked(size int) string {
	if size == 0 {
		return "masked"
	}
	return "masked " + units.Bytes(int64(size))
}

// headerMasks returns the masks in a record's headers, in order, by lower-case header name.
func headerMasks(r *a2a.Record) map[string][]*a2a.Redaction {
	gone := map[string][]*a2a.Redaction{}
	for i := range r.Redactions {
		m := &r.Redactions[i]
		if name, ok := strings.CutPrefix(m.Name, "header "); ok && m.Length == 0 {
			name = strings.ToLower(name)
			gone[name] = append(gone[name], m)
		}
	}
	return gone
}

// valueMasks distributes the masks of a header among its values.
func valueMasks(values []string, gone []*a2a.Redaction) [][]*a2a.Redaction {
	shares := make([][]*a2a.Redaction, len(values))
	for i, value := range values {
		n := min(strings.Count(value, a2a.Mask), len(gone))
		shares[i], gone = gone[:n], gone[n:]
	}
	return shares
}

// urlMasks returns the masks in the URL of a request.
func urlMasks(r *a2a.Record) []*a2a.Redaction {
	if r.Head == nil || r.Kind != a2a.KindRequest {
		return nil
	}
	var gone []*a2a.Redaction
	for i := range r.Redactions {
		if m := &r.Redactions[i]; m.Length == 0 && !strings.HasPrefix(m.Name, "header ") {
			gone = append(gone, m)
		}
	}
	return gone[:min(strings.Count(r.Head.URL, a2a.Mask), len(gone))]
}

// open returns the original value that contains the secret, or why it cannot be shown.
func (s secret) open(r *a2a.Record) (value, why string) {
	switch s.in {
	case inURL:
		gone := urlMasks(r)
		if why = missing(gone); why == "" {
			request, _ := a2a.Unmask(r)
			value = request.URL
		}
	case inHeader:
		values := r.Head.Header[s.name]
		gone := valueMasks(values, headerMasks(r)[strings.ToLower(s.name)])[s.nth]
		if why = missing(gone); why == "" {
			value = values[s.nth]
			var b strings.Builder
			for _, m := range gone {
				before, after, _ := a2a.CutMask(value)
				b.WriteString(before + m.Original)
				value = after
			}
			value = b.String() + value
		}
	case inBody:
		if gone := bodyMasks(r); s.nth < len(gone) {
			m := gone[s.nth].redaction
			value, why = m.Original, missing([]*a2a.Redaction{m})
		}
	}
	return value, why
}

// missing explains why secrets cannot be shown, "" if they can. Only the process that masked
// them has them in memory.
func missing(gone []*a2a.Redaction) string {
	for _, m := range gone {
		if m.Original == "" && m.Same() == "" {
			return "This was a secret answer: nothing of it was recorded."
		}
		if m.Original == "" && m.Size != 0 {
			return "This value was not recorded, only its size, " + units.Bytes(int64(m.Size)) + ", and a hash with an unknown key, " + m.Same() + ", which is the same wherever the value occurs."
		}
	}
	return ""
}

// Reveals reports whether a secret is shown.
func (v *View) Reveals() bool { return v.shownSecret.in != nowhere }

// secret returns the masked value under the cursor.
func (v *View) secret() (secret, bool) {
	switch v.shows() {
	case showSheet:
		v.sheet.fill(v)
		s := v.sheet.entry().secret
		return s, s.in != nowhere
	case showTree:
		v.load()
		from, to := v.tree.Span()
		for i, m := range v.masks {
			if m.at >= from && m.at < to {
				return secret{in: inBody, record: v.it.Record.ID, nth: i}, true
			}
		}
	}
	return secret{}, false
}

// reveal shows the secret under the cursor and hides any other. If it is shown already it is
// hidden.
func (v *View) reveal() Intent {
	s, ok := v.secret()
	if !ok || s == v.shownSecret {
		v.shownSecret = secret{}
		return nil
	}
	if _, why := s.open(&v.log.At(s.record).Record); why != "" {
		return Say{why}
	}
	v.shownSecret = s
	return nil
}

// writeRevealed adds the revealed secret of the body.
func (v *View) writeRevealed(w *writer) {
	r := &v.it.Record
	gone := bodyMasks(r)
	if v.shownSecret.nth >= len(gone) {
		return
	}
	value, _ := v.shownSecret.open(r)
	w.line(w.st.Faint, 0, gone[v.shownSecret.nth].redaction.Name+", revealed until you leave the record:")
	w.line(w.st.Bold, 2, value)
	w.blank()
}

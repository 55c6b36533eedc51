package a2a

import (
	"bytes"
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"

	"parley/a2a/httphead"
)

// Mask replaces a secret in every record.
const Mask = "•••"

// shortestSecret is the length from which a known secret is also masked in bodies, where agents
// often echo it. Shorter ones would mask ordinary words.
const shortestSecret = 8

// A masker removes secrets from what a [Trace] is about to get. It knows them by the names of
// headers, query parameters, members of JSON and of push configurations, by their values, and
// by the shapes of known tokens.
type masker struct {
	headers map[string]bool // canonical names that are secret besides the usual ones
	query   map[string]bool // lower-case names likewise
	public  PublicNames     // names that are public in spite of their look
	vault   *Secrets        // values and members that are secret, and the key of hashes; nil knows none
	facts   bool            // redactions get a Credential
}

func newMasker(public PublicNames) *masker {
	return &masker{headers: map[string]bool{}, query: map[string]bool{}, public: public, vault: &Secrets{}}
}

// know is [Secrets.Know]. It reports whether a secret is a word of the protocol.
func (m *masker) know(secrets ...string) (common bool) { return m.vault.know(secrets...) }

// spans appends the positions of secrets in b; name is the name of secrets that are known by
// their value.
func (m *masker) spans(spans []span, b []byte, name string) []span {
	return m.vault.finder().spans(spans, b, name)
}

// namesOnly returns a masker for texts that are shown but not recorded: it knows names and
// shapes, and no values.
func namesOnly() *masker {
	m := newMasker(nil)
	m.vault = nil
	return m
}

// secretHeader reports whether the value of a header is a credential.
func (m *masker) secretHeader(name string) bool {
	name = http.CanonicalHeaderKey(strings.TrimSpace(name))
	return !m.public.Has(name) && (slices.Contains(credentialHeaders[:], name) || m.headers[name] || secretName(name))
}

// secretQuery reports whether the value of a query parameter is a credential.
func (m *masker) secretQuery(name string) bool {
	return !m.public.Has(name) && (m.query[strings.ToLower(name)] || slices.Contains(secretParams[:], strings.ToLower(name)) || secretName(name))
}

// header returns a copy of h without secrets. The record always gets its own copy, because
// net/http continues to use h.
func (m *masker) header(h http.Header) (http.Header, []Redaction) {
	clean := h.Clone()
	var gone []Redaction
	for _, name := range slices.Sorted(maps.Keys(clean)) {
		for i, value := range clean[name] {
			title := "header " + name
			switch {
			case m.secretHeader(name):
				clean[name][i] = Mask
				gone = append(gone, m.redaction(title, value))
			case name == "Last-Event-Id":
				masked, more := m.identity(value, title)
				clean[name][i] = masked
				gone = append(gone, more...)
			case name == "Location" || name == "Content-Location" || name == "Referer":
				if hasMask([]byte(value)) { // of the other party
					masked, more := m.identity(value, title)
					value, gone = masked, append(gone, more...)
				}
				masked, more := m.url(value)
				clean[name][i] = masked
				gone = append(gone, more...)
			case name == "Host" || name == "Content-Length" || name == "Date" || name == "Age": // net/http's own
			default:
				spans := append(m.spans(nil, []byte(value), title), m.vault.all().plain([]byte(value), true, title)...)
				masked, more := m.bytes([]byte(value), spans)
				clean[name][i] = string(masked)
				gone = append(gone, atHead(more)...)
			}
		}
	}
	return clean, gone
}

// text returns a sentence or a word without secrets.
func (m *masker) text(s string) string {
	if s == "" {
		return s
	}
	b := []byte(s)
	masked, _ := m.bytes(b, append(m.spans(nil, b, ""), m.vault.all().plain(b, true, secretAnswer)...))
	return string(masked)
}

// identity returns an id without secrets.
func (m *masker) identity(id, name string) (string, []Redaction) {
	b, whole := []byte(id), []span{{end: len(id)}}
	spans := append(m.spans(nil, b, name), m.vault.all().plain(b, true, name)...)
	masked, gone := m.bytes(b, m.numbered(foreignMasks(spans, whole, b), whole, b, false))
	return string(masked), atHead(gone)
}

// MaskText returns a text that a user typed, with tokens of known shapes masked.
func MaskText(s string) string { return namesOnly().text(s) }

// TokenSpans returns where a text has tokens of known shapes: the first byte of each, and the first
// behind it.
func TokenSpans(text string) (found [][2]int) {
	for _, s := range shapeSpans(nil, []byte(text)) {
		found = append(found, [2]int{s.off, s.end})
	}
	return found
}

// body returns a body without secrets; a body without any is returned unchanged.
func (m *masker) body(op Op, body []byte) ([]byte, []Redaction) {
	return m.json(body, m.bodySpans(op, body, false))
}

// request does the same for a request, whose message may be a secret.
func (m *masker) request(op Op, body []byte, secret bool) ([]byte, []Redaction) {
	return m.json(body, m.bodySpans(op, body, secret))
}

// rest does the same for the rest of a stream after its last event, which may be the beginning
// of an event. Echo follows the texts of the stream.
func (m *masker) rest(op Op, tail []byte, echo *echo) ([]byte, []Redaction) {
	return m.json(tail, m.vault.finder().pieces(m.bodySpans(op, tail, false), tail, echo.join()))
}

// json replaces spans of a body, those in ids and addresses by stand-ins.
func (m *masker) json(body []byte, spans []span) ([]byte, []Redaction) {
	if len(spans) == 0 && !hasMask(body) {
		return body, nil
	}
	in := identities(body)
	return m.bytes(body, m.numbered(foreignMasks(spans, in, body), in, body, true))
}

func (m *masker) bodySpans(op Op, body []byte, secret bool) []span {
	spans := m.spans(m.pushSpans(op, body), body, "in the body")
	if op == OpDelivery && jwsPayload(body) != nil { // it is decoded like one, see maskSignature
		spans = slices.DeleteFunc(spans, func(s span) bool { return s.name == secretToken })
	}
	spans = m.vault.finder().torn(spans, body)
	return append(m.vault.finder().pieces(spans, body, nil), m.vault.all().spansIn(body, secret, nil)...)
}

// frame masks a stream frame: its payload and the raw lines that carried it. The lines may
// break the payload anywhere, so secrets are searched for there by their text. The redactions
// are those of raw. Echo follows the texts of the stream.
func (m *masker) frame(op Op, raw, data []byte, echo *echo) (cleanRaw, cleanData []byte, gone []Redaction) {
	spans := m.pushSpans(op, data)
	var rawSpans []span
	for _, s := range spans {
		quoted := data[s.off-1 : min(s.end+1, len(data))]
		for _, q := range occurrences(nil, raw, quoted, s.name) {
			rawSpans = append(rawSpans, span{off: q.off + 1, end: q.off + 1 + s.end - s.off, name: s.name})
		}
	}
	known := m.vault.all()
	answers := m.vault.finder().pieces(known.spansIn(data, false, echo), data, echo.join())
	if len(answers) > 0 || !known.none() {
		lines := carriers(raw, data)
		if lines == nil && len(answers) > 0 { // it cannot be known which of its bytes were meant
			data, _ = m.bytes(data, answers)
			return m.frame(op, eventFrame(data), data, nil)
		}
		spans = append(spans, answers...)
		rawSpans = append(append(rawSpans, spansInFrame(lines, answers)...), beside(lines, known.plain(raw, false, secretAnswer))...)
	}
	found := len(rawSpans)
	rawSpans = m.spans(rawSpans, raw, "in the body")
	if len(rawSpans) > found || !bytes.Contains(raw, data) { // otherwise data is a part of raw
		spans = m.spans(spans, data, "")
	}
	if len(spans)+len(rawSpans) > 0 || hasMask(data) {
		in := identities(data)
		inRaw := append(spansInFrame(carriers(raw, data), in), idLines(raw)...)
		spans = m.numbered(foreignMasks(spans, in, data), in, data, true)
		rawSpans = m.numbered(foreignMasks(rawSpans, inRaw, raw), inRaw, raw, true)
	}
	cleanData, _ = m.bytes(data, spans)
	cleanRaw, gone = m.bytes(raw, rawSpans)
	return cleanRaw, cleanData, gone
}

// A span is a range of bytes to be masked.
type span struct {
	off, end int
	name     string
	as       string // the replacement, [Mask] if empty
	private  bool   // its length and hash would reveal something
	number   int    // of the stand-in, 0 for none
	foreign  bool   // another party wrote a mask there
}

// bytes replaces spans, which may overlap, by the mask.
func (m *masker) bytes(b []byte, spans []span) ([]byte, []Redaction) {
	if len(spans) == 0 {
		return b, nil
	}
	clean := make([]byte, 0, len(b)+len(spans)*len(Mask))
	var gone []Redaction
	from := 0
	for _, s := range mergeSpans(spans) {
		s = s.widened(b, from)
		clean = append(clean, b[from:s.off]...)
		r := m.redaction(s.name, string(b[s.off:s.end]))
		if s.private {
			r.Size, r.Hash, r.Credential = 0, "", nil
		}
		as := cmp.Or(s.as, Mask)
		r.Offset, r.Length, r.Number = len(clean), len(as), s.number
		clean = append(clean, as...)
		gone = append(gone, r)
		from = s.end
	}
	return append(clean, b[from:]...), gone
}

// mergeSpans returns spans in order, and joins those that overlap.
func mergeSpans(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Or(a.off-b.off, b.end-a.end) })
	out := spans[:1]
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		if s.off >= last.end {
			out = append(out, s)
			continue
		}
		last.end, last.as = max(last.end, s.end), cmp.Or(last.as, s.as)
		last.private, last.foreign = last.private || s.private, last.foreign && s.foreign
		last.number = cmp.Or(last.number, s.number)
	}
	return out
}

// occurrences appends the positions of text in b.
func occurrences(spans []span, b, text []byte, name string) []span {
	for from := 0; ; {
		i := bytes.Index(b[from:], text)
		if i < 0 {
			return spans
		}
		spans = append(spans, span{off: from + i, end: from + i + len(text), name: name})
		from += i + len(text)
	}
}

// redaction describes what was masked.
func (m *masker) redaction(name, original string) Redaction {
	r := Redaction{Name: name, Size: len(original), Hash: m.vault.hash(original), Original: original}
	if m.facts {
		r.Credential = m.credential(original, strings.HasPrefix(name, "header "))
	}
	return r
}

// atHead drops offsets, which mean nothing outside of Raw.
func atHead(gone []Redaction) []Redaction {
	for i := range gone {
		gone[i].Offset, gone[i].Length = 0, 0
	}
	return gone
}

// maxContinued is how much of the end of an answer is kept, because what comes after it may complete a
// secret that began there.
const maxContinued = 4 << 10

// continued returns a copy of the end of an answer.
func continued(body []byte) []byte { return bytes.Clone(body[max(0, len(body)-maxContinued):]) }

// surplus masks what came after an answer, of which the end is given. It may be another answer, with a
// head.
func (m *masker) surplus(op Op, end, b []byte) ([]byte, []Redaction) {
	whole := slices.Concat(end, b)
	var spans []span
	for _, s := range append(m.bodySpans(op, whole, false), m.headSpans(whole)...) {
		if s.end > len(end) {
			s.off, s.end = max(s.off-len(end), 0), s.end-len(end)
			spans = append(spans, s)
		}
	}
	return m.bytes(b, spans)
}

// headSpans returns the positions of values with secrets in the heads of HTTP/1.x that a text contains.
func (m *masker) headSpans(b []byte) (spans []span) {
	begin := []byte("HTTP/1.")
	for at := bytes.Index(b, begin); at >= 0; {
		pos := at + bytes.IndexByte(append(b[at:len(b):len(b)], '\n'), '\n') + 1 // of the first field
		for _, f := range httphead.Fields(b[at:], false) {
			key := f.Key()
			if masked, _ := m.header(http.Header{key: {f.Value}}); masked[key][0] != f.Value {
				spans = append(spans, span{off: pos + f.At, end: pos + f.At + len(f.Value), name: "header " + key})
			}
			pos += len(f.Line)
		}
		next := bytes.Index(b[min(pos, len(b)):], begin)
		if next < 0 {
			break
		}
		at = pos + next
	}
	return spans
}

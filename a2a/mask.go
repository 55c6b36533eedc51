package a2a

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Mask stands for a secret in every record.
const Mask = "•••"

// shortestSecret is the length from which a secret that is known is also looked
// for in bodies, where agents like to echo it. Anything shorter would blacken
// ordinary words.
const shortestSecret = 8

// A masker takes secrets out of what a [Trace] is about to get. It knows them by
// the names of headers, query parameters and members of push configurations,
// and by their values.
type masker struct {
	headers map[string]bool // canonical names that are secret besides the usual ones
	query   map[string]bool // lower-case names likewise
	public  PublicNames     // names that are no secret, whatever they look like
	values  [][]byte        // the secrets themselves, longest first
	vault   *Secrets        // what the person said in confidence; may be nil
}

func newMasker(public PublicNames) *masker {
	return &masker{headers: map[string]bool{}, query: map[string]bool{}, public: public}
}

// know adds secrets that are masked wherever they appear.
func (m *masker) know(secrets ...string) {
	for _, s := range secrets {
		if len(s) >= shortestSecret {
			m.values = append(m.values, []byte(s))
		}
	}
	slices.SortFunc(m.values, func(a, b []byte) int { return len(b) - len(a) })
}

// with returns a masker that knows more secrets, or m if there are none.
func (m *masker) with(secrets ...string) *masker {
	if len(strings.Join(secrets, "")) == 0 {
		return m
	}
	more := &masker{headers: m.headers, query: m.query, public: m.public, values: slices.Clone(m.values), vault: m.vault}
	more.know(secrets...)
	return more
}

// secretHeader reports whether the value of a header is a credential.
func (m *masker) secretHeader(name string) bool {
	name = http.CanonicalHeaderKey(name)
	return !m.public.Has(name) && (slices.Contains(credentialHeaders[:], name) || m.headers[name] || secretName(name))
}

// secretQuery reports whether the value of a query parameter is a credential.
func (m *masker) secretQuery(name string) bool {
	name = strings.ToLower(name)
	if m.public.Has(name) {
		return false
	}
	switch name {
	case "sig", "auth", "jwt", "pwd":
		return true
	}
	return m.query[name] || secretName(name)
}

// secretName reports whether a name says that its value is a secret. The token
// of a page of a list is none.
func secretName(name string) bool {
	name = strings.ToLower(name)
	if strings.HasPrefix(strings.ReplaceAll(name, "_", ""), "pagetoken") {
		return false
	}
	for _, word := range [...]string{"token", "secret", "key", "password", "signature", "credential"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// header returns a copy of h without secrets. The copy is the record's own in
// any case, because net/http goes on using h.
func (m *masker) header(h http.Header) (http.Header, []Redaction) {
	clean := h.Clone()
	var gone []Redaction
	for _, name := range slices.Sorted(maps.Keys(clean)) {
		for i, value := range clean[name] {
			title := "header " + name
			switch {
			case m.secretHeader(name):
				clean[name][i] = Mask
				gone = append(gone, redaction(title, value))
			case name == "Location" || name == "Content-Location" || name == "Referer":
				masked, more := m.url(value)
				clean[name][i] = masked
				gone = append(gone, more...)
			case name == "Host" || name == "Content-Length" || name == "Date" || name == "Age": // net/http's own
			default:
				spans := append(m.valueSpans(nil, []byte(value), title), m.vault.all().plain([]byte(value), true, title)...)
				masked, more := m.bytes([]byte(value), spans)
				clean[name][i] = string(masked)
				gone = append(gone, atHead(more)...)
			}
		}
	}
	return clean, gone
}

// MaskURL returns a URL, or whatever a person gave as one, without the password and
// the parameters that by their names are secret.
func MaskURL(raw string) string {
	masked, _ := newMasker(nil).url(raw)
	return masked
}

// url returns a URL without the password and the secret parameters in it. All
// else stays byte for byte, because a repaired URL would hide what was asked.
func (m *masker) url(raw string) (string, []Redaction) {
	place, query, asked := strings.Cut(raw, "?")
	place, gone := maskPassword(place)
	if asked {
		masked, more := m.params(query)
		place, gone = place+"?"+masked, append(gone, more...)
	}
	spans := append(m.valueSpans(nil, []byte(place), "in the URL"), m.vault.all().plain([]byte(place), false, "in the URL")...)
	masked, more := m.bytes([]byte(place), spans)
	return string(masked), append(gone, atHead(more)...)
}

// text returns a sentence or a word without what was said in confidence.
func (m *masker) text(s string) string {
	known := m.vault.all()
	if s == "" || known.none() {
		return s
	}
	masked, _ := m.bytes([]byte(s), known.plain([]byte(s), true, secretAnswer))
	return string(masked)
}

// maskPassword masks the password before the host of a URL.
func maskPassword(place string) (string, []Redaction) {
	scheme, rest, ok := strings.Cut(place, "://")
	if !ok {
		return place, nil
	}
	authority, path, _ := strings.Cut(rest, "/")
	path = rest[len(authority):len(rest)-len(path)] + path
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return place, nil
	}
	user, password, ok := strings.Cut(authority[:at], ":")
	if !ok {
		return place, nil
	}
	return scheme + "://" + user + ":" + Mask + authority[at:] + path,
		[]Redaction{redaction("password in the URL", password)}
}

// params masks the secret parameters of a raw query, which may end in a fragment.
func (m *masker) params(query string) (string, []Redaction) {
	var gone []Redaction
	query, fragment, hash := strings.Cut(query, "#")
	fields := strings.Split(query, "&")
	for i, field := range fields {
		name, value, _ := strings.Cut(field, "=")
		plain, err := url.QueryUnescape(name)
		if err != nil {
			plain = name
		}
		if value != "" && m.secretQuery(plain) {
			fields[i] = name + "=" + Mask
			gone = append(gone, redaction("query "+plain, value))
		}
	}
	query = strings.Join(fields, "&")
	if hash {
		query += "#" + fragment
	}
	return query, gone
}

// body returns a body without secrets; one that holds none is returned as it is.
func (m *masker) body(op Op, body []byte) ([]byte, []Redaction) { return m.sent(op, body, false) }

// sent does so for a request, of which the message may be a secret.
func (m *masker) sent(op Op, body []byte, secret bool) ([]byte, []Redaction) {
	spans := m.valueSpans(m.pushSpans(op, body), body, "in the body")
	return m.bytes(body, append(spans, m.vault.all().spansIn(body, secret, nil)...))
}

// frame masks a stream frame: its payload and the raw lines that carried it,
// which may break the payload anywhere, so that the secrets are looked for there
// by their text. The redactions are those of raw. Echo follows what the stream says.
func (m *masker) frame(op Op, raw, data []byte, echo *echo) (cleanRaw, cleanData []byte, gone []Redaction) {
	spans := m.pushSpans(op, data)
	var rawSpans []span
	for _, s := range spans {
		quoted := data[s.off-1 : min(s.end+1, len(data))]
		for _, q := range occurrences(nil, raw, quoted, s.name) {
			rawSpans = append(rawSpans, span{off: q.off + 1, end: q.off + 1 + s.end - s.off, name: s.name})
		}
	}
	if known := m.vault.all(); !known.none() {
		answers := known.spansIn(data, false, echo)
		lines := carriers(raw, data)
		if lines == nil && len(answers) > 0 { // which of its bytes were meant cannot be told
			data, _ = m.bytes(data, answers)
			return m.frame(op, framed(data), data, nil)
		}
		spans = append(spans, answers...)
		rawSpans = append(append(rawSpans, carried(lines, answers)...), beside(lines, known.plain(raw, false, secretAnswer))...)
	}
	cleanData, _ = m.bytes(data, m.valueSpans(spans, data, ""))
	cleanRaw, gone = m.bytes(raw, m.valueSpans(rawSpans, raw, "in the body"))
	return cleanRaw, cleanData, gone
}

// A span is a range of bytes to be masked.
type span struct {
	off, end int
	name     string
	as       string // what stands there instead, [Mask] if it is empty
	private  bool   // its length and its hash would tell something
}

// bytes replaces spans, which may overlap, by the mask.
func (m *masker) bytes(b []byte, spans []span) ([]byte, []Redaction) {
	if len(spans) == 0 {
		return b, nil
	}
	clean := make([]byte, 0, len(b)+len(spans)*len(Mask))
	var gone []Redaction
	from := 0
	for _, s := range merged(spans) {
		clean = append(clean, b[from:s.off]...)
		r := redaction(s.name, string(b[s.off:s.end]))
		if s.private {
			r.Size, r.SHA256 = 0, ""
		}
		as := cmp.Or(s.as, Mask)
		r.Offset, r.Length = len(clean), len(as)
		clean = append(clean, as...)
		gone = append(gone, r)
		from = s.end
	}
	return append(clean, b[from:]...), gone
}

// merged returns spans in order, one for those that overlap.
func merged(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Or(a.off-b.off, b.end-a.end) })
	out := spans[:1]
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		if s.off >= last.end {
			out = append(out, s)
			continue
		}
		if s.end > last.end {
			last.end = s.end
		}
		if last.as == "" {
			last.as = s.as
		}
		last.private = last.private || s.private
	}
	return out
}

// valueSpans appends where the known secrets stand in b.
func (m *masker) valueSpans(spans []span, b []byte, name string) []span {
	for _, secret := range m.values {
		spans = occurrences(spans, b, secret, name)
	}
	return spans
}

// occurrences appends where text stands in b.
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

func redaction(name, original string) Redaction {
	sum := sha256.Sum256([]byte(original))
	return Redaction{Name: name, Size: len(original), SHA256: hex.EncodeToString(sum[:]), Original: original}
}

// atHead drops offsets, which mean nothing outside of Raw.
func atHead(gone []Redaction) []Redaction {
	for i := range gone {
		gone[i].Offset, gone[i].Length = 0, 0
	}
	return gone
}

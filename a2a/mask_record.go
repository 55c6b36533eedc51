package a2a

import (
	"net/http"
	"strings"
)

// A RecordMasker masks secrets in records that another program made, by the names of headers,
// parameters and members and by the shapes of tokens. Values of credentials are masked wherever
// later records repeat them. Its redactions say what may be known of each credential.
type RecordMasker struct {
	mask  *masker
	echos map[ExchangeID]*echo
}

// NewRecordMasker returns a masker for the records of one session. Secrets are those of the session,
// so that equal ones have equal hashes in all of its records; nil means that it has no others.
func NewRecordMasker(secrets *Secrets) *RecordMasker {
	m := newMasker(nil)
	m.facts = true
	if secrets != nil {
		m.vault = secrets
	}
	return &RecordMasker{mask: m, echos: map[ExchangeID]*echo{}}
}

// Mask masks a record in place and lists what was masked. Records of an exchange come in order.
func (m *RecordMasker) Mask(r *Record) {
	var gone, more []Redaction
	if r.Head != nil {
		head := *r.Head
		if r.Kind == KindRequest {
			m.learn(head.Header)
		}
		head.URL, gone = m.mask.url(head.URL)
		head.Header, more = m.mask.header(head.Header)
		r.Head, gone = &head, append(gone, more...)
	}
	op := Op("")
	if r.Call != nil {
		op = r.Call.Op
		r.Call.Endpoint, r.Call.URI = MaskURL(r.Call.Endpoint), MaskURL(r.Call.URI)
	}
	if r.Kind == KindEvent {
		if m.echos[r.Exchange] == nil {
			m.echos[r.Exchange] = &echo{}
		}
		r.Raw, r.Data, more = m.mask.frame(op, r.Raw, r.Payload(), m.echos[r.Exchange])
	} else {
		r.Raw, more = m.mask.body(op, r.Raw)
	}
	if r.Kind == KindEnd {
		delete(m.echos, r.Exchange)
	}
	r.Redactions = append(gone, more...)
}

// learn notes the values of credentials, without their scheme.
func (m *RecordMasker) learn(h http.Header) {
	for name, values := range h {
		if !m.mask.secretHeader(name) {
			continue
		}
		for _, value := range values {
			if _, credential, ok := strings.Cut(value, " "); ok && !strings.Contains(credential, " ") {
				value = credential
			}
			if !strings.Contains(value, Mask) {
				m.mask.know(value)
			}
		}
	}
}

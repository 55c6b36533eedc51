package session

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parley/a2a"
)

// header is line 1 of a journal.
type header struct {
	Parley  string    `json:"parley"` // "session"
	Version int       `json:"version"`
	Created time.Time `json:"created"`
}

// line is every other line of a journal: a record. The reader uses it; the
// writer writes the same members by hand, because one record is written for
// every event of a stream.
type line struct {
	ID         a2a.RecordID    `json:"id"`
	Exchange   a2a.ExchangeID  `json:"exchange"`
	Kind       a2a.RecordKind  `json:"kind"`
	Dir        a2a.Direction   `json:"dir"`
	Time       time.Time       `json:"time"`
	Call       *a2a.Call       `json:"call"`
	Head       *a2a.Head       `json:"head"`
	SSE        *a2a.SSEFields  `json:"sse"`
	End        *a2a.End        `json:"end"`
	Note       *a2a.Note       `json:"note"`
	Redactions []a2a.Redaction `json:"redactions"`
	Torn       bool            `json:"torn"`
	Omitted    int             `json:"omitted"`
	Raw        *string         `json:"raw"` // the bytes, when they are UTF-8
	B64        *string         `json:"b64"` // else
}

func appendHeader(dst []byte, created time.Time) []byte {
	b, _ := json.Marshal(header{"session", JournalVersion, created.UTC()}) // a struct of plain values cannot fail
	return append(append(dst, b...), '\n')
}

// appendRecord appends the journal line of a record. raw comes last so that a
// person who reads the file sees what a line is before its bytes.
func appendRecord(dst []byte, r *a2a.Record) []byte {
	dst = append(dst, `{"id":`...)
	dst = strconv.AppendUint(dst, uint64(r.ID), 10)
	if r.Exchange != 0 {
		dst = append(dst, `,"exchange":`...)
		dst = strconv.AppendUint(dst, uint64(r.Exchange), 10)
	}
	dst = appendMember(dst, "kind", string(r.Kind))
	if r.Dir != a2a.Local {
		dst = appendMember(dst, "dir", string(r.Dir))
	}
	dst = append(dst, `,"time":"`...)
	dst = r.Time.UTC().AppendFormat(dst, time.RFC3339Nano)
	dst = append(dst, '"')
	if r.Kind == a2a.KindRequest {
		dst = appendJSON(dst, "call", r.Call)
	}
	dst = appendJSON(dst, "head", r.Head)
	dst = appendSSE(dst, r.SSE)
	dst = appendJSON(dst, "end", r.End)
	dst = appendJSON(dst, "note", r.Note)
	if len(r.Redactions) > 0 {
		dst = appendJSON(dst, "redactions", &r.Redactions)
	}
	if r.Torn {
		dst = append(dst, `,"torn":true`...)
	}
	if r.Omitted > 0 {
		dst = append(dst, `,"omitted":`...)
		dst = strconv.AppendInt(dst, int64(r.Omitted), 10)
	}
	return append(appendBytes(dst, r.Raw), '}', '\n')
}

// appendBytes appends what crossed the wire.
func appendBytes(dst, raw []byte) []byte {
	switch {
	case len(raw) == 0:
		return dst
	case utf8.Valid(raw):
		dst = append(dst, `,"raw":"`...)
		dst = appendEscaped(dst, raw)
	default:
		dst = append(dst, `,"b64":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, raw)
	}
	return append(dst, '"')
}

// appendSSE appends the fields of a stream's frame.
func appendSSE(dst []byte, f *a2a.SSEFields) []byte {
	if f == nil {
		return dst
	}
	dst = append(dst, `,"sse":`...)
	open := len(dst)
	for _, m := range [...]struct{ name, value string }{{"id", f.ID}, {"event", f.Event}, {"retry", f.Retry}} {
		if m.value != "" {
			dst = appendMember(dst, m.name, strings.ToValidUTF8(m.value, "\uFFFD"))
		}
	}
	if len(dst) == open {
		return append(dst, '{', '}')
	}
	dst[open] = '{' // in place of the first comma
	return append(dst, '}')
}

func appendMember(dst []byte, name, value string) []byte {
	dst = append(dst, ',', '"')
	dst = append(dst, name...)
	dst = append(dst, `":"`...)
	return append(appendEscaped(dst, []byte(value)), '"')
}

// appendJSON appends a member unless its value is nil.
func appendJSON[T any](dst []byte, name string, value *T) []byte {
	if value == nil {
		return dst
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return dst // none of the types can fail
	}
	dst = append(dst, ',', '"')
	dst = append(dst, name...)
	dst = append(dst, '"', ':')
	return append(dst, bytes.TrimRight(buf.Bytes(), "\n")...)
}

// appendEscaped appends s as the inside of a JSON string. Only what JSON demands
// is escaped, so that a journal can be searched with grep.
func appendEscaped(dst, s []byte) []byte {
	const hex = "0123456789abcdef"
	from := 0
	for i, c := range s {
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(dst, s[from:]...)
}

package journal

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
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
	// Continues is the name of the file whose session goes on in this one; its lines stand first.
	Continues string `json:"continues,omitempty"`
}

// line is every other line of a journal: a record. The reader uses it; the
// writer writes the same members by hand, because one record is written for
// every event of a stream.
type line struct {
	ID         a2a.RecordID       `json:"id"`
	Exchange   a2a.ExchangeID     `json:"exchange"`
	Kind       a2a.RecordKind     `json:"kind"`
	Dir        a2a.Direction      `json:"dir"`
	Time       time.Time          `json:"time"`
	Call       *a2a.Call          `json:"call"`
	Head       *a2a.Head          `json:"head"`
	SSE        *a2a.SSEFields     `json:"sse"`
	End        *a2a.End           `json:"end"`
	Note       *a2a.Note          `json:"note"`
	Redactions []a2a.Redaction    `json:"redactions"`
	Torn       bool               `json:"torn"`
	Omitted    int                `json:"omitted"`
	Held       time.Duration      `json:"held"`
	Coded      *a2a.ContentCoding `json:"coded"`
	Proto      *a2a.Binary        `json:"proto"`
	Raw        *string            `json:"raw"` // the bytes, when they are UTF-8
	B64        *string            `json:"b64"` // otherwise
}

func appendHeader(dst []byte, created time.Time) []byte { return appendHeaderAfter(dst, created, "") }

// appendHeaderAfter appends the header of a file that continues another one, if it is named.
func appendHeaderAfter(dst []byte, created time.Time, continues string) []byte {
	b, _ := json.Marshal(header{"session", Version, created.UTC(), continues}) // a struct of plain values cannot fail
	return append(append(dst, b...), '\n')
}

// A lineWriter makes the lines of a journal. It remembers the common beginning of the records
// of the newest second, and frames of the newest streams.
type lineWriter struct {
	last  origin
	text  []byte // of last
	likes [patterns]pattern
}

// An origin is what consecutive records have in common.
type origin struct {
	exchange a2a.ExchangeID
	kind     a2a.RecordKind
	dir      a2a.Direction
	second   int64
}

// append appends the line of a record. raw comes last so that a user who reads the
// file sees what a line is before its bytes.
func (w *lineWriter) append(dst []byte, r *a2a.Record) []byte {
	dst = w.meta(dst, r)
	if b := bytesOf(r); b != nil {
		if len(b) == 0 {
			return append(dst, '}', '\n')
		}
		return append(base64.StdEncoding.AppendEncode(append(dst, b64Member...), b), lineEnd...)
	}
	if len(r.Raw) == 0 {
		return append(dst, '}', '\n')
	}
	before := len(dst)
	dst = append(dst, rawMember...)
	dst, plain := w.escape(dst, r)
	if !plain && !utf8.Valid(r.Raw) {
		dst = append(dst[:before], b64Member...)
		dst = base64.StdEncoding.AppendEncode(dst, r.Raw)
	}
	return append(dst, lineEnd...)
}

// bytesOf returns the bytes of a message that is not JSON, which are written in place of their
// rendering; nil for other records, and for a message of which only the rendering is known.
func bytesOf(r *a2a.Record) []byte {
	switch {
	case r.Binary == nil, r.Binary.Rebuilt && len(r.Binary.Bytes) == 0:
		return nil
	case r.Binary.Bytes == nil:
		return []byte{}
	default:
		return r.Binary.Bytes
	}
}

// The ends of a line: its bytes are written as text if they are UTF-8, otherwise in base64.
const (
	rawMember = `,"raw":"`
	b64Member = `,"b64":"`
	lineEnd   = "\"}\n"
)

// size returns the length of a record's line.
func (w *lineWriter) size(r *a2a.Record) int64 {
	n := len(w.meta(nil, r)) + len(rawMember) + len(lineEnd)
	if b := bytesOf(r); b != nil {
		return int64(n + base64.StdEncoding.EncodedLen(len(b)))
	}
	if !utf8.Valid(r.Raw) {
		return int64(n + base64.StdEncoding.EncodedLen(len(r.Raw)))
	}
	n += len(r.Raw)
	for _, c := range r.Raw {
		n += int(escapes[c].more)
	}
	return int64(n)
}

// writeGiant writes the line of a record piece by piece.
func writeGiant(to io.Writer, r *a2a.Record) error {
	const bit = 3 << 14 // bytes, of which base64 needs no padding
	buf, raw := new(lineWriter).meta(nil, r), bytesOf(r)
	text := raw == nil && utf8.Valid(r.Raw)
	if raw == nil {
		raw = r.Raw
	}
	if text {
		buf = append(buf, rawMember...)
	} else {
		buf = append(buf, b64Member...)
	}
	for rest := raw; len(rest) > 0; {
		next := rest[:min(bit, len(rest))]
		rest = rest[len(next):]
		if text {
			buf, _ = appendEscaped(buf, next)
		} else {
			buf = base64.StdEncoding.AppendEncode(buf, next)
		}
		if len(buf) < journalBatch && len(rest) > 0 {
			continue
		}
		if len(rest) == 0 {
			buf = append(buf, lineEnd...)
		}
		if _, err := to.Write(buf); err != nil {
			return err
		}
		buf = buf[:0]
	}
	return nil
}

// meta appends the part of a line before the record's bytes.
func (w *lineWriter) meta(dst []byte, r *a2a.Record) []byte {
	dst = append(dst, `{"id":`...)
	dst = strconv.AppendUint(dst, uint64(r.ID), 10)
	dst = append(dst, w.origin(r)...)
	dst = append(appendFraction(dst, r.Time.Nanosecond()), `Z"`...)
	if beginsExchange(r.Kind) || r.Kind == a2a.KindSurplus { // which may come long after its exchange
		dst = appendJSON(dst, "call", r.Call)
	}
	dst = appendJSON(dst, "head", r.Head)
	dst = appendSSE(dst, r.SSE)
	dst = appendJSON(dst, "end", r.End)
	dst = appendJSON(dst, "note", r.Note)
	if len(r.Redactions) > 0 {
		gone := r.Redactions // so that the record itself need not be on the heap
		dst = appendJSON(dst, "redactions", &gone)
	}
	if r.Torn {
		dst = append(dst, `,"torn":true`...)
	}
	if r.Omitted > 0 {
		dst = append(dst, `,"omitted":`...)
		dst = strconv.AppendInt(dst, int64(r.Omitted), 10)
	}
	if r.PauseTime > 0 {
		dst = append(dst, `,"held":`...)
		dst = strconv.AppendInt(dst, int64(r.PauseTime), 10)
	}
	dst = appendJSON(dst, "coded", r.Coding)
	return appendBinary(dst, r.Binary)
}

// appendBinary appends what a line says of a message that is not JSON: every event of a stream
// over gRPC has it.
func appendBinary(dst []byte, b *a2a.Binary) []byte {
	if b == nil {
		return dst
	}
	dst = append(dst, `,"proto":{"type":"`...)
	dst, _ = appendEscaped(dst, []byte(strings.ToValidUTF8(b.Kind, "\uFFFD")))
	dst = append(dst, '"')
	if b.Rebuilt {
		dst = append(dst, `,"rebuilt":true`...)
	}
	return append(dst, '}')
}

// origin returns the text between a record's number and the fraction of its second: it is the
// same for the many events that a stream has in a second.
func (w *lineWriter) origin(r *a2a.Record) []byte {
	now := origin{r.Exchange, r.Kind, r.Dir, r.Time.Unix()}
	if now == w.last && w.text != nil {
		return w.text
	}
	text := w.text[:0]
	if r.Exchange != 0 {
		text = append(text, `,"exchange":`...)
		text = strconv.AppendUint(text, uint64(r.Exchange), 10)
	}
	text = appendMember(text, "kind", string(r.Kind))
	if r.Dir != a2a.Local {
		text = appendMember(text, "dir", string(r.Dir))
	}
	text = append(text, `,"time":"`...)
	w.last, w.text = now, r.Time.UTC().AppendFormat(text, "2006-01-02T15:04:05")
	return w.text
}

// appendFraction appends nanoseconds as [time.RFC3339Nano] does.
func appendFraction(dst []byte, ns int) []byte {
	if ns == 0 {
		return dst
	}
	const digits = 9
	dst = append(dst, ".000000000"...)
	for i := range digits {
		dst[len(dst)-1-i] = byte('0' + ns%10)
		ns /= 10
	}
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
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
	if f.LateLF {
		dst = append(dst, `,"lateLF":true`...)
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
	dst, _ = appendEscaped(dst, []byte(value))
	return append(dst, '"')
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

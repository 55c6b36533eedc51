package session

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"math/bits"
	"slices"
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

// A lineWriter makes the lines of a journal. It remembers how the newest second is
// written.
type lineWriter struct {
	second int64
	stamp  []byte // up to the second
}

// append appends the line of a record. raw comes last so that a person who reads the
// file sees what a line is before its bytes.
func (w *lineWriter) append(dst []byte, r *a2a.Record) []byte {
	dst = w.meta(dst, r)
	if len(r.Raw) == 0 {
		return append(dst, '}', '\n')
	}
	before := len(dst)
	dst = append(dst, rawMember...)
	dst, plain := appendEscaped(dst, r.Raw)
	if !plain && !utf8.Valid(r.Raw) {
		dst = append(dst[:before], b64Member...)
		dst = base64.StdEncoding.AppendEncode(dst, r.Raw)
	}
	return append(dst, lineEnd...)
}

// The ends of a line: its bytes are written as text when they are UTF-8, else in base64.
const (
	rawMember = `,"raw":"`
	b64Member = `,"b64":"`
	lineEnd   = "\"}\n"
)

// size returns how long the line of a record is.
func (w *lineWriter) size(r *a2a.Record) int64 {
	n := len(w.meta(nil, r)) + len(rawMember) + len(lineEnd)
	if !utf8.Valid(r.Raw) {
		return int64(n + base64.StdEncoding.EncodedLen(len(r.Raw)))
	}
	n += len(r.Raw)
	for _, c := range r.Raw {
		n += int(escapes[c].more)
	}
	return int64(n)
}

// writeGiant writes the line of a record bit by bit.
func writeGiant(to io.Writer, r *a2a.Record) error {
	const bit = 3 << 14 // bytes, of which base64 needs no padding
	buf, text := new(lineWriter).meta(nil, r), utf8.Valid(r.Raw)
	if text {
		buf = append(buf, rawMember...)
	} else {
		buf = append(buf, b64Member...)
	}
	for rest := r.Raw; len(rest) > 0; {
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

// meta appends all of a line that stands before a record's bytes.
func (w *lineWriter) meta(dst []byte, r *a2a.Record) []byte {
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
	dst = append(w.time(dst, r.Time), '"')
	if begins(r.Kind) {
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
	return dst
}

// time appends a time as [time.RFC3339Nano] does. A stream has many events in a second,
// of which only the fraction is new.
func (w *lineWriter) time(dst []byte, t time.Time) []byte {
	if second := t.Unix(); second != w.second || w.stamp == nil {
		w.second = second
		w.stamp = t.UTC().Truncate(time.Second).AppendFormat(w.stamp[:0], "2006-01-02T15:04:05")
	}
	dst = append(dst, w.stamp...)
	if ns := t.Nanosecond(); ns != 0 {
		const digits = 9
		dst = append(dst, ".000000000"...)
		for i := range digits {
			dst[len(dst)-1-i] = byte('0' + ns%10)
			ns /= 10
		}
		dst = bytes.TrimRight(dst, "0")
	}
	return append(dst, 'Z')
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

// An escaped is how a byte is written inside a JSON string.
type escaped struct {
	text [6]byte
	more uint8 // bytes than one; 0 if it stands for itself
}

// escapes has only what JSON demands, so that a journal can be searched with grep.
var escapes = func() (all [256]escaped) {
	set := func(c byte, text string) {
		copy(all[c].text[:], text)
		all[c].more = uint8(len(text) - 1)
	}
	const hex = "0123456789abcdef"
	for c := range byte(' ') {
		set(c, `\u00`+hex[c>>4:c>>4+1]+hex[c&15:c&15+1])
	}
	set('"', `\"`)
	set('\\', `\\`)
	set('\n', `\n`)
	set('\r', `\r`)
	set('\t', `\t`)
	return all
}()

// appendEscaped appends s as the inside of a JSON string, and reports whether all of it is
// ASCII. What needs no escape is copied eight bytes at a time: there are quotes in every
// body, a few words apart, so that a call for each run would cost more than the copy.
func appendEscaped(dst, s []byte) (out []byte, ascii bool) {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
		word  = 8
	)
	var seen uint64
	i := 0
	for i+word <= len(s) {
		if cap(dst)-len(dst) < 2*word {
			dst = slices.Grow(dst, len(s)-i+(len(s)-i)/4+2*word)
		}
		w := binary.LittleEndian.Uint64(s[i:])
		quote, slash := w^'"'*ones, w^'\\'*ones
		stop := (((w - ' '*ones) &^ w) | ((quote - ones) &^ quote) | ((slash - ones) &^ slash)) & highs
		n := len(dst)
		binary.LittleEndian.PutUint64(dst[n:n+word], w)
		if stop == 0 {
			seen |= w
			dst, i = dst[:n+word], i+word
			continue
		}
		// The lowest mark is exact: a borrow only disturbs bytes above it.
		clean := bits.TrailingZeros64(stop) / 8
		e := &escapes[s[i+clean]]
		seen |= w & (1<<(8*clean) - 1)
		dst = append(dst[:n+clean], e.text[:e.more+1]...)
		i += clean + 1
	}
	for _, c := range s[i:] {
		seen |= uint64(c)
		if e := &escapes[c]; e.more > 0 {
			dst = append(dst, e.text[:e.more+1]...)
		} else {
			dst = append(dst, c)
		}
	}
	return dst, seen&highs == 0
}

package sse

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// A Frame is one event of a stream. Its slices belong to the caller and are never
// written again; Data may be a part of Raw, so neither may be changed in place.
type Frame struct {
	// Raw is what the connection brought: the event with its blank line, and before it what
	// dispatched nothing by itself.
	Raw []byte
	// LateLF reports that the connection brought an LF before Raw that belongs to the previous
	// frame: its blank line ends with CRLF, and it was returned when the CR was there and the
	// LF was not.
	LateLF bool
	// Data is the values of the data lines, joined by LF. It is nil if Omitted is not zero.
	Data []byte
	// Event, ID and Retry are the last values of these fields, as received. ID and
	// Retry may come from an earlier block without data.
	Event, ID, Retry string
	// HasData reports that there was a data line, even an empty one.
	HasData bool
	// Torn reports that the stream ended before the blank line. The caller decides by Data
	// whether the frame is nevertheless complete.
	Torn bool
	// Unprefixed reports that Data is JSON only with lines that lacked "data:". Such a frame
	// may have no data line at all.
	Unprefixed bool
	// Omitted is the number of bytes at the end of the frame that were read but not kept
	// because it exceeds the limit.
	Omitted int
}

// Bytes returns the bytes that the connection brought since the previous frame was returned, as
// far as they were kept: Raw, after a late LF if there is one.
func (f *Frame) Bytes() []byte {
	if !f.LateLF {
		return f.Raw
	}
	return append([]byte{'\n'}, f.Raw...)
}

// Size returns how many bytes the connection brought since the previous frame was returned,
// including those that were not kept.
func (f *Frame) Size() int {
	n := len(f.Raw) + f.Omitted
	if f.LateLF {
		n++
	}
	return n
}

// A line is the value of one data line, or one whole line that is not a field: bytes [off, end)
// of the frame.
type line struct {
	off, end   int32
	unprefixed bool
}

// keepLines is the room for lines that is kept from one frame to the next.
const keepLines = 1 << 12

// block collects the fields of the frame that is being read.
type block struct {
	lines            []line
	event, id, retry string
	lastEvent        string // names repeat: most frames need no new string
	hasData          bool
	unprefixed       bool // a line is unprefixed
}

// add adds one line without its end. It begins at offset off of the frame.
func (b *block) add(text []byte, off int) {
	name, value, colon := bytes.Cut(text, []byte(":"))
	at := off + len(text) - len(value)
	if colon && len(value) > 0 && value[0] == ' ' {
		value = value[1:]
		at++
	}
	switch string(name) {
	case "data":
		b.hasData = true
		b.lines = append(b.lines, line{int32(at), int32(at + len(value)), false})
	case "event":
		if string(value) != b.lastEvent {
			b.lastEvent = string(value)
		}
		b.event = b.lastEvent
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			b.id = string(value)
		}
	case "retry":
		b.retry = string(value)
	case "": // a comment
	default:
		if len(b.lines) > 0 || text[0] == '{' || text[0] == '[' {
			b.unprefixed = true
			b.lines = append(b.lines, line{int32(off), int32(off + len(text)), true})
		}
	}
}

// data joins the lines of the frame raw. The standard ignores lines that are not fields; they
// count only if the result is JSON with them and not without, or if the result without them is
// incomplete JSON: then they contain the fault.
func (b *block) data(raw []byte) (data []byte, unprefixed bool) {
	data = b.join(raw, false)
	if b.unprefixed && !json.Valid(data) {
		if whole := b.join(raw, true); json.Valid(whole) || b.continued(raw) && cutShort(data) {
			return whole, true
		}
	}
	return data, false
}

// continued reports whether every line without a field name may continue JSON.
func (b *block) continued(raw []byte) bool {
	for _, l := range b.lines {
		text := bytes.TrimLeft(raw[l.off:l.end], " \t")
		if l.unprefixed && len(text) > 0 && bytes.IndexByte([]byte(`"{}[],-0123456789`), text[0]) < 0 {
			return false
		}
	}
	return true
}

// cutShort reports whether data is the beginning of a JSON object or array.
func cutShort(data []byte) bool {
	if len(data) == 0 || data[0] != '{' && data[0] != '[' {
		return false
	}
	var v json.RawMessage
	return errors.Is(json.NewDecoder(bytes.NewReader(data)).Decode(&v), io.ErrUnexpectedEOF)
}

func (b *block) join(raw []byte, unprefixed bool) []byte {
	size, count := 0, 0
	var first line
	for _, l := range b.lines {
		if unprefixed || !l.unprefixed {
			if count == 0 {
				first = l
			}
			count++
			size += int(l.end-l.off) + 1
		}
	}
	switch count {
	case 0:
		return nil
	case 1:
		return raw[first.off:first.end:first.end]
	}
	data := make([]byte, 0, size)
	for _, l := range b.lines {
		if unprefixed || !l.unprefixed {
			data = append(data, raw[l.off:l.end]...)
			data = append(data, '\n')
		}
	}
	return data[: len(data)-1 : len(data)-1]
}

// clear forgets the lines and the event name, as a blank line does.
func (b *block) clear() {
	b.lines = b.lines[:0]
	if cap(b.lines) > keepLines {
		b.lines = nil
	}
	b.event, b.hasData, b.unprefixed = "", false, false
}

// reset forgets everything, as a dispatched frame does.
func (b *block) reset() {
	b.clear()
	b.id, b.retry = "", ""
}

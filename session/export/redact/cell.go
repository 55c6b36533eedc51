package redact

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// A cell is a part of a body that can be masked without breaking what is around it.
type cell struct {
	kind     cellKind
	name     bool // of a member
	from, to int  // of its content: a string without its quotation marks
}

type cellKind uint8

const (
	cellText   cellKind = iota // of a body that is not JSON
	cellString                 // of JSON, with its escapes
	cellNumber                 // of JSON, or another value without quotation marks
)

// cut divides a body into cells; a frame of a stream is divided line by line.
func cut(b []byte, frame bool) []cell {
	if !frame {
		return cutBody(nil, b, 0)
	}
	var cells []cell
	for from := 0; from < len(b); {
		end := len(b)
		if n := bytes.IndexAny(b[from:], "\r\n"); n >= 0 {
			end = from + n
		}
		start := from
		if field, _, found := bytes.Cut(b[from:end], []byte{':'}); found && !bytes.ContainsAny(field, "{[\"") {
			start = from + len(field) + 1
			if !isField(field) { // readers ignore it, so that its name may be anything
				cells = append(cells, cell{kind: cellText, name: true, from: from, to: start - 1})
			}
		}
		cells = cutBody(cells, b[:end], start)
		from = end + 1
	}
	return cells
}

// isField reports whether a name is that of a field of a stream's frame, without which the frame
// could not be read.
func isField(name []byte) bool {
	switch string(name) {
	case "data", "event", "id", "retry":
		return true
	}
	return false
}

// cutBody divides the bytes from an offset on.
func cutBody(cells []cell, b []byte, from int) []cell {
	text := bytes.TrimLeft(b[from:], " \t\r\n\xEF\xBB\xBF")
	if len(text) == 0 {
		return cells
	}
	switch first := text[0]; {
	case json.Valid(text), first == '{' || first == '[' || first == '"' || first == '}' || first == ']':
		return cutJSON(cells, b, from)
	default:
		return append(cells, cell{kind: cellText, from: from, to: len(b)})
	}
}

// cutJSON finds the strings and numbers of JSON, also of a broken one.
func cutJSON(cells []cell, b []byte, from int) []cell {
	for i := from; i < len(b); {
		switch c := b[i]; {
		case c == '"':
			end := i + 1
			for end < len(b) && b[end] != '"' {
				if b[end] == '\\' && end+1 < len(b) {
					end++
				}
				end++
			}
			rest := bytes.TrimLeft(b[min(end+1, len(b)):], " \t\r\n")
			cells = append(cells, cell{kind: cellString, name: len(rest) > 0 && rest[0] == ':', from: i + 1, to: min(end, len(b))})
			i = end + 1
		case bytes.IndexByte([]byte("{}[]:, \t\r\n"), c) >= 0:
			i++
		default:
			end := i
			for end < len(b) && bytes.IndexByte([]byte("{}[]:, \t\r\n\""), b[end]) < 0 {
				end++
			}
			cells = append(cells, cell{kind: cellNumber, from: i, to: end})
			i = end
		}
	}
	return cells
}

// text returns the text of a cell without escapes, and the offset in b of one in the text.
func (c cell) text(b []byte) (string, func(int) int) {
	raw := b[c.from:c.to]
	if c.kind != cellString || bytes.IndexByte(raw, '\\') < 0 {
		return string(raw), func(i int) int { return c.from + i }
	}
	var out []byte
	var at []int // for every byte of out, where it began
	for i := 0; i < len(raw); {
		r, size := unescape(raw[i:])
		before := len(out)
		if r < 0 {
			out = append(out, raw[i:i+size]...)
		} else {
			out = utf8.AppendRune(out, r)
		}
		for range len(out) - before {
			at = append(at, c.from+i)
		}
		i += size
	}
	at = append(at, c.to)
	return string(out), func(i int) int { return at[i] }
}

// unescape returns the character at the beginning of the content of a string, and its length; -1
// for bytes that stand for themselves.
func unescape(b []byte) (rune, int) {
	if b[0] != '\\' || len(b) < 2 {
		return -1, 1
	}
	switch b[1] {
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'u':
		high, ok := hex(b)
		if !ok {
			return -1, 2
		}
		if low, ok := hex(b[6:]); ok && utf16.IsSurrogate(high) {
			if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
				return r, 12
			}
		}
		return high, 6
	default:
		return rune(b[1]), 2
	}
}

// hex returns the code unit of a \u escape.
func hex(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n), err == nil
}

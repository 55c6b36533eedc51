package httphead

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// IsTLS reports whether bytes begin with a record of TLS: an alert or a handshake.
func IsTLS(b []byte) bool {
	return len(b) >= 3 && (b[0] == 21 || b[0] == 22) && b[1] == 3 && b[2] <= 4
}

// IsHTTP2 reports whether bytes begin with a frame with which only a server of HTTP/2 begins:
// SETTINGS or GOAWAY, on stream 0 (RFC 9113, 3.4).
func IsHTTP2(b []byte) bool {
	const header = 9
	return len(b) >= header && b[0] == 0 && (b[3] == 4 || b[3] == 7) && bytes.Equal(b[5:header], []byte{0, 0, 0, 0})
}

// ResponseFault says what is wrong with the head of a response, empty if no check fails: the
// grammar of RFC 9112, 4 and 5, and the headers that determine the length of the body.
func ResponseFault(got Message) string {
	head := got.Final()
	line := StartLine(head)
	if _, code := Status(line); code == 0 {
		return "its first line is not a status line"
	}
	return fieldsFault(head)
}

// RequestFault says what is wrong with the head of a request, empty if no check fails.
func RequestFault(head []byte) string {
	line := StartLine(head)
	if words := strings.Split(line, " "); len(words) != 3 || !strings.HasPrefix(words[2], "HTTP/") {
		return "its first line is not a request line"
	}
	if fault := fieldsFault(head); fault != "" {
		return fault
	}
	hosts := 0
	for _, f := range Fields(head, false) {
		if f.Key() == "Host" {
			hosts++
		}
	}
	switch {
	case hosts == 0 && strings.HasSuffix(line, "/1.1"):
		return "it has no Host header"
	case hosts > 1:
		return "it has several Host headers"
	}
	return ""
}

// fieldsFault says what is wrong with the fields of a head, empty if no check fails.
func fieldsFault(head []byte) string {
	lengths := map[string]bool{}
	for i, f := range Fields(head, false) {
		if fault := fieldFault(i, &f); fault != "" {
			return fault
		}
		switch key := f.Key(); key {
		case "Content-Length":
			if _, err := strconv.ParseUint(f.Value, 10, 63); err != nil {
				return "its Content-Length is not a number"
			}
			if lengths[f.Value] = true; len(lengths) > 1 {
				return "it has several Content-Length headers that differ"
			}
		case "Transfer-Encoding":
			if !strings.EqualFold(f.Value, "chunked") {
				return "its Transfer-Encoding is not “chunked”, the only one that Parley supports"
			}
		}
	}
	return ""
}

// fieldFault says what is wrong with the field line with index i.
func fieldFault(i int, f *Field) string {
	nth := "line " + strconv.Itoa(i+2)
	name := strings.TrimRight(f.Name, " \t")
	switch {
	case f.Line[0] == ' ' || f.Line[0] == '\t':
		return nth + " begins with white space, as if it continued a header, but no header precedes it"
	case bytes.IndexByte(f.Line, ':') < 0:
		return nth + " has no colon"
	case name == "":
		return nth + " has a header without a name"
	}
	for _, c := range []byte(name) {
		if NotToken(rune(c)) {
			return fmt.Sprintf("the name of the header in %s contains %s", nth, byteName(c))
		}
	}
	for i := range len(f.Value) {
		c := f.Value[i]
		folded := c == '\r' && i+1 < len(f.Value) && f.Value[i+1] == '\n' || c == '\n'
		if (c < ' ' && c != '\t' || c == 0x7f) && !folded {
			return fmt.Sprintf("the header %s contains %s", name, byteName(c))
		}
	}
	return ""
}

// byteName names a byte for a sentence.
func byteName(c byte) string {
	switch {
	case c < ' ' || c == 0x7f:
		return fmt.Sprintf("a control character (U+%04X)", c)
	case c >= 0x80:
		return fmt.Sprintf("the byte %#X, which is not ASCII", c)
	default:
		return "“" + string(rune(c)) + "”"
	}
}

// NotToken reports whether a character cannot stand in a token of HTTP, which methods and
// names of headers are (RFC 9110, 5.6.2).
func NotToken(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r)
}

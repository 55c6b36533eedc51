package httphead

import (
	"bytes"
	"net/textproto"
	"strconv"
	"strings"
)

// A Message is the framing of one HTTP/1.x message: all of it except its body.
type Message struct {
	// Head is the bytes of the head, from its first line to its blank line, preceded
	// by the informational heads (1xx) that came before it.
	Head []byte
	// Complete is set once the blank line of the final head was read.
	Complete bool
	// Omitted counts the bytes of a head beyond the limit, which are not kept.
	Omitted int
	// Trailer is the part after the last chunk of a chunked body, including its blank line.
	// Without trailer fields it is only the blank line.
	Trailer []byte
	// Fault says what is wrong with the chunks of the body, empty if nothing is.
	Fault string

	method  string // of the request that a response answers
	started int    // where in Head the newest head begins
}

// Final returns the last head of m without the informational ones before it.
func (m *Message) Final() []byte { return m.Head[m.started:] }

// StartLine returns the first line of a head without its end.
func StartLine(head []byte) string {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	return string(bytes.TrimSuffix(line, []byte{'\r'}))
}

// Status reads a status line. The code is 0 if the line is not one.
func Status(line string) (proto string, code int) {
	proto, rest, _ := strings.Cut(line, " ")
	if !strings.HasPrefix(proto, "HTTP/") {
		return "", 0
	}
	digits, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	code, err := strconv.Atoi(digits)
	if err != nil || len(digits) != 3 || code < 100 {
		return proto, 0
	}
	return proto, code
}

// A Field is one field line of a head. Its parts are ranges of the head's bytes.
type Field struct {
	// Line is the whole line with its end, continuation lines included.
	Line []byte
	// Name is the text before the colon, empty if there is no colon.
	Name string
	// Value is the text after the colon, without the white space around it. At is its beginning
	// in the line. For a line without a colon it is the whole line.
	Value string
	At    int
}

// Key returns the name of a field in the spelling of net/http.
func (f *Field) Key() string { return textproto.CanonicalMIMEHeaderKey(f.Name) }

// Fields returns the field lines of one head, whose first line is its start line, or
// of a trailer, which has none. Lines that begin with white space belong to the one
// before them.
func Fields(head []byte, trailer bool) []Field {
	var fields []Field
	for first := !trailer; len(head) > 0; first = false {
		n := lineLength(head)
		if !first {
			if blank(head[:n]) {
				break
			}
			for n < len(head) && (head[n] == ' ' || head[n] == '\t') {
				n += lineLength(head[n:])
			}
			fields = append(fields, field(head[:n]))
		}
		head = head[n:]
	}
	return fields
}

func field(line []byte) Field {
	f := Field{Line: line}
	if colon := bytes.IndexByte(line, ':'); colon >= 0 {
		f.Name, f.At = string(line[:colon]), colon+1
	}
	for f.At < len(line) && strings.IndexByte(" \t\r\n", line[f.At]) >= 0 {
		f.At++
	}
	f.Value = strings.TrimRight(string(line[f.At:]), " \t\r\n")
	return f
}

// Split divides the bytes of [Message.Head] into its heads, each with its blank line.
func Split(heads []byte) [][]byte {
	var all [][]byte
	begin := 0
	for at := 0; at < len(heads); {
		n := lineLength(heads[at:])
		if at > begin && blank(heads[at:at+n]) {
			all = append(all, heads[begin:at+n])
			begin = at + n
		}
		at += n
	}
	if begin < len(heads) {
		all = append(all, heads[begin:])
	}
	return all
}

// lineLength returns the length of the first line of b with its end.
func lineLength(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

// blank reports whether a line, which may lack its end, is empty.
func blank(line []byte) bool {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return len(bytes.TrimSuffix(line, []byte{'\r'})) == 0
}

package relay

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"parley/a2a/httphead"
)

// requestHead reads the head of a request.
func requestHead(at time.Time, wire []byte) Head {
	line := httphead.StartLine(wire)
	h := Head{Time: at, Wire: wire}
	h.Method, line, _ = strings.Cut(line, " ")
	h.URI, h.Proto, _ = strings.Cut(line, " ")
	h.Header = header(wire, false)
	h.Host = h.Header.Get("Host")
	delete(h.Header, "Host")
	return h
}

// responseHead reads the head of a response. Early are the informational heads before it.
func responseHead(at time.Time, early, wire []byte) Head {
	h := Head{Time: at, Wire: wire, Early: early}
	h.Proto, h.Status = httphead.Status(httphead.StartLine(wire))
	h.Header = header(wire, false)
	return h
}

// header returns the fields of a head or a trailer.
func header(wire []byte, trailer bool) http.Header {
	h := http.Header{}
	for _, f := range httphead.Fields(wire, trailer) {
		if f.Name != "" {
			h[f.Key()] = append(h[f.Key()], unfold(f.Value))
		}
	}
	return h
}

// unfold joins the lines of a value.
func unfold(value string) string {
	if !strings.Contains(value, "\n") {
		return value
	}
	lines := strings.Split(value, "\n")
	for i, line := range lines {
		lines[i] = strings.Trim(line, " \t\r")
	}
	return strings.Join(lines, " ")
}

// A fault says why a relay does not pass on a request.
type fault struct {
	status   int
	sentence string
}

func bad(sentence string) *fault { return &fault{http.StatusBadRequest, sentence} }

// checkBegin says what is wrong with the beginning of a request, of which there may be more.
func checkBegin(b []byte) *fault {
	if len(b) == 0 {
		return nil
	}
	if b[0] < 'A' || b[0] > 'z' {
		return bad("This is not a request of HTTP.")
	}
	line, _, whole := bytes.Cut(b, []byte{'\n'})
	if !whole {
		return nil
	}
	words := strings.Split(string(bytes.TrimSuffix(line, []byte{'\r'})), " ")
	switch {
	case len(words) == 2 && words[0] == "GET":
		return &fault{http.StatusHTTPVersionNotSupported, "The request is of HTTP/0.9, which has no heads; a tap passes on HTTP/1.0 and newer."}
	case len(words) != 3 || words[1] == "":
		return bad("The first line is not a request of HTTP: it needs a method, a target and a version, with a space between them.")
	case words[2] != "HTTP/1.1" && words[2] != "HTTP/1.0":
		return &fault{http.StatusHTTPVersionNotSupported, "The request is of a version of HTTP that a tap does not pass on; it knows HTTP/1.0, HTTP/1.1 and HTTP/2."}
	}
	return nil
}

// checkRequest says what is wrong with a whole head: whatever lets two readers disagree about
// where the request ends or whom it is for (RFC 9112, 5.1, 5.2, 6.3 and 11.2).
func checkRequest(h *Head) *fault {
	if i := bytes.IndexByte(bytes.ReplaceAll(h.Wire, []byte("\r\n"), nil), '\r'); i >= 0 || bytes.IndexByte(h.Wire, 0) >= 0 {
		return bad("The head of the request contains a zero byte or a carriage return within a line.")
	}
	count := map[string]int{}
	for _, f := range httphead.Fields(h.Wire, false) {
		name := http.CanonicalHeaderKey(strings.TrimSpace(f.Name))
		switch {
		case strings.Contains(strings.TrimRight(string(f.Line), "\r\n"), "\n"):
			return bad("The head of the request contains a folded line, which HTTP no longer allows.")
		case name != f.Key() && (name == "Content-Length" || name == "Transfer-Encoding" || name == "Host"):
			return bad("The head of the request has white space around the name " + name + ".")
		case f.Line[0] == ' ' || f.Line[0] == '\t':
			return bad("The head of the request has a field that begins with white space.")
		}
		count[name]++
	}
	if f := checkFraming(h, count); f != nil {
		return f
	}
	switch {
	case count["Host"] > 1:
		return bad("The request has two fields Host.")
	case count["Host"] == 0 && h.Proto == "HTTP/1.1":
		return bad("The request has no field Host.")
	}
	return nil
}

func checkFraming(h *Head, count map[string]int) *fault {
	length, coding := h.Header.Get("Content-Length"), h.Header.Get("Transfer-Encoding")
	switch {
	case count["Content-Length"] > 0 && count["Transfer-Encoding"] > 0:
		return bad("The request has both Content-Length and Transfer-Encoding, so that its end is ambiguous.")
	case count["Content-Length"] > 1:
		return bad("The request has two fields Content-Length.")
	case count["Content-Length"] == 1 && (len(length) > 18 || strings.Trim(length, "0123456789") != "" || length == ""):
		return bad("The Content-Length of the request is not a number.")
	case count["Transfer-Encoding"] > 1:
		return bad("The request has two fields Transfer-Encoding.")
	case count["Transfer-Encoding"] == 1 && !strings.EqualFold(coding, "chunked"):
		return bad("The Transfer-Encoding of the request is not “chunked”, the only one whose end is known.")
	case count["Transfer-Encoding"] == 1 && h.Proto == "HTTP/1.0":
		return bad("The request has a Transfer-Encoding, which HTTP/1.0 does not have.")
	}
	return nil
}

// lists reports whether a field of a head, such as Connection, lists a word.
func lists(h http.Header, name, word string) bool {
	for _, value := range h[name] {
		for part := range strings.SplitSeq(value, ",") {
			if strings.EqualFold(strings.TrimSpace(part), word) {
				return true
			}
		}
	}
	return false
}

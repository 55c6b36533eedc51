package a2a

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"parley/a2a/httphead"
)

// headFailure completes the end of an exchange whose answer begins with bytes that net/http
// does not accept as a head.
func headFailure(end End, host string, got httphead.Message) End {
	end.Reason, end.Class = Cut, ClassBody
	line := httphead.StartLine(got.Final())
	switch {
	case isTLS(got.Head):
		end.Reason, end.Class = Refused, ClassTLS
		end.Sentence = host + " speaks TLS on this port, but the request was not encrypted: write https:// instead of http://."
	case isHTTP2(got.Head):
		end.Reason, end.Class = Refused, ClassUnsupported
		end.Sentence = host + " speaks only HTTP/2, which Parley cannot negotiate without TLS: write grpc:// if this is a gRPC endpoint, use its https:// address, or enable HTTP/1.1 on the agent."
	case got.Omitted > 0 || len(got.Head) >= maxHead:
		end.Sentence = fmt.Sprintf("%s answered with a head of more than %d MB; Parley stopped reading there: check the agent's log.", host, maxHead>>20)
	case !strings.HasPrefix(line, "HTTP/"):
		end.Sentence = host + " answered with something that is not HTTP: check the port, and whether it requires https://."
	case !got.Complete:
		end.Class = ClassCut
		end.Sentence = fmt.Sprintf("%s closed the connection in the middle of the head of its answer, after %s of it. "+
			"The agent may have crashed: check its log, then try again.", host, bytesText(int64(len(got.Head))))
	default:
		fault := cmp.Or(headFault(got), "see the received bytes") // net/http found a fault that is not checked here
		end.Sentence = fmt.Sprintf("%s answered with a head that HTTP does not allow: %s. Parley did not read the rest; repair the agent, or the proxy in front of it.", host, fault)
	}
	return end
}

// isTLS reports whether bytes begin with a record of TLS: an alert or a handshake.
func isTLS(b []byte) bool {
	return len(b) >= 3 && (b[0] == 21 || b[0] == 22) && b[1] == 3 && b[2] <= 4
}

// isHTTP2 reports whether bytes begin with a frame with which only a server of HTTP/2 begins:
// SETTINGS or GOAWAY, on stream 0 (RFC 9113, 3.4).
func isHTTP2(b []byte) bool {
	const header = 9
	return len(b) >= header && b[0] == 0 && (b[3] == 4 || b[3] == 7) && bytes.Equal(b[5:header], []byte{0, 0, 0, 0})
}

// headFault says what is wrong with the head of a response, empty if no check fails: the
// grammar of RFC 9112, 4 and 5, and the headers that determine the length of the body.
func headFault(got httphead.Message) string {
	head := got.Final()
	line := httphead.StartLine(head)
	if _, code := httphead.Status(line); code == 0 {
		return "its first line is not a status line"
	}
	return fieldsFault(head)
}

// requestFault says what is wrong with the head of a request, empty if no check fails.
func requestFault(head []byte) string {
	line := httphead.StartLine(head)
	if words := strings.Split(line, " "); len(words) != 3 || !strings.HasPrefix(words[2], "HTTP/") {
		return "its first line is not a request line"
	}
	if fault := fieldsFault(head); fault != "" {
		return fault
	}
	hosts := 0
	for _, f := range httphead.Fields(head, false) {
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
	for i, f := range httphead.Fields(head, false) {
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
func fieldFault(i int, f *httphead.Field) string {
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

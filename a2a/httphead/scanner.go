package httphead

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// state says what the next bytes of a direction are.
type state uint8

const (
	idle      state = iota // nothing is expected: bytes are kept for the next message
	inHead                 // lines of a head
	inBody                 // as many as length says
	inSize                 // the line with the size of a chunk
	inData                 // a chunk, of which length bytes are left
	afterData              // the line end behind a chunk
	inTrailer              // lines after the last chunk
	untilEnd               // a body that ends with the connection, or bytes that are not HTTP
)

// maxSizeLine is the longest line with the size of a chunk that is read.
const maxSizeLine = 16 << 10

// A scanner follows the messages of one direction of a connection, given its bytes in
// pieces of any size. It keeps heads and skips bodies.
type scanner struct {
	limit    int  // bytes of a head that are kept
	requests bool // the messages are requests
	unbound  bool // messages begin without begin, as a server sees requests

	state   state
	message *Message   // that is being read, nil while idle
	queue   []*Message // that began without begin and were not taken yet
	pending []byte     // what came while idle
	line    int        // bytes of the current line of a head or trailer so far
	bare    bool       // which contain at most a CR
	first   bool       // the line is the first one of its head
	length  int64      // remaining bytes of the body or chunk
	size    []byte     // the line with the size of a chunk so far
}

// begin starts a message. Method is that of the request which a response answers.
func (s *scanner) begin(method string) *Message {
	s.message = &Message{method: method}
	s.enterHead()
	if early := s.pending; len(early) > 0 {
		m := s.message
		s.pending = nil
		s.scan(early)
		return m
	}
	return s.message
}

// take returns the oldest message that began without begin, nil if there is none.
func (s *scanner) take() *Message {
	if len(s.queue) == 0 {
		return nil
	}
	m := s.queue[0]
	s.queue = s.queue[1:]
	return m
}

func (s *scanner) enterHead() {
	s.state, s.line, s.bare, s.first = inHead, 0, true, true
	s.message.started = len(s.message.Head)
}

// scan reads the next bytes.
func (s *scanner) scan(b []byte) {
	for len(b) > 0 {
		n := 0
		switch s.state {
		case inHead:
			n = s.head(b)
		case inBody, inData:
			n = s.body(b)
		case inSize:
			n = s.chunkSize(b)
		case afterData:
			n = s.chunkEnd(b)
		case inTrailer:
			n = s.trailer(b)
		case untilEnd:
			return
		case idle:
			if s.unbound {
				// Empty lines before a request belong to none (RFC 9112, 2.2).
				if b = bytes.TrimLeft(b, "\r\n"); len(b) == 0 {
					return
				}
				s.queue = append(s.queue, s.begin(""))
				continue
			}
			s.pending = append(s.pending, b[:min(len(b), max(s.limit-len(s.pending), 0))]...)
			return
		}
		b = b[n:]
	}
}

// head takes bytes of a head, up to its end.
func (s *scanner) head(b []byte) int {
	n, ended := s.lines(b)
	s.message.keep(b[:n], s.limit)
	if ended {
		s.endHead()
	}
	return n
}

// lines counts the bytes up to the end of the blank line that ends a head or trailer.
func (s *scanner) lines(b []byte) (n int, ended bool) {
	for n < len(b) {
		end := bytes.IndexByte(b[n:], '\n')
		piece := b[n:]
		if end >= 0 {
			piece = b[n : n+end]
		}
		s.bare = s.bare && (len(piece) == 0 || s.line == 0 && len(piece) == 1 && piece[0] == '\r')
		s.line += len(piece)
		n += len(piece)
		if end < 0 {
			return n, false
		}
		n++
		if s.bare && !s.first {
			return n, true
		}
		s.line, s.bare, s.first = 0, true, false
	}
	return n, false
}

func (m *Message) keep(b []byte, limit int) {
	room := min(len(b), max(limit-len(m.Head), 0))
	m.Head = append(m.Head, b[:room]...)
	m.Omitted += len(b) - room
}

// endHead decides what follows a complete head.
func (s *scanner) endHead() {
	m, head := s.message, s.message.Final()
	line := StartLine(head)
	_, code := Status(line)
	if !s.requests && m.Omitted == 0 && code >= 100 && code < 200 && code != 101 {
		s.enterHead() // the final head follows
		return
	}
	m.Complete = true
	switch {
	case m.Omitted > 0: // the framing of its body may be in the omitted bytes
		s.state = untilEnd
	case s.requests && strings.HasSuffix(line, " HTTP/2.0"): // the preface of a connection that continues in frames
		s.state = untilEnd
	case s.requests:
		s.startBody(head, false)
	case code == 0 || code == 101, m.method == "CONNECT" && code < 300:
		s.state = untilEnd
	case m.method == "HEAD" || code == 204 || code == 304:
		s.end()
	default:
		s.startBody(head, true)
	}
}

// startBody determines the length of the body after a head. Without framing headers a response has
// a body up to the end of the connection and a request has none.
func (s *scanner) startBody(head []byte, response bool) {
	length := int64(-1)
	for _, f := range Fields(head, false) {
		switch f.Key() {
		case "Transfer-Encoding":
			if strings.EqualFold(f.Value, "chunked") {
				s.state, s.size = inSize, s.size[:0]
				return
			}
			s.state = untilEnd
			return
		case "Content-Length":
			if n, err := strconv.ParseInt(f.Value, 10, 64); err == nil && n >= 0 {
				length = n
			}
		}
	}
	switch {
	case length > 0:
		s.state, s.length = inBody, length
	case length < 0 && response:
		s.state = untilEnd
	default:
		s.end()
	}
}

// end is called after the last byte of a message.
func (s *scanner) end() { s.state, s.message = idle, nil }

// body skips bytes of a body or a chunk.
func (s *scanner) body(b []byte) int {
	n := int(min(int64(len(b)), s.length))
	s.length -= int64(n)
	if s.length > 0 {
		return n
	}
	if s.state == inData {
		s.state, s.size = afterData, s.size[:0]
	} else {
		s.end()
	}
	return n
}

// chunkSize takes the line with the size of a chunk.
func (s *scanner) chunkSize(b []byte) int {
	n := lineLength(b)
	s.size = append(s.size, b[:n]...)
	if b[n-1] != '\n' {
		if len(s.size) > maxSizeLine {
			s.fault("the line with the length of a chunk has no end")
		}
		return n
	}
	line := s.size
	if i := bytes.IndexByte(line, ';'); i >= 0 {
		line = line[:i]
	}
	line = bytes.TrimRight(line, " \t\r\n")
	size, err := strconv.ParseUint(string(line), 16, 60)
	switch {
	case err != nil || len(line) > 60/4:
		s.fault(fmt.Sprintf("%s is not the length of a chunk", quote(string(line))))
	case size == 0:
		s.state, s.line, s.bare, s.first = inTrailer, 0, true, false
	default:
		s.state, s.length = inData, int64(size)
	}
	return n
}

// chunkEnd takes the line end behind a chunk.
func (s *scanner) chunkEnd(b []byte) int {
	n := min(len(b), len("\r\n")-len(s.size))
	s.size = append(s.size, b[:n]...)
	switch {
	case !strings.HasPrefix("\r\n", string(s.size)):
		s.fault(fmt.Sprintf("a chunk is longer than its length: %s is where it should end", quote(string(s.size)+string(b[n:min(len(b), n+maxQuote)]))))
	case len(s.size) == len("\r\n"):
		s.state, s.size = inSize, s.size[:0]
	}
	return n
}

// trailer takes what follows the last chunk.
func (s *scanner) trailer(b []byte) int {
	n, ended := s.lines(b)
	m := s.message
	m.Trailer = append(m.Trailer, b[:min(n, max(s.limit-len(m.Trailer), 0))]...)
	if ended {
		s.end()
	}
	return n
}

// fault stops reading a message whose chunks are wrong.
func (s *scanner) fault(what string) {
	s.message.Fault = what
	s.state = untilEnd
}

// maxQuote is how much of a fault is quoted: too little to reveal a secret.
const maxQuote = 7

func quote(s string) string {
	if s == "" {
		return "nothing"
	}
	if len(s) > maxQuote {
		return strconv.QuoteToASCII(s[:maxQuote]) + "…"
	}
	return strconv.QuoteToASCII(s)
}

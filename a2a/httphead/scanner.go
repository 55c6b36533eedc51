package httphead

import (
	"bytes"
	"strings"
)

// state says what the next bytes of a direction are.
type state uint8

const (
	idle   state = iota // nothing is expected
	inHead              // lines of a head
	inBody              // what the framing says
	opaque              // nothing is known of them
)

// A scanner follows the messages of one direction of a connection, given its bytes in
// pieces of any size. It keeps heads and skips bodies.
type scanner struct {
	limit    int  // bytes of a head that are kept
	requests bool // the messages are requests
	unbound  bool // messages begin without begin, as a server sees requests

	state   state
	message *Message   // that is being read, nil while idle
	queue   []*Message // that began without begin and were not taken yet
	pending []byte     // what came before the first message
	lines   lines      // of the head
	framing Framing    // of the body
}

// begin starts a message. Method is that of the request which a response answers.
func (s *scanner) begin(method string) *Message {
	s.message = &Message{method: method}
	s.enterHead()
	if early := s.pending; len(early) > 0 {
		m := s.message
		s.pending = nil
		s.scan(early) // what it leaves is lost; the connection is closed for it
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
	s.state, s.lines = inHead, headLines()
	s.message.started = len(s.message.Head)
}

// scan reads the next bytes, and returns those that belong to no message.
func (s *scanner) scan(b []byte) (rest []byte) {
	for len(b) > 0 {
		n := 0
		switch s.state {
		case inHead:
			n = s.head(b)
		case inBody:
			n = s.body(b)
		case opaque:
			return nil
		case idle:
			if !s.unbound {
				return b
			}
			// Empty lines before a request belong to none (RFC 9112, 2.2).
			if b = bytes.TrimLeft(b, "\r\n"); len(b) == 0 {
				return nil
			}
			s.queue = append(s.queue, s.begin(""))
			continue
		}
		b = b[n:]
	}
	return nil
}

// wait keeps bytes that came before the first message for it.
func (s *scanner) wait(b []byte) {
	s.pending = append(s.pending, b[:min(len(b), max(s.limit-len(s.pending), 0))]...)
}

// head takes bytes of a head, up to its end.
func (s *scanner) head(b []byte) int {
	n, ended := s.lines.take(b)
	s.message.keep(b[:n], s.limit)
	if ended {
		s.endHead()
	}
	return n
}

func (m *Message) keep(b []byte, limit int) {
	room := min(len(b), max(limit-len(m.Head), 0))
	m.Head = append(m.Head, b[:room]...)
	m.Omitted += len(b) - room
}

// endHead decides what follows a complete head.
func (s *scanner) endHead() {
	m, head := s.message, s.message.Final()
	_, code := Status(StartLine(head))
	if !s.requests && m.Omitted == 0 && code >= 100 && code < 200 && code != 101 {
		s.enterHead() // the final head follows
		return
	}
	m.Complete = true
	switch {
	case m.Omitted > 0: // the framing of its body may be in the omitted bytes
		s.state = opaque
		return
	case s.requests:
		s.framing = RequestFraming(head, s.limit)
	default:
		s.framing = ResponseFraming(head, m.method, s.limit)
		if proto, _ := Status(StartLine(head)); s.framing.Chunked() && (proto == "HTTP/1.0" || strings.HasPrefix(proto, "HTTP/0.")) {
			s.state = opaque // net/http reads no chunks there
			return
		}
	}
	s.follow()
}

// follow goes on as the framing says.
func (s *scanner) follow() {
	switch {
	case s.framing.Over():
		s.state, s.message = idle, nil
	case s.framing.UntilEnd():
		s.state = opaque
	default:
		s.state = inBody
	}
}

// body skips bytes of a body, and keeps its trailer.
func (s *scanner) body(b []byte) int {
	n, _ := s.framing.Next(b)
	s.message.Trailer, s.message.Fault = s.framing.Trailer(), s.framing.Fault()
	s.follow()
	return n
}

package tap

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"parley/internal/units"
	"parley/session/tap/relay"
)

// grpcPrefix is the length of what stands before each message of gRPC: whether it is compressed, and
// its length.
const grpcPrefix = 5

// A grpcMessage finds the end of a message of gRPC, given in pieces.
type grpcMessage struct {
	prefix [grpcPrefix]byte
	read   int // bytes of the prefix and of the message
	whole  bool
}

// size returns the length of the message with its prefix, once that is known.
func (m *grpcMessage) size() int { return grpcPrefix + int(binary.BigEndian.Uint32(m.prefix[1:])) }

// take takes the next bytes, and returns how many of them belong to the message, and whether it is
// whole. One that is too long to be changed is not waited for.
func (m *grpcMessage) take(piece []byte) (n int, whole bool) {
	if !m.whole && m.read < grpcPrefix {
		n = copy(m.prefix[m.read:], piece)
		m.read += n
	}
	if m.read < grpcPrefix {
		return n, false
	}
	rest := min(m.size()-m.read, len(piece)-n)
	m.read += rest
	m.whole = m.read == m.size()
	return n + rest, m.whole || m.size() > relay.MaxEdit
}

// A grpcMessages counts messages of gRPC.
type grpcMessages struct {
	grpcMessage
	begun int
	first int // bytes of the first one, with its prefix
	bytes int
}

// count takes the next bytes.
func (m *grpcMessages) count(piece []byte) {
	for len(piece) > 0 {
		if m.read == 0 {
			m.begun++
		}
		n, _ := m.take(piece)
		piece, m.bytes = piece[n:], m.bytes+n
		if m.begun == 1 {
			m.first += n
		}
		if m.whole {
			m.grpcMessage = grpcMessage{}
		}
	}
}

// A jsonMessage finds the end of a request in JSON, given in pieces: that of an object, or of the first
// object in a batch. What begins otherwise is no request of JSON-RPC, and not waited for.
type jsonMessage struct {
	begun, batch, text, escaped bool
	depth                       int
}

// take takes the next bytes, and returns how many of them belong to the request, and whether it is
// whole.
func (m *jsonMessage) take(piece []byte) (n int, whole bool) {
	for n < len(piece) {
		if m.text {
			n += m.takeText(piece[n:])
			continue
		}
		c := piece[n]
		n++
		switch {
		case bytes.IndexByte([]byte(" \t\r\n\xef\xbb\xbf"), c) >= 0: // the last three are a byte order mark
		case !m.begun || m.batch && m.depth == 1:
			if c == '[' && !m.begun {
				m.begun, m.batch, m.depth = true, true, 1
				continue
			}
			if c != '{' {
				return n, true
			}
			m.begun = true
			m.depth++
		case c == '"':
			m.text = true
		case c == '{', c == '[':
			m.depth++
		case c == '}', c == ']':
			if m.depth--; m.depth == 0 || m.batch && m.depth == 1 {
				return n, true
			}
		}
	}
	return n, false
}

// takeText takes bytes of a text.
func (m *jsonMessage) takeText(b []byte) int {
	if m.escaped {
		m.escaped = false
		return 1
	}
	end := bytes.IndexByte(b, '"')
	if end < 0 {
		end = len(b)
	}
	if escape := bytes.IndexByte(b[:end], '\\'); escape >= 0 {
		m.escaped = true
		return escape + 1
	}
	m.text = end == len(b)
	return min(end+1, len(b))
}

// noteUnrecorded notes what passed of a request and is not in its record: messages of gRPC behind the
// first, and what came after the answer had begun.
func (x *exchange) noteUnrecorded() {
	switch m := &x.messages; {
	case x.grpc && m.begun > 1:
		x.tap.noteChange(x, fmt.Sprintf("The record of the request has its first message: %s, %s, passed after it.",
			units.Plural(m.begun-1, "more message"), units.Bytes(int64(m.bytes-m.first))))
	case x.late > 0:
		x.tap.noteChange(x, fmt.Sprintf("The record of the request has what came before the answer: %s of it passed after that.", units.Bytes(int64(x.late))))
	}
}

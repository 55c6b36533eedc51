package relay

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/a2a/httphead"
)

// A held is the body of a message that waits until it is whole.
type held struct {
	wire    []byte // as it came, with its framing
	body    []byte
	chunked bool
	trailer []byte
	whole   bool // otherwise it was too long, and wire is only its beginning
}

// tooLong reports whether a body is not to be held: because of itself, or of a framing that is much
// longer.
func (h *held) tooLong(limit int) bool { return len(h.body) > limit || len(h.wire) > 2*limit }

// hold reads the body of a request; nil if the connection ended before.
func (c *client) hold(t *transfer) *held {
	h := &held{chunked: t.framing.Chunked()}
	if !t.framing.Over() && len(c.in.data) == 0 && lists(t.x.request.Header, "Expect", "100-continue") {
		// The agent cannot be asked yet.
		<-t.x.turn
		_ = c.write([]byte("HTTP/1.1 100 Continue\r\n\r\n")) // if the client has gone, no body comes
	}
	for {
		n := t.take(c.in.data, func(piece []byte) {
			t.x.requestBody(c.in.at, piece)
			h.body = append(h.body, piece...)
		})
		h.wire = append(h.wire, c.in.data[:n]...)
		c.in.skip(n)
		switch {
		case t.framing.Fault() != "":
			c.reject(t.x, bad("A chunk of the request is wrong: "+t.framing.Fault()+"."))
			return nil
		case h.tooLong(c.relay.limits.Edit):
			return h
		case t.framing.Over():
			h.whole, h.trailer = true, t.framing.Trailer()
			return h
		}
		if err := c.in.fill(); err != nil {
			t.x.finish(c.cause(End{Cause: ClientBroke, Reset: wasReset(err), Err: errors.New("the client left in the middle of its request")}))
			t.x.leave()
			c.endInput(err)
			return nil
		}
	}
}

// edited returns the head and the body, with its framing, after edit has changed it, and the length
// of the body alone.
func (h *held) edited(head []byte, edit func([]byte) []byte) (newHead, wire []byte, length int) {
	if !h.whole || edit == nil {
		return head, h.wire, len(h.body)
	}
	body := edit(slices.Clone(h.body))
	if bytes.Equal(body, h.body) {
		return head, h.wire, len(body)
	}
	if !h.chunked {
		return withLength(head, len(body)), body, len(body)
	}
	if len(body) > 0 {
		wire = fmt.Appendf(nil, "%x\r\n", len(body))
		wire = append(append(wire, body...), "\r\n"...)
	}
	return head, append(append(wire, "0\r\n"...), h.trailer...), len(body)
}

// withLength returns a head whose Content-Length is n. One that has none ends with its connection
// unless n needs one.
func withLength(head []byte, n int) []byte {
	return changeFields(head, func(f *httphead.Field) []byte {
		if f.Key() != "Content-Length" {
			return f.Line
		}
		return slices.Concat(f.Line[:f.At], []byte(strconv.Itoa(n)), f.Line[f.At+len(f.Value):])
	})
}

// without returns a head without a field.
func without(head []byte, name string) []byte {
	return changeFields(head, func(f *httphead.Field) []byte {
		if strings.EqualFold(f.Name, name) {
			return nil
		}
		return f.Line
	})
}

// changeFields returns a head with the lines that change returns for its fields.
func changeFields(head []byte, change func(f *httphead.Field) []byte) []byte {
	at := bytes.IndexByte(head, '\n') + 1
	out := append(make([]byte, 0, len(head)+16), head[:at]...)
	for _, f := range httphead.Fields(head, false) {
		at += len(f.Line)
		out = append(out, change(&f)...)
	}
	return append(out, head[at:]...)
}

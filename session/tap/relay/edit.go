package relay

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"parley/a2a/httphead"
)

// A held is the body of a message that waits, to be changed: a request until its message is whole, a
// response until its end.
type held struct {
	most    int                                    // bytes that are held
	find    func(piece []byte) (n int, whole bool) // the end of the message; nil if that is the end of the body
	wire    []byte                                 // as it came, with its framing
	message []byte
	behind  []byte // what came of the body behind the message
	chunked bool
	whole   bool // the message is
	over    bool // the body is
	trailer []byte
}

// holdRequest returns the body of a request, of which nothing came yet.
func holdRequest(p *Plan, most int) *held {
	h := &held{most: most, find: p.Message}
	h.add(nil) // nothing may be needed
	return h
}

// add takes the next bytes of the body.
func (h *held) add(piece []byte) {
	if h.whole {
		h.behind = append(h.behind, piece...)
		return
	}
	n := len(piece)
	if h.find != nil {
		n, h.whole = h.find(piece)
	}
	h.message = append(h.message, piece[:n]...)
	h.behind = append(h.behind, piece[n:]...)
}

// read takes what a reader gives, without a copy. Length is that of the body, -1 if it is not known.
func (h *held) read(r io.Reader, length int64) error {
	const least, most = 512, streamBuffer // a length alone makes nobody hold more than that
	at, room := len(h.message), h.message
	if cap(room)-at < least {
		room = slices.Grow(room, max(at, least, int(min(length, most))))
	}
	n, err := r.Read(room[at:cap(room)])
	piece, whole := room[at:at+n], false
	if h.find != nil {
		n, whole = h.find(piece)
	}
	h.message, h.behind, h.whole = room[:at+n], slices.Clone(piece[n:]), whole
	return err
}

// end says that the body is over, and with it the message.
func (h *held) end(trailer []byte) { h.whole, h.over, h.trailer = true, true, trailer }

// tooLong reports whether a body is not to be held: because of itself, or of a framing that is much
// longer.
func (h *held) tooLong() bool { return len(h.message) > h.most || len(h.wire) > 2*h.most }

// ready reports whether the body waits for nothing more, and usable whether its message is then there.
func (h *held) ready() bool  { return h.whole || h.tooLong() }
func (h *held) usable() bool { return h.whole && !h.tooLong() }

// edited returns the head and the body, with its framing, after edit has changed the message, and the
// length of the body alone. The rest of a body in chunks that was changed has to follow in chunks of
// its own.
func (h *held) edited(head []byte, edit func([]byte) []byte) (newHead, wire []byte, length int, chunks bool) {
	length = len(h.message) + len(h.behind)
	if !h.usable() || edit == nil {
		return head, h.wire, length, false
	}
	message := edit(slices.Clone(h.message))
	if bytes.Equal(message, h.message) {
		return head, h.wire, length, false
	}
	longer := len(message) - len(h.message)
	body := slices.Concat(message, h.behind)
	if !h.chunked {
		return withLength(head, longer), body, len(body), false
	}
	wire = appendChunk(nil, body)
	if h.over {
		wire = appendLastChunk(wire, h.trailer)
	}
	return head, wire, len(body), !h.over
}

// appendChunk appends bytes of a body as a chunk, unless there are none: that would be the last one.
func appendChunk(wire, piece []byte) []byte {
	if len(piece) == 0 {
		return wire
	}
	return append(append(fmt.Appendf(wire, "%x\r\n", len(piece)), piece...), "\r\n"...)
}

func appendLastChunk(wire, trailer []byte) []byte {
	return append(append(wire, "0\r\n"...), trailer...)
}

// withLength returns a head whose Content-Length is so much longer.
func withLength(head []byte, longer int) []byte {
	return changeFields(head, func(f *httphead.Field) []byte {
		n, err := strconv.ParseInt(f.Value, 10, 64)
		if f.Key() != "Content-Length" || err != nil {
			return f.Line
		}
		return slices.Concat(f.Line[:f.At], strconv.AppendInt(nil, n+int64(longer), 10), f.Line[f.At+len(f.Value):])
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

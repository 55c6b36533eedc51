package a2a

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"parley/a2a/httphead"
)

// HeadBytes are the bytes of a head as they crossed the wire. In JSON they are a string if they
// are UTF-8, otherwise an object with the member "b64".
type HeadBytes string

// Complete reports whether the last head ends with a blank line.
func (b HeadBytes) Complete() bool {
	return strings.HasSuffix(string(b), "\n\n") || strings.HasSuffix(string(b), "\n\r\n")
}

// A HeadLine is a line of a head: a field with its name as it was spelled, or another
// line, of which the name is empty.
type HeadLine struct {
	Name, Value string
	Key         string // the name in the spelling of net/http
}

// Heads divides bytes into heads: informational ones and the final one, or the one of a
// request. The first line of each is its start line.
func (b HeadBytes) Heads() [][]HeadLine {
	var all [][]HeadLine
	for _, head := range httphead.Split([]byte(b)) {
		lines := []HeadLine{{Value: httphead.StartLine(head)}}
		all = append(all, append(lines, headLines(head, false)...))
	}
	return all
}

// Trailer returns the lines of a trailer.
func (b HeadBytes) Trailer() []HeadLine { return headLines([]byte(b), true) }

func headLines(b []byte, trailer bool) []HeadLine {
	var lines []HeadLine
	for _, f := range httphead.Fields(b, trailer) {
		lines = append(lines, HeadLine{Name: f.Name, Value: f.Value, Key: f.Key()})
	}
	return lines
}

// binaryHead is the JSON of bytes that are not text.
type binaryHead struct {
	B64 []byte `json:"b64"`
}

// MarshalJSON returns the bytes as a string, or in base64 if they are not UTF-8.
func (b HeadBytes) MarshalJSON() ([]byte, error) {
	if !utf8.ValidString(string(b)) {
		return json.Marshal(binaryHead{[]byte(b)})
	}
	return marshal(string(b))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *HeadBytes) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		var binary binaryHead
		err := json.Unmarshal(data, &binary)
		*b = HeadBytes(binary.B64)
		return err
	}
	var text string
	err := json.Unmarshal(data, &text)
	*b = HeadBytes(text)
	return err
}

// Reasons why a head is not recorded byte for byte ([Head.Rebuilt]).
const (
	rebuiltHTTP2 = "HTTP/2, decoded: the wire carries no head of lines"
	rebuiltProxy = "head rebuilt: net/http reads TLS inside a SOCKS proxy's connection and keeps neither the order nor the spelling of headers"
	rebuiltOther = "head rebuilt: the bytes on the connection do not match the answer that net/http returns"
	// The reasons for deliveries and their answers.
	rebuiltDelivery = "head rebuilt: the bytes on the connection do not match the request that net/http returns"
	rebuiltAnswer   = "head not recorded: net/http writes it after this record, with Date and Content-Length"
)

// A headWatch finds the heads of one request and its response on the connection that
// net/http chooses for them.
type headWatch struct {
	mu       sync.Mutex
	exchange *httphead.Exchange // nil without a connection, or on one that is not watched
	earlier  []byte             // heads written on connections that turned out to be closed
	told     bool               // a record contains the head of the request
}

// withTrace returns a context with which h finds the heads of a request.
func (h *headWatch) withTrace(ctx context.Context, method string) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		// This is called again if the connection turns out to be closed and net/http
		// sends the request once more on another one.
		GotConn: func(got httptrace.GotConnInfo) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.earlier = append(h.earlier, h.exchange.Sent().Head...)
			h.exchange = nil
			if conn, ok := got.Conn.(*httphead.Conn); ok {
				h.exchange = conn.Begin(method)
			}
		},
	})
}

func (h *headWatch) current() *httphead.Exchange {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.exchange
}

// received returns what has been read of the response so far.
func (h *headWatch) received() httphead.Message { return h.current().Received() }

// sent returns the head of the request without secrets, and once the heads that were written
// before on connections that turned out to be closed.
func (h *headWatch) sent(m *masker) (sent, earlier HeadBytes) {
	if h.told {
		return "", ""
	}
	h.told = true
	h.mu.Lock()
	defer h.mu.Unlock()
	return m.wire(h.exchange.Sent().Head), m.wire(h.earlier)
}

// describe completes the head of a response with what was read on the connection.
func (h *headWatch) describe(head *Head, m *masker, resp *http.Response) {
	got := h.received()
	switch {
	case resp.ProtoMajor != 1:
		head.Rebuilt = rebuiltHTTP2
		return
	case len(got.Head) == 0:
		head.Rebuilt = rebuiltProxy
		return
	case !matches(got.Final(), resp):
		head.Rebuilt = rebuiltOther
		return
	}
	head.Wire, head.Omitted = m.wire(got.Head), got.Omitted
	head.Sent, head.Earlier = h.sent(m)
}

// matches reports whether a head is that of a response, as far as net/http keeps it.
func matches(head []byte, resp *http.Response) bool {
	if _, code := httphead.Status(httphead.StartLine(head)); code != resp.StatusCode {
		return false
	}
	lines := fieldMap(head, false)
	for name, values := range resp.Header {
		if len(lines[name]) < len(values) {
			return false
		}
	}
	return true
}

// close completes the end of an exchange: the trailer, and the head of the request if
// no record has it.
func (h *headWatch) close(end *End, m *masker, resp *http.Response) {
	if resp == nil || resp.ProtoMajor == 1 {
		end.Sent, end.Earlier = h.sent(m)
	}
	if resp == nil {
		return
	}
	header, _ := m.header(resp.Trailer)
	switch trailer := h.received().Trailer; {
	case resp.ProtoMajor != 1 && hasValues(header):
		end.Trailer = &Head{Header: header, Rebuilt: rebuiltHTTP2}
	case len(httphead.Fields(trailer, true)) > 0:
		// net/http keeps only those that the head announced.
		header, _ = m.header(fieldMap(trailer, true))
		end.Trailer = &Head{Header: header, Wire: m.echoes(m.fieldLines(trailer, true))}
	}
}

func hasValues(h http.Header) bool {
	for _, values := range h {
		if len(values) > 0 {
			return true
		}
	}
	return false
}

// fieldMap returns the fields of a head or trailer by name.
func fieldMap(head []byte, trailer bool) http.Header {
	h := http.Header{}
	for _, f := range httphead.Fields(head, trailer) {
		if f.Name != "" {
			h[f.Key()] = append(h[f.Key()], f.Value)
		}
	}
	return h
}

// refusedHead puts the head of an answer that net/http refused, as far as it was read.
func (x *exchange) refusedHead(t *Timing) {
	got := x.heads.received()
	if len(got.Head) == 0 {
		return
	}
	final := got.Final()
	proto, status := httphead.Status(httphead.StartLine(final))
	head := &Head{Status: status, Proto: proto, Omitted: got.Omitted, Timing: t, Wire: x.mask.wire(got.Head)}
	head.Sent, head.Earlier = x.heads.sent(x.mask)
	var gone []Redaction
	if status > 0 {
		head.Header, gone = x.mask.header(fieldMap(final, false))
	}
	x.put(Record{Kind: KindHead, Dir: In, Head: head, Torn: !got.Complete, Redactions: gone}, Update{})
}

// wire returns the bytes of heads without secrets: only the values with secrets change, and in
// a request's first line only the URL.
func (m *masker) wire(heads []byte) HeadBytes {
	var clean []byte
	for _, head := range httphead.Split(heads) {
		first := len(head)
		if i := bytes.IndexByte(head, '\n'); i >= 0 {
			first = i + 1
		}
		clean = append(clean, m.startLine(head[:first])...)
		clean = append(clean, m.fieldLines(head, false)...)
	}
	return m.echoes(clean)
}

// echoes masks the known secrets everywhere else: in a reason phrase, or in a name.
func (m *masker) echoes(b []byte) HeadBytes { return HeadBytes(m.text(string(b))) }

// startLine masks the first line of a head.
func (m *masker) startLine(line []byte) []byte {
	method, rest, ok := bytes.Cut(line, []byte{' '})
	target, proto, request := bytes.Cut(rest, []byte(" HTTP/"))
	if !ok || !request {
		return line
	}
	masked, _ := m.url(string(target))
	return slices.Concat(method, []byte{' '}, []byte(masked), []byte(" HTTP/"), proto)
}

// fieldLines masks the fields of a head or a trailer, and returns them with the blank
// line behind them.
func (m *masker) fieldLines(head []byte, trailer bool) []byte {
	fields := httphead.Fields(head, trailer)
	var clean []byte
	at := 0
	if i := bytes.IndexByte(head, '\n'); !trailer {
		if i < 0 {
			return nil
		}
		at = i + 1
	}
	for i := range fields {
		f := &fields[i]
		at += len(f.Line)
		key := f.Key()
		masked, _ := m.header(http.Header{key: {f.Value}})
		clean = append(clean, f.Line[:f.At]...)
		clean = append(clean, masked[key][0]...)
		clean = append(clean, f.Line[f.At+len(f.Value):]...)
	}
	return append(clean, head[at:]...)
}

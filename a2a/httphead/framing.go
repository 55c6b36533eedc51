package httphead

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// frame says what the next bytes of a message behind its head are.
type frame uint8

const (
	over      frame = iota // the message has ended
	inLength               // as many as length says
	inSize                 // the line with the size of a chunk
	inData                 // a chunk, of which length bytes are left
	afterData              // the line end behind a chunk
	inTrailer              // lines after the last chunk
	untilEnd               // a body that ends with the connection, or bytes that are not HTTP
)

// maxSizeLine is the longest line with the size of a chunk that is read.
const maxSizeLine = 16 << 10

// A Framing follows the body of one message, given its bytes in pieces of any size. The zero value
// is that of a message without a body.
type Framing struct {
	limit int // bytes of a trailer that are kept

	frame   frame
	length  int64  // remaining bytes of the body or chunk
	size    []byte // the line with the size of a chunk so far
	lines   lines  // of the trailer
	trailer []byte
	omitted int
	fault   string
}

// RequestFraming returns the framing of the body of a request. At most limit bytes of a trailer are
// kept. Without framing headers there is no body.
func RequestFraming(head []byte, limit int) Framing {
	line := StartLine(head)
	if strings.HasSuffix(line, " HTTP/2.0") { // the preface of a connection that continues in frames
		return Framing{frame: untilEnd}
	}
	return framing(head, false, limit)
}

// ResponseFraming returns the framing of the body of a final response to a request with the method.
// Without framing headers its body ends with the connection.
func ResponseFraming(head []byte, method string, limit int) Framing {
	_, code := Status(StartLine(head))
	switch {
	case code == 0 || code == 101, method == "CONNECT" && code < 300:
		return Framing{frame: untilEnd}
	case method == "HEAD" || code == 204 || code == 304:
		return Framing{}
	}
	return framing(head, true, limit)
}

func framing(head []byte, response bool, limit int) Framing {
	length, codings := int64(-1), ""
	for _, f := range Fields(head, false) {
		switch f.Key() {
		case "Transfer-Encoding":
			codings += "," + f.Value
		case "Content-Length":
			if n, err := strconv.ParseInt(f.Value, 10, 64); err == nil && n >= 0 {
				length = n
			}
		}
	}
	last := strings.TrimSpace(codings[strings.LastIndexByte(codings, ',')+1:])
	switch {
	case strings.EqualFold(last, "chunked"): // the last coding frames the body (RFC 9112, 6.3)
		return Framing{frame: inSize, limit: limit}
	case codings != "":
		return Framing{frame: untilEnd}
	case length > 0:
		return Framing{frame: inLength, length: length}
	case length < 0 && response:
		return Framing{frame: untilEnd}
	}
	return Framing{}
}

// Over reports whether the message has ended.
func (f *Framing) Over() bool { return f.frame == over }

// UntilEnd reports whether the message ends with the connection only.
func (f *Framing) UntilEnd() bool { return f.frame == untilEnd }

// Chunked reports whether chunks or a trailer are to follow.
func (f *Framing) Chunked() bool { return f.frame >= inSize && f.frame <= inTrailer }

// Length returns how many bytes follow of a body whose length the head told, otherwise -1.
func (f *Framing) Length() int64 {
	switch f.frame {
	case over:
		return 0
	case inLength:
		return f.length
	}
	return -1
}

// Trailer returns what came after the last chunk of a chunked body, up to the limit, including its
// blank line. Without trailer fields it is only the blank line.
func (f *Framing) Trailer() []byte { return f.trailer }

// Omitted returns how many bytes of the trailer were beyond the limit.
func (f *Framing) Omitted() int { return f.omitted }

// Fault says what is wrong with the chunks, empty if nothing is. What follows a fault is taken as
// body up to the end of the connection.
func (f *Framing) Fault() string { return f.fault }

// Next takes the next bytes of the message: the first n of b, of which piece belongs to the body.
// It takes at least one byte unless b is empty or the message is over.
func (f *Framing) Next(b []byte) (n int, piece []byte) {
	if len(b) == 0 {
		return 0, nil
	}
	switch f.frame {
	case inLength, inData:
		n = f.body(b)
		return n, b[:n]
	case inSize:
		return f.chunkSize(b), nil
	case afterData:
		return f.chunkEnd(b), nil
	case inTrailer:
		return f.inTrailer(b), nil
	case untilEnd:
		return len(b), b
	}
	return 0, nil
}

// body takes bytes of a body or a chunk.
func (f *Framing) body(b []byte) int {
	n := int(min(int64(len(b)), f.length))
	f.length -= int64(n)
	switch {
	case f.length > 0:
	case f.frame == inData:
		f.frame, f.size = afterData, f.size[:0]
	default:
		f.frame = over
	}
	return n
}

// chunkSize takes the line with the size of a chunk.
func (f *Framing) chunkSize(b []byte) int {
	n := lineLength(b)
	f.size = append(f.size, b[:n]...)
	if b[n-1] != '\n' {
		if len(f.size) > maxSizeLine {
			f.fail("the line with the length of a chunk has no end")
		}
		return n
	}
	line := f.size
	if i := bytes.IndexByte(line, ';'); i >= 0 {
		line = line[:i]
	}
	line = bytes.TrimRight(line, " \t\r\n")
	size, err := strconv.ParseUint(string(line), 16, 60)
	switch {
	case err != nil || len(line) > 60/4:
		f.fail(fmt.Sprintf("%s is not the length of a chunk", quote(string(line))))
	case size == 0:
		f.frame, f.lines = inTrailer, lines{bare: true}
	default:
		f.frame, f.length = inData, int64(size)
	}
	return n
}

// chunkEnd takes the line end behind a chunk.
func (f *Framing) chunkEnd(b []byte) int {
	n := min(len(b), len("\r\n")-len(f.size))
	f.size = append(f.size, b[:n]...)
	switch {
	case !strings.HasPrefix("\r\n", string(f.size)):
		f.fail(fmt.Sprintf("a chunk is longer than its length: %s is where it should end", quote(string(f.size)+string(b[n:min(len(b), n+maxQuote)]))))
	case len(f.size) == len("\r\n"):
		f.frame, f.size = inSize, f.size[:0]
	}
	return n
}

// inTrailer takes what follows the last chunk.
func (f *Framing) inTrailer(b []byte) int {
	n, ended := f.lines.take(b)
	room := min(n, max(f.limit-len(f.trailer), 0))
	f.trailer = append(f.trailer, b[:room]...)
	f.omitted += n - room
	if ended {
		f.frame = over
	}
	return n
}

// fail stops reading a message whose chunks are wrong.
func (f *Framing) fail(what string) { f.fault, f.frame = what, untilEnd }

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

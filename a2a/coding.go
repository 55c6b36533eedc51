package a2a

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// A Decompressor reads one content coding (RFC 9110 §8.4.1). It returns what it has decoded
// before it waits for more, so that the frames of a stream arrive when they are sent, and its
// memory must be bounded for any input.
type Decompressor func(io.Reader) (io.Reader, error)

// Codings are the decompressors of content codings by name, in lower case. gzip and deflate,
// which the standard library has, may be missing.
type Codings map[string]Decompressor

// ContentCoding says that bytes came in a content coding that was not requested. It is part of the
// record of a whole body and of a delivery, and of the end of a stream.
type ContentCoding struct {
	// Names are the codings as the header lists them: in the order in which they were
	// applied, "gzip" or "deflate, br".
	Names string `json:"names"`
	// Size is how many bytes came, before they were decoded.
	Size int64 `json:"size"`
	// Bytes are the bytes as they came. They are nil if LossReason says why they were not recorded.
	Bytes      []byte `json:"bytes,omitempty"`
	LossReason string `json:"lost,omitempty"`
	// Plain is set when the bytes are not in the coding that the header names, and were
	// read as they are.
	Plain bool `json:"plain,omitempty"`
	// Problem says why a delivery could not be decoded completely.
	Problem string `json:"problem,omitempty"`
}

// Bounds of what is decoded.
const (
	maxCodings    = 4       // applied on top of each other
	maxCodedBytes = 4 << 20 // bytes kept as they came
)

// Reasons why the bytes of a coding are not recorded.
const (
	lossBySecret = "they would reveal what was masked"
	lossBySize   = "there are more than 4 MB of them"
)

// contentCodings returns the codings that a header names, in the order in which they were
// applied.
func contentCodings(h http.Header) []string {
	var names []string
	for _, line := range h.Values("Content-Encoding") {
		for name := range strings.SplitSeq(line, ",") {
			name = strings.ToLower(strings.TrimSpace(name))
			if name != "" && name != "identity" {
				names = append(names, name)
			}
		}
	}
	return names
}

// A codingError is bytes that cannot be decoded.
type codingError struct {
	coding string
	after  int64 // bytes that were decoded before
	torn   bool  // they stop in the middle
	cause  error // nil if nobody here reads the coding
}

func (e *codingError) Error() string {
	switch {
	case e.cause == nil:
		return "the content coding " + e.coding + " is not supported"
	case e.torn:
		return "the " + e.coding + " data is incomplete"
	default:
		return "the " + e.coding + " data is broken: " + e.cause.Error()
	}
}

func (e *codingError) Unwrap() error { return e.cause }

// sentence says for a user what is wrong with an answer of a host.
func (e *codingError) sentence(host string) string {
	switch {
	case e.cause == nil:
		return fmt.Sprintf("%s answered in the content coding “%s”, which Parley neither asked for nor supports: configure the agent, or the proxy in front of it, to send plain bytes.",
			host, clip(e.coding))
	case e.torn:
		return fmt.Sprintf("%s answered in the content coding %s, which ends too early, after %s of text: the agent, or a proxy in front of it, cut it short.",
			host, e.coding, bytesText(e.after))
	default:
		return fmt.Sprintf("%s labels its answer as %s, but after %s of text decoding fails: the agent, or a proxy in front of it, compresses wrongly.",
			host, e.coding, bytesText(e.after))
	}
}

// A decodingBody reads a body in content codings and records its bytes.
type decodingBody struct {
	source      io.Reader
	sourceErr   error // how the source ended, if not regularly
	size        int64
	coded       []byte
	names       []string
	plain       bool
	decodedSize int64 // decoded bytes

	codings Codings
	decoder io.Reader // nil before the first read
	err     error
}

func newDecodingBody(source io.Reader, names []string, codings Codings) *decodingBody {
	return &decodingBody{source: source, names: names, codings: codings}
}

// name returns the codings as a header lists them.
func (c *decodingBody) name() string { return strings.Join(c.names, ", ") }

// Read returns decoded bytes. An error of the connection is returned as it is.
func (c *decodingBody) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	if c.decoder == nil {
		if c.decoder, c.err = c.open(); c.err != nil {
			c.err = c.blame(c.err)
			_, _ = io.Copy(io.Discard, io.LimitReader(tap{c}, maxCodedBytes)) // bytes that cannot be decoded are recorded
			return 0, c.err
		}
	}
	n, err := c.decoder.Read(p)
	c.decodedSize += int64(n)
	if err != nil {
		c.err = c.blame(err)
		err = c.err
	}
	return n, err
}

// blame attributes an error to the coding or to the connection.
func (c *decodingBody) blame(err error) error {
	var coding *codingError
	switch {
	case c.sourceErr != nil:
		return c.sourceErr
	case err == io.EOF, errors.As(err, &coding):
		return err
	default:
		return &codingError{coding: c.name(), after: c.decodedSize, torn: errors.Is(err, io.ErrUnexpectedEOF), cause: err}
	}
}

// open stacks the decompressors. An empty body has no coding, and a body that does not begin as
// its coding requires is read as it is.
func (c *decodingBody) open() (io.Reader, error) {
	if len(c.names) > maxCodings {
		return nil, &codingError{coding: c.name()}
	}
	r := bufio.NewReader(tap{c})
	if _, err := r.Peek(1); err != nil {
		return r, nil
	}
	if c.names[len(c.names)-1] == "gzip" && looksPlain(r) {
		c.plain = true
		return r, nil
	}
	var decoded io.Reader = r
	for i := len(c.names) - 1; i >= 0; i-- {
		open, known := c.decompressor(c.names[i])
		if !known {
			return nil, &codingError{coding: c.names[i]}
		}
		var err error
		if decoded, err = open(decoded); err != nil {
			return nil, err
		}
	}
	return decoded, nil
}

// looksPlain reports whether a body that is labelled as gzip begins as JSON or as an event
// stream does.
func looksPlain(r *bufio.Reader) bool {
	start, err := r.Peek(1)
	return err == nil && (start[0] == '{' || start[0] == '[' || start[0] == '<' || start[0] == ':' || start[0] >= 'a' && start[0] <= 'z')
}

func (c *decodingBody) decompressor(name string) (Decompressor, bool) {
	switch name {
	case "gzip", "x-gzip":
		return func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }, true
	case "deflate":
		return inflate, true
	}
	open, known := c.codings[name]
	return open, known
}

// inflate reads the coding named deflate: zlib by the standard (RFC 9110 §8.4.1.2), and raw
// deflate from servers that take the name literally.
func inflate(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(2)
	if err == nil && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(b)
	}
	return flate.NewReader(b), nil
}

// A tap records what it reads from the source.
type tap struct{ c *decodingBody }

func (t tap) Read(p []byte) (int, error) {
	n, err := t.c.source.Read(p)
	t.c.size += int64(n)
	if room := maxCodedBytes + 1 - len(t.c.coded); room > 0 && n > 0 {
		t.c.coded = append(t.c.coded, p[:min(n, room)]...)
	}
	if err != nil && err != io.EOF {
		t.c.sourceErr = err
	}
	return n, err
}

// record describes the bytes that came. Masked is set when a secret was removed from the text:
// the bytes would reveal it.
func (c *decodingBody) record(masked bool) *ContentCoding {
	d := &ContentCoding{Names: c.name(), Size: c.size, Plain: c.plain}
	switch {
	case c.plain: // Raw has them
	case masked:
		d.LossReason = lossBySecret
	case c.size > maxCodedBytes:
		d.LossReason = lossBySize
	default:
		d.Bytes = c.coded
	}
	return d
}

// decodeBody decodes a complete body up to limit bytes. It returns nil for coded if the header
// names no coding.
func decodeBody(h http.Header, body []byte, codings Codings, limit int64) (decoded []byte, coded *decodingBody, err error) {
	names := contentCodings(h)
	if len(names) == 0 || len(body) == 0 {
		return body, nil, nil
	}
	c := newDecodingBody(bytes.NewReader(body), names, codings)
	decoded, err = readAtMost(nil, c, &limitError{LimitAnswer, limit})
	c.size, c.coded = int64(len(body)), body[:min(len(body), maxCodedBytes)]
	return decoded, c, err
}

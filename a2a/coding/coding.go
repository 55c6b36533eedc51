// Package coding reads bodies in content codings (RFC 9110 §8.4), such as gzip, and keeps their bytes as they came.
//
// Parley asks for no content coding, but an agent or a proxy in front of it may use one all the
// same. A [Body] decodes as the bytes come, so that the frames of a stream arrive when they are
// sent. It knows nothing of limits: whoever reads it stops where it wants.
package coding

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
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

// MaxKept is how many bytes of a body are kept as they came.
const MaxKept = 4 << 20

// maxCodings is how many codings may be applied on top of each other.
const maxCodings = 4

// Names returns the codings that a header names, in the order in which they were
// applied.
func Names(h http.Header) []string {
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

// An Error is bytes that cannot be decoded.
type Error struct {
	Coding string
	After  int64 // bytes that were decoded before
	Torn   bool  // they stop in the middle
	Cause  error // nil if nobody here reads the coding
}

// Error returns a clause.
func (e *Error) Error() string {
	switch {
	case e.Cause == nil:
		return "the content coding " + e.Coding + " is not supported"
	case e.Torn:
		return "the " + e.Coding + " data is incomplete"
	default:
		return "the " + e.Coding + " data is broken: " + e.Cause.Error()
	}
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// A Body reads a body in content codings and records its bytes.
type Body struct {
	source      io.Reader
	sourceErr   error // how the source ended, if not regularly
	size        int64
	coded       []byte
	names       []string
	plain       bool
	whole       bool  // size and coded are set from the start
	decodedSize int64 // decoded bytes

	codings Codings
	decoder io.Reader // nil before the first read
	err     error
}

// NewBody returns a body whose bytes come from a source in the codings that a header names.
func NewBody(source io.Reader, names []string, codings Codings) *Body {
	return &Body{source: source, names: names, codings: codings}
}

// Whole returns the body of a message that has come completely; nil if the header names no coding, or
// the body is empty.
func Whole(h http.Header, body []byte, codings Codings) *Body {
	names := Names(h)
	if len(names) == 0 || len(body) == 0 {
		return nil
	}
	c := NewBody(bytes.NewReader(body), names, codings)
	c.whole, c.size, c.coded = true, int64(len(body)), body[:min(len(body), MaxKept)]
	return c
}

// Label returns the codings as a header lists them.
func (c *Body) Label() string { return strings.Join(c.names, ", ") }

// Plain reports whether the bytes are not in the coding that the header names, and were read as they
// are.
func (c *Body) Plain() bool { return c.plain }

// Size returns how many bytes came.
func (c *Body) Size() int64 { return c.size }

// Kept returns the bytes as they came. Their end is missing if there are more than [MaxKept].
func (c *Body) Kept() []byte { return c.coded }

// Read returns decoded bytes. An error of the connection is returned as it is.
func (c *Body) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	if c.decoder == nil {
		if c.decoder, c.err = c.open(); c.err != nil {
			c.err = c.blame(c.err)
			_, _ = io.Copy(io.Discard, io.LimitReader(tap{c}, MaxKept)) // bytes that cannot be decoded are recorded
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
func (c *Body) blame(err error) error {
	var known *Error
	switch {
	case c.sourceErr != nil:
		return c.sourceErr
	case err == io.EOF, errors.As(err, &known):
		return err
	default:
		return &Error{Coding: c.Label(), After: c.decodedSize, Torn: errors.Is(err, io.ErrUnexpectedEOF), Cause: err}
	}
}

// open stacks the decompressors. An empty body has no coding, and a body that does not begin as
// its coding requires is read as it is.
func (c *Body) open() (io.Reader, error) {
	if len(c.names) > maxCodings {
		return nil, &Error{Coding: c.Label()}
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
			return nil, &Error{Coding: c.names[i]}
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

func (c *Body) decompressor(name string) (Decompressor, bool) {
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
type tap struct{ c *Body }

func (t tap) Read(p []byte) (int, error) {
	n, err := t.c.source.Read(p)
	if t.c.whole {
		return n, err
	}
	t.c.size += int64(n)
	if room := MaxKept + 1 - len(t.c.coded); room > 0 && n > 0 {
		t.c.coded = append(t.c.coded, p[:min(n, room)]...)
	}
	if err != nil && err != io.EOF {
		t.c.sourceErr = err
	}
	return n, err
}

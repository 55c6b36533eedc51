package sse

import (
	"bytes"
	"io"
	"math"
	"runtime"
)

const (
	// DefaultMaxFrame is the longest frame that is kept whole, 96 MiB.
	DefaultMaxFrame = 96 << 20

	// Frames are slices of the buffer that they were read into, so that nothing is copied. The
	// buffer starts small, because most streams are short and every frame keeps its buffer in
	// memory, and grows with the stream.
	firstBuffer = 4 << 10
	fullBuffer  = 64 << 10
	leastRead   = 512 // with less room than this, a new buffer

	// An endless run of comments is returned in frames without data of this length.
	maxIdle = 64 << 10

	// From this size on a buffer grows faster. Unwritten memory costs nothing, while each
	// buffer that was too small takes its size until it is collected. A frame of this size gets
	// its own buffer.
	large = 1 << 20
	// A frame of this size justifies a garbage collection: decoding it takes as much memory
	// again, which its first buffer has.
	giant = 8 << 20

	minFrame  = 64
	maxStalls = 100 // consecutive reads that return nothing
)

// An Option changes a [Decoder].
type Option func(*Decoder)

// MaxFrame sets the number of bytes up to which a frame is kept whole, counted from
// the blank line before it. Values outside 64 bytes to 1 GiB are brought inside.
func MaxFrame(bytes int) Option {
	return func(d *Decoder) { d.limit = min(max(bytes, minFrame), math.MaxInt32/2) }
}

// A Decoder reads frames from an event stream. It reads at most what one Read of the connection
// returns and is not safe for concurrent use.
type Decoder struct {
	r     io.Reader
	limit int
	err   error // why no more can be read
	done  bool  // the end was returned
	tail  []byte

	// buf holds what was read and not returned: the frame from start, its current block from
	// first and its current line from text. There is no line end between text and scan, and no
	// LF between text and lf.
	buf   []byte
	start int
	first int
	text  int
	scan  int
	lf    int

	afterCR bool // an LF at text belongs to the line end before it
	lateLF  bool // that LF was read after its frame had been returned, and was omitted
	begun   bool // the first line, which may have a byte order mark, was read
	dirty   bool // the current line exceeded the limit
	omitted int  // bytes of the current block beyond the limit

	block block
}

// NewDecoder returns a Decoder that reads from r.
func NewDecoder(r io.Reader, options ...Option) *Decoder {
	d := &Decoder{r: r, limit: DefaultMaxFrame}
	for _, option := range options {
		option(d)
	}
	return d
}

// Next returns the next frame. At the end of the stream it returns io.EOF, at a broken
// connection the error of the reader; an incomplete frame is returned before that, marked as
// torn.
func (d *Decoder) Next() (f Frame, err error) {
	for {
		for {
			end, ok := d.lineEnd()
			if !ok {
				break
			}
			if d.endLine(end) && d.endBlock(&f) {
				return f, nil
			}
		}
		if d.err != nil {
			return d.finish()
		}
		d.fill()
	}
}

// Tail returns the bytes after the last frame that dispatched nothing: comments, a late LF of
// that frame's last CRLF, or a body that is not an event stream. It is empty until Next
// returned an error.
func (d *Decoder) Tail() []byte { return d.tail }

// lineEnd returns the index of the CR or LF that ends the current line. It reads each byte
// twice at most, for any line ends and reads.
func (d *Decoder) lineEnd() (int, bool) {
	if begin := d.text; d.takeLF() > 0 && d.first == begin { // the LF of a blank line
		d.first = d.text
		if d.start == begin {
			d.start, d.lateLF = d.text, true
		}
	}
	d.scan = max(d.scan, d.text)
	d.lf = max(d.lf, d.scan)
	if i := bytes.IndexByte(d.buf[d.lf:], '\n'); i >= 0 {
		d.lf += i
	} else {
		d.lf = len(d.buf)
	}
	if i := bytes.IndexByte(d.buf[d.scan:d.lf], '\r'); i >= 0 {
		return d.scan + i, true
	}
	d.scan = d.lf
	return d.lf, d.lf < len(d.buf)
}

// takeLF skips the LF of a CRLF whose CR ended the line before, if it was read, and returns its
// length.
func (d *Decoder) takeLF() int {
	if !d.afterCR || d.text == len(d.buf) {
		return 0
	}
	d.afterCR = false
	if d.buf[d.text] != '\n' {
		return 0
	}
	d.text++
	return 1
}

// endLine takes the line that ends at index end and reports whether it is blank.
func (d *Decoder) endLine(end int) (blank bool) {
	blank = d.takeLine(end) == 0 && !d.dirty
	d.dirty = false
	d.afterCR = d.buf[end] == '\r'
	d.text, d.scan = end+1, end+1
	return blank
}

// takeLine adds the line up to index end to the block and returns its length without the
// byte order mark.
func (d *Decoder) takeLine(end int) int {
	text := d.buf[d.text:end]
	if !d.begun {
		d.begun = true
		text = bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
	}
	if len(text) > 0 && end-d.first+d.omitted <= d.limit {
		d.block.add(text, end-len(text)-d.start)
	}
	return len(text)
}

// endBlock ends the block with the blank line before text and fills in the frame if there is a
// reason for one. If the blank line ends with CR, it takes the LF after that if it was already
// read, and does not wait for it otherwise: the agent may be silent for long. The decision
// about the frame ignores that LF.
func (d *Decoder) endBlock(f *Frame) bool {
	end := d.text
	lf := d.takeLF()
	dispatches := d.frame(end, lf, f)
	d.first, d.omitted = d.text, 0
	if !dispatches && len(f.Raw)-lf < maxIdle {
		d.block.clear()
		return false
	}
	d.start, d.lateLF = d.text, false
	d.block.reset()
	if len(f.Raw) >= large {
		d.grow() // releases the buffer that the frame was read into
		collect(len(f.Raw))
	}
	return true
}

// frame makes a frame of the bytes up to index end, and of lf more bytes, which are the LF of a
// CRLF. It reports whether the frame is more than comments.
func (d *Decoder) frame(end, lf int, f *Frame) bool {
	omitted := max(end-d.first+d.omitted-d.limit, 0)
	if omitted > 0 {
		omitted += lf
		end, lf = d.first+d.limit, 0
	}
	end += lf
	f.Raw, f.Data, f.Unprefixed = d.buf[d.start:end:end], nil, false
	if len(f.Raw) >= large {
		f.Raw = bytes.Clone(f.Raw)
	}
	f.Event, f.ID, f.Retry = d.block.event, d.block.id, d.block.retry
	f.HasData, f.LateLF, f.Omitted = d.block.hasData, d.lateLF, omitted
	if omitted == 0 {
		f.Data, f.Unprefixed = d.block.data(f.Raw)
	}
	return f.HasData || f.Unprefixed || omitted > 0
}

// finish returns the rest when the reader has ended.
func (d *Decoder) finish() (Frame, error) {
	if d.done {
		return Frame{}, d.err
	}
	d.done = true
	d.takeLine(len(d.buf))
	var f Frame
	if d.frame(len(d.buf), 0, &f) {
		f.Torn = true
		return f, nil
	}
	if d.tail = d.buf[d.start:]; d.lateLF {
		d.tail = append([]byte{'\n'}, d.tail...)
	}
	return Frame{}, d.err
}

// fill reads once.
func (d *Decoder) fill() {
	d.drop()
	if cap(d.buf)-len(d.buf) < leastRead {
		d.grow()
	}
	for range maxStalls {
		n, err := d.r.Read(d.buf[len(d.buf):cap(d.buf)])
		d.buf = d.buf[:len(d.buf)+n]
		d.err = err
		if n > 0 || err != nil {
			return
		}
	}
	d.err = io.ErrNoProgress
}

// grow moves what was not returned to the front of a new buffer.
func (d *Decoder) grow() {
	rest := d.buf[d.start:]
	size := max(min(2*cap(d.buf), fullBuffer), firstBuffer)
	faster := 2
	if len(rest) >= large {
		faster = 4
	}
	size = max(size, min(faster*len(rest), d.first-d.start+d.limit+fullBuffer))
	d.buf = append(make([]byte, 0, size), rest...)
	d.first -= d.start
	d.text -= d.start
	d.scan -= d.start
	d.lf -= d.start
	d.start = 0
	collect(len(rest))
}

// collect runs the garbage collector if the garbage contains a giant.
func collect(size int) {
	if size >= giant {
		runtime.GC()
	}
}

// drop drops the bytes beyond the limit of the current block. All of them have been searched
// for line ends, so that only whether the line is blank must be remembered.
func (d *Decoder) drop() {
	kept := d.first + d.limit
	if len(d.buf) <= kept {
		return
	}
	d.dirty = d.dirty || len(d.buf) > d.text
	d.omitted += len(d.buf) - kept
	d.buf = d.buf[:kept]
	d.text = min(d.text, kept)
	d.scan, d.lf = kept, kept
}

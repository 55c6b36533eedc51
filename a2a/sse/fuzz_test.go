package sse

import (
	"bytes"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// chunks is a reader whose reads end at random places.
type chunks struct {
	rest   []byte
	random *rand.Rand
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := min(1+c.random.IntN(1<<c.random.IntN(8)), len(p), len(c.rest))
	copy(p, c.rest[:n])
	c.rest = c.rest[n:]
	return n, nil
}

func FuzzDecoder(f *testing.F) {
	for _, stream := range vectors(f) {
		if len(stream) < 10_000 {
			f.Add(stream, uint64(1), uint16(200))
		}
	}
	for _, s := range []string{
		"data: a\r\n\r\ndata: b\r\r\n\n", ": a\r\n\r\n\r\ndata\r\n\r\n\r\n\r\ndata: b\r\n\r\n",
		"data: " + strings.Repeat("x", 64) + "\r\n\r\ndata: " + strings.Repeat("x", 54) + "\r\n\r\n", "\xEF\xBB\xBF\ndata\n\n:\n\n", "data: [\n1\n]\n\n[\n2\n]\n\n", "data\r\r\nid: 1\rdata: x",
	} {
		f.Add([]byte(s), uint64(2), uint16(64))
	}
	f.Fuzz(func(t *testing.T, stream []byte, seed uint64, limit uint16) {
		whole, tail, err := read(bytes.NewReader(stream))
		if err != io.EOF {
			t.Fatalf("got error %v, want EOF", err)
		}
		if body(whole, tail) != string(stream) {
			t.Fatalf("got frames and tail %q, want the stream %q", body(whole, tail), stream)
		}
		checkReference(t, stream, whole)

		short, shortTail, _ := read(bytes.NewReader(stream), MaxFrame(int(limit)))
		kept := len(shortTail)
		for _, f := range short {
			kept += f.Size()
			if f.Omitted > 0 && f.Data != nil {
				t.Fatal("got data of a frame that is too long")
			}
		}
		if kept != len(stream) {
			t.Fatalf("got %d bytes in frames and tail, want %d", kept, len(stream))
		}
		for i := range uint64(3) {
			random := rand.New(rand.NewPCG(seed, i))
			frames, end, _ := read(&chunks{stream, random})
			sameFrames(t, frames, whole, end, tail)
			frames, end, _ = read(&chunks{stream, random}, MaxFrame(int(limit)))
			sameFrames(t, frames, short, end, shortTail)
		}
	})
}

// sameFrames checks that dividing a stream into reads moves no byte but one: the LF of a CRLF
// that ends a frame. If it is read with the CR, it is the last byte of the frame's Raw. If it
// comes in a later read, Raw ends with the CR, because a frame does not wait for it, and LateLF
// of the next frame reports it, or the tail begins with it. sameFrames brings both forms to the
// first one before it compares them, so that an LF that is lost, doubled or in another frame is
// a difference.
func sameFrames(t *testing.T, got, want []Frame, gotTail, wantTail []byte) {
	t.Helper()
	got, gotTail = joinLF(t, got, gotTail)
	want, wantTail = joinLF(t, want, wantTail)
	if !reflect.DeepEqual(got, want) || !bytes.Equal(gotTail, wantTail) {
		t.Fatalf("frames depend on how the stream is divided:\n%+v tail %q\n%+v tail %q", got, gotTail, want, wantTail)
	}
}

// joinLF returns frames with every late LF at the end of its frame. No frame may begin with
// such an LF.
func joinLF(t *testing.T, frames []Frame, tail []byte) ([]Frame, []byte) {
	t.Helper()
	joined := make([]Frame, len(frames))
	for i, f := range frames {
		if f.LateLF {
			if i == 0 {
				t.Fatal("got LateLF in the first frame, want it only after another frame")
			}
			takeLF(t, &joined[i-1])
			f.LateLF = false
		} else if i > 0 && bytes.HasPrefix(f.Raw, []byte("\n")) && bytes.HasSuffix(frames[i-1].Raw, []byte("\r")) && frames[i-1].Omitted == 0 {
			t.Fatalf("frame %d: got %q, want it without the previous frame's line end", i, f.Raw)
		}
		f.Raw, f.Data = bytes.Clone(f.Raw), bytes.Clone(f.Data)
		joined[i] = f
	}
	if last := len(joined) - 1; last >= 0 && bytes.HasPrefix(tail, []byte("\n")) && endsWithCR(&joined[last]) {
		takeLF(t, &joined[last])
		tail = tail[1:]
	}
	return joined, tail
}

// endsWithCR reports whether the last byte of a frame is a CR, or may be one because its last
// bytes were omitted.
func endsWithCR(f *Frame) bool {
	return !f.Torn && (f.Omitted > 0 || bytes.HasSuffix(f.Raw, []byte("\r")))
}

// takeLF appends the LF of its CRLF to a frame.
func takeLF(t *testing.T, f *Frame) {
	t.Helper()
	switch {
	case !endsWithCR(f):
		t.Fatalf("got LateLF after %q, want it only after a CR", f.Raw)
	case f.Omitted > 0:
		f.Omitted++ // nothing is stored after the first omitted byte
	default:
		f.Raw = append(f.Raw, '\n')
	}
}

// checkReference compares the data of complete frames with the plain algorithm of the HTML
// standard.
func checkReference(t *testing.T, stream []byte, frames []Frame) {
	t.Helper()
	text := strings.TrimPrefix(string(stream), "\xEF\xBB\xBF")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	var want []Frame
	var lines []string
	event := ""
	all := strings.Split(text, "\n")
	for _, line := range all[:len(all)-1] {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			if lines != nil {
				want = append(want, Frame{Data: []byte(strings.Join(lines, "\n")), Event: event})
			}
			lines, event = nil, ""
		case name == "data":
			lines = append(lines, value)
		case name == "event":
			event = value
		}
	}
	n := 0
	for _, f := range frames {
		if !f.HasData || f.Torn {
			continue
		}
		if n >= len(want) || f.Event != want[n].Event || !f.Unprefixed && !bytes.Equal(f.Data, want[n].Data) {
			t.Fatalf("got frame %d %+v with data %q, want the reference's", n, f, f.Data)
		}
		n++
	}
	if n != len(want) {
		t.Fatalf("got %d frames with data, want %d", n, len(want))
	}
}

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
		"data: a\r\n\r\ndata: b\r\r\n\n", "\xEF\xBB\xBF\ndata\n\n:\n\n", "data: [\n1\n]\n\n[\n2\n]\n\n", "data\r\r\nid: 1\rdata: x",
	} {
		f.Add([]byte(s), uint64(2), uint16(64))
	}
	f.Fuzz(func(t *testing.T, stream []byte, seed uint64, limit uint16) {
		whole, tail, err := read(bytes.NewReader(stream))
		if err != io.EOF {
			t.Fatalf("ended with %v", err)
		}
		if body(whole, tail) != string(stream) {
			t.Fatal("raw bytes and tail are not the stream")
		}
		checkReference(t, stream, whole)

		short, shortTail, _ := read(bytes.NewReader(stream), MaxFrame(int(limit)))
		kept := len(shortTail)
		for _, f := range short {
			kept += len(f.Raw) + f.Omitted
			if f.Omitted > 0 && f.Data != nil {
				t.Fatal("part of the data of a frame that is too long")
			}
		}
		if kept != len(stream) {
			t.Fatalf("%d bytes accounted for, want %d", kept, len(stream))
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

func sameFrames(t *testing.T, got, want []Frame, gotTail, wantTail []byte) {
	t.Helper()
	if !reflect.DeepEqual(got, want) || !bytes.Equal(gotTail, wantTail) {
		t.Fatalf("chunks change the result:\n%+v tail %q\n%+v tail %q", got, gotTail, want, wantTail)
	}
}

// checkReference compares the data of complete frames with what the plain algorithm of the
// HTML standard finds.
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
			t.Fatalf("frame %d is %+v with data %q", n, f, f.Data)
		}
		n++
	}
	if n != len(want) {
		t.Fatalf("%d frames with data, want %d", n, len(want))
	}
}

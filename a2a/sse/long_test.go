package sse

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestLongLinesAreReadWhole reads lines of about as many bytes as a piece has, and of a
// few times as many, however they end and the reads fall.
func TestLongLinesAreReadWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, end := range []string{"\n", "\r\n", "\r"} {
		for _, size := range []int{large - 8, large - 6, large, large + 1, 3*large + 77, giant + 5} {
			t.Run(fmt.Sprintf("%d%q", size, end), func(t *testing.T) {
				long := strings.Repeat("x", size)
				stream := "data: a" + end + end + "id: 4" + end + "data: " + long + end + end + "data: b" + end + end + ": over" + end
				frames, tail, err := read(&chunks{[]byte(stream), rng})
				if err != io.EOF || len(frames) != 3 || body(frames, tail) != stream {
					t.Fatalf("%d frames, %v", len(frames), err)
				}
				if f := frames[1]; string(f.Data) != long || f.ID != "4" || f.Omitted != 0 || f.Torn {
					t.Errorf("%d bytes of data, %d omitted, id %q", len(f.Data), f.Omitted, f.ID)
				}
				if string(frames[2].Data) != "b" {
					t.Errorf("after it came %q", frames[2].Data)
				}
			})
		}
	}
}

func TestALongLineBeyondTheLimitSaysWhatIsMissing(t *testing.T) {
	const limit = large + large/2
	long := "data: " + strings.Repeat("x", 4*large) + "\n\n"
	d := NewDecoder(strings.NewReader(long+"data: b\n\n"), MaxFrame(limit))
	f, err := d.Next()
	if err != nil || string(f.Raw) != long[:limit] || f.Omitted != len(long)-limit || f.Data != nil {
		t.Errorf("%d bytes raw, %d omitted, %v", len(f.Raw), f.Omitted, err)
	}
	if f, err = d.Next(); err != nil || string(f.Data) != "b" {
		t.Errorf("after it came %q, %v", f.Data, err)
	}
}

// TestALongLineIsCopiedOnce counts the bytes that were copied because there was no
// room for more.
func TestALongLineIsCopiedOnce(t *testing.T) {
	stream := []byte("data: " + strings.Repeat("x", 20<<20) + "\n\ndata: b\n\n")
	copied, before, rest := 0, 0, stream
	var d *Decoder
	d = NewDecoder(readerFunc(func(p []byte) (int, error) {
		if cap(d.buf) != before {
			copied, before = copied+len(d.buf), cap(d.buf)
		}
		n := copy(p, rest)
		if rest = rest[n:]; n == 0 {
			return 0, io.EOF
		}
		return n, nil
	}))
	f, err := d.Next()
	if err != nil || f.Omitted > 0 {
		t.Fatalf("%d bytes raw, %v", len(f.Raw), err)
	}
	if copied > len(stream)*4/3 {
		t.Errorf("%d bytes of %d were copied", copied, len(stream))
	}
	if cap(f.Raw) > len(f.Raw)*5/4 || cap(d.buf) > fullBuffer {
		t.Errorf("%d bytes are kept for a frame of %d, and %d for the next", cap(f.Raw), len(f.Raw), cap(d.buf))
	}
	if f, err = d.Next(); err != nil || string(f.Data) != "b" {
		t.Errorf("after it came %q, %v", f.Data, err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

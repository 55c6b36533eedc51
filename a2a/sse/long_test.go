package sse

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestLongLinesAreReadWhole reads lines of about the size of a piece, and of a multiple of it,
// with any line end and division into reads.
func TestLongLinesAreReadWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, end := range []string{"\n", "\r\n", "\r"} {
		for _, size := range []int{large - 8, large - 6, large, large + 1, 3*large + 77, giant + 5} {
			t.Run(fmt.Sprintf("%d%q", size, end), func(t *testing.T) {
				long := strings.Repeat("x", size)
				stream := "data: a" + end + end + "id: 4" + end + "data: " + long + end + end + "data: b" + end + end + ": over" + end
				frames, tail, err := read(&chunks{[]byte(stream), rng})
				if err != io.EOF || len(frames) != 3 || body(frames, tail) != stream {
					t.Fatalf("got %d frames, error %v; want 3, EOF and all bytes", len(frames), err)
				}
				if f := frames[1]; string(f.Data) != long || f.ID != "4" || f.Omitted != 0 || f.Torn {
					t.Errorf("got %d bytes of data, %d omitted, id %q; want %d, 0, 4", len(f.Data), f.Omitted, f.ID, len(long))
				}
				if string(frames[2].Data) != "b" {
					t.Errorf("got data %q of the next frame, want b", frames[2].Data)
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
		t.Errorf("got %d bytes raw, %d omitted, %v; want %d, %d", len(f.Raw), f.Omitted, err, limit, len(long)-limit)
	}
	if f, err = d.Next(); err != nil || string(f.Data) != "b" {
		t.Errorf("got data %q of the next frame, %v, want b", f.Data, err)
	}
}

// TestALongLineIsCopiedOnce counts the bytes that are copied to get more room.
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
		t.Fatalf("got %d bytes raw, %d omitted, error %v", len(f.Raw), f.Omitted, err)
	}
	if copied > len(stream)*4/3 {
		t.Errorf("copied %d bytes of %d, want at most a third more", copied, len(stream))
	}
	if cap(f.Raw) > len(f.Raw)*5/4 || cap(d.buf) > fullBuffer {
		t.Errorf("frame of %d bytes: got room for %d and a buffer for %d, want at most %d and %d", len(f.Raw), cap(f.Raw), cap(d.buf), len(f.Raw)*5/4, fullBuffer)
	}
	if f, err = d.Next(); err != nil || string(f.Data) != "b" {
		t.Errorf("got data %q of the next frame, %v, want b", f.Data, err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

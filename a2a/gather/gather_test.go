package gather

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

func TestABodyIsGatheredAsItCame(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, 511, 512, 513, largeBody - 1, largeBody, largeBody + 1, 3*largeBody + 7} {
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(rng.Uint32())
		}
		before := size / 3
		read := After(bytes.Clone(want[:before]))
		_, err := read.ReadFrom(iotest.HalfReader(bytes.NewReader(want[before:])))
		if got := read.Take(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("got %d bytes, %v, want the %d of the body", len(got), err, size)
		}
		var g Body
		for rest := want; len(rest) > 0; {
			n := min(1+rng.IntN(2*largeBody), len(rest))
			g.Add(rest[:n])
			rest = rest[n:]
		}
		if got := g.Take(); !bytes.Equal(got, want) {
			t.Errorf("got %d bytes as the body of %d bytes, want the bytes that were read", len(got), size)
		}
	}
}

// TestAGiantAnswerIsCopiedOnce counts the bytes that are copied to get more room.
func TestAGiantAnswerIsCopiedOnce(t *testing.T) {
	t.Parallel()
	const size = 20 << 20
	var g Body
	copied, before, left := 0, 0, size
	_, err := g.ReadFrom(readerFunc(func(p []byte) (int, error) {
		if cap(g.buf) != before {
			copied, before = copied+len(g.buf), cap(g.buf)
		}
		n := min(len(p), left)
		if left -= n; n == 0 {
			return 0, io.EOF
		}
		return n, nil
	}))
	if err != nil || len(g.buf) != size {
		t.Fatalf("got %d bytes, %v, want %d", len(g.buf), err, size)
	}
	if copied > size*4/3 {
		t.Errorf("copied %d bytes of %d, want at most a third more", copied, size)
	}
	if body := g.Take(); cap(body) > size*5/4 {
		t.Errorf("body of %d bytes has room for %d, want at most a quarter more", size, cap(body))
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

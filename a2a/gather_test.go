package a2a

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/iotest"
)

func TestABodyIsGatheredAsItCame(t *testing.T) {
	t.Parallel()
	rng, large := rand.New(rand.NewPCG(1, 2)), &limitError{LimitAnswer, 1 << 30}
	for _, size := range []int{0, 1, 511, 512, 513, largeBody - 1, largeBody, largeBody + 1, 3*largeBody + 7} {
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(rng.Uint32())
		}
		before := size / 3
		got, err := readAtMost(bytes.Clone(want[:before]), iotest.HalfReader(bytes.NewReader(want[before:])), large)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("got %d bytes, %v, want the %d of the body", len(got), err, size)
		}
		var g gatherer
		for rest := want; len(rest) > 0; {
			n := min(1+rng.IntN(2*largeBody), len(rest))
			g.add(rest[:n])
			rest = rest[n:]
		}
		if !bytes.Equal(g.body(), want) {
			t.Errorf("got %d bytes as the body of %d bytes, want the bytes that were read", len(g.body()), size)
		}
	}
}

func TestAtMostSoManyBytesAreRead(t *testing.T) {
	t.Parallel()
	body := make([]byte, 3*largeBody)
	limit := &limitError{LimitAnswer, 2 * largeBody}
	if got, err := readAtMost(body[:10:10], bytes.NewReader(body[10:]), limit); len(got) != 2*largeBody || err != limit {
		t.Errorf("over the limit: got %d bytes, %v, want %d, %v", len(got), err, 2*largeBody, limit)
	}
	if got, err := readAtMost(nil, bytes.NewReader(body), &limitError{LimitAnswer, int64(len(body))}); len(got) != len(body) || err != nil {
		t.Errorf("at the limit: got %d bytes, %v, want %d", len(got), err, len(body))
	}
	broken := errors.New("broken")
	if got, err := readAtMost(nil, io.MultiReader(bytes.NewReader(body), iotest.ErrReader(broken)), &limitError{LimitAnswer, 1 << 30}); len(got) != len(body) || err != broken {
		t.Errorf("broken reader: got %d bytes, %v, want %d, %v", len(got), err, len(body), broken)
	}
}

// TestAGiantAnswerIsCopiedOnce counts the bytes that are copied to get more room.
func TestAGiantAnswerIsCopiedOnce(t *testing.T) {
	t.Parallel()
	const size = 20 << 20
	var g gatherer
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
	if body := g.body(); cap(body) > size*5/4 {
		t.Errorf("body of %d bytes has room for %d, want at most a quarter more", size, cap(body))
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestALongTextIsDecodedWithOneCopyAtMost counts the bytes that decoding allocates.
func TestALongTextIsDecodedWithOneCopyAtMost(t *testing.T) {
	for name, c := range map[string]struct {
		paragraph string
		most      uint64 // percent of the body
	}{"plain": {"It was a bright cold day in April. ", 5}, "escaped": {`It was a bright cold day in April.\n`, 105}} {
		body := bytes.Join([][]byte{[]byte(`{"jsonrpc":"2.0","id":"1","result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[{"text":"`),
			bytes.Repeat([]byte(c.paragraph), 20<<20/len(c.paragraph)), []byte(`"}]}]}}}`)}, nil)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		u := Decode(nil, Input{Body: body, Status: 200, RPCID: `"1"`})
		runtime.ReadMemStats(&after)
		if u.Err != nil || len(u.Events) != 1 {
			t.Fatalf("%s: got error %v, update %s", name, u.Err, describeUpdate(u))
		}
		if taken, most := after.TotalAlloc-before.TotalAlloc, uint64(len(body))*c.most/100; taken > most {
			t.Errorf("%s: allocated %d bytes for %d, want at most %d", name, taken, len(body), most)
		}
	}
}

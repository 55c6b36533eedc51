package a2a

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"
	"testing/iotest"
)

func TestAtMostSoManyBytesAreRead(t *testing.T) {
	t.Parallel()
	const size = 2 << 20
	body := make([]byte, size*3/2)
	limit := &limitError{LimitAnswer, size}
	if got, err := readAtMost(body[:10:10], bytes.NewReader(body[10:]), limit); len(got) != size || err != limit {
		t.Errorf("over the limit: got %d bytes, %v, want %d, %v", len(got), err, size, limit)
	}
	if got, err := readAtMost(nil, bytes.NewReader(body), &limitError{LimitAnswer, int64(len(body))}); len(got) != len(body) || err != nil {
		t.Errorf("at the limit: got %d bytes, %v, want %d", len(got), err, len(body))
	}
	broken := errors.New("broken")
	if got, err := readAtMost(nil, io.MultiReader(bytes.NewReader(body), iotest.ErrReader(broken)), &limitError{LimitAnswer, 1 << 30}); len(got) != len(body) || err != broken {
		t.Errorf("broken reader: got %d bytes, %v, want %d, %v", len(got), err, len(body), broken)
	}
}

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

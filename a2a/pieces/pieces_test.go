package pieces

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"
)

// Every byte arrives once, in order and with the time of its piece, however far the writer is ahead.
func TestAQueueHandsOverPieces(t *testing.T) {
	t.Parallel()
	start := time.Unix(1, 0)
	q := NewQueue(start)
	piece := func(i int) []byte { return bytes.Repeat([]byte{byte(i)}, 1+i*997%70_000) }
	const pieces = 200
	broken := errors.New("the agent left")
	go func() {
		for i := range pieces {
			q.Write(start.Add(time.Duration(i)), piece(i))
		}
		q.Close(start.Add(pieces), broken)
	}()
	buf := make([]byte, 10_000)
	for i := range pieces {
		for rest := piece(i); len(rest) > 0; {
			n, err := q.Read(buf)
			if err != nil || !bytes.HasPrefix(rest, buf[:n]) || !q.at.Equal(start.Add(time.Duration(i))) {
				t.Fatalf("piece %d: got %d bytes at %s, %v; want a part of the piece at its time", i, n, q.at, err)
			}
			rest = rest[n:]
		}
	}
	if _, err := q.Read(buf); !errors.Is(err, broken) || !q.at.Equal(start.Add(pieces)) {
		t.Errorf("got %v at %s, want the end at its time", err, q.at)
	}
}

// Settling waits for what was written before, and not for what comes meanwhile.
func TestSettlingWaitsForWhatWasWritten(t *testing.T) {
	t.Parallel()
	q := NewQueue(time.Time{})
	var got bytes.Buffer
	done := make(chan error, 1)
	go func() {
		_, err := io.Copy(&got, struct{ io.Reader }{q})
		q.Leave()
		done <- err
	}()
	want := ""
	for i := range 100 {
		text := fmt.Sprintf("piece %d;", i)
		want += text
		q.Write(time.Time{}, []byte(text))
		q.Settle()
		if q.recorded < int64(len(want)) { // nobody writes meanwhile
			t.Fatalf("got %d bytes recorded, want %d", q.recorded, len(want))
		}
	}
	q.Close(time.Time{}, io.EOF)
	if err := <-done; err != nil || got.String() != want {
		t.Errorf("got %q, %v, want %q", got.String(), err, want)
	}
	q.Settle()
	q.Write(time.Time{}, []byte("nobody reads it"))
}

package journal

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/sessiontest"
)

// A request and a delivery begin an exchange of their number; everything else belongs to one.
func TestRequestsAndDeliveriesBeginExchanges(t *testing.T) {
	feed := log.NewFeed()
	r := NewRecorder(feed, nil)
	r.GoOn(7)
	for i, c := range []struct {
		kind     a2a.RecordKind
		exchange a2a.ExchangeID
		want     a2a.ExchangeID
	}{
		{a2a.KindRequest, 0, 8}, {a2a.KindHead, 8, 8}, {a2a.KindDelivery, 0, 10}, {a2a.KindEnd, 10, 10}, {a2a.KindNote, 0, 0},
	} {
		id := r.Put(a2a.Record{Kind: c.kind, Exchange: c.exchange}, a2a.Update{})
		it := sessiontest.Drain(t, feed, 1, 0)[0]
		if want := a2a.RecordID(8 + i); id != want || it.Record.ID != want || it.Record.Exchange != c.want {
			t.Errorf("%s: got number %d and record %d of exchange %d, want %d of exchange %d", c.kind, id, it.Record.ID, it.Record.Exchange, want, c.want)
		}
	}
}

// A tearing file keeps half of the first write, which waits for the gate, and all of later ones.
type tearing struct {
	gate   chan struct{}
	writes int
	text   bytes.Buffer
}

func (w *tearing) Write(p []byte) (int, error) {
	if w.writes++; w.writes > 1 {
		return w.text.Write(p)
	}
	<-w.gate
	n, _ := w.text.Write(p[:len(p)/2])
	return n, io.ErrShortWrite
}

func (w *tearing) Close() error { return nil }

// After a line that was written in part, nothing is written: it would become a part of that line.
func TestNothingFollowsALineThatWasWrittenInPart(t *testing.T) {
	w := &tearing{gate: make(chan struct{})}
	j := newJournal("session.jsonl", w, Options{Now: clock()})
	go j.run()
	r := NewRecorder(log.NewFeed(), j)
	r.Put(sessiontest.Event("data: x\n\n"), a2a.Update{})
	for taken := false; !taken; runtime.Gosched() { // the writer has the first line
		j.mu.Lock()
		taken = len(j.queue) == 0
		j.mu.Unlock()
	}
	r.Put(sessiontest.Event("data: y\n\n"), a2a.Update{})
	close(w.gate)
	if err := j.Close(); err == nil {
		t.Error("got no error from Close, want that of the write")
	}
	if w.writes != 1 || bytes.Contains(w.text.Bytes(), []byte("\n")) {
		t.Errorf("got %d writes and %q, want half a line and nothing behind it", w.writes, &w.text)
	}
}

// nowhere is a file that nobody reads.
type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }

// What a fast stream queues while the file is written goes into the blocks of the batch before. A burst
// leaves a few of them.
func TestBlocksThatWereWrittenAreFilledAgain(t *testing.T) {
	t.Parallel()
	j := newJournal("session.jsonl", nowhere{io.Discard}, Options{Now: clock()})
	record := sessiontest.Event("data: " + strings.Repeat("x", 4000) + "\n\n")
	fill := func(blocks int) []block {
		for len(j.queue) < blocks || len(j.queue[blocks-1].lines) < journalBatch {
			j.append(&record)
		}
		batch, _ := j.next()
		return batch
	}
	const burst = 8 // as a stream of 100,000 events a second fills while one is written
	first := fill(burst)
	arrays := map[*byte]bool{}
	for i := range first {
		arrays[&first[i].lines[0]] = true
	}
	j.noteWritten(first, nil)
	for i, b := range fill(burst) {
		if !arrays[&b.lines[0]] {
			t.Errorf("block %d of %d: got new memory, want that of a block that was written", i, len(first))
		}
	}
	j.noteWritten(fill(10*burst), nil)
	if got := len(j.free); got > spareBlocks {
		t.Errorf("got %d spare blocks after a burst, want at most %d", got, spareBlocks)
	}
}

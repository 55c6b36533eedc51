package terminal

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// A terminal that reads nothing does not block Write, and no byte is lost.
func TestAStoppedTerminalStopsOnlyTheOutput(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	o := NewOutput(w, func() {})
	var want bytes.Buffer
	for i := range 4000 { // far more than a pipe holds
		row := bytes.Repeat([]byte{byte(i)}, 100)
		want.Write(row)
		if n, err := o.Write(row); n != len(row) || err != nil {
			t.Fatalf("Write: got %d, error %v, want the whole row", n, err)
		}
	}
	if !o.Behind() {
		t.Error("400 kB unwritten: got Behind false, want true")
	}
	got := make([]byte, want.Len())
	if _, err := io.ReadFull(r, got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Error("the terminal got other bytes than were written")
	}
	o.Close()
	if o.Behind() {
		t.Error("nothing left to write: got Behind true, want false")
	}
	w.Close()
}

// A terminal of 20 rows grows to 40 while rows of it are scrolled. The renderer still sets
// margins of 20 rows; when it knows the new size, it clears the screen, and the rows below
// scroll again.
func TestAClearedScreenHasNoMargins(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	o := NewOutput(w, func() {})
	scrolled := ansi.SetTopBottomMargins(3, 18) + "\n" + ansi.SetTopBottomMargins(1, 20)
	frame := ansi.CursorHomePosition + ansi.EraseEntireScreen + "row"
	for _, s := range []string{scrolled, frame} {
		if n, err := o.WriteString(s); n != len(s) || err != nil {
			t.Errorf("WriteString: got %d of %d bytes, error %v, want all", n, len(s), err)
		}
	}
	o.Close()
	w.Close()
	got, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if want := scrolled + "\x1b[r" + frame; string(got) != want {
		t.Errorf("what came out is %q, want %q", got, want)
	}
	if o.pending.Load() != 0 {
		t.Errorf("%d bytes are still pending, want 0", o.pending.Load())
	}
}

// Short writes with pauses make the writer find an empty queue again and again.
func TestOutputKeepsItsOrderWhenTheQueueRunsDry(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	o := NewOutput(w, func() {})
	var want bytes.Buffer
	go func() {
		defer w.Close()
		defer o.Close()
		for i := range 3000 {
			if i%7 == 0 {
				runtime.Gosched()
			}
			_, _ = o.Write(bytes.Repeat([]byte{byte('a' + i%26)}, 1+i%50))
		}
	}()
	for i := range 3000 {
		want.Write(bytes.Repeat([]byte{byte('a' + i%26)}, 1+i%50))
	}
	got, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("got %d bytes of %d, equal: %v, error %v, want all of them", len(got), want.Len(), bytes.Equal(got, want.Bytes()), err)
	}
}

func TestAGoneTerminalIsToldAndHangsNobody(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	o := NewOutput(w, func() {})
	r.Close()
	w.Close()
	_, _ = o.Write([]byte("into the void"))
	o.Close()
	if _, err := o.Write([]byte("more")); err == nil {
		t.Error("Write to a closed terminal: got no error, want one")
	}
}

// A terminal that keeps up may not have read the last frame, which may be large. A terminal that
// has not read the frame before it is behind.
func TestATerminalIsBehindWhenAFrameWaitsForAnother(t *testing.T) {
	o := &Output{wake: make(chan struct{}, 1)}
	for frame, behind := range []bool{false, true} {
		if _, err := o.Write(make([]byte, maxUnwritten+500)); err != nil {
			t.Fatal(err)
		}
		if o.Behind() != behind {
			t.Errorf("after %d frames: got Behind %v, want %v", frame+1, o.Behind(), behind)
		}
	}
}

// The garbage collector is back to normal with the first frame, not before and not much later.
func TestTheStartIsOverWhenTheFirstFrameIsWritten(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var seen bytes.Buffer
	started := make(chan string, 2)
	o := NewOutput(w, func() {
		_, _ = io.CopyN(&seen, r, int64(len("ask"+ansi.SetModeAltScreenSaveCursor)))
		started <- seen.String()
	})
	for _, s := range []string{"ask", ansi.SetModeAltScreenSaveCursor, "more"} {
		_, _ = o.WriteString(s)
	}
	o.Close()
	w.Close()
	if got := <-started; got != "ask"+ansi.SetModeAltScreenSaveCursor {
		t.Errorf("started was called after %q, want after the switch to the alternate screen", got)
	}
	if len(started) > 0 {
		t.Error("got a second call of started, want one")
	}
}

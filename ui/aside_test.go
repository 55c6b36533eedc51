package ui

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// A size reaches the renderer at once, or, when the terminal is behind, not before it
// has caught up; of many sizes only the last does.
func TestAStoppedTerminalIsNotDrawnForEachSize(t *testing.T) {
	size := tea.WindowSizeMsg{Width: 100, Height: 30}
	o := &output{}
	if got := o.filter(nil, size); got != size {
		t.Errorf("a terminal that keeps up is told %v", got)
	}
	o.pending.Store(maxUnwritten + 1)
	held := o.filter(nil, size)
	if held != (resizedMsg{}) {
		t.Fatalf("a terminal that is behind is told %v", held)
	}
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.model.out = o
		for range 3 {
			d.send(held)
		}
		d.wait(time.Second)
		d.outside = nil
		o.pending.Store(0)
		d.wait(time.Second)
		asks := reflect.TypeOf(tea.RequestWindowSize()).String()
		if n := len(slices.DeleteFunc(d.outside, func(name string) bool { return name != asks })); n != 1 {
			t.Errorf("caught up, it asks for the size %d times", n)
		}
	})
}

// Whoever gets the terminal gets it after everything that was written before, and
// writes to it directly.
func TestAGuestWritesAfterEverythingElse(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	o := newOutput(w, func() {})
	before := bytes.Repeat([]byte("before "), 20_000) // more than a pipe holds
	_, _ = o.Write(before)
	g := &guest{Cmd: exec.Command("nobody-starts-it")}
	given := make(chan io.Writer)
	go func() {
		g.SetStdout(o)
		_, _ = g.Stdout.Write([]byte("after"))
		w.Close()
		given <- g.Stdout
	}()
	got, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if want := append(before, ansi.ShowCursor+"after"...); !bytes.Equal(got, want) {
		t.Errorf("%d bytes came, want %d: …%q", len(got), len(want), got[max(0, len(got)-40):])
	}
	if out := <-given; out != w {
		t.Errorf("between the guest and the terminal is %v", out)
	}
	o.Close()
}

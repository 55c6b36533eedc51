package terminal

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// A guest gets the terminal after everything before it was written, and writes to it directly.
func TestAGuestWritesAfterEverythingElse(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	o := NewOutput(w, func() {})
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
		t.Errorf("the guest writes to %v, want the terminal itself", out)
	}
	o.Close()
}

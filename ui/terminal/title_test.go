package terminal

import (
	"os"
	"testing"
)

// The terminal's own title is saved each time the program takes the terminal and restored each
// time it gives it back, whatever else is written with it.
func TestTheTerminalGetsItsTitleBack(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	o := NewOutput(w, func() {})
	for _, s := range []string{
		"before", "\x1b[?1049h\x1b]2;parley\x07frame", "\x1b]2;parley · Atlas\x07", "frame", "\x1b[?1049l\x1b]2;\x07bye",
		"shell", "\x1b]2;parley\x07", "\x1b]2;\x07",
	} {
		if n, err := o.Write([]byte(s)); n != len(s) || err != nil {
			t.Fatalf("Write: got %d bytes of %d, error %v, want all", n, len(s), err)
		}
	}
	o.Close()
	w.Close()
	const save, back = "\x1b[22;2t", "\x1b[23;2t"
	want := "before" + save + "\x1b[?1049h\x1b]2;parley\x07frame" + "\x1b]2;parley · Atlas\x07" + "frame" + "\x1b[?1049l\x1b]2;\x07" + back + "bye" +
		"shell" + save + "\x1b]2;parley\x07" + "\x1b]2;\x07" + back
	got := make([]byte, len(want)+1)
	n, _ := r.Read(got)
	if string(got[:n]) != want {
		t.Errorf("written is\n%q, want\n%q", got[:n], want)
	}
}

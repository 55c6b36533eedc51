package cli

import (
	"strings"
	"testing"
)

// The byte count has its own line, which is erased before any other output.
func TestTheLineOfBytesIsErased(t *testing.T) {
	t.Parallel()
	var to strings.Builder
	l := byteLine{w: &to}
	l.erase()
	l.draw()
	if to.Len() != 0 {
		t.Errorf("got %q before the first byte, want nothing", to.String())
	}
	l.bytes = 12_400_000
	l.draw()
	l.draw()
	l.bytes = 0
	l.draw()
	l.erase()
	if want := "12.4 MB received\r" + strings.Repeat(" ", 16) + "\r"; to.String() != want {
		t.Errorf("got %q, want %q", to.String(), want)
	}
	l = byteLine{bytes: 1} // no terminal
	l.draw()
	l.erase()
}

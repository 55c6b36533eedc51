//go:build unix

package inline

import (
	"strings"
	"testing"

	"github.com/creack/pty"
)

// A terminal that answers is believed, and one that says nothing delays nobody for long.
func TestATerminalIsAsked(t *testing.T) {
	for _, c := range []struct {
		answer string
		want   Terminal
	}{
		{"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b_Gi=31;OK\x1b\\\x1b[?62c", Terminal{Kitty: true}},
		{"\x1b]11;rgb:0000/0000/0000\x1b\\\x1b_Gi=31;ENOTSUPPORTED:x\x1b\\\x1b[?62c", Terminal{Dark: true}},
		{"\x1b[?62c", Terminal{Dark: true}},
		{"", Terminal{Dark: true}},
	} {
		user, terminal, err := pty.Open()
		if err != nil {
			t.Skip(err)
		}
		go func() {
			var all strings.Builder
			for b := make([]byte, 1024); ; {
				n, err := user.Read(b)
				if err != nil {
					return
				}
				if all.Write(b[:n]); strings.Contains(all.String(), askAttributes) {
					_, _ = user.WriteString(c.answer)
					all.Reset()
				}
			}
		}()
		got := Ask(t.Context(), terminal, terminal, []string{"TERM=xterm-256color", "NO_COLOR=1"})
		if got.Kitty != c.want.Kitty || got.Dark != c.want.Dark {
			t.Errorf("%q: got %+v, want %+v", c.answer, got, c.want)
		}
		user.Close() // ends what still reads the other side, which is not closed while it may be read
	}
}

package inline

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"

	"parley/themes"
)

// logo is a PNG of these pixels.
func logo(t *testing.T, w, h int) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for x := range w {
		for y := range h {
			img.Set(x, y, color.NRGBA{uint8(x), uint8(y), 0x80, 0xff})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAPictureIsDrawnAsTheTerminalCan(t *testing.T) {
	for name, c := range map[string]struct {
		term Terminal
		want string
	}{
		"kitty":  {Terminal{Kitty: true}, "\x1b_G"},
		"blocks": {Terminal{}, "▀"},
		"ascii":  {Terminal{ASCII: true}, "\x1b[48;2;"},
		"mono":   {Terminal{Depth: themes.NoColours}, "\r\n"},
	} {
		out, err := c.term.Picture(logo(t, 40, 40), 80, 24)
		if err != nil || !strings.Contains(out, c.want) || strings.Contains(out, "\x1b_G") != (name == "kitty") {
			t.Errorf("%s: got %.80q (%v), want %q", name, out, err, c.want)
		}
		screen := vt.NewEmulator(80, 24)
		_, _ = screen.WriteString(out)
		if at := screen.CursorPosition(); at.X != 0 {
			t.Errorf("%s: got cursor %v, want the beginning of a line", name, at)
		}
	}
	for _, bad := range [][]byte{nil, []byte("no image"), logo(t, 10, 10)[:40]} {
		if out, err := (Terminal{Kitty: true}).Picture(bad, 80, 24); err == nil {
			t.Errorf("got %.40q, want a reason", out)
		}
	}
}

func TestTheEnvironmentSaysWhatATerminalIs(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want Terminal
	}{
		{[]string{"TERM=xterm-kitty", "COLORTERM=truecolor"}, Terminal{Dark: true, Kitty: true, Depth: themes.Full}},
		{[]string{"TERM=xterm-kitty", "TMUX=/tmp/x,1,0", "NO_COLOR=1"}, Terminal{Dark: true, Depth: themes.NoColours}},
		{[]string{"TERM=screen-256color", "KITTY_WINDOW_ID=1", "NO_COLOR=1"}, Terminal{Dark: true, Depth: themes.NoColours}},
		{[]string{"TERM=linux", "COLORFGBG=0;15", "LANG=de_DE.ISO-8859-1", "NO_COLOR=1"}, Terminal{ASCII: true, Depth: themes.NoColours}},
		{[]string{"LC_ALL=C.UTF-8", "LANG=C", "NO_COLOR=1"}, Terminal{Dark: true, Depth: themes.NoColours}},
	} {
		got := Guess(os.Stdout, c.env)
		if c.want.Depth == themes.Full {
			got.Depth = themes.Full // a test has no terminal
		}
		if got != c.want {
			t.Errorf("%q: got %+v, want %+v", c.env, got, c.want)
		}
	}
}

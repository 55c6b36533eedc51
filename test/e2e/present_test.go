//go:build unix

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A booking for an audience: the conversation alone, the wire on one key, the spotlight, the keys that
// are pressed, and the screen of before at the end.
func TestABookingIsPresented(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := parleyWith(t, 160, 45, []string{"HOME=" + dir, "XDG_STATE_HOME=" + filepath.Join(dir, "state")}, "demo", "--no-record")
	s.WaitFor(`❯ Book me`)
	s.Keys("F10")
	s.WaitFor(`f10 end presenting`)
	s.WaitGone(`─ wire`)
	s.Keys("Enter")
	s.WaitFor(`Where would you like to go`)
	s.Keys("Enter")
	s.WaitFor(`Which dates`)
	s.Keys("Enter")
	screen := s.WaitFor(`Your seat on PY 103`)
	if found := regexp.MustCompile(`\bctx\b|task [0-9a-f]{4}|JSON-RPC|\d k?B\b|─ agents`).FindString(screen); found != "" {
		t.Errorf("got %q for an audience:\n%s", found, screen)
	}
	s.Keys("M-w")
	s.WaitFor(`─ wire .*(?s).*alt\+w hide wire`)
	s.Keys("M-k", "M-j")
	s.WaitFor(`j k move the spotlight`)
	s.Keys("k", "k", "k")
	if faint := len(regexp.MustCompile(`Shall I look at the weather`).FindAllString(s.Screen(), -1)); faint != 1 {
		t.Errorf("got the dim question %d times, want once:\n%s", faint, s.Screen())
	}
	s.Keys("Escape")
	s.WaitFor(`alt\+j spotlight`)
	s.Resize(12, 3)
	s.WaitFor(`Enlarge`)
	s.Resize(100, 30)
	s.WaitFor(`f10 end presenting`)
	s.Keys("M-v")
	s.WaitFor(`─ conversation`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}

// A path of the home is masked wherever it would be shown, and what is saved is not.
func TestTheHomeIsMaskedForAnAudience(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := parleyWith(t, 100, 30, []string{"HOME=" + dir, "XDG_STATE_HOME=" + filepath.Join(dir, "state")}, "demo", "--no-record", "--present", "--theme", "light")
	s.WaitFor(`❯ Book me`)
	s.Text("my key is sk-ant-api03-Zq8rT2vW5yB1nM4kJ7hG0fD3sA6pL9oI in " + dir + "/notes")
	screen := s.WaitFor(`my key is •+`)
	s.Keys("Enter")
	s.WaitFor(`▌ my key is •••`)
	s.Keys("M-w")
	s.WaitFor(`─ wire`)
	screen += s.Screen()
	s.Keys("C-p")
	s.WaitFor(`─ find`)
	screen += s.Screen()
	flat := strings.Join(strings.Fields(screen), "")
	for _, secret := range []string{"Zq8rT2vW5y", dir} {
		if strings.Contains(flat, secret) {
			t.Errorf("got %q on the screen:\n%s", secret, screen)
		}
	}
}

// A locale that names no UTF-8 gets signs that it has, unless the user wants others.
func TestALocaleWithoutUTF8IsDrawnInASCII(t *testing.T) {
	t.Parallel()
	s := parleyWith(t, 100, 30, []string{"LANG=de_DE.ISO-8859-1"}, "demo", "--no-record")
	s.WaitFor(`> Book me`)
	if i := strings.IndexFunc(s.Screen(), func(r rune) bool { return r > 126 }); i >= 0 {
		t.Errorf("got a sign that is not ASCII:\n%s", s.Screen())
	}
	s = parleyWith(t, 100, 30, []string{"LANG=C"}, "demo", "--no-record", "--ascii=false")
	s.WaitFor(`❯ Book me`)
}

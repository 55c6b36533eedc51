//go:build unix

package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Two conversations with one agent wait for input at the same time: one key lists both and opens
// each.
func TestTheInboxLeadsToWhatWaits(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "demo", "--no-record")
	s.WaitFor(`❯ Book me a flight`)
	s.Keys("Enter")
	s.WaitFor(`1 waiting`)
	s.Keys("C-n")
	s.Text("Charge the trip to my company card")
	s.WaitFor(`❯ Charge the trip to my`)
	s.Keys("Enter")
	s.WaitFor(`2 waiting`)
	s.Keys("C-g")
	screen := s.WaitFor(`─ waiting for you ─`)
	for _, want := range []string{"2 tasks", "Where would you like", "enter answer task"} {
		if !strings.Contains(screen, want) {
			screen = s.WaitFor(regexp.QuoteMeta(want))
		}
	}
	s.Text("G")
	s.WaitFor(`auth-required · task`)
	s.Text("g")
	s.WaitFor(`input-required · task`)
	s.Keys("Enter")
	s.WaitGone(`waiting for you`)
	s.WaitFor(`reply to task`)
	s.WaitFor(`❯ London`)
	s.Text("/bell")
	s.WaitFor(`❯ /bell`)
	s.Keys("Enter")
	s.WaitFor(`the bell is off`)
	s.Text("/waiting")
	s.WaitFor(`❯ /waiting`)
	s.Keys("Enter")
	s.WaitFor(`─ waiting for you ─`)
	s.Keys("Escape")
	s.WaitGone(`waiting for you`)
	quit(t, s)
}

// The user signs in in a browser that Parley opens, and returns to a task that has continued;
// the recording shows the same.
func TestWhatIsAuthorizedInABrowserGoesOnByItself(t *testing.T) {
	t.Parallel()
	bin, recording := t.TempDir(), filepath.Join(t.TempDir(), "session.jsonl")
	opener := "#!/bin/sh\nprintf %s \"$1\" > " + filepath.Join(bin, "opening") + " && mv " + filepath.Join(bin, "opening") + " " + filepath.Join(bin, "opened") + "\n"
	for _, name := range []string{"xdg-open", "open"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(opener), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s := parleyIn(t, t.TempDir(), 140, 40, []string{"DISPLAY=:0", "PATH=" + bin + ":" + os.Getenv("PATH")}, "demo", "--record", recording)
	s.WaitFor(`❯ Book me a flight`)
	s.Text("Charge the trip to my company card")
	s.WaitFor(`❯ Charge the trip to my`)
	s.Keys("Enter")
	s.WaitFor(`alt\+o opens 127\.0\.0\.1`)
	s.WaitFor(`next auth poll in`)
	s.WaitFor(`▸ → GetTas`)
	s.Keys("M-o")
	s.WaitFor(`it leads to 127\.0\.0\.1`)
	s.Text("o")
	var link string
	s.WaitFunc("the browser to be opened", func(string) bool {
		data, err := os.ReadFile(filepath.Join(bin, "opened"))
		link = string(data)
		return err == nil
	})
	answer, err := http.Get(link)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	s.WaitFor(`SubscribeToTask`)
	screen := s.WaitFor(`✓ completed`)
	if strings.Contains(screen, "1 waiting") {
		screen = s.WaitGone(`1 waiting`)
	}
	if strings.Contains(screen, "next auth poll in") {
		t.Errorf("got a further poll, want none:\n%s", screen)
	}
	quit(t, s)
	again := parley(t, 140, 40, "open", recording)
	again.WaitFor(`✓ completed`)
	again.WaitFor(`✓ auth-required \d`)
	again.Keys("C-c", "C-c")
	waitForExit(t, again, 0)
}

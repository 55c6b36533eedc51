//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file is attached by its path, by the picker, and by dropping it on the terminal; an agent
// of the official SDK reports the sizes.
func TestFilesArriveAtAnAgentOfTheOfficialSDK(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, size := range map[string]int{"my docs/seventeen.txt": 17, "five.txt": 5} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Repeat("x", size)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := parleyIn(t, dir, 120, 40, nil, "--no-record", sdkAgent(t))
	s.WaitFor(`❯ count 5`)
	s.Text("/attach my")
	s.WaitFor(`my docs/ +folder`)
	s.Keys("Tab")
	s.WaitFor(`seventeen\.txt +17 B`)
	s.Keys("Tab", "Enter")
	s.WaitFor(`▤ seventeen\.txt .*17 B`)
	s.Text("measure")
	s.Keys("Enter")
	s.WaitFor(`▌ │ 17 bytes`)
	s.WaitFor(`✓ completed`)

	s.Keys("M-a")
	s.WaitFor(`attach a file`)
	s.Text("five")
	s.WaitFor(`five\.txt +text/plain +5 B`)
	s.Keys("Enter")
	s.WaitFor(`▤ five\.txt text/plain · 5 B`)
	s.Text("measure")
	s.Keys("Enter")
	s.WaitFor(`▌ │ 5 bytes`)
	s.WaitGone(atWork)

	s.Keys("C-n")
	s.WaitFor(`→ new conversation`)
	s.Paste("'" + filepath.Join(dir, "my docs", "seventeen.txt") + "'")
	s.WaitFor(`alt\+a attaches seventeen\.txt`)
	s.Keys("M-a")
	s.WaitFor(`▤ seventeen\.txt .*17 B`)
	s.Text("measure")
	s.Keys("Enter")
	s.WaitFor(`▌ │ 17 bytes`)
	s.WaitFor(`── ✓ completed`) // in the conversation
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}

// The demo agents declare no file support. Parley sends a file to them anyway.
func TestTheDemoIsSentAFileThatItDoesNotTake(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "map.png"), []byte("\x89PNG\r\n\x1a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := parleyIn(t, dir, 160, 40, nil, "demo", "--no-record")
	s.WaitFor(`▌Travel Desk`)
	s.WaitFor(`❯ Book me a flight`)
	s.Text("/attach map.png")
	s.WaitFor(`⚑ image/png|Attach a file`)
	s.Keys("Enter")
	s.WaitFor(`▣ map\.png image/png · 8 B ⚑`)
	s.Text("Hello")
	s.Keys("Enter")
	s.WaitFor(`Good day`)
	s.WaitFor(`▣ +map\.png image/png · 8 B`)
}

// An agent of the official SDK answers at once and is polled; the line below the text shows the
// options before enter.
func TestAMessageIsSentNonBlockingAndTheTaskAskedFor(t *testing.T) {
	t.Parallel()
	s := parley(t, 160, 40, "--no-record", sdkAgent(t))
	s.WaitFor(`❯ count 5`)
	s.Keys("M-h")
	s.WaitFor(`as the card declares: streamed`)
	s.Keys("h")
	s.WaitFor(`configuration\.returnImmediately: true`)
	s.Keys("M-h")
	s.WaitFor(`→ non-blocking +alt\+h`)
	s.Text("wait") // until it is canceled
	s.Keys("Enter")
	s.WaitFor(`next poll in \d+ s, attempt \d`)
	s.WaitFor(`→ GetTask|▸ GetTask`)
	s.WaitFor(`→ non-blocking +alt\+h`) // it stays for the next message
	s.Keys("C-x")
	s.WaitFor(`⊘ canceled`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}

// A mistake in JSON is reported and corrected, in the user's editor too.
func TestJSONIsWrittenAndSentToTheDemo(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	script := "#!/bin/sh\nsed 's/Paris/London/' \"$1\" > \"$1.new\" && mv \"$1.new\" \"$1\"\n"
	if err := os.WriteFile(filepath.Join(bin, "mend"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	s := parleyIn(t, "", 120, 40, []string{"EDITOR=" + filepath.Join(bin, "mend")}, "demo", "--no-record")
	s.WaitFor(`▌Travel Desk`)
	s.WaitFor(`❯ Book me a flight`)
	s.Text("/data")
	s.WaitFor(`Attach JSON`)
	s.Keys("Enter")
	s.WaitFor(`✓ an object with 0 members`)
	s.Text(`"from": "Oslo", "to": "Paris", "dates": "10 to 17 October",`)
	s.WaitFor(`✕ line 1, column \d+: a trailing comma`)
	s.Keys("M-Enter")
	s.Keys("Tab", "Delete") // it was refused
	s.WaitFor(`✓ an object with 3 members`)
	s.Keys("M-e")
	s.WaitFor(`"to": "London"`)
	s.Keys("M-Enter")
	s.WaitFor(`▤ data JSON · \d+ B`)
	s.Keys("Enter")
	s.WaitFor(`✓ completed|waits for you|✓ done`)
	s.WaitFor(`London`)
}

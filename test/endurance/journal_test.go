//go:build unix

package endurance

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/journal"
)

// journalContent is the content of a journal, as far as these tests need it.
type journalContent struct {
	events int            // consecutive chunks
	last   a2a.RecordKind // of the last record
}

// readJournal reads a journal, which must be undamaged, and returns its content.
func readJournal(t *testing.T, path string) (k journalContent) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	err = journal.Read(f, func(r a2a.Record) error {
		k.last = r.Kind
		if r.Kind != a2a.KindEvent || !strings.Contains(string(r.Raw), "artifactUpdate") {
			return nil
		}
		k.events++
		if !strings.Contains(string(r.Raw), fmt.Sprintf(`"number %d of`, k.events)) {
			t.Errorf("chunk %d: got %q", k.events, r.Raw)
		}
		return nil
	})
	if err != nil {
		t.Errorf("%s: %v", path, err)
	}
	return k
}

// A full disk stops only the journal, which stays readable, and the user is warned.
func TestAFullDiskStopsTheJournalAlone(t *testing.T) {
	t.Parallel()
	const blocks = 200 // of 512 bytes
	a := startAgent(t, 5000, 50, time.Millisecond)
	journal := filepath.Join(t.TempDir(), "session.jsonl")
	s := startCommand(t, "sh", "-c", fmt.Sprintf(`ulimit -f %d; exec "$0" "$@"`, blocks), program, "--record", journal, a.url)
	s.talks()
	s.sees(`Recording stopped`)
	s.types("typed afterwards")
	s.sees(lastWord)
	s.sees(`❯ typed afterwards`)
	if k := readJournal(t, journal); k.events == 0 || k.events == 5000 {
		t.Errorf("got %d chunks in the journal, want some but not all 5000", k.events)
	}
	if info, err := os.Stat(journal); err != nil || info.Size() > 1024*blocks {
		t.Errorf("got journal %v, %v, want it within the size of the disk", info, err)
	}
	s.types("\x03\x03\x03")
	s.exit()
	s.checkTerminal()
}

// A closed standard output ends parley send and its connection.
func TestAClosedOutputEndsACommand(t *testing.T) {
	t.Parallel()
	a := startAgent(t, 0, 10, time.Millisecond)
	cmd := exec.Command("sh", "-c", `{ "$0" send -a "$1" --stream "go on"; echo "status $?" >&2; } | head -n 1`, program, a.url)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	said := make(chan []byte, 1)
	go func() { out, _ := cmd.CombinedOutput(); said <- out }()
	select {
	case out := <-said:
		if text := string(out); !strings.Contains(text, "status ") || strings.Contains(text, "status 0") || strings.Contains(text, "panic") {
			t.Errorf("got an end without an error status, or with a panic:\n%s", text)
		}
	case <-time.After(patience):
		_ = cmd.Process.Kill()
		t.Error("got a program that still runs, want it to end")
	}
}

// A program that is signalled, or whose terminal disappears, in the middle of a stream ends the
// recording with the stream's end and restores the terminal, even one that reads nothing.
func TestToldToEndItKeepsEverything(t *testing.T) {
	t.Parallel()
	const closes, stopped = "the terminal closes", "SIGTERM, and the terminal reads nothing"
	for name, end := range map[string]func(s *screen){
		"SIGTERM": func(s *screen) { s.signal(syscall.SIGTERM) },
		"SIGHUP":  func(s *screen) { s.signal(syscall.SIGHUP) },
		"ctrl+c":  func(s *screen) { s.types("\x03\x03") },
		closes:    func(s *screen) { s.tty.Close() },
		stopped: func(s *screen) {
			s.reads(pace{stopped: true})
			for n := range 100 {
				s.resize(120+n%2, 40)
				time.Sleep(time.Millisecond)
			}
			s.signal(syscall.SIGTERM)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := startAgent(t, 0, 10, time.Millisecond)
			s := start(t, a.url)
			s.talks()
			end(s)
			status := s.exit()
			if name != closes { // which may close before the signal arrives
				if status != 0 {
					t.Errorf("got status %d, want 0", status)
				}
				s.checkSettings()
			}
			if name != closes && name != stopped {
				s.checkTerminal()
			}
			if k := readJournal(t, s.journal); k.events == 0 || k.last != a2a.KindEnd && k.last != a2a.KindNote {
				t.Errorf("got %d chunks and last record %s, want some and an end, or what the turn came to", k.events, k.last)
			}
		})
	}
}

// A program that is killed at any moment leaves a readable journal with what arrived, in order;
// on request, at most the last 100 ms are missing.
func TestKilledItLeavesItsJournal(t *testing.T) {
	t.Parallel()
	const late = 100 * time.Millisecond
	n, longest := max(*kills, 3), time.Duration(0)
	for range n {
		a := startAgent(t, 0, 10, time.Millisecond)
		s := start(t, a.url)
		s.talks()
		eventually(t, "a chunk in the journal", func() bool { return s.has("number 1 of") })
		time.Sleep(rand.N(300 * time.Millisecond)) // any moment
		at := time.Now()
		s.signal(syscall.SIGKILL)
		s.exit()
		k := readJournal(t, s.journal)
		if k.events == 0 {
			t.Error("got no chunk in the journal")
		}
		longest = max(longest, a.since(k.events, at))
	}
	t.Logf("%d journals; the oldest missing event had been sent %v before", n, longest)
	if *kills > 0 && longest > late {
		t.Errorf("got a delay of more than %v", late)
	}
}

//go:build unix

package endurance

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

const (
	// mostQueued is how many bytes may be drawn for a terminal that reads nothing: the
	// program's queue, the system's buffer, and a frame or two.
	mostQueued = 160 << 10
	// mostBefore is how many bytes may be drawn on a slow terminal before the effect of a key.
	mostBefore = 60 << 10
)

// has reports whether the journal holds a text.
func (s *screen) has(text string) bool {
	data, err := os.ReadFile(s.journal)
	return err == nil && strings.Contains(string(data), text)
}

// A terminal that reads nothing delays neither the wire nor the journal. Few frames are queued
// for it, however often its size changes. When it reads again, it shows the newest frame.
func TestAStoppedTerminalStopsNothingElse(t *testing.T) {
	t.Parallel()
	a := startAgent(t, 10_000, 100, 10*time.Millisecond)
	s := start(t, a.url)
	s.talks()
	s.reads(pace{stopped: true})
	before := s.sofar()
	for n := 0; n <= 10 || !s.has(lastWord); n++ {
		s.resize(120+n%2, 40)
		if n == 10 {
			s.types("typed meanwhile")
		}
		time.Sleep(3 * time.Millisecond)
	}
	s.resize(120, 40)
	s.reads(fast)
	s.sees(lastWord)
	s.sees(`❯ typed meanwhile`)
	if n := s.sofar() - before; n > mostQueued {
		t.Errorf("got %d bytes queued for the terminal, want at most %d", n, mostQueued)
	}
}

// A terminal at 10 kB per second does not slow the wire, and the effect of a key appears before
// much else.
func TestASlowTerminalSlowsNothingElse(t *testing.T) {
	t.Parallel()
	a := startAgent(t, 10_000, 100, 10*time.Millisecond)
	s := start(t, a.url)
	s.talks()
	s.reads(pace{bytes: 200, every: 20 * time.Millisecond})
	eventually(t, "the beginning in the journal", func() bool { return s.has("number 3000 ") })
	before := s.sofar()
	s.types("typed meanwhile")
	s.sees(`❯ typed meanwhile`)
	if n := s.sofar() - before; n > mostBefore {
		t.Errorf("got %d bytes before the typed text, want at most %d", n, mostBefore)
	}
	eventually(t, "the end in the journal", func() bool { return s.has(lastWord) })
	s.reads(fast)
	s.sees(lastWord)
}

// However often the size of the terminal changes, the final screen is that of the last size,
// and nothing is lost.
func TestAStormOfSizes(t *testing.T) {
	t.Parallel()
	a := startAgent(t, 5000, 50, 5*time.Millisecond)
	s := start(t, a.url)
	s.talks()
	s.types("not sent yet")
	for n := range 150 {
		switch n % 3 {
		case 0:
			s.resize(rand.IntN(6), rand.IntN(6))
		case 1:
			s.resize(1+rand.IntN(300), 1+rand.IntN(100))
		default:
			s.resize(40+rand.IntN(160), 10+rand.IntN(50))
		}
		if n%10 == 0 {
			time.Sleep(10 * time.Millisecond)
		}
	}
	eventually(t, "the end in the journal", func() bool { return s.has(lastWord) })
	shows := func(width int) bool {
		text := s.text()
		bottom := regexp.MustCompile(`(?m)^(╰─+╯){3}$`).FindString(text)
		return utf8.RuneCountInString(bottom) == width && strings.Contains(text, "❯ not sent yet") &&
			regexp.MustCompile(lastWord).MatchString(text) && regexp.MustCompile(`wire · conversation ─+ 5,0\d\d`).MatchString(text)
	}
	// A size that was not there before redraws everything. An emulator that began anew has lost it.
	for began := -1; began != s.renewed(); {
		began = s.renewed()
		for _, width := range []int{301, 120} {
			s.resize(width, 40)
			eventually(t, fmt.Sprintf("everything, in three panes that are %d wide together", width), func() bool { return shows(width) || s.renewed() != began })
		}
	}
	if k := readJournal(t, s.journal); k.events != 5000 {
		t.Errorf("got %d chunks in the journal, want 5000", k.events)
	}
}

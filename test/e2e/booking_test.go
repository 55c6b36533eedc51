//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/internal/tmux"
)

// The README describes how to book in the demo with three keys. The terminal is high enough to
// show the head of the itinerary with its count.
func TestBookTheFlightAndReadTheWire(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "run.jsonl")
	s := parley(t, 120, 100, "demo", "--record", journal)
	book(t, s)
	readTheWire(t, s)
	lookAround(t, s)
	quit(t, s)
	openAgain(t, journal)
}

func book(t *testing.T, s *tmux.Session) {
	screen := s.WaitFor(`❯ Book me a flight`)
	for _, agent := range []string{`Travel Desk TD +1\.0`, `Scribe Scri +0\.3`, `Old Clerk OC +0\.1`, `Saboteur Sabo +1\.0`} {
		screen = s.WaitFor(agent)
	}
	if strings.Index(screen, "Travel Desk") > strings.Index(screen, "Scribe") {
		t.Errorf("got Scribe before Travel Desk:\n%s", screen)
	}
	s.Keys("Enter")
	s.WaitFor(`waits for you`)
	screen = s.WaitFor(`Where would you like to`)
	for _, want := range []string{`input-required`, `1 waiting`, `reply to task`, `enter sends "London"`, `← input-required  With`} {
		if !strings.Contains(screen, want) {
			screen = s.WaitFor(regexp.QuoteMeta(want))
		}
	}
	s.Keys("Enter")
	s.WaitFor(`Which dates would you`)
	s.WaitFor(`❯ 10 to 17 October, one bag`)
	s.Keys("Enter")
	for _, least := range []int{2, 15, 30, 45} {
		s.WaitFunc("a growing itinerary, its rows on the wire and counts that agree", func(screen string) bool {
			return number(screen, `itinerary\.md +(\d+) parts`) >= least && panesAgree(screen) || strings.Contains(screen, "is held until") // it was quicker
		})
	}
	s.WaitFor(`is held until`)
	// One get follows the stream, for the comparison; the end of the stream stands for it.
	s.WaitFor(`end · (closed by agent · )?✓ checked`)
	s.WaitFor(`wire · conversation ─+ 115\b`)
	s.WaitGone(`\blive\b`)
	screen = s.Screen()
	for _, want := range []string{"fares.json", "map.png", "Before you go", "✓ completed", "end · "} {
		if !strings.Contains(screen, want) {
			t.Errorf("got no %q:\n%s", want, screen)
		}
	}
}

// panesAgree reports whether header, chat and wire describe the same stream of the itinerary: three
// statuses and the chunks, of one part each.
func panesAgree(screen string) bool {
	parts := number(screen, `itinerary\.md +(\d+) parts`)
	events := number(screen, `live (\d+) events`)
	const elsewhere = 22 // records of the other agents, which the title names where there is room
	records := number(screen, `wire · conversation ─+ (\d+)`) + elsewhere
	rows := regexp.MustCompile(`(?m)│ +(\d+) +\S+ \S+ \S (?:← ▤ itinerary|· )`).FindAllStringSubmatch(screen, -1)
	if len(rows) == 0 {
		return false
	}
	last := rows[len(rows)-1][1]
	return events == parts+3 && number(last, `(\d+)`) == records && strings.Contains(screen, "· live")
}

func readTheWire(t *testing.T, s *tmux.Session) {
	s.Keys("Tab", "Tab", "Up", "Up", "Up")
	s.WaitFor(`129 pretty`)
	s.WaitFor(`wire .* held`)
	waitForAll(s, "artifactUpdate", `jsonrpc "2.0"`, "id ", "result")
	s.Keys("l")
	s.WaitFor(`data: \{"jsonrpc":"2.0","id":`)
	s.Keys("l")
	s.WaitFor(`200 OK`)
	s.WaitFor(`(?i)A2A-Version +1.0`)
	s.WaitFor(`text/event-stream`)
	s.Keys("h", "h", "d") // the tree; read it
	s.WaitFor(`back to rows`)
	s.Keys("-")
	s.WaitFor(`▸ result \{artifactUpdate\}`)
	s.Keys("+")
	s.WaitFor(`artifactId +"fares"`)
	s.Keys("Escape")
	s.WaitGone(`back to rows`)
	s.Keys("/")
	s.Text("input-req")
	s.WaitFor(`wire · conversation ─.* of 115`)
	s.Keys("Enter")
	s.WaitFor(`esc clears`)
	s.Keys("Escape")
	s.WaitFor(`wire · conversation ─+ 115 `)
	s.Keys("Enter") // shows in the chat what the record built
	s.Keys("Escape")
	s.WaitFor(`tab next pane`)
}

func lookAround(t *testing.T, s *tmux.Session) {
	s.Keys("F1")
	s.WaitFor(`outside text fields`)
	s.Keys("Escape")
	s.WaitGone(`outside text fields`)
	s.Keys("F2")
	s.WaitFor(`A small travel desk`)
	s.Keys("v")
	s.WaitFor(`"supportedInterfaces"`)
	s.Keys("Escape")
	s.WaitGone(`raw JSON`)
	dark := s.Styled()
	s.Keys("M-t")
	s.WaitFor(`catppuccin-frappe`)
	s.Keys("j", "j", "Enter") // from auto over the dark theme to the light one
	s.WaitFor(`theme light, saved in`)
	s.WaitStyled("other colours, after another theme was kept", func(light string) bool {
		return light != dark && strings.Contains(light, "[38;2;")
	})
	s.Keys("M-z")
	s.WaitGone(`─ wire · conversation ─`)
	s.Keys("M-z")
	s.WaitFor(`─ wire · conversation ─`)
	for _, size := range []struct{ w, h int }{{80, 24}, {20, 5}, {200, 60}, {60, 20}, {120, 100}} {
		s.Resize(size.w, size.h)
		s.WaitFunc("a frame that fills the terminal", func(screen string) bool {
			rows := strings.Split(screen, "\n")
			at := len(rows) - 1
			if size.h >= 6 {
				at-- // above the footer
			}
			return len(rows) == size.h && at >= 0 && len([]rune(rows[at])) == size.w && strings.HasPrefix(rows[at], "╰") && strings.HasSuffix(rows[at], "╯")
		})
	}
	find(s, "scribe")
	s.WaitFor(`^ Scribe  `)
	s.WaitForDisplay("#{pane_title}", `^Scribe · parley$`)
}

func quit(t *testing.T, s *tmux.Session) {
	s.Text("a draft")
	s.WaitFor(`❯ a draft`)
	s.Keys("C-c")
	s.WaitFor(`cleared, up restores it`)
	s.Keys("Up")
	s.WaitFor(`❯ a draft`)
	s.Keys("C-c")
	s.WaitGone(`❯ a draft`)
	s.Keys("C-c")
	waitForExit(t, s, 0)
}

func openAgain(t *testing.T, journal string) {
	if _, err := os.Stat(journal); err != nil {
		t.Fatal(err)
	}
	s := parley(t, 120, 40, "open", journal)
	s.WaitFor(`recording run.jsonl`)
	s.WaitFor(`137 records`)
	s.WaitFor(`is held until`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}

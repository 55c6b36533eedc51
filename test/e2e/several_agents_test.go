//go:build unix

package e2e

import (
	"strings"
	"testing"
)

// Three agents are at work at once: one streams, one waits for the user, one dies. The wire shows
// the conversation on the screen, one notice names what happens elsewhere, and one key goes there.
func TestThreeAgentsAreAtWork(t *testing.T) {
	t.Parallel()
	travel, scribe, pausing := demoAgent(t, "Travel Desk"), demoAgent(t, "Scribe"), startPausingAgent(t)
	s := parley(t, 200, 60, "--no-record", pausing.URL, travel.URL, scribe.URL)
	s.WaitFor(`● Scribe`)
	s.WaitFor(`❯ Write to me`)
	s.Keys("Enter")
	s.WaitFor(`→ SendStreamingMessage`)
	if screen := s.WaitFor(`wire · conversation`); strings.Contains(wireColumn(screen), "Scribe") {
		t.Errorf("got a row of Scribe in the scope of another agent's conversation:\n%s", screen)
	}

	find(s, "travel")
	s.WaitFor(`❯ Book me a flight`)
	s.Keys("Enter")
	find(s, "scribe")
	s.WaitFor(`Travel Desk \(Book me a flight\) asks: .*\(ctrl\+g goes there\)`)
	s.WaitFor(`1 waiting`)
	s.Keys("C-g")
	s.WaitFor(`◐ needs you`)
	s.WaitFor(`wire · conversation`)

	s.Keys("Tab", "Tab", "a") // this agent
	s.WaitFor(`wire · agent`)
	s.Keys("a") // all agents, each row with a name
	s.WaitFor(`wire · all`)
	s.WaitFor(`Travel Desk\s+→ SendStreamingMessage`)
	s.Keys("a")
	s.WaitFor(`wire · conversation`)

	pausing.Close()
	s.WaitFor(`✕ Steady`) // its dot tells the newest truth
	s.WaitFor(`1 waiting`)
	s.Keys("C-c", "C-c")
	s.WaitFor(`^exit status 0$`)
}

// wireColumn returns the wire pane of a screen of 200 columns.
func wireColumn(screen string) string { return columns(screen, 125, 200) }

//go:build unix

package e2e

import (
	_ "embed"
	"regexp"
	"strings"
	"testing"
)

//go:embed testdata/ferry.txtar
var ferryScript []byte

//go:embed testdata/desk.txtar
var deskScript []byte

// Three agents stream; one is cut in the middle, one waits for the user, one dies. Each screen says
// so in header, agents pane, conversation and wire, and only of the agent that it is true of.
func TestThreeAgentsStreamOneIsCutOneWaitsOneDies(t *testing.T) {
	t.Parallel()
	travel, ferry, steady := demoAgent(t, "Travel Desk"), startScript(t, "ferry", ferryScript), startPausingAgent(t)
	s := parley(t, 200, 60, "--no-record", steady.URL, ferry.URL, travel.URL)
	s.WaitFor(`▌Ferry`)
	s.WaitFor(`▌Travel Desk`)
	s.WaitFor(`❯ Write to me`)
	s.Keys("Enter")
	s.WaitFor(`← ▤ first`)
	find(s, "ferry")
	s.WaitFor(`❯ Cross the water`)
	s.Keys("Enter")
	s.WaitFor(`│ lighthouse`)
	find(s, "travel")
	s.WaitFor(`❯ Book me a flight`)
	s.Keys("Enter")
	s.WaitFor(`▌Book me a flight +\S* *◐ asks`) // agents
	s.WaitFor(`1 waiting`)                      // header
	s.WaitFor(`↩ reply to task`)

	find(s, "ferry") // the one that waits is watched beside it
	s.WaitFor(`│ lighthouse`)
	s.Keys("F8")
	s.WaitFor(`─ Ferry ─.*─ Travel Desk ─`)
	ferry.Release("break")
	s.WaitFor(`^ Ferry ▲ .*cut after #\d+ · 10 events`)
	s.WaitFor(`▌Ferry .*▲ .*│\n.*broke off`)
	screen := s.WaitFor(atWork + ` .*── ↯ cut after #\d+`)
	_, body, _ := strings.Cut(screen, "\n") // without the header
	if right := columns(body, 115, 200); strings.Contains(right, "cut") || !strings.Contains(right, "Where would you like to go?") {
		t.Errorf("got a cut in the conversation of the agent that waits, want its question alone:\n%s", screen)
	}
	s.WaitFor(`↻ cut · resubscribing`)
	s.Keys("F8")
	s.WaitFor(`← end · cut off`)
	if screen = s.WaitFor(`→ SubscribeTo`); strings.Contains(wireColumn(screen), "first.md") {
		t.Errorf("got records of another agent in the scope of the conversation:\n%s", screen)
	}

	find(s, "steady")                              // the others go on
	s.WaitFor(`^ Steady +A2A.* (working|silent) `) // silent once it has said nothing for 5 s
	steady.Release("gate")
	if screen = s.WaitFor(`┌ rest.md`); strings.Contains(columns(screen, 30, 120), "↯") {
		t.Errorf("got a cut of another agent's stream on the screen:\n%s", screen)
	}
	ferry.Release("resume")
	s.WaitFor(`▌Ferry +\S+ +1\.0`)
	find(s, "ferry")
	s.WaitFor(atWork + ` .*↯ cut after #\d+ ── resumed`)
	s.WaitFor(`it went on [\d.]+ m?s later at #\d+`)
	ferry.Release("end")
	s.WaitFor(`✓ working .*↯ cut after #\d+ ── resumed ── ✓ completed`)
	s.WaitFor(`The ferry is ashore`)

	steady.Close()
	s.WaitFor(`▌Steady +\S+ +✕ (away|unreachable)`)
	find(s, "steady")
	s.WaitFor(`^ Steady ✕ .*◌ was working`) // header
	s.WaitFor(`◌ was working ── ↯ (cut|closed by agent) after #\d+`)
	s.WaitFor(`• end · refused`)
	if screen = s.WaitFor(`the agent is not reachable`); regexp.MustCompile(atWork).MatchString(screen) {
		t.Errorf("got a working task of an agent that is gone:\n%s", screen)
	}
	s.Keys("C-g")
	s.WaitFor(`↩ reply to task`)
	s.Text("London")
	s.Keys("Enter")
	s.WaitFor(`London it is`)
	s.Keys("C-c", "C-c")
	s.WaitFor(`^exit status 0$`)
}

// Three agents are at work at once: one streams, one waits for the user, one dies. The wire shows
// the conversation on the screen, one notice names what happens elsewhere, and one key goes there.
func TestThreeAgentsAreAtWork(t *testing.T) {
	t.Parallel()
	travel, scribe, pausing := startScript(t, "desk", deskScript), demoAgent(t, "Scribe"), startPausingAgent(t)
	s := parley(t, 200, 60, "--no-record", pausing.URL, travel.URL, scribe.URL)
	s.WaitFor(`▌Scribe`)
	s.WaitFor(`▌Travel Desk`)
	s.WaitFor(`❯ Write to me`)
	s.Keys("Enter")
	s.WaitFor(`→ SendStream`)
	if screen := s.WaitFor(`wire · conversation`); strings.Contains(wireColumn(screen), "Scribe") {
		t.Errorf("got a row of Scribe in the scope of another agent's conversation:\n%s", screen)
	}

	find(s, "travel")
	s.WaitFor(`❯ Book me a flight`)
	s.Keys("Enter")
	s.WaitFor(atWork)
	find(s, "scribe")
	s.WaitFor(`❯ Write an essay`)
	travel.Release("ask")
	s.WaitFor(`Travel Desk \(Book me a flight\) asks: `)
	s.WaitFor(`1 waiting`)
	s.Keys("C-g")
	s.WaitFor(`◐ waits for you`)
	s.WaitFor(`wire · conversation`)

	s.Keys("Tab", "Tab", "a") // this agent
	s.WaitFor(`wire · agent`)
	s.Keys("a") // all agents, each row with a name
	s.WaitFor(`wire · all`)
	s.WaitFor(`Travel Desk\s+→ SendStream`)
	s.Keys("a")
	s.WaitFor(`wire · conversation`)

	pausing.Close()
	s.WaitFor(`▌Steady +\S+ +✕`) // its sign tells the newest truth
	s.WaitFor(`1 waiting`)
	s.Keys("C-c", "C-c")
	s.WaitFor(`^exit status 0$`)
}

// wireColumn returns the wire pane of a screen of 200 columns.
func wireColumn(screen string) string { return columns(screen, 125, 200) }

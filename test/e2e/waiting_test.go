//go:build unix

package e2e

import (
	"regexp"
	"strings"
	"testing"
)

// Two conversations with one agent ask at once: one key lists both, and leads to each.
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
	for _, want := range []string{"2 tasks", "Where would you like", "enter answer it"} {
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

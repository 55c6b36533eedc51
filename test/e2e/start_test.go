//go:build unix

package e2e

import (
	"net/url"
	"strings"
	"testing"
)

// The start screen finds an agent on a port of this machine, and opens it. Ports that the user did not
// name are left alone until a row is opened; each letter types.
func TestTheStartScreenFindsARunningAgent(t *testing.T) {
	t.Parallel()
	agent := demoAgent(t, "Scribe")
	u, err := url.Parse(agent.URL)
	if err != nil {
		t.Fatal(err)
	}
	s := parley(t, 120, 40, "--no-record", "--ports", u.Port())
	s.WaitFor(`(?s)Running here.*● Scribe +0\.3 JSON-RPC +127\.0\.0\.1:` + u.Port())
	s.Text("scri")
	s.WaitFor(`❯ scri`)
	s.Keys("Enter")
	s.WaitFor(`^ Scribe  `)
	quit(t, s)

	s = parley(t, 80, 24, "--no-record", "--ports", "off")
	if screen := s.WaitFor(`Open an address`); strings.Contains(screen, "Look on this machine") {
		t.Errorf("got a row that looks on ports although they are off:\n%s", screen)
	}
	s.Text("jkp/?")
	s.WaitFor(`❯ jkp/\?`)
	s.Keys("F6")
	s.WaitFor(`─ lanes ─`)
	s.Keys("C-c", "C-c", "C-c")
	s.WaitFor(`^exit status 0`)

	s = parley(t, 80, 24, "--ports", "99999")
	s.WaitFor(`(?s)The value of --ports is no list of ports.*"99999" is neither a port`)
}

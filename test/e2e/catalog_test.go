//go:build unix

package e2e

import (
	"strings"
	"testing"

	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
)

// The address of a catalog opens its sheet; an agent is found there by a few letters, opened, saved
// and known again. Without a screen the same reference names it.
func TestAnAgentIsFoundInACatalog(t *testing.T) {
	t.Parallel()
	agents, stop, err := demo.Start(t.Context(), a2atest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	env := []string{"XDG_STATE_HOME=" + t.TempDir(), "XDG_CONFIG_HOME=" + t.TempDir()}
	term := parleyWith(t, 100, 30, env, agents[0].URL+demo.CatalogPath)
	term.WaitFor(`(?s)catalog . Parley demo.*4 entries.*Travel Desk +2\.4\.0.*Scribe.*Old Clerk.*Saboteur`)
	term.Text("/")
	term.WaitFor(`(?m)^. / `)
	term.Text("lostprop")
	term.WaitFor(`(?s)1 of 4.*Old Clerk +0\.1\.0`)
	term.Keys("Enter")
	term.WaitFor(`s save agent`)
	term.Text("s")
	term.WaitFor(`save Old Clerk`)
	term.Keys("Enter")
	term.WaitFor(`saved as Old Clerk`)
	term.Text("/catalog")
	term.Keys("Enter")
	term.WaitFor(`(?s)catalog . Parley demo.*Old Clerk .*saved as Old Clerk`)
	term.Keys("Enter")
	term.WaitFor(`^ Old Clerk  `)
	term.Text("Good morning")
	term.Keys("Enter")
	term.WaitFor(`completed`)
	term.Keys("C-c", "C-c")
	term.WaitFor(`^exit status 0`)

	host := strings.TrimPrefix(agents[1].URL, "http://")
	again := parleyWith(t, 100, 30, env, host+"@scribe")
	again.WaitFor(`^ Scribe  `)
	again.Keys("C-c", "C-c")
	again.WaitFor(`^exit status 0`)
}

//go:build unix

package cli

import (
	"net/http"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// Nobody types a secret for which nobody asks, and which the terminal would show.
func TestALoginAsksNothingThatNobodySees(t *testing.T) {
	t.Parallel()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer tty.Close()
	h := newHome(t)
	g := startGuarded(t, &guardedAgent{schemes: `"k":{"apiKeySecurityScheme":{"location":"header","name":"X"}}`, requirements: `{"schemes":{"k":{"list":[]}}}`, check: func(*http.Request) bool { return false }})
	out, errs := pipeFile(t, ""), pipeFile(t, "")
	code := Run(t.Context(), []string{"auth", "login", g.URL}, h.env(), Streams{In: tty, Out: out, Err: errs})
	if said := content(t, errs); code != 4 || !strings.Contains(said, "standard error is not a terminal") || !strings.Contains(said, "parley auth login "+g.URL) {
		t.Errorf("got exit %d, want 4 and why nothing is asked:\n%s", code, said)
	}
}

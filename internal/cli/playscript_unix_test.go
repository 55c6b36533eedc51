//go:build unix

package cli

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// On a terminal a line shows the step that runs, and is erased before the next output.
func TestATerminalShowsTheStepThatRuns(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { <-q.req.Context().Done() })
	path := writeScript(t, "Open "+s.URL+"\nSay 'x'\nWait completed within 4s\n")
	code, screen := onTerminal(t, t.Context(), "", "demo", path, "--headless")
	if code != 1 || !regexp.MustCompile(`\.\.\. +\ds +3  Wait completed within 4s\r`).MatchString(screen) || !strings.Contains(screen, " \rFAIL") {
		t.Errorf("got exit %d and %q, want the step and its end", code, screen)
	}
}

package cli

import (
	"testing"
)

// Every command that reads a recording takes what parley sessions lists.
func TestCommandsTakeTheNameOfASession(t *testing.T) {
	t.Parallel()
	f := newSessionFolder(t)
	f.add("20261120-140207-ab", "Plan a trip", 0)
	f.add("20261121-140207-cd", "Refund", 0)
	run := func(args ...string) result {
		t.Helper()
		return commandLine{args: args, env: f.env}.run(t)
	}
	for _, name := range []string{"20261120-140207-ab", "20261120-140207-ab.jsonl", "20261120"} {
		sees(t, run("export", name, "--as", "md", "-o", "-"), 0, "Plan a trip")
	}
	sees(t, run("diff", "20261120", "20261121#1"), 0, "Plan a trip", "Refund")
	for _, command := range [][]string{{"open"}, {"replay"}, {"serve"}, {"resume"}, {"export", "--as", "md"}, {"diff", "20261120"}} {
		sees(t, run(append(command, "2026")...), 2, `"2026" is the beginning of 2 session names: write more of the name.`)
	}
	for _, command := range []string{"open", "replay"} {
		sees(t, run(command, "2025"), 2, `There is no file and no session "2025": parley sessions lists the sessions.`)
		sees(t, run(command, "20261120"), 2, "needs a terminal") // the session was found
	}
}

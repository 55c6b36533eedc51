package cli

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// brokenScript has a question, two agents, streams that are cut, a task that is canceled and an
// agent that is restarted; the pause is longer than any test.
const brokenScript = `Open demo "Travel Desk"
Say "Book me a flight"
Wait input-required
Pause 1h
Open demo Saboteur
Say "Cut the stream in the middle of an event"
Wait completed
Expect /arrived after the cut/
Expect error
Say "Cut the stream between two events"
Expect completed
Open demo "Travel Desk"
Say "Hold a seat for me, then let it go"
Wait canceled
Open demo Saboteur
Say "Restart yourself"
Expect error
Say "Cut the stream between two events"
Expect completed
Expect /arrived after the cut/
`

// hurried returns a command line whose engine waits only for a moment before it subscribes again, or
// dials an agent again, for the first times.
func hurried(args ...string) commandLine {
	return commandLine{args: args, after: func(d time.Duration) <-chan time.Time {
		if d >= time.Second/2 && d <= time.Second {
			d /= 20
		}
		return time.After(d)
	}}
}

// A script goes on after a cut and a restart in the same way with and without a screen.
func TestAScriptSubscribesAgainWithAndWithoutAScreen(t *testing.T) {
	t.Parallel()
	for _, door := range []string{"--headless", "--render"} {
		if r := hurried("demo", writeScript(t, brokenScript), door, "--fast").run(t); r.code != 0 {
			t.Errorf("%s: got exit %d\n%s%s", door, r.code, r.out, r.err)
		}
	}
}

// A script that was made of a session with a cut plays again without a screen.
func TestAnExportedScriptSubscribesAgain(t *testing.T) {
	t.Parallel()
	path := writeScript(t, "Open demo Saboteur\nSay 'Cut the stream in the middle of an event'\nSay 'Cut the stream between two events'\n")
	recording, again := filepath.Join(filepath.Dir(path), "cut.jsonl"), filepath.Join(filepath.Dir(path), "again.parley")
	if r := hurried("demo", path, "--render", "--fast", "--record", recording).run(t); r.code != 0 {
		t.Fatal(r.out, r.err)
	}
	if r := parley(t, "export", recording, "-o", again); r.code != 0 || strings.Count(file(t, again), "\nWait completed\n") != 2 {
		t.Fatalf("got exit %d, %s and\n%s", r.code, r.err, file(t, again))
	}
	if r := hurried("demo", again, "--headless", "--fast").run(t); r.code != 0 {
		t.Errorf("got exit %d\n%s%s", r.code, r.out, r.err)
	}
}

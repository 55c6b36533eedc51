//go:build unix

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
	"parley/internal/tmux"
)

// unrun are commands of the documents that are not run, with the reason.
var unrun = map[string]string{
	"make test":          "it runs this test",
	"go build":           "it writes into the clone; go install builds the same",
	"go install":         "the line with the dot is run",
	"parley conformance": "it names the command, without an agent",
}

// A screen is what a command shows on a terminal, and how the user goes on.
type screen struct {
	command string // how it begins
	shows   string
	act     func(s *tmux.Session)
	once    bool // one ctrl+c ends it, and another one would end it by force
}

// screens are the commands that need a terminal. ctrl+c, twice, ends each but those with once.
var screens = []screen{
	{command: "go run . demo tour", shows: `Welcome to Parley, a workbench`},
	{command: "go run . demo", shows: `▌Travel Desk`},
	{command: "parley demo stakeholder", shows: `Where would you like to go`},
	{command: "parley demo-server", shows: `Saboteur`, once: true},
	{command: "parley demo", shows: `▌Travel Desk`, act: func(s *tmux.Session) {
		s.Keys("Enter")
		s.WaitFor(`input required|input-required`)
	}},
	{command: "parley open", shows: `Book me a flight`},
	{command: "parley replay", shows: `Book me a flight`},
	{command: "parley tap", shows: `http://127\.0\.0\.1:\d+`},
	{command: "parley http://", shows: `▌Travel Desk`},
	{command: "parley 127.0.0.1:", shows: `▌Travel Desk`},
	{command: "parley", shows: `ctrl\+c quit|❯`},
}

// documented returns the commands of a document: the lines of its sh blocks, and what stands in
// the text as code.
func documented(t *testing.T, path string) (commands []string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	inside := false
	for text := range strings.Lines(string(raw)) {
		text = strings.TrimSpace(text)
		switch {
		case strings.HasPrefix(text, "```"):
			inside = !inside && text == "```sh"
		case inside && text != "":
			commands = append(commands, text)
		case !inside:
			for _, m := range regexp.MustCompile("`((?:parley|go|make) [a-z][^`]*)`").FindAllStringSubmatch(text, -1) {
				commands = append(commands, m[1])
			}
		}
	}
	return commands
}

// A newcomer follows the documents: an empty home, a program installed as they say, a folder to
// work in, and an agent in place of the one at localhost:9999.
type newcomer struct {
	t           *testing.T
	env         []string
	clone, work string
	agent       string // host and port
}

func newNewcomer(t *testing.T) *newcomer {
	t.Helper()
	home := t.TempDir()
	clone, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	agents, stop, err := demo.Start(context.Background(), a2atest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	n := &newcomer{t: t, clone: clone, work: t.TempDir(), agent: strings.TrimPrefix(agents[0].URL, "http://")}
	n.env = []string{"HOME=" + home, "PATH=" + filepath.Join(home, "go", "bin") + ":" + os.Getenv("PATH"), "GOFLAGS=" + os.Getenv("GOFLAGS")}
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} { // what was downloaded and compiled before
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		n.env = append(n.env, name+"="+strings.TrimSpace(string(out)))
	}
	return n
}

// run runs a command as it stands in a document, and fails unless it succeeds.
func (n *newcomer) run(place, command string) {
	n.t.Helper()
	bare := strings.TrimSpace(regexp.MustCompile(`\s#.*`).ReplaceAllString(command, ""))
	if unrun[bare] != "" {
		return
	}
	command = strings.ReplaceAll(command, "localhost:9999", n.agent)
	dir := n.work
	if strings.HasPrefix(command, "go ") {
		dir = n.clone
	}
	for i := range screens {
		if begins(strings.ReplaceAll(bare, "localhost:9999", n.agent), screens[i].command) {
			n.onTerminal(place, command, dir, &screens[i])
			return
		}
	}
	ctx, cancel := context.WithTimeout(n.t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), n.env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		n.t.Errorf("%s: %s: got %v\n%s", place, command, err, out)
	}
}

// begins reports whether a command line begins with another one, word by word where that ends in
// a letter. The program alone is the start screen.
func begins(line, with string) bool {
	rest, ok := strings.CutPrefix(line, with)
	return ok && (rest == "" || with != "parley" && (rest[0] == ' ' || strings.HasSuffix(with, "/") || strings.HasSuffix(with, ":")))
}

// onTerminal runs a command on a terminal, until it shows what it should, and ends it.
func (n *newcomer) onTerminal(place, command, dir string, shown *screen) {
	n.t.Helper()
	shell := []string{"sh", "-c", "trap : INT\n" + command + "\n" + `echo "exit status $?"; exec sleep 1000`}
	s := tmux.Start(n.t, tmux.Options{Command: shell, Env: n.env, Dir: dir, W: 120, H: 40, Timeout: 2 * time.Minute})
	s.WaitFor(shown.shows + `|exit status \d`)
	if shown.act != nil {
		shown.act(s)
	}
	s.Keys("C-c")
	if !shown.once {
		s.Keys("C-c")
	}
	screen := s.WaitFor(`exit status \d+`)
	if got := number(screen, `exit status (\d+)`); got != 0 {
		n.t.Errorf("%s: %s: got exit status %d\n%s", place, command, got, screen)
	}
}

// Every command of README.md does what it says as it is written, for somebody who has nothing, and
// again for somebody who tries it once more.
func TestTheReadmeRunsTwice(t *testing.T) {
	t.Parallel()
	runTwice(t, "README.md")
}

// So does every command of the tutorial, for a reader of it alone.
func TestTheTutorialRunsTwice(t *testing.T) {
	t.Parallel()
	runTwice(t, "docs/tutorial.md")
}

// runTwice does what a document says, and does it again.
func runTwice(t *testing.T, name string) {
	t.Helper()
	n := newNewcomer(t)
	commands := documented(t, filepath.Join(n.clone, name))
	if len(commands) < 12 {
		t.Fatalf("%s: got %d commands, want all", name, len(commands))
	}
	for pass := range 2 {
		for _, command := range commands {
			n.run(name+" "+strconv.Itoa(pass+1), command)
		}
	}
}

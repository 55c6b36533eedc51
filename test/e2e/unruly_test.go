//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"parley/internal/tmux"
)

// ask sends a message in a new conversation.
func ask(s *tmux.Session, text string) {
	s.Keys("C-n")
	s.WaitFor(`→ new conversation`)
	s.Text(text)
	s.WaitFor(`❯ ` + text)
	s.Keys("Enter")
	s.WaitGone(`❯ ` + text) // an answer may have scrolled it out of view already
}

// A key in the footer ends the exchange with an agent that asks without end or never answers.
func TestAnAgentWithoutAnEndIsLeft(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "--no-record", newUnrulyAgent(t, 1).URL)
	s.WaitFor(`▌Unruly`)
	ask(s, "loop")
	for n := range 5 {
		s.WaitFor(`◐ waits for you`)
		s.Text(fmt.Sprintf("this is answer %d", n))
		s.WaitFor(fmt.Sprintf(`❯ this is answer %d`, n))
		s.Keys("Enter")
		s.WaitFor(fmt.Sprintf(`▌ this is answer %d`, n))
	}
	s.WaitFor(`1 waiting`)
	s.WaitFor(`ctrl\+x cancel`)
	s.Keys("C-x")
	s.WaitFor(`⊘ canceled`)
	s.WaitGone(`1 waiting`)

	ask(s, "never")
	s.WaitFor(`no answer yet`)
	s.WaitFor(`ctrl\+x stop waiting`)
	s.Text("typed meanwhile")
	s.WaitFor(`❯ typed meanwhile`)
	s.Keys("C-x")
	s.WaitFor(`You stopped it`)
	s.WaitGone(`ctrl\+x stop waiting`)
	s.WaitFor(`❯ typed meanwhile`)

	s.Keys("C-c")
	s.WaitGone(`❯ typed`)
	ask(s, "twice")
	s.WaitFor(`▌ My answer\.`)
	s.WaitFor(`▌ My other answer\.`)
	quit(t, s)
}

// Of ten thousand messages and a hundred artifacts the newest is visible, and search finds the
// others.
func TestTooMuchIsSeenFromItsEnd(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "--no-record", newUnrulyAgent(t, 1).URL)
	s.WaitFor(`▌Unruly`)
	ask(s, "history")
	s.WaitFor(`That is all that was said`)
	s.WaitFor(`message number 9999 `)
	s.Keys("Tab")
	s.WaitFor(`enter (show )?record`)
	s.Keys("g")
	s.WaitFor(`message number 0 `)
	s.Keys("/")
	s.Text("number 4321 ")
	s.Keys("Enter")
	s.WaitFor(`message number 4321 `)

	ask(s, "artifacts")
	s.WaitFor(`A hundred of them`)
	s.WaitFor(`paper 99 `)
	s.Keys("Tab")
	s.WaitFor(`enter (show )?record`)
	s.Keys("g")
	s.WaitFor(`paper 0 `)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}

// A card with ten thousand skills is read completely, and each of its prompts can be found.
func TestTenThousandSkillsAreFound(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "--no-record", newUnrulyAgent(t, 10_000).URL)
	s.WaitFor(`9,991 more (examples |skills )?in the card`)
	s.Keys("F2")
	s.WaitFor(`10,000 skills`)
	s.Keys("G")
	s.WaitFor(`Skill 9999 `)
	s.Keys("Escape")
	s.WaitGone(`10,000 skills`)
	sendExample(s, "thing 7777")
	s.WaitFor(`▌ Done: do thing 7777\.`)
	quit(t, s)
}

// A file of fifty megabytes is shown as a chip. Names of files neither choose a path nor control
// the screen.
func TestFilesOfAnySizeAndNameAreKept(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	dir := filepath.Join(outside, "inner", "here")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s := parleyIn(t, dir, 120, 40, nil, "--no-record", "--max-event", "100MB", newUnrulyAgent(t, 1).URL)
	s.WaitFor(`▌Unruly`)
	ask(s, "file")
	s.WaitFor(`▤ +file .*52`)
	s.WaitFor(`There it is`)
	s.Keys("Tab")
	s.WaitFor(`enter (show )?record`)
	s.Keys("k")
	s.WaitFor(`w save`)
	s.Keys("w")
	s.WaitFor(`saved large\.bin, 52`)
	if info, err := os.Stat(filepath.Join(dir, "large.bin")); err != nil || info.Size() != large {
		t.Errorf("got file %v, %v, want %d bytes", info, err, large)
	}

	ask(s, "names")
	s.WaitFor(`Keep them all`)
	s.Keys("Tab")
	s.WaitFor(`enter (show )?record`)
	for n := range names {
		s.Keys("k", "w")
		s.WaitFunc("one file more", func(string) bool {
			files, err := os.ReadDir(dir)
			return err == nil && len(files) == 2+n
		})
	}
	for _, of := range []string{outside, filepath.Dir(dir)} {
		if files, err := os.ReadDir(of); err != nil || len(files) != 1 {
			t.Errorf("%s: got files %v, %v, want 1", of, files, err)
		}
	}
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}

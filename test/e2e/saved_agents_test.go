//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// A run offers the agents that an earlier one saved, even if two runs saved at once, and recent
// agents.
func TestSavedAgentsAreThereInTheNextRun(t *testing.T) {
	t.Parallel()
	one, two := demoAgent(t, "Saboteur"), demoAgent(t, "Saboteur")
	env := []string{"XDG_STATE_HOME=" + t.TempDir(), "XDG_CONFIG_HOME=" + t.TempDir()}
	first, second := parleyWith(t, 120, 30, env, one.URL), parleyWith(t, 120, 30, env, two.URL)
	first.WaitFor(`^ Saboteur  `)
	second.WaitFor(`^ Saboteur  `)
	first.Text("/agent save Staging")
	second.Text("/agent save Production")
	first.Keys("Enter")
	second.Keys("Enter")
	first.WaitFor(`^ Staging  `)
	second.WaitFor(`^ Production  `)
	first.Keys("C-c", "C-c")
	second.Keys("C-c", "C-c")
	first.WaitFor(`^exit status 0`)
	second.WaitFor(`^exit status 0`)

	third := parleyWith(t, 120, 30, env)
	third.WaitFor(`(?s)Go on.*(○ Staging.*○ Production|○ Production.*○ Staging).*Open the demo`) // either was saved first
	waitForAll(third, one.URL, two.URL)
	third.Keys("Escape")
	third.WaitFor(`alt\+2 +○ `)
	third.Text("/agent prod")
	third.Keys("Tab", "Enter")
	third.WaitFor(`^ Production  `)
	third.Text("/agent rename Production Live")
	third.Keys("Enter")
	third.WaitFor(`^ Live  `)
	third.Text("/agent forget Staging")
	third.Keys("Enter")
	third.WaitFor(`(?s)recent.*○ Staging`)
	third.Keys("C-c", "C-c")
	third.WaitFor(`^exit status 0`)

	fourth := parleyWith(t, 120, 30, env, "live")
	fourth.WaitFor(`^ Live  `)
	fourth.Keys("C-c", "C-c")
	waitForExit(t, fourth, 0)
}

// An error in config.toml is reported in one sentence with its line. The rest of the file is
// used.
func TestABrokenConfigIsSaidAndTheProgramStarts(t *testing.T) {
	t.Parallel()
	agent := demoAgent(t, "Saboteur")
	config := t.TempDir()
	path := filepath.Join(config, "parley", "config.toml")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(content string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"XDG_CONFIG_HOME=" + config, "XDG_STATE_HOME=" + t.TempDir()}
	write("colour = \"red\"\n[[agent]]\nname = \"Mine\"\nref = \"" + agent.URL + "\"\ntenant = \"t\"\n")
	s := parleyWith(t, 200, 30, env)
	s.WaitFor(`config\.toml:1: there is no setting colour`)
	s.WaitFor(`○ Mine`)
	s.Keys("Enter")
	s.WaitFor(`^ Mine  `)
	s.Text("/agent forget Mine")
	s.Keys("Enter")
	s.WaitFor(`Mine is in `)
	s.Keys("C-c", "C-c")
	s.WaitFor(`^exit status 0`)

	write("[[agent]\nname")
	s = parleyWith(t, 200, 30, env)
	s.WaitFor(`config\.toml:1:\d+ is not valid TOML; its settings are not used`)
	s.WaitFor(`Welcome to Parley`)
	s.Keys("C-c", "C-c")
	s.WaitFor(`^exit status 0`)
}

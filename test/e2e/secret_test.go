//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// leaksIn returns the files below a directory that contain a secret, also in the escapes of
// JSON.
func leaksIn(t *testing.T, dir, secret string) []string {
	t.Helper()
	quoted, _ := json.Marshal(secret)
	var found []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(secret)) || bytes.Contains(data, bytes.Trim(quoted, `"`)) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A secret in a form is in no text: not in the agent's repetition, nor in copied, exported,
// recorded or saved text.
func TestASecretInAFormIsLeftNowhere(t *testing.T) {
	t.Parallel()
	const secret = "NO 47 \"11\" qx"
	dir := t.TempDir()
	env := []string{"XDG_STATE_HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "TMPDIR=" + dir}
	record := filepath.Join(dir, "session.jsonl")
	s := parleyIn(t, dir, 120, 40, env, "demo", "--record", record)
	var screens []string
	see := func(pattern string) { screens = append(screens, s.WaitFor(pattern)) }
	see(`▌Travel Desk`)
	s.Text("Rent me a car")
	see(`❯ Rent me a car`)
	s.Keys("Enter")
	see(`alt\+i fills in the form`)
	s.Keys("M-i")
	see(`3 required left`)
	s.Keys("C-s")
	see(`Pick-up is required`)
	s.Text("li")
	see(`‹ Lisbon › 3 of 4`)
	s.Keys("Enter", "Enter", "Enter", "Enter")
	see(`at most 60 characters`)
	s.Text("Ali")
	see(`Name \* +Ali`)
	s.Keys("Enter")
	see(`A secret: it is masked`)
	s.Text(secret)
	see(`Licence \* +•{13}`)
	s.Keys("M-r")
	see(`"licence": "•••1"`)
	s.Keys("C-s")
	see(`The car is yours`)
	see(`(?s)"licence":.*"•••`) // the line ends behind the colon
	s.Text("/export said.md")
	see(`❯ /export said\.md`)
	s.Keys("Enter")
	see(`said\.md`)
	s.WaitFunc("the export", func(string) bool {
		data, err := os.ReadFile(filepath.Join(dir, "said.md"))
		return err == nil && strings.Contains(string(data), "Bring the licence")
	})
	find(s, "Search message history")
	s.Text("licence")
	see(`no match`)
	s.Keys("Escape")
	s.WaitGone(`no match`)
	quit(t, s)
	if found := leaksIn(t, dir, secret); found != nil {
		t.Errorf("got the secret in %q", found)
	}
	for _, screen := range screens {
		if strings.Contains(screen, `"11"`) || strings.Contains(screen, "47 ") && strings.Contains(screen, "qx") {
			t.Errorf("got the secret on the screen:\n%s", screen)
		}
	}
	s = parleyIn(t, dir, 120, 40, env, "open", record)
	if screen := waitForAll(s, "The car is yours", "•••"); strings.Contains(screen, "qx") {
		t.Errorf("got the secret in the recording:\n%s", screen)
	}
}

// The answer to a request for credentials is masked while it is typed, and stored in no file.
func TestAnAnswerThatIsASecretIsDots(t *testing.T) {
	t.Parallel()
	const secret = "tide-hunter-42"
	dir := t.TempDir()
	env := []string{"XDG_STATE_HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "TMPDIR=" + dir}
	s := parleyIn(t, dir, 120, 40, env, "demo", "--record", filepath.Join(dir, "session.jsonl"))
	s.WaitFor(`▌Travel Desk`)
	s.Text("Charge the trip to my company card")
	s.WaitFor(`❯ Charge the trip`)
	s.Keys("Enter")
	s.WaitFor(`wants sign-in`)
	s.WaitFor(`❯ I have signed in`)
	s.Text("tide")
	s.WaitFor(`❯ •{4}\s`)
	s.Keys("M-e")
	s.WaitFor(`An editor would write`)
	s.Keys("M-s")
	s.WaitFor(`❯ tide`)
	s.Keys("M-s")
	s.WaitFor(`❯ •{4}\s`)
	s.Text("-hunter-42")
	s.WaitFor(`❯ •{14}\s`)
	s.Keys("Enter")
	s.WaitFor(`Thank you. The trip is charged`)
	if screen := s.WaitFor(`▌ •••`); strings.Contains(screen, "hunter") {
		t.Errorf("got the secret on the screen:\n%s", screen)
	}
	quit(t, s)
	if found := leaksIn(t, dir, secret); found != nil {
		t.Errorf("got the secret in %q", found)
	}
}

//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"parley/internal/tmux"
)

// The demo works where nothing can be stored. The screen and standard error report it in one
// sentence, and the header repeats it.
func TestTheWorkbenchNeedsNoPlaceToKeepThings(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, env := range map[string]string{
		"no home":                "unset HOME XDG_STATE_HOME XDG_CONFIG_HOME",
		"a file as home":         "export HOME=" + file,
		"a device as home":       "export HOME=/dev/null",
		"a file as state folder": "export XDG_STATE_HOME=" + file,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := tmux.Start(t, tmux.Options{
				Command: []string{"sh", "-c", env + `; "$@" 2>` + file + `.$$; code=$?; cat ` + file + `.$$; echo "exit status $code"; exec sleep 1000`, "sh", program, "demo"},
				W:       120, H: 40,
			})
			s.WaitFor(`This session, the messages you write and +│`) // the notice has several rows
			s.WaitFor(`the agents you save are not stored`)
			s.WaitFor(`not recorded`)
			s.WaitFor(`❯ Book me`)
			s.Keys("Enter")
			s.WaitFor(`waits for you`)
			s.WaitFor(`enter sends "London"`)
			s.Keys("C-c")
			s.WaitFor(`ctrl\+c again quits`)
			s.Keys("C-c") // no further key: after the program it would end the shell
			screen := s.WaitFor(`exit status 0`)
			if !regexp.MustCompile(`Warning: This session, the messages you write and the agents you save\s+are not stored: `).MatchString(screen) {
				t.Errorf("got no warning on standard error:\n%s", screen)
			}
		})
	}
}

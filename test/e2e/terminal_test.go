//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/internal/tmux"
)

func TestNoColorDrawsWithoutColours(t *testing.T) {
	t.Parallel()
	s := parleyWith(t, 120, 40, []string{"NO_COLOR=1"}, "demo", "--no-record")
	s.WaitFor(`❯ Book me`)
	styled := s.WaitStyled("bold text", func(styled string) bool { return strings.Contains(styled, "\x1b[1m") })
	if m := regexp.MustCompile(`\x1b\[[0-9;]*\b(38|48|3[0-7]|4[0-7]|9[0-7])(;[0-9;]*)?m`).FindString(styled); m != "" {
		t.Errorf("got colour %q, want none", m)
	}
}

func TestASCIIDrawsWithASCII(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "demo", "--no-record", "--ascii")
	s.WaitFor(`> Book me`)
	s.Keys("Enter")
	s.WaitFor(`waits for you`)
	screen := strings.ReplaceAll(s.Screen(), "í", "i") // Reykjavík
	if i := strings.IndexFunc(screen, func(r rune) bool { return r > 126 }); i >= 0 {
		t.Errorf("got %q, want ASCII only, in\n%s", []rune(screen[i:])[0], screen)
	}
}

func TestLightTheme(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "demo", "--no-record", "--theme", "light")
	s.WaitFor(`❯ Book me`)
	s.WaitStyled("more light grounds than dark ones", func(styled string) bool {
		grounds := map[bool]int{}
		for _, m := range regexp.MustCompile(`\x1b\[[0-9;]*48;2;(\d+);`).FindAllStringSubmatch(styled, -1) {
			red, _ := strconv.Atoi(m[1])
			grounds[red > 200]++
		}
		return grounds[true] > grounds[false]
	})
}

func TestWithoutATerminalItSaysWhatToUse(t *testing.T) {
	t.Parallel()
	for name, command := range map[string][]string{
		"no input":   {"sh", "-c", `"$0" demo --no-record </dev/null; echo "exit status $?"; exec sleep 1000`, program},
		"no output":  {"sh", "-c", `"$0" demo --no-record >/dev/null; echo "exit status $?"; exec sleep 1000`, program},
		"a dumb one": {"sh", "-c", `TERM=dumb "$0" demo --no-record; echo "exit status $?"; exec sleep 1000`, program},
	} {
		t.Run(name, func(t *testing.T) {
			s := tmux.Start(t, tmux.Options{Command: command, W: 100, H: 20})
			screen := s.WaitFor(`^exit status [1-9]`)
			if !strings.Contains(screen, "terminal") || !strings.Contains(screen, "parley") {
				t.Errorf("got no hint about a terminal:\n%s", screen)
			}
		})
	}
}

func TestTheTitleOfTheTerminalComesBack(t *testing.T) {
	t.Parallel()
	s := tmux.Start(t, tmux.Options{W: 100, H: 30, Command: []string{"sh", "-c",
		`printf '\033]2;my own title\007'; "$0" demo --no-record; echo "exit status $?"; exec sleep 1000`, program}})
	s.WaitFor(`❯ Book me`)
	s.WaitForDisplay("#{pane_title}", `parley$`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
	if got := s.Display("#{pane_title}"); got != "my own title" {
		t.Errorf("got title %q after the end, want my own title", got)
	}
}

func TestATerminatedProgramRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			pidFile := filepath.Join(t.TempDir(), "pid")
			s := tmux.Start(t, tmux.Options{W: 100, H: 30, Command: []string{"sh", "-c",
				`sh -c 'echo $$ >"$1"; exec "$0" demo --no-record' "$0" "$1"; echo "exit status $?"; exec sleep 1000`, program, pidFile}})
			s.WaitFor(`❯ Book me`)
			s.Keys("Enter")
			s.WaitFor(`← working`)
			signal(t, pidFile, sig)
			screen := s.WaitFor(`^exit status \d+$`)
			name := map[syscall.Signal]string{syscall.SIGTERM: "SIGTERM", syscall.SIGHUP: "SIGHUP"}[sig]
			if !strings.Contains(screen, "Parley was stopped by "+name+", which closed the workbench; ") || number(screen, `^exit status (\d+)$`) != 0 {
				t.Errorf("got no sentence about the signal, or not exit status 0:\n%s", screen)
			}
			if got := s.Display("#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_cursor_flag}"); got != "0 1 0 0" {
				t.Errorf("got alternate screen, cursor, mouse and cursor keys %q after the end, want 0 1 0 0", got)
			}
		})
	}
}

// signal sends a signal to the process whose id a file contains.
func signal(t *testing.T, pidFile string, sig syscall.Signal) {
	t.Helper()
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, sig); err != nil {
		t.Fatal(err)
	}
}

// waitForEditor waits for the file that the editor received.
func waitForEditor(t *testing.T, dir string) string {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 1 {
			text, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			if len(text) > 0 {
				return string(text)
			}
		}
	}
	t.Fatalf("got no text in a file of %s, want that of the started editor", dir)
	return ""
}

func TestACardOnStandardInputLeavesTheKeysToTheTerminal(t *testing.T) {
	t.Parallel()
	card := filepath.Join(t.TempDir(), "card.json")
	body := `{"name":"Piped","description":"d","version":"1","capabilities":{},"defaultInputModes":[],"defaultOutputModes":[],` +
		`"skills":[],"supportedInterfaces":[{"url":"http://127.0.0.1:9/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`
	if err := os.WriteFile(card, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	shell := `"$1" --no-record - < "$2"; echo "exit status $?"; exec sleep 1000`
	s := tmux.Start(t, tmux.Options{Command: []string{"sh", "-c", shell, "sh", program, card}, W: 100, H: 30})
	s.WaitFor(`^ Piped  A2A 1\.0`) // no agent has received it yet
	s.Text("typed")
	s.WaitFor(`❯ typed`)
	s.Keys("C-c")
	s.WaitFor(`cleared, up restores it`)
	s.Keys("C-c") // no further key: after the program it would end the shell
	waitForExit(t, s, 0)
}

// Without an agent on the command line, one key opens the demo.
func TestWithoutAnAgentTheDemoIsOneKeyAway(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "--no-record")
	s.WaitFor(`Open the demo`)
	s.Keys("Enter")
	s.WaitFor(`▌Travel Desk`)
	s.WaitFor(`❯ Book me a flight`)
	s.Keys("Enter")
	s.WaitFor(`Where would you like to`)
	quit(t, s)
}

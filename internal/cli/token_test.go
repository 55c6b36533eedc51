package cli

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program writes a shell script and returns its path.
func program(t testing.TB, script string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the token command is a shell script")
	}
	path := filepath.Join(t.TempDir(), "tool")
	writeProgram(t, path, "#!/bin/sh\n"+script+"\n")
	return path
}

// writeProgram writes a script that can be run. No other program is started meanwhile: until that runs it has the
// files that are open here, and the system does not run a file that somebody has open for writing.
func writeProgram(t testing.TB, path, script string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
}

// counted makes a script print a token with the number of its runs, which a file stores.
func counted(t testing.TB) (script, runs string) {
	runs = filepath.Join(t.TempDir(), "runs")
	return "echo run >>'" + runs + "'; echo " + secret + "-$(wc -l <'" + runs + "' | tr -d ' ')", runs
}

func TestAProgramGivesTheBearerToken(t *testing.T) {
	t.Parallel()
	for _, where := range []string{"everywhere", "agent"} {
		t.Run(where, func(t *testing.T) {
			script, runs := counted(t)
			tool := program(t, script+"; echo "+secret+" >&2")
			accepted := secret + "-1"
			s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
				if q.header.Get("Authorization") != "Bearer "+accepted {
					w.WriteHeader(401)
					return
				}
				done(q, w)
			})
			folder := t.TempDir()
			settings := fmt.Sprintf("bearer-command = ['%s', 'a b; echo no']\n", tool)
			if where == "agent" {
				settings = "[[agent]]\nname = 'Desk'\nref = '" + s.URL + "'\n" + settings
			}
			writeTo(t, settings, filepath.Join(folder, "parley"), "config.toml")
			line := commandLine{args: []string{"send", "x", "-a", s.URL, "--debug"}, env: []string{"XDG_CONFIG_HOME=" + folder, "PATH=" + os.Getenv("PATH")}}
			if where == "agent" {
				line.args[3] = "Desk"
			}
			count := func() int {
				content, _ := os.ReadFile(runs)
				return strings.Count(string(content), "run")
			}
			r := line.run(t)
			if r.code != 0 || count() != 1 {
				t.Errorf("got exit %d after %d runs, want 0 after 1\n%s", r.code, count(), r.err)
			}
			secretsOnly(t, "bearer-command", r)
			// A refused token is renewed once, and no more than that.
			accepted = secret + "-3"
			if r = line.run(t); r.code != 0 || count() != 3 {
				t.Errorf("got exit %d after %d runs, want 0 after 3\n%s", r.code, count(), r.err)
			}
			accepted = "none"
			if r = line.run(t); r.code != 4 || count() != 5 {
				t.Errorf("got exit %d after %d runs, want 4 after 5\n%s", r.code, count(), r.err)
			}
			secretsOnly(t, "bearer-command", r)
			// A token on the command line has precedence.
			accepted = "mine"
			line.args = append(line.args, "--bearer", "mine")
			if r = line.run(t); r.code != 0 || count() != 5 {
				t.Errorf("got exit %d after %d runs, want 0 after 5\n%s", r.code, count(), r.err)
			}
		})
	}
}

func TestAProgramThatGivesNoToken(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, done)
	for script, says := range map[string]string{
		"echo " + secret + " >&2; exit 3":         "failed (exit status 3): run it in a shell",
		"echo":                                    "printed no token",
		"echo " + secret + "; echo and more":      "printed more than one token",
		"printf '" + secret + "\\033[2J'":         "printed more than one token",
		"head -c 100000 /dev/zero | tr '\\0' 'a'": "printed more than one token",
	} {
		folder := t.TempDir()
		tool := program(t, script)
		writeTo(t, "bearer-command = ['"+tool+"']\n", filepath.Join(folder, "parley"), "config.toml")
		r := commandLine{args: []string{"send", "x", "-a", s.URL}, env: []string{"XDG_CONFIG_HOME=" + folder, "PATH=" + os.Getenv("PATH")}}.run(t)
		if r.code != 4 || !strings.Contains(r.err, "Nothing was sent: the bearer-command "+tool+" "+says) {
			t.Errorf("%q: got exit %d, want 4 and the reason\n%s", script, r.code, r.err)
		}
		secretsOnly(t, script, r)
	}
	if n := len(s.asked("SendMessage")); n != 0 {
		t.Errorf("got %d messages, want 0", n)
	}
	if _, err := newTokenCommand([]string{"/no/such/tool"}, nil).give(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "cannot be run") {
		t.Errorf("missing token command: got error %v", err)
	}
	slow := newTokenCommand([]string{program(t, "sleep 600 & sleep 600")}, []string{"PATH=" + os.Getenv("PATH")})
	slow.timeout = 20 * time.Millisecond
	if _, err := slow.give(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "printed no token within 20ms") {
		t.Errorf("slow token command: got error %v", err)
	}
}

// Neither the environment nor a .env file can run a program.
func TestNoProgramIsRunThatConfigTOMLDoesNotName(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, done)
	script, runs := counted(t)
	tool, work, home := program(t, script), t.TempDir(), t.TempDir()
	env(t, work, "PARLEY_BEARER_COMMAND="+tool)
	env(t, filepath.Join(home, ".config", "a2a-cli"), "A2ACLI_BEARER_COMMAND="+tool)
	r := commandLine{args: []string{"send", "x", "-a", s.URL}, env: []string{"HOME=" + home, "PARLEY_BEARER_COMMAND=" + tool}, dir: work}.run(t)
	if _, err := os.Stat(runs); err == nil || r.code != 0 || !strings.Contains(r.err, "PARLEY_BEARER_COMMAND is not used") {
		t.Errorf("got exit %d, want 0 and no run; ran %t\n%s", r.code, err == nil, r.err)
	}
}

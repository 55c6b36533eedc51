package cli

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The variables of the processes that tests start from their own program.
const (
	commandMark = "PARLEY_TEST_COMMAND" // the process runs a command line in place of the tests
	sourceMark  = "PARLEY_TEST_SOURCE"  // the process runs one test, in another folder than this, which is that of the package
)

func TestMain(m *testing.M) {
	if os.Getenv(commandMark) == "" {
		sideBySide := 4 * runtime.GOMAXPROCS(0) // the tests wait for servers more than they compute; -parallel says otherwise
		if err := flag.Set("test.parallel", strconv.Itoa(sideBySide)); err != nil {
			panic(err)
		}
		os.Exit(m.Run())
	}
	os.Unsetenv(commandMark)
	os.Exit(Run(context.Background(), os.Args[1:], os.Environ(), Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// process runs the command line in a process with no other variables than its own.
func (c commandLine) process(ctx context.Context, t testing.TB, s Streams) (code int) {
	t.Helper()
	cmd := exec.CommandContext(ctx, self(t), c.args...)
	cmd.Dir, cmd.Env = c.dir, append(slices.Clone(c.env), "PWD="+c.dir, commandMark+"=yes")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.In, s.Out, s.Err
	err := cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		t.Error(err)
		return -1
	}
	return cmd.ProcessState.ExitCode()
}

// alone runs the test again as the only one of a process, which is started in an empty folder with these
// variables; DIR in a variable is the folder. In that process alone returns the folder, in the first
// one nothing, when the other has ended.
func alone(t *testing.T, env ...string) (dir string) {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv(sourceMark) != "" {
		return here
	}
	dir = t.TempDir()
	cmd := exec.CommandContext(t.Context(), self(t), "-test.run=^"+t.Name()+"$")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PWD="+dir, sourceMark+"="+here)
	for _, v := range env {
		cmd.Env = append(cmd.Env, strings.ReplaceAll(v, "DIR", dir))
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("in a process of its own: got %v, want success:\n%s", err, out)
	}
	return ""
}

// inSource returns the path of a file of this package, also in the process of a test that runs alone.
func inSource(path string) string { return filepath.Join(os.Getenv(sourceMark), path) }

// self returns the path of the program of the tests.
func self(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

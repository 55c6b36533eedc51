package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"testing"
)

// commandMark is a variable of a process that runs a command line in place of the tests.
const commandMark = "PARLEY_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(commandMark) == "" {
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

// self returns the path of the program of the tests.
func self(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

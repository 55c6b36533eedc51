package cli

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"parley/internal/crash"
)

const panicMark = "PARLEY_TEST_PANIC" // the process panics on a goroutine; its value is that of --output

// A panic ends the process as a failure does, with the functions and without the value.
func TestAPanicEndsTheProcessWithoutItsValue(t *testing.T) {
	if output := os.Getenv(panicMark); output != "" {
		EndOnPanic([]string{"send", "-o", output}, nil, Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
		go crash.Guarded(func() { panic("tok-s3cret\x1b[2J") })()
		select {}
	}
	t.Parallel()
	for _, output := range []string{"text", "json"} {
		cmd := exec.Command(self(t), "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), panicMark+"="+output)
		var out, said strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &said
		err := cmd.Run()
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 1 {
			t.Errorf("%s: got error %v, want exit status 1", output, err)
		}
		all := out.String() + said.String()
		if !strings.Contains(all, "Parley ended because of a fault of its own: panic with a value of type string.") || !strings.Contains(said.String(), "  parley/internal/cli.TestAPanicEndsTheProcess") ||
			strings.Contains(all, "s3cret") || strings.Contains(all, "\x1b") {
			t.Errorf("%s: got %q, want what happened and where, and no value", output, all)
		}
		if output == "json" && !json.Valid([]byte(out.String())) {
			t.Errorf("got %q, want JSON", out.String())
		}
	}
}

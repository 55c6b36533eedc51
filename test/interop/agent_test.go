package interop

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sdks are the modules below agents/, each an agent made with one version of an
// official SDK. The versions exclude one another, hence one module each.
var sdks = []struct {
	module  string
	dialect string
	// messages is set where an agent may answer with a message instead of a task.
	messages bool
}{
	{"a2a-go-2.4.0", "v1.0", true},
	{"a2a-go-0.3.3", "v0.3", true},
	{"trpc-a2a-go-0.0.3", "v0.1", false},
}

// start builds an agent and runs it until the test ends. It returns its URL.
func start(t *testing.T, module string) string {
	t.Helper()
	dir := filepath.Join("agents", module)
	bin := filepath.Join(t.TempDir(), "agent")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		if os.Getenv("CI") == "" && strings.Contains(string(out), "dial tcp") {
			t.Skipf("the SDK's module cannot be fetched here:\n%s", out)
		}
		t.Fatalf("build %s: %v\n%s", module, err, out)
	}
	return run(t, exec.CommandContext(context.Background(), bin))
}

// run starts a command that prints its URL as its first line and ends when its
// input does.
func run(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatalf("the agent ended before it said where it is: %v", lines.Err())
	}
	return strings.TrimSpace(lines.Text())
}

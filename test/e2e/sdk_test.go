//go:build unix

package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/internal/porttest"
	"parley/internal/tmux"
)

// An agent of the official SDK is independent of Parley.
func TestAnAgentOfTheOfficialSDK(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "--no-record", sdkAgent(t))
	s.WaitFor(`^ Go SDK 2.4.0 +A2A 1.0 · JSON-RPC`)
	s.WaitFor(`❯ count 5`) // the first example of its card
	s.Text("ask me")
	s.Keys("Enter")
	s.WaitFor(`waits for you`)
	s.WaitFor(`Which dates\?`)
	s.WaitFor(`↩ reply to task`)
	s.Text("in May")
	s.Keys("Enter")
	s.WaitFor(`You said in May`)
	s.WaitFor(`✓ completed`)

	for n := 60; !grows(s, n); n += 60 { // it was over before the test saw it
		if n >= 240 { // more than fits on the screen
			t.Fatal("got no stream that grew on the screen")
		}
	}
	s.Text("hello")
	s.Keys("Enter")
	s.WaitFor(`Hello from the SDK`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}

// grows lets the agent count in a new conversation, and reports whether the numbers grew on the
// screen while the stream was open.
func grows(s *tmux.Session, n int) (seen bool) {
	s.Keys("C-n")
	s.WaitFor(`→ new conversation`)
	s.Text(fmt.Sprintf("count %d", n))
	s.Keys("Enter")
	seen = true
	for _, least := range []int{3, 15, 35} {
		s.WaitFunc("numbers that grow", func(screen string) bool {
			parts := number(screen, `numbers +([\d,]+) parts`)
			seen = seen && parts < n && (parts < least || strings.Contains(screen, "live") && strings.Contains(screen, "1 2 3"))
			return parts >= least
		})
	}
	s.WaitFunc("all of them", func(screen string) bool { return number(screen, `numbers +([\d,]+) parts`) == n })
	s.WaitFor(`✓ completed`)
	return seen
}

// sdkAgent runs the agent of test/interop until the test ends. It returns its URL.
func sdkAgent(t *testing.T, args ...string) string {
	t.Helper()
	url, _ := startSDK(t, buildSDK(t), "127.0.0.1:0", args...)
	return url
}

// builtSDK builds the agent of test/interop, once for all tests, and returns what was printed.
var builtSDK = sync.OnceValues(func() ([]byte, error) {
	build := exec.Command("go", "build", "-o", sdkProgram(), ".")
	build.Dir = filepath.Join("..", "interop", "agents", "a2a-go-2.4.0")
	build.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	return build.CombinedOutput()
})

// sdkProgram is the path of the built agent.
func sdkProgram() string { return filepath.Join(filepath.Dir(program), "sdk-agent") }

// buildSDK returns the path of the agent of test/interop, after it was built.
func buildSDK(t *testing.T) string {
	t.Helper()
	if out, err := builtSDK(); err != nil {
		if os.Getenv("CI") == "" && strings.Contains(string(out), "dial tcp") {
			t.Skipf("the SDK's module cannot be downloaded here:\n%s", out)
		}
		t.Fatalf("build: got %v, want success\n%s", err, out)
	}
	return sdkProgram()
}

// startSDK runs the agent until the test ends or stop is called.
func startSDK(t *testing.T, bin, address string, args ...string) (url string, stop func()) {
	t.Helper()
	agent := exec.Command(bin, args...)
	agent.Env = append(os.Environ(), "LISTEN="+address)
	in, err := agent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := agent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		in.Close()
		_ = agent.Wait() // it ends with its input
	})
	t.Cleanup(stop)
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatalf("got no URL before the agent ended (%v), want one", lines.Err())
	}
	return strings.TrimSpace(lines.Text()), stop
}

// An agent restarts: its stream breaks, Parley retries, more often while the user looks at it,
// reports the lost task, and the conversation continues.
func TestAnSDKAgentThatIsRestarted(t *testing.T) {
	t.Parallel()
	bin := buildSDK(t)
	address := porttest.Keep(t).Address
	url, stop := startSDK(t, bin, address)
	s := parley(t, 140, 40, "--no-record", url)
	s.WaitFor(`^ Go SDK 2.4.0  `)
	s.Text("ask me")
	s.Keys("Enter")
	s.WaitFor(`waits for you`)
	stop()
	s.Keys("C-n")
	s.Text("hello")
	s.Keys("Enter")
	s.WaitFor(`^ Go SDK 2.4.0 ✕`)
	s.WaitFor(`every 4 s · r now`)
	startSDK(t, bin, address)
	s.WaitFor(`^ Go SDK 2.4.0  `)
	s.Keys("C-u") // the draft returns unless an open connection broke under it
	s.WaitGone(`❯ hello`)
	s.Text("hello")
	s.WaitFor(`❯ hello`)
	s.Keys("Enter")
	s.WaitFor(`Hello from the SDK`)
	s.WaitGone(`waiting`) // it has forgotten its question
	s.Text("/reconnect")
	s.Keys("Enter")
	s.WaitFor(`(?s)ttfb.*→ GET /.well-known`) // behind the answer
	s.Keys("C-c", "C-c")
	s.WaitFor(`^exit status 0`)
}

// Parley reports a changed card after a restart. Saboteur's version grows with each restart.
func TestAnAgentThatRestarts(t *testing.T) {
	t.Parallel()
	agent := demoAgent(t, "Saboteur")
	s := parley(t, 120, 40, "--no-record", agent.URL)
	s.WaitFor(`^ Saboteur  `)
	s.Text("Glue two events together")
	s.Keys("Enter")
	s.WaitFor(`end · ⚑ differs`) // the get behind the stream is answered: if it found nobody, nothing could be sent

	back := agent.Leave()
	disconnected(t, agent.URL) // or the message may go through the connection that breaks, and be lost
	s.Text("a message for nobody")
	s.Keys("Enter")
	s.WaitFor(`refused the connection`)
	screen := s.WaitFor(`❯ a message for nobody`) // the draft returns
	if strings.Contains(columns(screen, 24, 72), "dial tcp") {
		t.Errorf("got Go's error text in the conversation:\n%s", screen)
	}
	back()
	s.WaitFor(`Saboteur is back`)
	s.WaitFor(`version`) // the changes of the card
	s.WaitFor(`❯ a message for nobody`)
	s.Keys("Enter")
	s.WaitFor(`you +\d\d:\d\d\s`)
	s.WaitGone(`❯ a message for nobody`)
}

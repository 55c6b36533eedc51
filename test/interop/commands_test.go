package interop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a"
)

// TestCommandsAgainstOfficialSDKs runs the commands that read tasks, save files, register webhooks,
// check an agent and converse with it against the official SDKs of A2A 1.0 and 0.3.
func TestCommandsAgainstOfficialSDKs(t *testing.T) {
	parley := build(t, filepath.Join("..", ".."), ".")
	for i := range sdks {
		s := &sdks[i]
		if !strings.HasPrefix(s.module, "a2a-") || s.dialect != a2a.V10 && s.dialect != a2a.V03 {
			continue
		}
		t.Run(s.module, func(t *testing.T) {
			t.Parallel()
			u := &user{t: t, parley: parley, agent: start(t, s.module), home: t.TempDir()}
			u.answers()
			u.saves()
			task := u.follows()
			u.lists(s, task)
			u.registers(s, task)
			u.checks(s)
			u.converses()
		})
	}
}

// A user runs commands against one agent.
type user struct {
	t                   *testing.T
	parley, agent, home string
}

// run runs a command that must exit with code, and returns its output.
func (u *user) run(code int, stdin string, args ...string) string {
	u.t.Helper()
	cmd := exec.Command(u.parley, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = u.home, []string{"HOME=" + u.home}, strings.NewReader(stdin)
	var out, failure bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failure
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok || ok && exit.ExitCode() != code || !ok && code != 0 {
		u.t.Errorf("%s: got %v, want exit %d\n%s%s", args, err, code, &out, &failure)
	}
	return out.String()
}

func (u *user) answers() {
	if out := u.run(0, "", "send", "-a", u.agent, "-o", "answer", "count 3"); strings.Join(strings.Fields(out), " ") != "1 2 3" {
		u.t.Errorf("answer: got %q, want 1 2 3", out)
	}
	if out := u.run(0, "", "send", "-a", u.agent, "-o", "answer", "--stream", "hello"); !strings.Contains(out, "Hello") {
		u.t.Errorf("answer of a message: got %q, want it", out)
	}
}

func (u *user) saves() {
	u.run(0, "", "send", "-a", u.agent, "--save", "files", "artifact")
	entries, err := os.ReadDir(filepath.Join(u.home, "files"))
	if err != nil || len(entries) < 3 {
		u.t.Errorf("save: got %v (%v), want a text, a file and data", entries, err)
	}
	if raw, err := os.ReadFile(filepath.Join(u.home, "files", "hello.txt")); err != nil || string(raw) != "Hello, file!" {
		u.t.Errorf("save: got %q (%v) in hello.txt", raw, err)
	}
}

// follows starts a task that works until it is canceled, and subscribes to it.
func (u *user) follows() (id string) {
	var doc struct{ Task task }
	if err := json.Unmarshal([]byte(u.run(0, "", "send", "-a", u.agent, "--async", "-o", "json", "wait")), &doc); err != nil || doc.Task.ID == "" {
		u.t.Fatalf("got no task: %v", err)
	}
	seen := make(chan string)
	go func() {
		seen <- u.run(0, "", "task", "subscribe", "-a", u.agent, "--timeout", "30s", doc.Task.ID)
	}()
	u.run(0, "", "task", "get", "-a", u.agent, doc.Task.ID)
	u.run(0, "", "task", "cancel", "-a", u.agent, doc.Task.ID)
	if out := <-seen; !strings.Contains(out, "State: canceled\n") {
		u.t.Errorf("subscribe: got %q, want the task canceled", out)
	}
	return doc.Task.ID
}

func (u *user) lists(s *sdk, id string) {
	if !s.serves(a2a.OpList) {
		return
	}
	if out := u.run(0, "", "task", "list", "-a", u.agent); !strings.Contains(out, id) {
		u.t.Errorf("list: got %q, want task %s", out, id)
	}
}

func (u *user) registers(s *sdk, id string) {
	if !s.pushes {
		return
	}
	on := func(args ...string) string {
		return u.run(0, "", append([]string{"task", "push-config"}, append(args, "-a", u.agent)...)...)
	}
	on("create", id, "--url", "http://127.0.0.1:1/hook", "--id", "p1")
	for _, args := range [][]string{{"list", id}, {"get", id, "p1"}} {
		if out := on(args...); !strings.Contains(out, "127.0.0.1:1/hook") {
			u.t.Errorf("push-config %s: got %q, want the webhook", args, out)
		}
	}
	on("delete", id, "p1")
	if out := on("list", id); strings.Contains(out, "127.0.0.1:1/hook") {
		u.t.Errorf("push-config list: got %q, want no webhook", out)
	}
}

func (u *user) checks(s *sdk) {
	failing := 0
	if s.module == "a2a-js-1.3.0" {
		failing = 1 // its card has a security scheme without kind, see findings_test.go
	}
	for _, args := range [][]string{{"check", u.agent}, {"conformance", u.agent, "--message", "count 2"}} {
		out := u.run(0, "", append(args, "--fail-on", "none")...)
		if strings.Count(out, "Ok: ") < 4 || strings.Count(out, "Failed: ") != failing {
			u.t.Errorf("%s: got\n%s\nwant %d failed checks", args, out, failing)
		}
	}
}

func (u *user) converses() {
	out := u.run(0, "ask\n10 October\ncount 2\n/quit\nnever\n", "chat", u.agent)
	for _, want := range []string{"State: input-required\n", "State: completed\n", "Text:\n  1 2"} {
		if !strings.Contains(out, want) {
			u.t.Errorf("chat: got %q, want %q", out, want)
		}
	}
	if n := strings.Count(out, "State: completed\n"); n < 2 {
		u.t.Errorf("chat: got %d tasks completed, want two\n%s", n, fmt.Sprint(out))
	}
}

package interop

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"parley/a2a"
)

// A shell runs the built program against one agent and stores its output.
type shell struct {
	t         *testing.T
	parley    string
	agent     string
	more      []string // arguments of every call
	questions []question
	wire      strings.Builder // the output of --debug
}

// json runs a command with JSON output. The official SDK for 1.0 must read every document as
// the given type.
func (s *shell) json(as string, args ...string) []json.RawMessage {
	s.t.Helper()
	cmd := exec.Command(s.parley, append(args, append(s.more, "-a", s.agent, "-o", "json", "--debug", "--poll-interval", "20ms")...)...)
	home := s.t.TempDir()
	cmd.Dir, cmd.Env = home, []string{"HOME=" + home}
	var out, failure bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failure
	if err := cmd.Run(); err != nil {
		s.t.Fatalf("%s: got %v, want success\n%s%s", cmd, err, &out, &failure)
	}
	s.wire.Write(failure.Bytes())
	var documents []json.RawMessage
	for dec := json.NewDecoder(&out); ; {
		var doc json.RawMessage
		if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			s.t.Fatalf("%s: got output %q (%v), want JSON", cmd, &out, err)
		}
		documents = append(documents, doc)
		s.questions = append(s.questions, question{As: as, JSON: doc, name: cmd.String(), shape: plain(s.t, doc)})
	}
	if len(documents) == 0 {
		s.t.Fatalf("%s: got no output, want a document\n%s", cmd, &failure)
	}
	return documents
}

// task is the part of a document about a task that the tests need.
type task struct {
	ID     string
	Status struct{ State string }
}

func (s *shell) task(doc json.RawMessage) task {
	s.t.Helper()
	var answer struct{ Task task }
	if err := json.Unmarshal(doc, &answer); err != nil || answer.Task.ID == "" {
		s.t.Fatalf("got no task in %s: %v", doc, err)
	}
	return answer.Task
}

func (s *shell) state(doc json.RawMessage, want string) {
	s.t.Helper()
	var alone task
	if err := json.Unmarshal(doc, &alone); err != nil || alone.Status.State != want {
		s.t.Errorf("got state %q, want %s: %v\n%s", alone.Status.State, want, err, doc)
	}
}

// flags returns the flags that choose an endpoint.
func (s *sdk) flags(url string) []string {
	switch {
	case s.path != "":
		return []string{"--dialect", string(s.dialect), "--endpoint", url + s.path, "--tenant", s.tenant}
	case s.overHTTP():
		return []string{"--transport", "HTTP+JSON"}
	case s.binding() == a2a.BindingGRPC:
		return []string{"--dialect", string(s.dialect)}
	default:
		return nil
	}
}

// command tests the commands without a screen on any dialect.
func command(t *testing.T, parley, decoder, url string, s sdk) {
	sh := &shell{t: t, parley: parley, agent: url, more: s.flags(url)}
	sh.json("card", "card", "get")
	if s.messages {
		sh.json("event", "send", "hello")
	}
	if s.unsent == "" {
		sh.json("event", "send", "artifact")
	}
	if events := sh.json("event", "send", "--stream", "count 3"); len(events) < 5 {
		t.Errorf("got a stream of %d events, want at least 5", len(events))
	}
	asked := sh.task(sh.json("event", "send", "ask me")[0])
	if asked.Status.State != "TASK_STATE_INPUT_REQUIRED" {
		t.Errorf("got task state %s, want TASK_STATE_INPUT_REQUIRED", asked.Status.State)
	}
	sh.json("event", "send", "--task-id", asked.ID, "10 to 17 October")
	sh.state(sh.json("task", "task", "get", "--history", "10", asked.ID)[0], "TASK_STATE_COMPLETED")
	if s.module != "trpc-a2a-go-0.0.3" { // its plain call answers when the task is over
		endless := sh.task(sh.json("event", "send", "--async", "wait")[0])
		sh.state(sh.json("task", "task", "cancel", endless.ID)[0], "TASK_STATE_CANCELED")
	}
	agree(t, decoder, sh.questions, nil)
	if over := strings.Contains(sh.wire.String(), "/message:stream"); over != s.overHTTP() {
		t.Errorf("got HTTP+JSON %v, want %v\n%s", over, s.overHTTP(), &sh.wire)
	}
	if over := strings.Contains(sh.wire.String(), "A2AService/"); over != (s.binding() == a2a.BindingGRPC) {
		t.Errorf("got gRPC %v, want %v\n%s", over, !over, &sh.wire)
	}
}

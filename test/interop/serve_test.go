package interop

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/session/journal"
	"parley/session/model"
	"parley/session/serve"
)

// conversation is what the clients in agents/ have of every agent, and of its recording.
const conversation = `count completed 1 2 3 4 5
ask input-required
reply completed You said blue
get completed
send completed
`

// A recording of an agent serves the official clients as the agent did: they stream, continue a task
// with the ids that they got, get it, and send without a stream, to completion. Each client comes
// twice, so that the second one has ids of its own.
func TestOfficialClientsUseAServedRecording(t *testing.T) {
	for _, c := range []struct {
		module   string
		dialects []a2a.DialectName
	}{
		{"a2a-go-2.4.0", []a2a.DialectName{a2a.V10, a2a.V10GRPC}},
		{"a2a-go-0.3.15", []a2a.DialectName{a2a.V03, a2a.V03GRPC}},
		{"a2a-js-1.3.0", []a2a.DialectName{a2a.V10, a2a.V10REST, a2a.V10GRPC}},
		{"a2a-js-0.3.14", []a2a.DialectName{a2a.V03, a2a.V03REST, a2a.V03GRPC}},
	} {
		t.Run(c.module, func(t *testing.T) {
			t.Parallel()
			url, client := start(t, c.module), clientOf(t, c.module)
			for _, dialect := range c.dialects {
				t.Run(string(dialect), func(t *testing.T) {
					s := sdk{module: c.module, dialect: dialect}
					served := serveFile(t, record(t, url, s))
					for range 2 {
						ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
						defer cancel()
						args := append(client[1:], served.Agents[0].URL, string(s.binding()))
						out, err := exec.CommandContext(ctx, client[0], args...).CombinedOutput()
						if err != nil || string(out) != conversation {
							t.Fatalf("got %v\n%s\nwant\n%s", err, out, conversation)
						}
					}
				})
			}
		})
	}
}

// clientOf returns the command of the client of an SDK.
func clientOf(t *testing.T, module string) []string {
	dir := filepath.Join("agents", module)
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return []string{build(t, dir, "./client")}
	}
	return []string{"node", filepath.Join(install(t, dir), "client.mjs")}
}

// record records the conversation with an agent and returns the session file.
func record(t *testing.T, url string, s sdk) string {
	path := filepath.Join(t.TempDir(), "session.jsonl")
	file, err := journal.Create(path, journal.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("record", func(t *testing.T) {
		at := s.at(url, nil)
		at.file = file
		d := open(t, at)
		d.wait(d.send(model.Target{}, "count 5", a2a.True))
		asked := d.task(d.wait(d.send(model.Target{}, "ask", a2a.True)).ID)
		d.wait(d.send(model.Target{Conversation: asked.Conversation.ID, TaskID: asked.ID, ContextID: asked.ContextID}, "blue", a2a.True))
		m := &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("count 3")}}
		to := model.Target{Agent: d.agent, Conversation: d.engine.NewConversation(d.agent)}
		d.wait(d.engine.Send(to, m, model.SendOptions{Stream: a2a.False, Config: a2a.SendConfig{Wait: true}}))
	})
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// serveFile serves a session file without pauses until the test ends.
func serveFile(t *testing.T, path string) *serve.Server {
	t.Helper()
	format := grpc.NewFormat()
	session, err := serve.Load(path, map[a2a.Binding]a2a.Format{a2a.BindingGRPC: format})
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	log := make(chan string, 1000)
	server, err := serve.Start(t.Context(), []*serve.Session{session}, serve.Options{GRPC: grpc.Serve, Format: format, Log: func(line string) { log <- line }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Close()
		close(log)
		for line := range log {
			lines.WriteString(line + "\n")
		}
		if t.Failed() {
			t.Logf("requests:\n%s", &lines)
		}
	})
	return server
}

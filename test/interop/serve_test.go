package interop

import (
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

// A recording of an agent serves the official clients as the agent did: they stream, continue a task
// with the ids that they got, get it, and send without a stream, to completion. Each client comes
// twice, so that the second one has ids of its own.
func TestOfficialClientsUseAServedRecording(t *testing.T) {
	t.Parallel()
	withOfficialClients(t, func(t *testing.T, c officialClient) {
		served := serveFile(t, record(t, c.url, c.sdk))
		for range 2 {
			c.converse(t, served.Agents[0].URL)
		}
	})
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

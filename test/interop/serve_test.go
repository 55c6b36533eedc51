package interop

import (
	"path/filepath"
	"regexp"
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

// operationsOf are what a client that calls every operation prints about a recording that has streams alone:
// what can be told from the streams is, and the rest is refused with the errors of A2A.
const operationsOf = `at once task
send completed 1 2 3 4 5
stream completed 1 2 3 4 5
get completed 1 2 3 4 5
list completed
subscribe UnsupportedOperation
cancel TaskNotCancelable
push set PushNotificationNotSupported
push get PushNotificationNotSupported
push list PushNotificationNotSupported
push delete PushNotificationNotSupported
at once task
send input-required
stream input-required
get input-required
list input-required
subscribe input-required
cancel canceled
push set PushNotificationNotSupported
push get PushNotificationNotSupported
push list PushNotificationNotSupported
push delete PushNotificationNotSupported
at once message
send message Hello from the SDK
stream
card ok
`

// Every operation of the official clients gets an answer from a recording of streams, and from one of plain
// answers, or the error of A2A for what the recording cannot tell.
func TestOfficialClientsCallEveryOperationOfARecording(t *testing.T) {
	t.Parallel()
	withOfficialClients(t, func(t *testing.T, c officialClient) {
		for _, streams := range []a2a.Tri{a2a.True, a2a.False} {
			served := serveFile(t, recordPrompts(t, c.url, c.sdk, streams, "count 5", "ask", "hello"))
			want := c.expected()
			if streams == a2a.False { // the task comes as one event, and its text in no update
				want = strings.ReplaceAll(want, "stream completed 1 2 3 4 5", "stream completed")
			}
			for range 2 {
				if got := c.operate(t, served.Agents[0].URL, "count 5", "ask", "hello"); got != want {
					t.Errorf("recorded with streams %v: got\n%s\nwant\n%s", streams, got, want)
				}
			}
		}
	})
}

// expected returns what the client prints of all operations.
func (c *officialClient) expected() string {
	want := operationsOf
	if c.dialect.Number() == a2a.V03.Number() { // which has no list, and in Go one name for all that gRPC does not implement
		want = regexp.MustCompile(`(?m)^list .*\n`).ReplaceAllString(want, "")
		if c.module == "a2a-go-0.3.15" && c.binding() == a2a.BindingGRPC {
			want = strings.ReplaceAll(want, "PushNotificationNotSupported", "UnsupportedOperation")
		}
	}
	switch {
	case c.module == "a2a-go-2.4.0" && c.binding() == a2a.BindingGRPC: // whose client knows UNIMPLEMENTED of gRPC as no error of A2A
		want = strings.ReplaceAll(want, "UnsupportedOperation", "parley serve: The task is completed: nothing more comes.")
		for op, method := range map[string]string{"set": "CreateTaskPushNotificationConfig", "get": "GetTaskPushNotificationConfig", "list": "ListTaskPushNotificationConfigs", "delete": "DeleteTaskPushNotificationConfig"} {
			want = strings.ReplaceAll(want, "push "+op+" PushNotificationNotSupported", "push "+op+" parley serve: The recording has no "+method+", and no push notification is sent from it.")
		}
	case c.module == "a2a-js-1.3.0" && c.binding() == a2a.BindingGRPC: // whose card has another form than the message of gRPC
		want = strings.Replace(want, "card ok", "card UnsupportedOperation", 1)
	}
	return want
}

// recordPrompts records messages to an agent, with streams or without, and returns the session file.
func recordPrompts(t *testing.T, url string, s sdk, streams a2a.Tri, prompts ...string) string {
	return recordTo(t, url, s, func(d *harness) {
		for _, prompt := range prompts {
			m := &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart(prompt)}}
			to := model.Target{Agent: d.agent, Conversation: d.engine.NewConversation(d.agent)}
			d.wait(d.engine.Send(to, m, model.SendOptions{Stream: streams, Config: a2a.SendConfig{Wait: true}}))
		}
	})
}

// record records the conversation with an agent and returns the session file.
func record(t *testing.T, url string, s sdk) string {
	return recordTo(t, url, s, func(d *harness) {
		d.wait(d.send(model.Target{}, "count 5", a2a.True))
		asked := d.task(d.wait(d.send(model.Target{}, "ask", a2a.True)).ID)
		d.wait(d.send(model.Target{Conversation: asked.Conversation.ID, TaskID: asked.ID, ContextID: asked.ContextID}, "blue", a2a.True))
		m := &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("count 3")}}
		to := model.Target{Agent: d.agent, Conversation: d.engine.NewConversation(d.agent)}
		d.wait(d.engine.Send(to, m, model.SendOptions{Stream: a2a.False, Config: a2a.SendConfig{Wait: true}}))
	})
}

// recordTo records what is done with an agent and returns the session file.
func recordTo(t *testing.T, url string, s sdk, do func(d *harness)) string {
	path := filepath.Join(t.TempDir(), "session.jsonl")
	file, err := journal.Create(path, journal.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("record", func(t *testing.T) {
		at := s.at(url, nil)
		at.file = file
		do(open(t, at))
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

// Command trpc-a2a-go-0.2.5 is a test agent on trpc-a2a-go 0.2.5 (A2A 0.2.5). It prints
// its URL and serves until its input ends.
//
// The first word of a message selects the behaviour: hello answers with a message;
// count N streams N chunks; ask waits for input and auth for credentials, and both
// repeat the answer; wait works until the task is cancelled; artifact sends parts of
// every kind; measure reports the size of the received files; any other word fails.
package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"trpc.group/trpc-go/trpc-a2a-go/protocol"
	"trpc.group/trpc-go/trpc-a2a-go/server"
	"trpc.group/trpc-go/trpc-a2a-go/taskmanager"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	url := "http://" + listener.Addr().String()
	tasks, err := taskmanager.NewMemoryTaskManager(processor{}, taskmanager.WithTaskSubscriberBufferSize(100))
	if err != nil {
		log.Fatal(err)
	}
	agent, err := server.NewA2AServer(card(url+"/"), tasks, server.WithAuthenticatedExtendedCardHandler(
		func(_ context.Context, open server.AgentCard) (server.AgentCard, error) {
			open.Name += ", extended"
			return open, nil
		}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(url)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	log.Fatal(http.Serve(listener, agent.Handler()))
}

func card(endpoint string) server.AgentCard {
	words, yes, version := "Counts in chunks.", true, "0.2.5"
	return server.AgentCard{
		Name: "trpc 0.2.5", Description: "An agent made with trpc-a2a-go.", Version: "0.2.5",
		URL: endpoint, ProtocolVersion: &version,
		Capabilities:       server.AgentCapabilities{Streaming: &yes, PushNotifications: &yes},
		DefaultInputModes:  []string{"text/plain"},
		DefaultOutputModes: []string{"text/plain"},
		Skills: []server.AgentSkill{{
			ID: "count", Name: "Count", Description: &words, Tags: []string{"test"}, Examples: []string{"count 5"},
		}},
		SupportsAuthenticatedExtendedCard: &yes,
	}
}

type processor struct{}

// A job is one message and the task that it starts or continues.
type job struct {
	tasks taskmanager.TaskHandler
	id    string
	said  string
	size  int // bytes of the received files
	fresh bool
}

func (processor) ProcessMessage(ctx context.Context, m protocol.Message, o taskmanager.ProcessOptions,
	tasks taskmanager.TaskHandler) (*taskmanager.MessageProcessingResult, error) {
	j := job{tasks: tasks, said: text(m), size: size(m)}
	if j.said == "hello" && !o.Streaming {
		answer := protocol.NewMessage(protocol.MessageRoleAgent, []protocol.Part{protocol.NewTextPart("Hello from the SDK")})
		return &taskmanager.MessageProcessingResult{Result: &answer}, nil
	}
	if m.TaskID != nil {
		j.id = *m.TaskID
	} else {
		context := tasks.GetContextID()
		id, err := tasks.BuildTask(nil, &context)
		if err != nil {
			return nil, err
		}
		j.id, j.fresh = id, true
	}
	if o.Streaming {
		events, err := tasks.SubscribeTask(&j.id)
		if err != nil {
			return nil, err
		}
		go j.stream(events)
		return &taskmanager.MessageProcessingResult{StreamingEvents: events}, nil
	}
	return j.unary(ctx, o.Blocking)
}

// stream performs the job and closes the stream when the task ends or waits.
func (j *job) stream(events taskmanager.TaskSubscriber) {
	defer events.Close()
	if j.said == "hello" {
		answer := protocol.NewMessage(protocol.MessageRoleAgent, []protocol.Part{protocol.NewTextPart("Hello from the SDK")})
		_ = events.Send(protocol.StreamingMessageEvent{Result: &answer})
		return
	}
	if j.fresh {
		if task, err := j.tasks.GetTask(&j.id); err == nil {
			_ = events.Send(protocol.StreamingMessageEvent{Result: task.Task()})
		}
	}
	if err := j.work(context.Background()); err != nil {
		log.Printf("%s: %v", j.said, err)
	}
}

func (j *job) unary(ctx context.Context, wait bool) (*taskmanager.MessageProcessingResult, error) {
	if !wait {
		go func() { _ = j.work(context.Background()) }()
	} else if err := j.work(ctx); err != nil {
		return nil, err
	}
	task, err := j.tasks.GetTask(&j.id)
	if err != nil {
		return nil, err
	}
	return &taskmanager.MessageProcessingResult{Result: task.Task()}, nil
}

func (j *job) work(ctx context.Context) error {
	words := strings.Fields(j.said)
	if !j.fresh {
		if err := j.artifact("answer", protocol.NewTextPart("You said "+j.said)); err != nil {
			return err
		}
		return j.state(protocol.TaskStateCompleted, "")
	}
	if err := j.state(protocol.TaskStateWorking, ""); err != nil {
		return err
	}
	switch {
	case len(words) == 2 && words[0] == "count":
		return j.count(words[1])
	case words[0] == "ask":
		return j.state(protocol.TaskStateInputRequired, "Which dates?")
	case words[0] == "auth":
		return j.state(protocol.TaskStateAuthRequired, "Sign in first")
	case words[0] == "wait":
		return j.gone(ctx)
	case words[0] == "measure":
		if err := j.artifact("size", protocol.NewTextPart(strconv.Itoa(j.size)+" bytes")); err != nil {
			return err
		}
		return j.state(protocol.TaskStateCompleted, "")
	case words[0] == "artifact":
		if err := j.artifact("every kind", everyKind()...); err != nil {
			return err
		}
		return j.state(protocol.TaskStateCompleted, "")
	default:
		return j.state(protocol.TaskStateFailed, "Nothing is known about that")
	}
}

// gone waits until the task is cancelled: this SDK deletes a cancelled task.
func (j *job) gone(ctx context.Context) error {
	for ctx.Err() == nil {
		if _, err := j.tasks.GetTask(&j.id); err != nil {
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
	return ctx.Err()
}

// count streams one artifact with one number per chunk.
func (j *job) count(limit string) error {
	n, _ := strconv.Atoi(limit)
	name := "numbers"
	for i := 1; i <= n; i++ {
		a := protocol.Artifact{ArtifactID: name, Name: &name, Parts: []protocol.Part{protocol.NewTextPart(strconv.Itoa(i) + " ")}}
		if err := j.tasks.AddArtifact(&j.id, a, i == n, i > 1); err != nil {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return j.state(protocol.TaskStateCompleted, "")
}

func (j *job) artifact(name string, parts ...protocol.Part) error {
	return j.tasks.AddArtifact(&j.id, protocol.Artifact{ArtifactID: name, Name: &name, Parts: parts}, true, false)
}

func (j *job) state(state protocol.TaskState, words string) error {
	var m *protocol.Message
	if words != "" {
		context := j.tasks.GetContextID()
		made := protocol.NewMessageWithContext(protocol.MessageRoleAgent,
			[]protocol.Part{protocol.NewTextPart(words)}, &j.id, &context)
		m = &made
	}
	return j.tasks.UpdateTaskState(&j.id, state, m)
}

func everyKind() []protocol.Part {
	return []protocol.Part{
		protocol.NewTextPart("three files"),
		protocol.NewFilePartWithBytes("hello.txt", "text/plain", "SGVsbG8sIGZpbGUh"),
		protocol.NewFilePartWithURI("far.png", "image/png", "https://example.com/far.png"),
		protocol.NewDataPart(map[string]any{"big": 12345678901234, "nested": map[string]any{"list": []any{1, "two", nil}}}),
	}
}

func size(m protocol.Message) (n int) {
	for _, p := range m.Parts {
		if p, ok := p.(*protocol.FilePart); ok {
			if f, ok := p.File.(*protocol.FileWithBytes); ok {
				content, _ := base64.StdEncoding.DecodeString(f.Bytes)
				n += len(content)
			}
		}
	}
	return n
}

func text(m protocol.Message) string {
	var b strings.Builder
	for _, p := range m.Parts {
		switch p := p.(type) {
		case protocol.TextPart:
			b.WriteString(p.Text)
		case *protocol.TextPart:
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

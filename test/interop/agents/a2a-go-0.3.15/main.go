// Command a2a-go-0.3.15 is a test agent on the official Go SDK 0.3.15 (A2A 0.3). It prints
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

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2agrpc"
	"github.com/a2aproject/a2a-go/a2asrv"
	"github.com/a2aproject/a2a-go/a2asrv/eventqueue"
	"github.com/a2aproject/a2a-go/a2asrv/push"
	"google.golang.org/grpc"
	"google.golang.org/grpc/reflection"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	calls, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	url := "http://" + listener.Addr().String()
	open, extended := card(url+"/rpc", calls.Addr().String()), card(url+"/rpc", calls.Addr().String())
	extended.Name += ", extended"
	handler := a2asrv.NewHandler(&executor{}, a2asrv.WithExtendedAgentCard(extended),
		a2asrv.WithPushNotifications(push.NewInMemoryStore(), push.NewHTTPPushSender(nil)))
	mux := http.NewServeMux()
	mux.Handle("/rpc", a2asrv.NewJSONRPCHandler(handler))
	mux.Handle(a2asrv.WellKnownAgentCardPath, a2asrv.NewStaticAgentCardHandler(open))
	server := grpc.NewServer()
	a2agrpc.NewHandler(handler).RegisterWith(server)
	reflection.Register(server)
	go func() { log.Fatal(server.Serve(calls)) }()
	fmt.Println(url)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	log.Fatal(http.Serve(listener, mux))
}

func card(endpoint, calls string) *a2a.AgentCard {
	return &a2a.AgentCard{
		Name: "Go SDK 0.3.15", Description: "An agent made with the official Go SDK.", Version: "0.3.15",
		ProtocolVersion: "0.3.0", URL: endpoint, PreferredTransport: a2a.TransportProtocolJSONRPC,
		AdditionalInterfaces:              []a2a.AgentInterface{{URL: calls, Transport: a2a.TransportProtocolGRPC}},
		DefaultInputModes:                 []string{"text/plain"},
		DefaultOutputModes:                []string{"text/plain"},
		Capabilities:                      a2a.AgentCapabilities{Streaming: true, PushNotifications: true},
		SupportsAuthenticatedExtendedCard: true,
		Skills: []a2a.AgentSkill{{
			ID: "count", Name: "Count", Description: "Counts in chunks.", Tags: []string{"test"}, Examples: []string{"count 5"},
		}},
	}
}

type executor struct{}

func (*executor) Execute(ctx context.Context, rc *a2asrv.RequestContext, queue eventqueue.Queue) error {
	words := strings.Fields(text(rc.Message))
	if len(words) == 1 && words[0] == "hello" {
		return queue.Write(ctx, a2a.NewMessage(a2a.MessageRoleAgent, a2a.TextPart{Text: "Hello from the SDK"}))
	}
	if rc.StoredTask != nil {
		return answer(ctx, rc, queue)
	}
	if err := queue.Write(ctx, a2a.NewSubmittedTask(rc, rc.Message)); err != nil {
		return err
	}
	if err := queue.Write(ctx, a2a.NewStatusUpdateEvent(rc, a2a.TaskStateWorking, nil)); err != nil {
		return err
	}
	switch {
	case len(words) == 2 && words[0] == "count":
		return count(ctx, rc, queue, words[1])
	case len(words) > 0 && words[0] == "ask":
		return finish(ctx, rc, queue, a2a.TaskStateInputRequired, "Which dates?")
	case len(words) > 0 && words[0] == "auth":
		return finish(ctx, rc, queue, a2a.TaskStateAuthRequired, "Sign in first")
	case len(words) > 0 && words[0] == "measure":
		if err := queue.Write(ctx, a2a.NewArtifactEvent(rc, a2a.TextPart{Text: size(rc.Message)})); err != nil {
			return err
		}
		return finish(ctx, rc, queue, a2a.TaskStateCompleted, "")
	case len(words) > 0 && words[0] == "artifact":
		if err := queue.Write(ctx, everyKind(rc)); err != nil {
			return err
		}
		return finish(ctx, rc, queue, a2a.TaskStateCompleted, "")
	case len(words) > 0 && words[0] == "wait":
		<-ctx.Done()
		return ctx.Err()
	default:
		return finish(ctx, rc, queue, a2a.TaskStateFailed, "Nothing is known about that")
	}
}

// everyKind returns an artifact with parts of every kind.
func everyKind(rc *a2asrv.RequestContext) a2a.Event {
	near := a2a.FileBytes{FileMeta: a2a.FileMeta{Name: "hello.txt", MimeType: "text/plain"}, Bytes: "SGVsbG8sIGZpbGUh"}
	far := a2a.FileURI{FileMeta: a2a.FileMeta{Name: "far.png", MimeType: "image/png"}, URI: "https://example.com/far.png"}
	ev := a2a.NewArtifactEvent(rc, a2a.TextPart{Text: "three files"}, a2a.FilePart{File: near}, a2a.FilePart{File: far},
		a2a.DataPart{Data: map[string]any{"big": 12345678901234, "nested": map[string]any{"list": []any{1, "two", nil}}}})
	ev.Artifact.Name, ev.LastChunk = "every kind", true
	return ev
}

// answer completes a waiting task with an artifact that repeats the message.
func answer(ctx context.Context, rc *a2asrv.RequestContext, queue eventqueue.Queue) error {
	if err := queue.Write(ctx, a2a.NewArtifactEvent(rc, a2a.TextPart{Text: "You said " + text(rc.Message)})); err != nil {
		return err
	}
	return finish(ctx, rc, queue, a2a.TaskStateCompleted, "")
}

// count streams one artifact with one number per chunk.
func count(ctx context.Context, rc *a2asrv.RequestContext, queue eventqueue.Queue, limit string) error {
	n, _ := strconv.Atoi(limit)
	first := a2a.NewArtifactEvent(rc, a2a.TextPart{Text: "1 "})
	first.Artifact.Name = "numbers"
	if err := queue.Write(ctx, first); err != nil {
		return err
	}
	for i := 2; i <= n; i++ {
		time.Sleep(20 * time.Millisecond)
		ev := a2a.NewArtifactUpdateEvent(rc, first.Artifact.ID, a2a.TextPart{Text: strconv.Itoa(i) + " "})
		ev.LastChunk = i == n
		if err := queue.Write(ctx, ev); err != nil {
			return err
		}
	}
	return finish(ctx, rc, queue, a2a.TaskStateCompleted, "")
}

// finish writes the last status of a turn, with a message unless the text is empty.
func finish(ctx context.Context, rc *a2asrv.RequestContext, queue eventqueue.Queue, state a2a.TaskState, words string) error {
	var m *a2a.Message
	if words != "" {
		m = a2a.NewMessageForTask(a2a.MessageRoleAgent, rc, a2a.TextPart{Text: words})
	}
	ev := a2a.NewStatusUpdateEvent(rc, state, m)
	ev.Final = true
	return queue.Write(ctx, ev)
}

func (*executor) Cancel(ctx context.Context, rc *a2asrv.RequestContext, queue eventqueue.Queue) error {
	return finish(ctx, rc, queue, a2a.TaskStateCanceled, "")
}

// size returns the number of received bytes of files.
func size(m *a2a.Message) string {
	n := 0
	for _, p := range m.Parts {
		if f, ok := p.(a2a.FilePart); ok {
			if b, ok := f.File.(a2a.FileBytes); ok {
				content, _ := base64.StdEncoding.DecodeString(b.Bytes)
				n += len(content)
			}
		}
	}
	return strconv.Itoa(n) + " bytes"
}

func text(m *a2a.Message) string {
	if m == nil {
		return ""
	}
	var b strings.Builder
	for _, p := range m.Parts {
		if t, ok := p.(a2a.TextPart); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// Command trpc-a2a-go-0.0.3 is a test agent on trpc-a2a-go 0.0.3 (A2A 0.1.0). It prints
// its URL and serves until its input ends.
//
// The first word of a message selects the behaviour: count N streams N chunks; ask
// waits for input and repeats the answer; wait works until the task is cancelled;
// artifact sends parts of every kind; measure reports the size of the received files;
// any other word fails.
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
	"sync"
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
	tasks, err := taskmanager.NewMemoryTaskManager(&processor{asked: map[string]bool{}})
	if err != nil {
		log.Fatal(err)
	}
	agent, err := server.NewA2AServer(card(url+"/"), tasks)
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
	words := "An agent made with trpc-a2a-go."
	return server.AgentCard{
		Name: "trpc 0.0.3", Description: &words, Version: "0.0.3", URL: endpoint,
		Capabilities: server.AgentCapabilities{Streaming: true, PushNotifications: true},
		Skills:       []server.AgentSkill{{ID: "count", Name: "Count", Examples: []string{"count 5"}}},
	}
}

// A processor records the tasks that wait for input: a message with the id of one is the
// answer.
type processor struct {
	mu    sync.Mutex
	asked map[string]bool
}

func (p *processor) Process(ctx context.Context, id string, m protocol.Message, h taskmanager.TaskHandle) error {
	words := strings.Fields(text(m))
	p.mu.Lock()
	asked := p.asked[id]
	p.mu.Unlock()
	switch {
	case asked:
		if err := h.AddArtifact(chunk("You said "+text(m), 0, false, true)); err != nil {
			return err
		}
		return h.UpdateStatus(protocol.TaskStateCompleted, nil)
	case len(words) == 2 && words[0] == "count":
		return count(h, words[1])
	case len(words) > 0 && words[0] == "ask":
		p.mu.Lock()
		p.asked[id] = true
		p.mu.Unlock()
		question := protocol.NewMessage(protocol.MessageRoleAgent, []protocol.Part{protocol.NewTextPart("Which dates?")})
		return h.UpdateStatus(protocol.TaskStateInputRequired, &question)
	case len(words) > 0 && words[0] == "wait":
		<-ctx.Done()
		return ctx.Err()
	case len(words) > 0 && words[0] == "measure":
		if err := h.AddArtifact(chunk(size(m), 0, false, true)); err != nil {
			return err
		}
		return h.UpdateStatus(protocol.TaskStateCompleted, nil)
	case len(words) > 0 && words[0] == "artifact":
		if err := h.AddArtifact(everyKind()); err != nil {
			return err
		}
		return h.UpdateStatus(protocol.TaskStateCompleted, nil)
	default:
		sorry := protocol.NewMessage(protocol.MessageRoleAgent, []protocol.Part{protocol.NewTextPart("Nothing is known about that")})
		return h.UpdateStatus(protocol.TaskStateFailed, &sorry)
	}
}

// count streams one artifact with one number per chunk.
func count(h taskmanager.TaskHandle, limit string) error {
	n, _ := strconv.Atoi(limit)
	if !h.IsStreamingRequest() {
		var all strings.Builder
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&all, "%d ", i)
		}
		if err := h.AddArtifact(chunk(all.String(), 0, false, true)); err != nil {
			return err
		}
		return h.UpdateStatus(protocol.TaskStateCompleted, nil)
	}
	for i := 1; i <= n; i++ {
		if err := h.AddArtifact(chunk(strconv.Itoa(i)+" ", 0, i > 1, i == n)); err != nil {
			return err
		}
		// The SDK drops events for which a second subscriber is not ready, so the last
		// status is delayed.
		time.Sleep(20 * time.Millisecond)
	}
	return h.UpdateStatus(protocol.TaskStateCompleted, nil)
}

func everyKind() protocol.Artifact {
	name, near, far, bytes, uri := "every kind", "hello.txt", "far.png", "SGVsbG8sIGZpbGUh", "https://example.com/far.png"
	plain, png, last := "text/plain", "image/png", true
	return protocol.Artifact{Name: &name, LastChunk: &last, Parts: []protocol.Part{
		protocol.NewTextPart("three files"),
		protocol.FilePart{Type: protocol.PartTypeFile, File: protocol.FileContent{Name: &near, MimeType: &plain, Bytes: &bytes}},
		protocol.FilePart{Type: protocol.PartTypeFile, File: protocol.FileContent{Name: &far, MimeType: &png, URI: &uri}},
		protocol.DataPart{Type: protocol.PartTypeData, Data: map[string]any{
			"big": 12345678901234, "nested": map[string]any{"list": []any{1, "two", nil}}}},
	}}
}

func chunk(text string, index int, more, last bool) protocol.Artifact {
	name := "numbers"
	return protocol.Artifact{
		Name: &name, Index: index, Append: &more, LastChunk: &last,
		Parts: []protocol.Part{protocol.NewTextPart(text)},
	}
}

// size returns the number of received bytes of files.
func size(m protocol.Message) string {
	n := 0
	for _, p := range m.Parts {
		if p, ok := p.(protocol.FilePart); ok && p.File.Bytes != nil {
			content, _ := base64.StdEncoding.DecodeString(*p.File.Bytes)
			n += len(content)
		}
	}
	return strconv.Itoa(n) + " bytes"
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

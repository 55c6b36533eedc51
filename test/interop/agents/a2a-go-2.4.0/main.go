// Command a2a-go-2.4.0 is a test agent on the official Go SDK 2.4.0 (A2A 1.0). It prints
// its URL and serves until its input ends, on the address in LISTEN if that is set.
//
// The first word of a message selects the behaviour: hello answers with a message;
// count N streams N chunks; ask waits for input and auth for credentials, and both
// repeat the answer; wait works until the task is cancelled; artifact sends parts of
// every kind; measure reports the size of the received files; any other word fails;
// pay waits for a request to /sign-in?task=ID. The optional argument is the URI of an
// extension that the agent requires.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	v0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	v1 "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/push"
	"github.com/a2aproject/a2a-go/v2/a2asrv/taskstore"
	"google.golang.org/grpc"
)

func main() {
	listener, err := net.Listen("tcp", cmp.Or(os.Getenv("LISTEN"), "127.0.0.1:0"))
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
	for _, uri := range os.Args[1:] {
		open.Capabilities.Extensions = append(open.Capabilities.Extensions, a2a.AgentExtension{URI: uri, Required: true})
	}
	desk := &executor{}
	handler := a2asrv.NewHandler(desk,
		a2asrv.WithExtendedAgentCard(extended), a2asrv.WithCapabilityChecks(&open.Capabilities),
		a2asrv.WithPushNotifications(push.NewInMemoryStore(), push.NewHTTPPushSender(&push.HTTPSenderConfig{AllowPrivateNetworks: true})),
		// The store lists tasks only to a named user.
		a2asrv.WithTaskStore(taskstore.NewInMemory(&taskstore.InMemoryStoreConfig{
			Authenticator: func(context.Context) (string, error) { return "tester", nil },
		})))
	mux := http.NewServeMux()
	mux.Handle("/rpc", a2asrv.NewJSONRPCHandler(handler))
	// The same agent over HTTP+JSON: 1.0, 1.0 with a tenant, and 0.3.
	mux.Handle("/rest/", http.StripPrefix("/rest", a2asrv.NewRESTHandler(handler)))
	mux.Handle("/tenants/", http.StripPrefix("/tenants", a2asrv.NewTenantRESTHandler("/{*}", handler)))
	mux.Handle("/rest03/", http.StripPrefix("/rest03", a2av0.NewRESTHandler(handler)))
	mux.HandleFunc("/sign-in", desk.signIn)
	mux.Handle(a2asrv.WellKnownAgentCardPath, a2asrv.NewStaticAgentCardHandler(open))
	go serveGRPC(calls, handler)
	fmt.Println(url)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	log.Fatal(http.Serve(listener, mux))
}

// serveGRPC serves the same agent over gRPC: 1.0 and 0.3.
func serveGRPC(listener net.Listener, handler a2asrv.RequestHandler) {
	server := grpc.NewServer()
	v1.NewHandler(handler).RegisterWith(server)
	v0.NewHandler(handler).RegisterWith(server)
	log.Fatal(server.Serve(listener))
}

func card(endpoint, calls string) *a2a.AgentCard {
	older := a2a.NewAgentInterface(calls, a2a.TransportProtocolGRPC)
	older.ProtocolVersion = "0.3"
	return &a2a.AgentCard{
		Name: "Go SDK 2.4.0", Description: "An agent made with the official Go SDK.", Version: "2.4.0",
		SupportedInterfaces: []*a2a.AgentInterface{
			a2a.NewAgentInterface(endpoint, a2a.TransportProtocolJSONRPC), a2a.NewAgentInterface(calls, a2a.TransportProtocolGRPC), older,
		},
		DefaultInputModes:  []string{"text/plain"},
		DefaultOutputModes: []string{"text/plain"},
		Capabilities:       a2a.AgentCapabilities{Streaming: true, PushNotifications: true, ExtendedAgentCard: true},
		Skills: []a2a.AgentSkill{{
			ID: "count", Name: "Count", Description: "Counts in chunks.", Tags: []string{"test"}, Examples: []string{"count 5"},
		}},
	}
}

type executor struct{ paying sync.Map } // task id → channel that the sign-in closes

// signIn continues a task that waits for credentials.
func (e *executor) signIn(w http.ResponseWriter, r *http.Request) {
	if signed, ok := e.paying.LoadAndDelete(a2a.TaskID(r.URL.Query().Get("task"))); ok {
		close(signed.(chan struct{}))
	}
}

// pay waits for a request to /sign-in and completes the task.
func (e *executor) pay(ctx context.Context, ec *a2asrv.ExecutorContext, yield func(a2a.Event, error) bool) {
	signed := make(chan struct{})
	e.paying.Store(ec.TaskID, signed)
	if !yield(status(ec, a2a.TaskStateAuthRequired, "Sign in first"), nil) {
		return
	}
	select {
	case <-signed:
	case <-ctx.Done():
		return
	}
	if yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateWorking, nil), nil) {
		count(ec, "20", yield)
	}
}

func (e *executor) Execute(ctx context.Context, ec *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		words := strings.Fields(text(ec.Message))
		if len(words) == 1 && words[0] == "hello" {
			yield(a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart("Hello from the SDK")), nil)
			return
		}
		if ec.StoredTask != nil {
			answer(ec, yield)
			return
		}
		if !yield(a2a.NewSubmittedTask(ec, ec.Message), nil) ||
			!yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateWorking, nil), nil) {
			return
		}
		switch {
		case len(words) == 2 && words[0] == "count":
			count(ec, words[1], yield)
		case len(words) > 0 && words[0] == "ask":
			yield(status(ec, a2a.TaskStateInputRequired, "Which dates?"), nil)
		case len(words) > 0 && words[0] == "auth":
			yield(status(ec, a2a.TaskStateAuthRequired, "Sign in first"), nil)
		case len(words) > 0 && words[0] == "pay":
			e.pay(ctx, ec, yield)
		case len(words) > 0 && words[0] == "measure":
			if yield(a2a.NewArtifactEvent(ec, a2a.NewTextPart(size(ec.Message))), nil) {
				yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCompleted, nil), nil)
			}
		case len(words) > 0 && words[0] == "artifact":
			if yield(everyKind(ec), nil) {
				yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCompleted, nil), nil)
			}
		case len(words) > 0 && words[0] == "wait":
			<-ctx.Done()
		default:
			yield(status(ec, a2a.TaskStateFailed, "Nothing is known about that"), nil)
		}
	}
}

// status returns a status update with a message.
func status(ec *a2asrv.ExecutorContext, state a2a.TaskState, words string) a2a.Event {
	return a2a.NewStatusUpdateEvent(ec, state, a2a.NewMessageForTask(a2a.MessageRoleAgent, ec, a2a.NewTextPart(words)))
}

// everyKind returns an artifact with parts of every kind.
func everyKind(ec *a2asrv.ExecutorContext) a2a.Event {
	near := a2a.NewRawPart([]byte("Hello, file!"))
	near.Filename, near.MediaType = "hello.txt", "text/plain"
	far := a2a.NewFileURLPart("https://example.com/far.png", "image/png")
	far.Filename = "far.png"
	ev := a2a.NewArtifactEvent(ec, a2a.NewTextPart("three files"), near, far,
		a2a.NewDataPart(map[string]any{"big": 12345678901234, "nested": map[string]any{"list": []any{1, "two", nil}}}))
	ev.Artifact.Name, ev.LastChunk = "every kind", true
	return ev
}

// answer completes a waiting task with an artifact that repeats the message.
func answer(ec *a2asrv.ExecutorContext, yield func(a2a.Event, error) bool) {
	if yield(a2a.NewArtifactEvent(ec, a2a.NewTextPart("You said "+text(ec.Message))), nil) {
		yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCompleted, nil), nil)
	}
}

// count streams one artifact with one number per chunk.
func count(ec *a2asrv.ExecutorContext, limit string, yield func(a2a.Event, error) bool) {
	n, _ := strconv.Atoi(limit)
	first := a2a.NewArtifactEvent(ec, a2a.NewTextPart("1 "))
	first.Artifact.Name = "numbers"
	if !yield(first, nil) {
		return
	}
	for i := 2; i <= n; i++ {
		time.Sleep(20 * time.Millisecond)
		ev := a2a.NewArtifactUpdateEvent(ec, first.Artifact.ID, a2a.NewTextPart(strconv.Itoa(i)+" "))
		ev.LastChunk = i == n
		if !yield(ev, nil) {
			return
		}
	}
	yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCompleted, nil), nil)
}

func (*executor) Cancel(_ context.Context, ec *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		yield(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateCanceled, nil), nil)
	}
}

// size returns the number of received bytes of files.
func size(m *a2a.Message) string {
	n := 0
	for _, p := range m.Parts {
		n += len(p.Raw())
	}
	return strconv.Itoa(n) + " bytes"
}

func text(m *a2a.Message) string {
	if m == nil {
		return ""
	}
	var b strings.Builder
	for _, p := range m.Parts {
		b.WriteString(p.Text())
	}
	return b.String()
}

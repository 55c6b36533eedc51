package grpc_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"parley/a2a"
	a2agrpc "parley/a2a/grpc"
	"parley/a2a/grpc/grpctest"
)

// carriers are those of the program.
func carriers() map[a2a.Binding]a2a.Carrier {
	return map[a2a.Binding]a2a.Carrier{a2a.BindingGRPC: a2agrpc.New()}
}

// format is that of the carrier.
var format = a2agrpc.NewFormat()

// A tape keeps what a client puts to its trace.
type tape struct {
	mu      sync.Mutex
	records []a2a.Record
	updates []a2a.Update
}

func (t *tape) put(r a2a.Record, u a2a.Update) a2a.RecordID {
	t.mu.Lock()
	defer t.mu.Unlock()
	r.ID = a2a.RecordID(len(t.records) + 1)
	t.records, t.updates = append(t.records, r), append(t.updates, u)
	return r.ID
}

// kinds lists the kinds of the records.
func (t *tape) kinds() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []string
	for _, r := range t.records {
		list = append(list, string(r.Kind))
	}
	return strings.Join(list, " ")
}

// of returns the records of a kind.
func (t *tape) of(kind a2a.RecordKind) []a2a.Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(t.records), func(r a2a.Record) bool { return r.Kind != kind })
}

// newClient returns a client for an endpoint that records on the tape.
func newClient(t *testing.T, endpoint string, d a2a.DialectName, set ...func(*a2a.Options)) (*a2a.Client, *tape) {
	t.Helper()
	to, ids := &tape{}, 0
	o := a2a.Options{
		Carriers: carriers(),
		Trace:    a2a.Trace{Put: to.put, Now: time.Now},
		NewID:    func() string { ids++; return fmt.Sprintf("id-%d", ids) },
	}
	for _, s := range set {
		s(&o)
	}
	c := a2a.NewClient(a2a.Profile{Dialect: d, Binding: a2a.BindingGRPC, Endpoint: endpoint}, nil, o)
	t.Cleanup(c.Close)
	return c, to
}

// request is a request of an operation with everything that any of them needs.
func request(op a2a.Op) a2a.Request {
	return a2a.Request{
		Call: &a2a.Call{Op: op}, TaskID: "t1", PushID: "p1",
		Push:    &a2a.PushConfig{ID: "p1", URL: "https://hook.example/"},
		Message: &a2a.Message{ID: "m1", Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("Hello")}},
	}
}

// do performs an operation within some seconds.
func do(t *testing.T, c *a2a.Client, req a2a.Request, hooks a2a.Hooks) a2a.Answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return c.Do(ctx, req, hooks)
}

func TestASendIsRecordedWithItsBytes(t *testing.T) {
	t.Parallel()
	var asked string
	var md metadata.MD
	server := grpctest.Start(t, func(c *grpctest.Call) error {
		asked, md = c.Path, c.Metadata
		if err := c.Stream.SetHeader(metadata.Pairs("x-served-by", "test")); err != nil {
			return err
		}
		c.Stream.SetTrailer(metadata.Pairs("x-cost", "3"))
		return c.Answer(`{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}`)
	})
	c, tape := newClient(t, "grpc://"+server.Address, a2a.V10, func(o *a2a.Options) { o.Extensions = []string{"https://x.example/e"} })
	req := request(a2a.OpSend)
	req.TaskID = ""
	out := do(t, c, req, a2a.Hooks{})
	if out.Err != nil || out.State != a2a.StateCompleted || out.TaskID != "t1" || out.Status != 200 {
		t.Fatalf("got %+v (%v), want a completed task", out, out.Err)
	}
	if asked != "/lf.a2a.v1.A2AService/SendMessage" || md.Get("a2a-version")[0] != "1.0" || md.Get("a2a-extensions")[0] != "https://x.example/e" {
		t.Errorf("got a call of %s with %v", asked, md)
	}
	if got := tape.kinds(); got != "request response body end" {
		t.Fatalf("got records %s", got)
	}
	sent, body := tape.of(a2a.KindRequest)[0], tape.of(a2a.KindBody)[0]
	if sent.Binary == nil || sent.Binary.Kind != "lf.a2a.v1.SendMessageRequest" || !strings.Contains(string(sent.Raw), `"text":"Hello"`) {
		t.Errorf("got the request %s with %+v", sent.Raw, sent.Binary)
	}
	if body.Binary.Kind != "lf.a2a.v1.SendMessageResponse" || len(body.Binary.Bytes) == 0 || !strings.HasPrefix(string(body.Raw), `{"task":{"id":"t1"`) {
		t.Errorf("got the body %s with %+v", body.Raw, body.Binary)
	}
	head, end := tape.of(a2a.KindHead)[0].Head, tape.of(a2a.KindEnd)[0].End
	if head.Header.Get("X-Served-By") != "test" || head.Proto != "gRPC" || head.Timing.Connect == 0 || head.Timing.FirstByte == 0 || head.Timing.Remote != server.Address {
		t.Errorf("got the head %+v with %+v", head, head.Timing)
	}
	if end.Trailer == nil || end.Trailer.Header.Get("X-Cost") != "3" || end.Trailer.Header.Get("Grpc-Status") != "0" {
		t.Errorf("got the end %+v", end)
	}
}

func TestAStreamIsReadMessageByMessage(t *testing.T) {
	t.Parallel()
	server := grpctest.Start(t, func(c *grpctest.Call) error {
		for _, text := range []string{
			`{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}`,
			`{"artifactUpdate":{"taskId":"t1","contextId":"c1","artifact":{"artifactId":"a","parts":[{"text":"one "}]}}}`,
			`{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":true,"artifact":{"artifactId":"a","parts":[{"text":"two"}]}}}`,
			`{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}`,
		} {
			if err := c.Answer(text); err != nil {
				return err
			}
		}
		return nil
	})
	c, tape := newClient(t, "grpc://"+server.Address, a2a.V10)
	bytes := 0
	out := do(t, c, request(a2a.OpStream), a2a.Hooks{Bytes: func(n int) { bytes += n }})
	if out.Err != nil || out.Events != 4 || !out.Streamed || out.State != a2a.StateCompleted {
		t.Fatalf("got %+v (%v)", out, out.Err)
	}
	if got := tape.kinds(); got != "request response event event event event end" {
		t.Errorf("got records %s", got)
	}
	total := 0
	for _, r := range tape.of(a2a.KindEvent) {
		total += r.Size() + 5 // the frame's prefix
	}
	if bytes != total {
		t.Errorf("got %d bytes reported, want %d", bytes, total)
	}
}

func TestAnErrorIsThatOfTheOtherBindings(t *testing.T) {
	t.Parallel()
	server := grpctest.Start(t, func(*grpctest.Call) error {
		s, _ := status.New(codes.NotFound, "no such task").WithDetails(&errdetails.ErrorInfo{Reason: "TASK_NOT_FOUND", Domain: "a2a-protocol.org", Metadata: map[string]string{"taskId": "t1"}})
		return s.Err()
	})
	c, tape := newClient(t, "grpc://"+server.Address, a2a.V10)
	out := do(t, c, request(a2a.OpGet), a2a.Hooks{})
	rpc, ok := out.Err.(*a2a.RPCError)
	if !ok || rpc.Name != "TaskNotFoundError" || rpc.Code != -32001 || rpc.Reason != "TASK_NOT_FOUND" || rpc.HTTPStatus != 404 || rpc.Message != "no such task" {
		t.Fatalf("got %#v (%+v)", out.Err, out.End)
	}
	body := tape.of(a2a.KindBody)[0]
	want := `{"code":5,"message":"no such task","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND","domain":"a2a-protocol.org","metadata":{"taskId":"t1"}}]}`
	if string(body.Raw) != want || body.Binary.Kind != a2a.KindStatus {
		t.Errorf("got %s", body.Raw)
	}
}

func TestAStreamThatTheAgentLeavesIsCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, says string }{
		{"unavailable", "is shutting down (gRPC UNAVAILABLE)"},
		{"stopped", "The connection to 127.0.0.1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var server *grpctest.Server
			seen := make(chan struct{})
			server = grpctest.Start(t, func(call *grpctest.Call) error {
				if err := call.Answer(working); err != nil {
					return err
				}
				<-seen
				if c.name == "unavailable" {
					return status.Error(codes.Unavailable, "restart")
				}
				go server.Server.Stop()
				<-call.Stream.Context().Done()
				return call.Stream.Context().Err()
			})
			client, _ := newClient(t, "grpc://"+server.Address, a2a.V10)
			out := do(t, client, request(a2a.OpStream), a2a.Hooks{Recorded: func(u a2a.Update) {
				if u.Events[0].Kind == a2a.EventTask {
					close(seen)
				}
			}})
			if out.End.Reason != a2a.Cut || out.End.Class != a2a.ClassCut || !out.Unfinished() || out.Events != 1 {
				t.Fatalf("got %+v (%v), want a cut", out.End, out.Err)
			}
			if !strings.Contains(out.End.Sentence, strings.TrimSuffix(c.says, "127.0.0.1")) || strings.Contains(out.End.Sentence, "Get the task") {
				t.Errorf("got sentence %q, want %q in it", out.End.Sentence, c.says)
			}
		})
	}
}

const working = `{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}`

package engine

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"parley/a2a"
	"parley/a2a/grpc/grpctest"
	"parley/session/model"
)

// A twin is an agent with the same answers over JSON-RPC, HTTP+JSON and gRPC. Over each of them
// a message begins a task that only a get completes, so that the follow-ups show their way.
type twin struct {
	url, grpc string

	mu    sync.Mutex
	asked []string // way and method of each request
}

func startTwin(t *testing.T) *twin {
	t.Helper()
	g := &twin{}
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	g.url = server.URL
	g.grpc = grpctest.Start(t, g.answer).Address
	return g
}

func (g *twin) note(way, method string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, way+" "+method)
}

// calls returns the requests so far.
func (g *twin) calls() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.asked)
}

// task is the task of a way, in a state.
func (g *twin) task(way, state string) string {
	return fmt.Sprintf(`{"id":"t-%s","contextId":"c-%s","status":{"state":"TASK_STATE_%s"}}`, way, way, state)
}

func (g *twin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "application/json")
	switch {
	case strings.HasPrefix(r.URL.Path, "/.well-known/"):
		fmt.Fprintf(w, `{"name":"Twin","description":"d","version":"1","capabilities":{},"defaultInputModes":["text"],"defaultOutputModes":["text"],"skills":[],
			"supportedInterfaces":[{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"},{"url":"%s/rest","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"},
			{"url":"grpc://%s","protocolBinding":"GRPC","protocolVersion":"1.0"}]}`, g.url, g.url, g.grpc)
	case r.URL.Path == "/rpc" && strings.Contains(string(body), `"SendMessage"`):
		g.note("rpc", "send")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"task":%s}}`, requestID(body), g.task("rpc", "WORKING"))
	case r.URL.Path == "/rpc":
		g.note("rpc", "get")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, requestID(body), g.task("rpc", "COMPLETED"))
	case r.URL.Path == "/rest/message:send":
		g.note("rest", "send")
		fmt.Fprintf(w, `{"task":%s}`, g.task("rest", "WORKING"))
	case strings.HasPrefix(r.URL.Path, "/rest/tasks/"):
		g.note("rest", "get")
		io.WriteString(w, g.task("rest", "COMPLETED"))
	default:
		http.NotFound(w, r)
	}
}

// requestID returns the id of a request of JSON-RPC as it stands in the body.
func requestID(body []byte) string {
	_, rest, _ := strings.Cut(string(body), `"id":`)
	return rest[:strings.IndexAny(rest, ",}")]
}

func (g *twin) answer(c *grpctest.Call) error {
	switch method := c.Path[strings.LastIndexByte(c.Path, '/')+1:]; method {
	case "SendMessage":
		g.note("grpc", "send")
		return c.Answer(`{"task":` + g.task("grpc", "WORKING") + `}`)
	case "GetTask":
		g.note("grpc", "get")
		return c.Answer(g.task("grpc", "COMPLETED"))
	default:
		return status.Error(codes.Unimplemented, "unknown method "+method)
	}
}

// A conversation with a way of its own uses it for the message and the follow-ups. The agent
// keeps its way, and so does every other conversation.
func TestAConversationCanHaveAWayOfItsOwn(t *testing.T) {
	t.Parallel()
	d, g := newHarness(t, withGRPC), startTwin(t)
	agent := d.openAgent(g.url)
	ways := a2a.CardWays(d.state.Agent(agent).Card)
	if len(ways) != 3 {
		t.Fatalf("got ways %v, want three", ways)
	}
	send := func(way a2a.Way, conv a2a.ConversationID) *model.Turn {
		t.Helper()
		turn, sig := d.sendText(model.Target{Agent: agent, Conversation: conv}, "go", model.SendOptions{Way: way})
		if sig.Sentence != "" || len(turn.Blocks) != 1 || turn.Blocks[0].Task.State != a2a.StateCompleted {
			t.Fatalf("got end %+v and turn %+v, want a completed task\n%s", sig, turn, d.log())
		}
		return turn
	}
	first := send(a2a.Way{}, 0)
	before := d.state.Agent(agent).Profile
	names := map[a2a.Binding]string{a2a.BindingREST: "rest", a2a.BindingGRPC: "grpc"}
	want := []string{"rpc send", "rpc get"}
	for _, way := range ways {
		name := names[way.Binding]
		if name == "" {
			continue
		}
		turn := send(way, 0)
		again := send(a2a.Way{}, turn.Conversation.ID) // the conversation keeps its way
		d.waitForTurnEnd(d.Get(agent, "t-"+name, 0, nil))
		want = append(want, name+" send", name+" get", name+" send", name+" get", name+" get")
		if turn.Conversation == first.Conversation || again.Conversation != turn.Conversation || turn.Blocks[0].Task.ContextID != "c-"+name {
			t.Errorf("got conversations %d and %d after %d, task %+v", turn.Conversation.ID, again.Conversation.ID, first.Conversation.ID, turn.Blocks[0].Task)
		}
		if own := turn.Conversation.Way; own.Binding != way.Binding || own.Dialect != way.Dialect || d.state.WayOf(again).Binding != way.Binding {
			t.Errorf("got the conversation in %+v, want %+v", own, way)
		}
		if call := d.state.Log.At(turn.Record).Record.Call; call.Binding != way.Binding || call.Endpoint != way.Endpoint {
			t.Errorf("got call %+v, want that of %+v", call, way)
		}
	}
	send(a2a.Way{}, first.Conversation.ID)
	want = append(want, "rpc send", "rpc get")
	if got := g.calls(); !slices.Equal(got, want) {
		t.Errorf("got calls %q, want %q", got, want)
	}
	if own := first.Conversation.Way; own != (a2a.Way{}) {
		t.Errorf("got the first conversation in %+v, want the way of the agent", own)
	}
	if after := d.state.Agent(agent).Profile; !reflect.DeepEqual(before, after) {
		t.Errorf("got profile %+v, want the one before: %+v", after, before)
	}
	d.finish()
}

// A way that the card does not offer is refused before anything is sent.
func TestAWayThatTheCardLacksIsRefused(t *testing.T) {
	t.Parallel()
	d, g := newHarness(t, withGRPC), startTwin(t)
	agent := d.openAgent(g.url)
	_, sig := d.sendText(model.Target{Agent: agent}, "go", model.SendOptions{Way: a2a.Way{Dialect: a2a.V10, Binding: a2a.BindingREST, Endpoint: "http://127.0.0.1:1/other"}})
	if !strings.Contains(sig.Sentence, "does not offer A2A 1.0 over HTTP+JSON") || len(g.calls()) != 0 {
		t.Errorf("got end %+v and calls %q, want a refusal and none", sig, g.calls())
	}
	d.finish()
}

// An interface that does not answer leaves the agent as it is: no other way is tried, and the
// agent stays reachable.
func TestAWayThatFailsSaysNothingAboutTheAgent(t *testing.T) {
	t.Parallel()
	d, g := newHarness(t, withGRPC), startTwin(t)
	g.grpc = "127.0.0.1:1"
	agent := d.openAgent(g.url)
	var way a2a.Way
	for _, w := range a2a.CardWays(d.state.Agent(agent).Card) {
		if w.Binding == a2a.BindingGRPC {
			way = w
		}
	}
	_, sig := d.sendText(model.Target{Agent: agent}, "go", model.SendOptions{Way: way})
	if a := d.state.Agent(agent); sig.Sentence == "" || a.Phase != model.Ready || a.Profile.Binding != a2a.BindingJSONRPC || len(g.calls()) != 0 {
		t.Errorf("got end %+v, phase %v, profile %+v, calls %q; want a failure and a ready agent over JSON-RPC", sig, a.Phase, a.Profile, g.calls())
	}
	d.finish()
}

package engine

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/a2a/grpc/grpctest"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

func withGRPC(o *options) {
	o.Resubscribe = 5
	o.Client = func(string) a2a.Options {
		return a2a.Options{Carriers: map[a2a.Binding]a2a.Carrier{a2a.BindingGRPC: grpc.New()}}
	}
}

// A goer is an agent over gRPC that goes away in the middle of a stream.
type goer struct {
	mu      sync.Mutex
	asked   []string
	address string
	leave   func() error // ends the first stream, nil for a status
}

func (g *goer) answer(c *grpctest.Call) error {
	method := c.Path[strings.LastIndexByte(c.Path, '/')+1:]
	g.mu.Lock()
	g.asked = append(g.asked, method)
	g.mu.Unlock()
	chunk := func(i int) string {
		return fmt.Sprintf(`{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":%v,"artifact":{"artifactId":"a","parts":[{"text":%q}]}}}`, i > 0, words[i])
	}
	const working = `{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}%s}}`
	var answers []string
	switch method {
	case "GetExtendedAgentCard":
		return c.Answer(`{"name":"Goer","capabilities":{"streaming":true},"supportedInterfaces":[{"url":"http://127.0.0.1:1/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"},{"url":"` + g.address + `","protocolBinding":"GRPC","protocolVersion":"1.0"}]}`)
	case "SendStreamingMessage":
		answers = []string{fmt.Sprintf(working, ""), chunk(0), chunk(1), chunk(2)}
	case "SubscribeToTask":
		answers = []string{fmt.Sprintf(working, `,"artifacts":[{"artifactId":"a","parts":[{"text":"one two three "}]}]`), chunk(3), chunk(4), chunk(5),
			`{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}`}
	default:
		return status.Error(codes.Unimplemented, "unknown method "+method)
	}
	for _, text := range answers {
		if err := c.Answer(text); err != nil {
			return err
		}
	}
	if method == "SendStreamingMessage" && g.leave != nil {
		return g.leave()
	}
	if method == "SendStreamingMessage" {
		return status.Error(codes.Unavailable, "restart")
	}
	return nil
}

func TestAStreamOverGRPCThatTheAgentLeavesIsListenedToAgain(t *testing.T) {
	t.Parallel()
	d, g := newHarness(t, withGRPC), &goer{}
	server := grpctest.Start(t, g.answer)
	g.address = server.Address
	agent := d.openAgent("grpc://" + server.Address)
	turn, sig := d.sendText(model.Target{Agent: agent}, "go", model.SendOptions{})
	task := turn.Blocks[0].Task
	if sig.Sentence != "" || task.State != a2a.StateCompleted || string(task.Artifacts[0].Text) != strings.Join(words, "") {
		t.Errorf("got turn end %+v, task %v, artifact %q; want no failure, completed, every word once\n%s", sig, task.State, task.Artifacts[0].Text, d.log())
	}
	if want := []string{"GetExtendedAgentCard", "SendStreamingMessage", "SubscribeToTask"}; !slices.Equal(g.asked, want) {
		t.Errorf("got calls %q, want %q", g.asked, want)
	}
	if pr := sessiontest.Problems(turn); len(pr) != 1 || pr[0].Class != a2a.ClassCut || pr[0].Resumed == 0 {
		t.Errorf("got problems %+v, want one cut that was resumed", pr)
	}
	p := d.state.Agent(agent).Profile
	if p.Binding != a2a.BindingGRPC || p.Endpoint != "grpc://"+server.Address || p.Problem != "" {
		t.Errorf("got profile %+v", p)
	}
	for _, it := range d.items {
		if it.Record.Kind == a2a.KindEnd && strings.Contains(log.Describe(&it), "UNAVAILABLE") {
			d.finish()
			return
		}
	}
	t.Error("got no end with the status UNAVAILABLE")
}

// A dropper is a listener that can close its connections.
type dropper struct {
	net.Listener
	mu    sync.Mutex
	conns []net.Conn
}

func (l *dropper) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns = append(l.conns, c)
	return c, err
}

// drop closes all connections.
func (l *dropper) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.conns {
		c.Close()
	}
	l.conns = nil
}

// After a connection breaks in mid-stream, the task is listened to again on another one, as over
// HTTP: the agent is there, so its card is not read again.
func TestAfterABrokenConnectionOfGRPCTheCardIsNotReadAgain(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d, g, l := newHarness(t, withGRPC), &goer{}, &dropper{Listener: listener}
	server := grpctest.Serve(t, l, g.answer)
	g.address = server.Address
	agent := d.openAgent("grpc://" + server.Address)
	read := make(chan struct{})
	g.leave = func() error {
		<-read
		l.drop()
		return nil
	}
	id := d.Send(model.Target{Agent: agent}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("go")}}, model.SendOptions{})
	events := 0
	d.until("every event of the first stream", func(it log.Item) bool {
		if it.Record.Kind == a2a.KindEvent {
			events++
		}
		return events == 4
	})
	close(read)
	sig := d.waitForTurnEnd(id)
	turn := d.state.Turn(id)
	task := turn.Blocks[0].Task
	if sig.Sentence != "" || task.State != a2a.StateCompleted || string(task.Artifacts[0].Text) != strings.Join(words, "") {
		t.Errorf("got turn end %+v, task %v, artifact %q; want no failure, completed, every word once\n%s", sig, task.State, task.Artifacts[0].Text, d.log())
	}
	d.finish() // whatever looks after the agent is over
	if want := []string{"GetExtendedAgentCard", "SendStreamingMessage", "SubscribeToTask"}; !slices.Equal(g.asked, want) {
		t.Errorf("got calls %q, want %q", g.asked, want)
	}
}

package engine

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/a2a/grpc/grpctest"
	"parley/a2a/mesh"
	"parley/a2a/mesh/meshtest"
	"parley/session/log"
	"parley/session/model"
)

// A lasting agent over gRPC works on its task until it is released, and reports the rest to who
// subscribes, if it can, and to who asks.
type lasting struct {
	address string
	streams bool // it knows SubscribeToTask
	release chan struct{}

	mu     sync.Mutex
	asked  []string
	bearer []string // of the calls
}

func (l *lasting) calls() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.asked)
}

func (l *lasting) answer(c *grpctest.Call) error {
	method := c.Path[strings.LastIndexByte(c.Path, '/')+1:]
	l.mu.Lock()
	l.asked = append(l.asked, method)
	l.bearer = append(l.bearer, strings.Join(c.Metadata.Get("authorization"), ","))
	l.mu.Unlock()
	const done = `"status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[{"text":"one two"}]}]`
	working := `{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"},"artifacts":[{"artifactId":"a","parts":[{"text":"one"}]}]}}`
	switch {
	case method == "GetExtendedAgentCard":
		return c.Answer(`{"name":"Lasting","capabilities":{"streaming":true},"supportedInterfaces":[{"url":"` + l.address + `","protocolBinding":"GRPC","protocolVersion":"1.0"}]}`)
	case method == "SendStreamingMessage", method == "SubscribeToTask" && l.streams:
		if err := c.Answer(working); err != nil {
			return err
		}
		select {
		case <-l.release:
		case <-c.Stream.Context().Done():
			return c.Stream.Context().Err()
		}
		return c.Answer(`{"task":{"id":"t1","contextId":"c1",` + done + `}}`)
	case method == "GetTask":
		return c.Answer(`{"id":"t1","contextId":"c1",` + done + `}`)
	}
	return status.Error(codes.Unimplemented, "unknown method "+method)
}

// A session over gRPC that was killed goes on: its task is resubscribed, or polled where that is not
// possible, with the credentials of today, and nobody is contacted before the user has confirmed it.
func TestASessionOverGRPCGoesOn(t *testing.T) {
	t.Parallel()
	for name, streams := range map[string]bool{"SubscribeToTask": true, "GetTask": false} {
		t.Run(name, func(t *testing.T) {
			l := &lasting{streams: streams, release: make(chan struct{})}
			server := grpctest.Start(t, l.answer)
			l.address = server.Address
			options := func(bearer string) func(*options) {
				return func(o *options) {
					o.Resubscribe = 5
					o.Client = func(ref string) a2a.Options {
						return a2a.Options{Bearer: bearer, UserAddresses: []string{ref}, Carriers: map[a2a.Binding]a2a.Carrier{a2a.BindingGRPC: grpc.New()}}
					}
				}
			}
			w := newHarness(t, options("of-yesterday"))
			agent := w.openAgent("grpc://" + server.Address)
			turn := w.Send(model.Target{Agent: agent}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("go")}}, model.SendOptions{})
			w.until("the first chunk", func(it log.Item) bool { return it.Record.Kind == a2a.KindEvent })
			path := w.stopRecording()
			before := len(l.calls())

			d := restored(t, path, asRecorded, options("of-today-1234"))
			if s := d.o.Start.Agents[0]; len(s.Contacts) != 1 || s.Contacts[0] != (Contact{"grpc://" + server.Address, "http://" + server.Address, false}) || s.OpenTasks() != 1 {
				t.Errorf("got contacts %+v and %d open tasks, want the address over gRPC and one task", s.Contacts, s.OpenTasks())
			}
			if got := l.calls(); len(got) != before {
				t.Errorf("got calls %q before the confirmation, want none", got[before:])
			}
			d.GoOn()
			d.until("the call about the task", func(log.Item) bool { return slices.Contains(l.calls()[before:], name) })
			close(l.release)
			d.until("the end of the task", func(log.Item) bool {
				task := d.state.Task(agent, "t1")
				return task != nil && task.State == a2a.StateCompleted
			})
			task := d.state.Task(agent, "t1")
			if task.Turn() != turn || len(task.Artifacts) != 1 || string(task.Artifacts[0].Text) != "one two" {
				t.Errorf("got task of turn %d with artifacts %+v, want turn %d and all words once", task.Turn(), task.Artifacts, turn)
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			for i, bearer := range l.bearer[before:] {
				want := "Bearer of-today-1234"
				if l.asked[before+i] == "GetExtendedAgentCard" { // nobody asked for them
					want = ""
				}
				if bearer != want {
					t.Errorf("got credentials %q of call %s, want %q", bearer, l.asked[before+i], want)
				}
			}
		})
	}
}

// goOnHub returns a hub of a gateway with an id, and the options of an engine on it.
func goOnHub(t *testing.T, id string) (*mesh.Hub, func(*options)) {
	hub := mesh.NewHub(id, mesh.Times{Retry: 40 * time.Millisecond, Steady: 700 * time.Millisecond, Interval: 100 * time.Millisecond, Gone: time.Hour, Absent: 300 * time.Millisecond})
	t.Cleanup(hub.Close)
	return hub, func(o *options) {
		o.Resubscribe = 3
		o.Client = func(ref string) a2a.Options {
			return a2a.Options{UserAddresses: []string{ref}, Carriers: map[a2a.Binding]a2a.Carrier{a2a.BindingMQTT: hub.Carrier(mesh.Settings{})}}
		}
	}
}

// A session on a mesh that was killed goes on under the id of its gateway, where the agent still sends
// the rest of the task. Nobody is contacted before the user has confirmed the broker.
func TestASessionOnAMeshGoesOn(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	release := make(chan struct{})
	agent := (&meshtest.Agent{Name: "Billing", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
		r.Say("one ")
		<-release
		r.Say("two ")
		r.Final("completed", "two ")
	}}).Start(t, b.Address)
	killed, options := goOnHub(t, "parley-host-1")
	w := newHarness(t, options)
	id := w.openAgent(b.URL("n") + "#Billing")
	turn := w.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("count")}}, model.SendOptions{})
	event := w.until("the first update", func(it log.Item) bool { return it.Record.Kind == a2a.KindEvent })
	task := event.Update.Events[0].TaskID
	path := w.stopRecording()

	killed.Close() // it would take the connection from the next gateway with its id
	b.Stop()       // a connection before the confirmation would fail
	recorded, recording := replayState(t, path)
	start, err := NewStart("s.jsonl", recorded.state, asRecorded)
	if err != nil {
		t.Fatal(err)
	}
	recording.Close()
	s := start.Agents[0]
	if s.Gateway != "parley-host-1" || len(s.Contacts) != 1 || s.Contacts[0].Address != "mqtt://"+b.Address {
		t.Fatalf("got gateway %q and contacts %+v, want those of the recording", s.Gateway, s.Contacts)
	}
	_, options = goOnHub(t, s.Gateway)
	d := restored(t, path, asRecorded, options)
	if n := len(agent.Requests()); n != 1 || d.feed.Len() > 0 {
		t.Errorf("got %d requests and %d items before the confirmation, want nothing new", n, d.feed.Len())
	}
	b.Start()
	d.GoOn()
	subscription := d.until("the subscription", func(it log.Item) bool {
		return it.Record.Kind == a2a.KindRequest && it.Record.Call.Op == a2a.OpSubscribe && it.Record.Call.TaskID == task
	})
	d.until("its confirmation, before which the broker keeps nothing for it", func(it log.Item) bool {
		return it.Record.Kind == a2a.KindHead && it.Record.Exchange == subscription.Record.ID
	})
	close(release)
	d.until("the end of the task", func(log.Item) bool {
		now := d.state.Task(id, task)
		return now != nil && now.State == a2a.StateCompleted
	})
	if now := d.state.Task(id, task); now.Turn() != turn {
		t.Errorf("got the task at turn %d, want %d", now.Turn(), turn)
	}
}

// Only an id that Parley gave itself is taken from a recording.
func TestTheGatewayOfAStrangerIsNotTaken(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{"parley-host-1": "parley-host-1", "web-gateway": "", "parley-#": "", "parley-a/b": "", "parley-" + strings.Repeat("x", 60): ""} {
		s := model.NewState()
		put := func(r a2a.Record) {
			r.ID = a2a.RecordID(s.Log.Len() + 1)
			s.Apply(log.Item{Record: r})
		}
		put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpening, Attrs: map[string]string{"agent": "1", "ref": "mqtt://b.example/n#Billing"}}})
		put(a2a.Record{Kind: a2a.KindRequest, Exchange: 2, Call: &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.SAMBroker, Binding: a2a.BindingMQTT},
			Head: &a2a.Head{Header: map[string][]string{"clientId": {id}}}, Raw: []byte(`{"jsonrpc":"2.0","id":"t","method":"message/stream","params":{"message":{"messageId":"m","role":"user","kind":"message","parts":[{"kind":"text","text":"x"}]}}}`)})
		start, err := NewStart("s.jsonl", s, asRecorded)
		if err != nil {
			t.Fatal(err)
		}
		if got := start.Agents[0].Gateway; got != want {
			t.Errorf("%s: got gateway %q, want %q", id, got, want)
		}
	}
}

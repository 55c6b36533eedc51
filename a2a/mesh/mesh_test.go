package mesh_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eclipse/paho.golang/paho"

	"parley/a2a"
	"parley/a2a/mesh"
	"parley/a2a/mesh/meshtest"
)

// quick are the times of a test at a socket: it waits for nothing but attempts to connect.
var quick = mesh.Times{Retry: 10 * time.Millisecond}

// A desk is a client of a mesh with all that it records.
type desk struct {
	t       *testing.T
	hub     *mesh.Hub
	options a2a.Options

	mu      sync.Mutex
	records []a2a.Record
	more    chan struct{} // closed when something is recorded
	ids     int
}

// newDesk returns a desk whose gateway has an id.
func newDesk(t *testing.T, id string, times mesh.Times, s mesh.Settings) *desk {
	d := &desk{t: t, hub: mesh.NewHub(id, times), more: make(chan struct{})}
	t.Cleanup(d.hub.Close)
	d.options = a2a.Options{
		Carriers: map[a2a.Binding]a2a.Carrier{a2a.BindingMQTT: d.hub.Carrier(s)}, Passwords: []string{s.Password},
		Trace: a2a.Trace{Put: d.put, Now: time.Now},
		NewID: func() string {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.ids++
			return fmt.Sprintf("%s-%d", id, d.ids)
		},
	}
	return d
}

func (d *desk) put(r a2a.Record, _ a2a.Update) a2a.RecordID {
	d.mu.Lock()
	defer d.mu.Unlock()
	r.ID = a2a.RecordID(len(d.records) + 1)
	if r.Exchange == 0 {
		r.Exchange = r.ID
	}
	d.records = append(d.records, r)
	close(d.more)
	d.more = make(chan struct{})
	return r.ID
}

// wait returns when something is so, or the test is over: it is asked again with each record.
func (d *desk) wait(is func() bool) {
	for {
		d.mu.Lock()
		more := d.more
		d.mu.Unlock()
		if is() {
			return
		}
		select {
		case <-more:
		case <-d.t.Context().Done():
			return
		}
	}
}

// watch returns what the desk sees on a mesh.
func (d *desk) watch(url string) <-chan a2a.MeshSighting {
	d.t.Helper()
	m, problem := a2a.ParseMesh(url)
	if problem != "" {
		d.t.Fatal(problem)
	}
	seen := make(chan a2a.MeshSighting, 100)
	go a2a.WatchMesh(d.t.Context(), m, d.options, func(s a2a.MeshSighting) { seen <- s })
	return seen
}

// next returns the next sighting of some kinds. The limit is for bubbles, where time passes while
// nothing comes.
func next(t *testing.T, seen <-chan a2a.MeshSighting, kinds ...a2a.SightingKind) a2a.MeshSighting {
	t.Helper()
	never := time.After(time.Hour)
	for {
		select {
		case s := <-seen:
			if slices.Contains(kinds, s.Kind) {
				return s
			}
		case <-never:
			t.Fatalf("got no sighting of the kinds %v", kinds)
		}
	}
}

// all returns what was recorded, of one kind or of all.
func (d *desk) all(kind a2a.RecordKind) (out []a2a.Record) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.records {
		if kind == "" || r.Kind == kind {
			out = append(out, r)
		}
	}
	return out
}

// property returns a user property of a message.
func property(h *a2a.Head, name string) string {
	return strings.Join(map[string][]string(h.Header)[name], ",")
}

// profile returns that of an agent of a namespace.
func profile(url, agent string) a2a.Profile {
	return a2a.Profile{Dialect: a2a.SAMBroker, Binding: a2a.BindingMQTT, Endpoint: url + "/a2a/v1/agent/request/" + agent}
}

// ask sends a message and returns its outcome with the text of the answer.
func (d *desk) ask(p a2a.Profile, card *a2a.Card, text string, hooks a2a.Hooks) (a2a.Answer, string) {
	d.t.Helper()
	return d.askWithin(d.t.Context(), p, card, text, hooks)
}

// askWithin is ask until a context ends.
func (d *desk) askWithin(ctx context.Context, p a2a.Profile, card *a2a.Card, text string, hooks a2a.Hooks) (a2a.Answer, string) {
	c := a2a.NewClient(p, card, d.options)
	var said strings.Builder
	seen := hooks.Decoded
	hooks.Decoded = func(u a2a.Update) {
		for _, e := range u.Events {
			if e.Kind == a2a.EventStatus && e.Status != nil && e.Status.Message != nil {
				said.WriteString(e.Status.Message.Text())
			}
		}
		if seen != nil {
			seen(u)
		}
	}
	m := &a2a.Message{ID: d.options.NewID(), Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart(text)}}
	return c.Do(ctx, a2a.Request{Call: &a2a.Call{Op: a2a.OpStream, Agent: 1}, Message: m}, hooks), said.String()
}

// streaming is a card that declares streaming.
var streaming = &a2a.Card{Name: "Billing", Capabilities: a2a.Capabilities{Streaming: a2a.True}}

// numbers answers with n pieces of text.
func numbers(n int) func(*meshtest.Request) {
	return func(r *meshtest.Request) {
		for i := range n {
			r.Say(fmt.Sprintf("%d ", i))
		}
		r.Final("completed", "done")
	}
}

// counted is the text of [numbers].
func counted(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d ", i)
	}
	return b.String()
}

func TestAMessageIsStreamed(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	agent := (&meshtest.Agent{Name: "Billing", Namespace: "acme/dev", Streaming: true, Answer: func(r *meshtest.Request) {
		r.Say("Why ")
		r.Status(`{"kind":"data","data":{"type":"tool_invocation_start","tool_name":"ledger","function_call_id":"f1"}}`)
		r.Peer("Archive", "searching")
		r.Say("twice?")
		r.Final("completed", "Two cards.")
	}}).Start(t, b.Address)
	d := newDesk(t, "wb-1", quick, mesh.Settings{User: "", MeshUser: "ada"})
	out, said := d.ask(profile(b.URL("acme/dev"), "Billing"), streaming, "Charged twice", a2a.Hooks{})
	if out.Err != nil || out.End.Reason != a2a.Ended || out.State != a2a.StateCompleted {
		t.Fatalf("got end %+v, err %v, state %s; want a completed task", out.End, out.Err, out.State)
	}
	if said != "Why twice?" {
		t.Errorf("got text %q, want %q", said, "Why twice?")
	}
	r := agent.Requests()[0]
	base := "acme/dev/a2a/v1/gateway/"
	want := map[string]string{"clientId": "wb-1", "userId": "ada", "replyTo": base + "response/wb-1/" + r.ID, "a2aStatusTopic": base + "status/wb-1/" + r.ID}
	for name, value := range want {
		if r.Props[name] != value {
			t.Errorf("property %s: got %q, want %q", name, r.Props[name], value)
		}
	}
	if r.Method != "message/stream" || r.Context == "" || !strings.Contains(r.Body, `"agent_name":"Billing"`) || !strings.Contains(r.Body, `"messageId"`) {
		t.Errorf("got request %s, want message/stream in camelCase with a context and agent_name", r.Body)
	}
	request := d.all(a2a.KindRequest)[0]
	if h := request.Head; h.Method != "PUBLISH" || h.URL != b.URL("acme/dev")+"/a2a/v1/agent/request/Billing" || property(h, "replyTo") != want["replyTo"] {
		t.Errorf("got request head %+v, want the topic and the properties", h)
	}
	events := d.all(a2a.KindEvent)
	if last := events[len(events)-1].Head; len(events) != 5 || last.URL != want["replyTo"] || property(last, "timestamp") == "" || last.Header[":qos"][0] != "1" {
		t.Errorf("got %d events, the last with head %+v; want 5 with topic and properties", len(events), last)
	}
}

func TestAnAgentWithoutStreamingGetsMessageSendAndItsUpdatesAreShown(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	agent := (&meshtest.Agent{Name: "Plain", Namespace: "n", Answer: numbers(3)}).Start(t, b.Address)
	d := newDesk(t, "wb-1", quick, mesh.Settings{})
	out, said := d.ask(profile(b.URL("n"), "Plain"), &a2a.Card{Name: "Plain"}, "hi", a2a.Hooks{})
	if m := agent.Requests()[0].Method; out.Err != nil || m != "message/send" || said != counted(3) {
		t.Errorf("got method %s, text %q, err %v; want message/send and all updates", m, said, out.Err)
	}
}

func TestTheWireOfTheDocumentIsSentByItsDialect(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	agent := (&meshtest.Agent{Name: "Old", Namespace: "n", Answer: numbers(2)}).Start(t, b.Address)
	d := newDesk(t, "wb-1", quick, mesh.Settings{})
	p := profile(b.URL("n"), "Old")
	p.Dialect = a2a.SAMDoc
	out, said := d.ask(p, streaming, "hi", a2a.Hooks{})
	r := agent.Requests()[0]
	if out.Err != nil || r.Method != "tasks/send-streaming" || !strings.Contains(r.Body, `"message_id"`) || said != counted(2) {
		t.Errorf("got request %s, text %q, err %v; want tasks/send-streaming in snake_case", r.Body, said, out.Err)
	}
}

func TestTwoGatewaysDoNotTakeEachOthersAnswers(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	(&meshtest.Agent{Name: "Billing", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
		for range 20 {
			r.Say(r.Text + " ")
		}
		r.Final("completed", r.Text)
	}}).Start(t, b.Address)
	var work sync.WaitGroup
	for _, id := range []string{"one", "two"} {
		d := newDesk(t, id, quick, mesh.Settings{})
		work.Go(func() {
			out, said := d.ask(profile(b.URL("n"), "Billing"), streaming, id, a2a.Hooks{})
			if out.Err != nil || said != strings.Repeat(id+" ", 20) || len(d.all(a2a.KindDelivery)) > 0 {
				t.Errorf("gateway %s: got %q, err %v; want only its own answer", id, said, out.Err)
			}
		})
	}
	work.Wait()
}

func TestACancelEndsWithItsTask(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	(&meshtest.Agent{Name: "Billing", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
		r.Say("working")
		<-r.Canceled
		r.Final("canceled", "stopped")
	}}).Start(t, b.Address)
	d := newDesk(t, "wb-1", quick, mesh.Settings{})
	p := profile(b.URL("n"), "Billing")
	began := make(chan string, 1)
	canceled := make(chan a2a.Answer, 1)
	go func() {
		c := a2a.NewClient(p, streaming, d.options)
		canceled <- c.Do(t.Context(), a2a.Request{Call: &a2a.Call{Op: a2a.OpCancel, Agent: 1}, TaskID: <-began}, a2a.Hooks{})
	}()
	out, _ := d.ask(p, streaming, "go", a2a.Hooks{Decoded: func(u a2a.Update) {
		select {
		case began <- u.Events[0].TaskID:
		default:
		}
	}})
	if out.State != a2a.StateCanceled {
		t.Errorf("got state %s, err %v; want canceled", out.State, out.Err)
	}
	if c := <-canceled; c.Err != nil || c.End.Reason != a2a.Ended || c.End.Class != "" {
		t.Errorf("got cancel %+v, err %v; want a regular end", c.End, c.Err)
	}
	brief := quick
	brief.Cancel = 10 * time.Millisecond
	d = newDesk(t, "wb-2", brief, mesh.Settings{})
	again := a2a.NewClient(p, streaming, d.options).Do(t.Context(), a2a.Request{Call: &a2a.Call{Op: a2a.OpCancel, Agent: 1}, TaskID: out.TaskID}, a2a.Hooks{})
	if again.End.Reason != a2a.TimedOut || !strings.Contains(again.End.Sentence, "did not end") {
		t.Errorf("got the cancel of a finished task %+v, want that it is not confirmed", again.End)
	}
}

func TestARequestThatAUserWroteIsPublished(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	agent := (&meshtest.Agent{Name: "Billing", Namespace: "n", Answer: func(r *meshtest.Request) { r.Final("completed", "yes") }}).Start(t, b.Address)
	d := newDesk(t, "wb-1", quick, mesh.Settings{})
	c := a2a.NewClient(profile(b.URL("n"), "Billing"), streaming, d.options)
	raw := a2a.RawRequest{URL: b.URL("n") + "/a2a/v1/agent/request/Billing", Header: map[string][]string{"userId": {"eve"}, "x": {"1", "2"}},
		Body: []byte(`{"jsonrpc":"2.0","id":"own-1","method":"message/send","params":{"message":{"messageId":"m","parts":[]}}}`)}
	out := c.Raw(t.Context(), a2a.Call{Agent: 1}, raw, a2a.Hooks{})
	if out.State != a2a.StateCompleted || out.TaskID != "own-1" {
		t.Errorf("got end %+v, state %s, err %v; want the answer", out.End, out.State, out.Err)
	}
	if r := agent.Requests()[0]; r.Props["userId"] != "eve" || r.Props["replyTo"] != "n/a2a/v1/gateway/response/wb-1/own-1" || r.Body != string(raw.Body) {
		t.Errorf("got request %+v, want the user's, with a topic for the answer", r)
	}
	for body, want := range map[string]string{
		"":                          "needs a body",
		`{"method":"tasks/cancel"}`: "no JSON-RPC id",
	} {
		raw.Body = []byte(body)
		if out := c.Raw(t.Context(), a2a.Call{Agent: 1}, raw, a2a.Hooks{}); !strings.Contains(out.End.Sentence, want) {
			t.Errorf("%q: got end %+v, want “%s”", body, out.End, want)
		}
	}
	for _, topic := range []string{"", "n/+/x", "n/#", "n/a*", "n/>", "n/\x00"} {
		raw.URL, raw.Body = "mqtt://"+b.Address+"/"+strings.ReplaceAll(strings.ReplaceAll(topic, "#", "%23"), "\x00", "%00"), []byte(`{"id":"x"}`)
		if out := c.Raw(t.Context(), a2a.Call{Agent: 1}, raw, a2a.Hooks{}); out.End.Reason != a2a.Refused {
			t.Errorf("topic %q: got end %+v, want that nothing is sent", topic, out.End)
		}
	}
}

func TestUserPropertiesKeepTheirOrderAndDuplicates(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	const token = "eyJtoken-of-the-user-0123456789"
	sent := paho.UserProperties{{Key: "zeta", Value: "1"}, {Key: "authToken", Value: token}, {Key: "zeta", Value: "2"}, {Key: "Beta", Value: ""}, {Key: "zeta", Value: "1"}}
	(&meshtest.Agent{Name: "Billing", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
		r.Agent.PublishAs(r.Props["replyTo"], r.Task("completed", "yes"), false, sent)
	}}).Start(t, b.Address)
	d := newDesk(t, "wb-1", quick, mesh.Settings{})
	d.ask(profile(b.URL("n"), "Billing"), streaming, "x", a2a.Hooks{})
	head := d.all(a2a.KindEvent)[0].Head
	var got []string
	for name, i := range head.Fields() {
		got = append(got, name+"="+head.Header[name][i])
	}
	if want := []string{":qos=1", "zeta=1", "authToken=" + a2a.Mask, "zeta=2", "Beta=", "zeta=1"}; !slices.Equal(got, want) {
		t.Errorf("got properties %q, want %q", got, want)
	}
}

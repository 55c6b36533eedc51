package meshtest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eclipse/paho.golang/autopaho"
	"github.com/eclipse/paho.golang/packets"
	"github.com/eclipse/paho.golang/paho"
)

// An Agent announces itself and answers requests, as an agent of a Solace Agent Mesh does.
type Agent struct {
	Name, Namespace string
	Streaming       bool
	Every           time.Duration // between two cards, 0 for 100 ms; negative for none
	Card            string        // JSON, empty for one of its own
	// Answer answers a request. It runs in a goroutine of its own.
	Answer func(*Request)
	// Dial replaces the dialer of connections, nil uses the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	t        testing.TB
	link     *autopaho.ConnectionManager
	ctx      context.Context
	stop     context.CancelFunc
	mu       sync.Mutex
	requests []*Request
	canceled map[string]chan struct{}
	work     sync.WaitGroup
}

// Start connects the agent to a broker. It stops with the test.
func (a *Agent) Start(t testing.TB, address string) *Agent {
	t.Helper()
	a.t, a.canceled = t, map[string]chan struct{}{}
	a.ctx, a.stop = context.WithCancel(context.Background())
	subscribed := make(chan struct{}, 16)
	config := autopaho.ClientConfig{
		ServerUrls: []*url.URL{{Scheme: "mqtt", Host: address}}, KeepAlive: 20, SessionExpiryInterval: 60,
		ReconnectBackoff: func(int) time.Duration { return 30 * time.Millisecond },
		OnConnectionUp: func(m *autopaho.ConnectionManager, _ *paho.Connack) {
			go func() {
				if _, err := m.Subscribe(a.ctx, &paho.Subscribe{Subscriptions: []paho.SubscribeOptions{{Topic: a.Topic("agent/request/" + a.Name), QoS: 1}}}); err == nil {
					subscribed <- struct{}{}
				}
			}()
		},
		ConnectPacketBuilder: func(c *paho.Connect, _ *url.URL) (*paho.Connect, error) {
			c.Properties.RequestProblemInfo = true
			return c, nil
		},
		ClientConfig: paho.ClientConfig{ClientID: "agent-" + a.Name, OnPublishReceived: []func(paho.PublishReceived) (bool, error){a.receive}},
	}
	if a.Dial != nil {
		config.AttemptConnection = a.dial
	}
	link, err := autopaho.NewConnection(a.ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	a.mu.Lock() // requests may come already
	a.link = link
	a.mu.Unlock()
	t.Cleanup(a.Stop)
	select {
	case <-subscribed:
	case <-time.After(time.Minute):
		t.Fatalf("the agent %s got no subscription", a.Name)
	}
	if a.Every >= 0 {
		a.work.Go(a.announce)
	}
	return a
}

// dial connects to a broker with Dial. Packets are written one at a time.
func (a *Agent) dial(ctx context.Context, _ autopaho.ClientConfig, broker *url.URL) (net.Conn, error) {
	c, err := a.Dial(ctx, "tcp", broker.Host)
	if err != nil {
		return nil, err
	}
	return packets.NewThreadSafeConn(c), nil
}

// Stop disconnects the agent.
func (a *Agent) Stop() {
	a.stop()
	<-a.link.Done()
	a.work.Wait()
}

// Topic returns a topic of the namespace.
func (a *Agent) Topic(rest string) string { return a.Namespace + "/a2a/v1/" + rest }

// cardTime is how long a broker may take to confirm a card. A broker that was restarted confirms
// nothing from before, and an agent that waits for that looks gone.
const cardTime = time.Second

func (a *Agent) announce() {
	every := a.Every
	if every == 0 {
		every = 100 * time.Millisecond
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		a.publish(a.packet(a.Topic("discovery/agentcards"), a.card(), false, nil), cardTime)
		select {
		case <-tick.C:
		case <-a.ctx.Done():
			return
		}
	}
}

func (a *Agent) card() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.Card != "" {
		return a.Card
	}
	return fmt.Sprintf(`{"name":%q,"url":"solace:%s","version":"1.0.0","protocolVersion":"0.3.0","description":"Answers %s",`+
		`"defaultInputModes":["text"],"defaultOutputModes":["text"],"skills":[],"capabilities":{"streaming":%v,"extensions":[`+
		`{"uri":"https://solace.com/a2a/extensions/display-name","params":{"display_name":"%s desk"}}]}}`,
		a.Name, a.Topic("agent/request/"+a.Name), a.Name, a.Streaming, a.Name)
}

// SetCard replaces the card.
func (a *Agent) SetCard(card string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.Card = card
}

// Publish publishes a message, again until the broker has confirmed it.
func (a *Agent) Publish(topic, payload string, retain bool, props map[string]string) {
	var user paho.UserProperties
	for _, name := range slices.Sorted(maps.Keys(props)) {
		user.Add(name, props[name])
	}
	a.PublishAs(topic, payload, retain, user)
}

// PublishAs is Publish with user properties in an order, of which several may have one name.
func (a *Agent) PublishAs(topic, payload string, retain bool, user paho.UserProperties) {
	a.publish(a.packet(topic, payload, retain, user), 5*time.Second)
}

func (a *Agent) packet(topic, payload string, retain bool, user paho.UserProperties) *paho.Publish {
	return &paho.Publish{QoS: 1, Topic: topic, Payload: []byte(payload), Retain: retain, Properties: &paho.PublishProperties{User: user}}
}

// publish publishes a message, again whenever the broker has not confirmed it in a time.
func (a *Agent) publish(p *paho.Publish, wait time.Duration) {
	for a.ctx.Err() == nil {
		if a.link.AwaitConnection(a.ctx) != nil {
			return
		}
		ctx, cancel := context.WithTimeout(a.ctx, wait)
		resp, err := a.link.Publish(ctx, p)
		cancel()
		if err == nil || resp != nil {
			return
		}
	}
}

// Requests returns the requests that came, without cancels.
func (a *Agent) Requests() []*Request {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.requests)
}

// A Request is one that came.
type Request struct {
	Agent    *Agent
	Props    map[string]string
	Body     string
	ID       string // of the request, which is the task
	Method   string
	Context  string
	Text     string
	Canceled <-chan struct{} // closed when the task is canceled
	said     int
}

func (a *Agent) receive(p paho.PublishReceived) (bool, error) {
	var body struct {
		ID     string
		Method string
		Params struct {
			ID      string
			Message struct {
				ContextID string `json:"contextId"`
				Snake     string `json:"context_id"`
				Parts     []struct{ Text string }
			}
		}
	}
	if err := json.Unmarshal(p.Packet.Payload, &body); err != nil {
		a.t.Errorf("agent %s: got a request that is no JSON: %v", a.Name, err)
		return true, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if strings.HasSuffix(body.Method, "/cancel") {
		if c := a.canceled[body.Params.ID]; c != nil {
			close(c)
			delete(a.canceled, body.Params.ID)
		}
		return true, nil
	}
	done := make(chan struct{})
	r := &Request{Agent: a, Props: map[string]string{}, Body: string(p.Packet.Payload), ID: body.ID, Method: body.Method, Context: body.Params.Message.ContextID + body.Params.Message.Snake, Canceled: done}
	for _, u := range p.Packet.Properties.User {
		r.Props[u.Key] = u.Value
	}
	for _, part := range body.Params.Message.Parts {
		r.Text += part.Text
	}
	a.canceled[r.ID], a.requests = done, append(a.requests, r)
	if a.Answer != nil && a.ctx.Err() == nil {
		a.work.Go(func() { a.Answer(r) })
	}
	return true, nil
}

// Status publishes an update with parts in JSON to the topic for updates.
func (r *Request) Status(parts string) { r.update("working", parts, false, r.nextID(), r.Agent.Name) }

// nextID returns the id of the next message.
func (r *Request) nextID() string {
	r.said++
	return fmt.Sprintf("%s-m%d", r.ID, r.said)
}

// Say publishes streamed text.
func (r *Request) Say(text string) { r.Status(fmt.Sprintf(`{"kind":"text","text":%q}`, text)) }

// SayAs publishes streamed text under the id of a message.
func (r *Request) SayAs(id, text string) {
	r.update("working", fmt.Sprintf(`{"kind":"text","text":%q}`, text), false, id, r.Agent.Name)
}

// Peer publishes the progress of an agent to which a part of the task was delegated.
func (r *Request) Peer(name, text string) {
	r.update("working", fmt.Sprintf(`{"kind":"data","data":{"type":"agent_progress_update","status_text":%q}}`, text), false, r.nextID(), name)
}

// EndTurn publishes text with which a turn of the model ends, but not the task.
func (r *Request) EndTurn(text string) {
	r.update("working", fmt.Sprintf(`{"kind":"text","text":%q}`, text), true, r.nextID(), r.Agent.Name)
}

// Artifact publishes a chunk of an artifact, as agents behind a proxy do.
func (r *Request) Artifact(name, text string, more, last bool) {
	r.Reply(r.Props["a2aStatusTopic"], fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"kind":"artifact-update","taskId":%q,"contextId":%q,"append":%v,"lastChunk":%v,`+
		`"artifact":{"artifactId":%q,"name":%q,"parts":[{"kind":"text","text":%q}]}}}`, r.ID, r.ID, r.Context, more, last, name, name, text))
}

func (r *Request) update(state, parts string, final bool, id, by string) {
	r.Reply(r.Props["a2aStatusTopic"], fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"kind":"status-update","taskId":%q,"contextId":%q,"final":%v,`+
		`"status":{"state":%q,"timestamp":"2026-01-01T10:00:00+00:00","message":{"kind":"message","role":"agent","messageId":%q,"parts":[%s]}},`+
		`"metadata":{"agent_name":%q}}}`, r.ID, r.ID, r.Context, final, state, id, parts, by))
}

// Final publishes the task at its end.
func (r *Request) Final(state, text string) { r.Reply(r.Props["replyTo"], r.Task(state, text)) }

// Task returns the last answer.
func (r *Request) Task(state, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"kind":"task","id":%q,"contextId":%q,"status":{"state":%q,"timestamp":"2026-01-01T10:00:01+00:00",`+
		`"message":{"kind":"message","role":"agent","messageId":"%s-end","parts":[{"kind":"text","text":%q}]}},`+
		`"metadata":{"agent_name":%q,"token_usage":{"total_tokens":321}}}}`, r.ID, r.ID, r.Context, state, r.ID, text, r.Agent.Name)
}

// Reply publishes an answer to a topic.
func (r *Request) Reply(topic, payload string) {
	r.Agent.Publish(topic, payload, false, map[string]string{"clientId": r.Props["clientId"], "timestamp": "1767261600000"})
}

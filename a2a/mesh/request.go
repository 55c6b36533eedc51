package mesh

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/eclipse/paho.golang/paho"

	"parley/a2a"
)

// maxTopic is how many bytes a topic may have on a Solace broker.
const maxTopic = 250

// request publishes a request and returns the flow of its task. The task is known before the
// request leaves: an answer may overtake the confirmation of the broker.
func (g *gateway) request(ctx context.Context, c *a2a.Carriage) (*flow, error) {
	client, ack, proto, err := g.out.ready(ctx)
	if err != nil {
		return nil, err
	}
	if _, _, _, err := g.in.ready(ctx); err != nil { // nobody would hear the answer
		return nil, err
	}
	p, err := g.publication(c)
	if err != nil {
		return nil, err
	}
	if err := fits(p, ack); err != nil {
		return nil, err
	}
	m := read(c.Bytes)
	id := m.id
	if reply := properties(c.Header)["replyTo"]; len(reply) == 1 { // its last level names the task
		id = reply[0][strings.LastIndexByte(reply[0], '/')+1:]
	}
	if id == "" || a2a.BadTopicPart(id, false) != "" {
		return nil, &a2a.FlowError{Class: a2a.ClassUnsupported, Sentence: "Nothing was sent: the request has no JSON-RPC id that can be part of a topic, and the answers could not be told apart."}
	}
	fl := newFlow(ctx, g, id)
	g.mu.Lock()
	t := g.task(id)
	if old := t.flow; old != nil {
		old.fail(&a2a.FlowError{Class: a2a.ClassSevered, Sentence: "Another request with the same task takes its updates now."})
	}
	t.flow, t.over = fl, false
	if strings.HasSuffix(m.method, "/cancel") {
		fl.cancel = true
		if about := g.tasks[m.target]; about != nil && !about.over {
			about.cancels = append(about.cancels, fl)
		}
	}
	g.mu.Unlock()
	if !g.hub.start(func() { g.publish(client, p, fl, proto) }) {
		return nil, context.Canceled
	}
	return fl, nil
}

// properties returns a header as what it is on a broker: user properties, whose names have the
// spelling of the mesh.
func properties(h http.Header) map[string][]string {
	if h == nil {
		return map[string][]string{}
	}
	return h
}

// publication returns the packet of a request. Topics for the answers are added if the request,
// which a user may have written, lacks them.
func (g *gateway) publication(c *a2a.Carriage) (*paho.Publish, error) {
	if bad := a2a.BadTopicPart(c.Path, true); bad != "" || len(c.Path) > maxTopic {
		if bad == "" {
			bad = "more than 250 bytes"
		}
		return nil, &a2a.FlowError{Class: a2a.ClassUnsupported, Sentence: "Nothing was sent: the topic contains " + bad + "."}
	}
	props := properties(c.Header.Clone())
	if id := read(c.Bytes).id; len(props["replyTo"]) == 0 && id != "" {
		props["replyTo"] = []string{g.mesh.Topic("gateway/response/" + g.id + "/" + id)}
	}
	p := &paho.Publish{QoS: 1, Topic: c.Path, Payload: c.Bytes, Properties: &paho.PublishProperties{}}
	for _, name := range slices.Sorted(maps.Keys(props)) {
		for _, value := range props[name] {
			if (name == "replyTo" || name == "a2aStatusTopic") && len(value) > maxTopic {
				return nil, &a2a.FlowError{Class: a2a.ClassUnsupported, Sentence: "Nothing was sent: the topic for the answers is longer than 250 bytes, which brokers refuse."}
			}
			p.Properties.User.Add(name, value)
		}
	}
	return p, nil
}

// fits refuses a request that the broker would refuse with the whole connection.
func fits(p *paho.Publish, ack *paho.Connack) error {
	if ack.Properties == nil || ack.Properties.MaximumPacketSize == nil {
		return nil
	}
	most := int64(*ack.Properties.MaximumPacketSize)
	var size counter
	if _, err := p.Packet().WriteTo(&size); err != nil || int64(size) > most {
		return &a2a.FlowError{Class: a2a.ClassLimit, Cause: err,
			Sentence: fmt.Sprintf("Nothing was sent: the request has %d bytes, but the broker accepts at most %d.", size, most)}
	}
	return nil
}

// A counter counts what is written to it.
type counter int64

// Write counts.
func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// publish sends a request and tells its flow what the broker said. Without a confirmation it may
// have arrived: it is not sent again, and an answer proves it.
func (g *gateway) publish(client *paho.Client, p *paho.Publish, fl *flow, proto string) {
	resp, err := client.Publish(g.ctx, p)
	head := &a2a.FlowHead{Status: http.StatusOK, Proto: proto, Header: http.Header{}}
	switch {
	case resp != nil && resp.ReasonCode >= 0x80:
		fl.fail(g.unpublished(p, resp))
		return
	case err != nil:
		head.Header[":puback"] = []string{"none"}
		fl.push(a2a.Frame{Notice: "The broker did not confirm the request within " + g.hub.times.Confirm.String() + "; it may have arrived, and is not sent again."}, false)
	case resp != nil && resp.ReasonCode == 0x10:
		head.Header[":puback"] = []string{"no matching subscribers"}
		fl.mu.Lock()
		fl.listed = false
		fl.mu.Unlock()
	default:
		head.Header[":puback"] = []string{"success"}
	}
	fl.begun(head)
}

// unpublished says why the broker refused a request.
func (g *gateway) unpublished(p *paho.Publish, resp *paho.PublishResponse) error {
	if resp.ReasonCode == 0x87 {
		return &a2a.FlowError{Class: a2a.ClassAuth, Sentence: "The broker " + g.host() + " does not allow to publish to " + p.Topic + ": ask for this right for the user."}
	}
	return &a2a.FlowError{Class: a2a.ClassRefused, Sentence: fmt.Sprintf("The broker %s refused the request (0x%02X).", g.host(), resp.ReasonCode)}
}

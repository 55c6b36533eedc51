package meshtest

import (
	"context"
	"crypto/tls"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/eclipse/paho.golang/packets"
)

// A Faulty is a small broker that does what a good one does not. It keeps no session and retains
// nothing.
type Faulty struct {
	Address string

	mu      sync.Mutex
	clients map[*client]bool
	fault   Fault
	// Published counts publishes by topic.
	published map[string]int
}

// A Fault is what the broker does wrong.
type Fault struct {
	// LosePubacks of publishes to topics with this prefix, and Twice delivers those to others twice.
	LosePubacks, Twice string
	// Forbid refuses publishes to topics with this prefix.
	Forbid string
	// Deny refuses subscriptions to topics with this prefix, and Forget drops those that match.
	Deny, Forget string
	// Connack is the reason code with which connections are refused.
	Connack byte
	// Greeting is sent in place of everything else.
	Greeting []byte
}

// A client is a connection to the broker.
type client struct {
	net.Conn
	write sync.Mutex
	subs  []string
	next  uint16
}

// NewFaulty starts a broker, which stops with the test. Secure is for TLS, nil without it.
func NewFaulty(t testing.TB, f Fault, secure *tls.Config) *Faulty {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &Faulty{Address: l.Addr().String(), clients: map[*client]bool{}, fault: f, published: map[string]int{}}
	if secure != nil {
		l = tls.NewListener(l, secure)
	}
	t.Cleanup(func() { l.Close(); b.Drop() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go b.serve(&client{Conn: c})
		}
	}()
	return b
}

// NewPiped returns a broker that is reached through its Dial alone, which makes pipes: in a bubble of
// testing/synctest time does not pass while a socket waits. It stops with the test.
func NewPiped(t testing.TB, f Fault) *Faulty {
	b := &Faulty{Address: "broker.example:1883", clients: map[*client]bool{}, fault: f, published: map[string]int{}}
	t.Cleanup(b.Drop)
	return b
}

// Dial connects to the broker through a pipe, whatever the address is.
func (b *Faulty) Dial(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	go b.serve(&client{Conn: far})
	return near, nil
}

// Set changes what the broker does wrong.
func (b *Faulty) Set(f Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fault = f
	for c := range b.clients {
		c.subs = slices.DeleteFunc(c.subs, func(s string) bool { return f.Forget != "" && strings.Contains(s, f.Forget) })
	}
}

// Drop breaks all connections.
func (b *Faulty) Drop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.clients {
		c.Close()
	}
}

// Published returns how often something was published to a topic.
func (b *Faulty) Published(topic string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.published[topic]
}

// Disconnect sends all clients whose id has a prefix a reason, and breaks their connections.
func (b *Faulty) Disconnect(reason byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.clients {
		d := packets.NewControlPacket(packets.DISCONNECT)
		d.Content.(*packets.Disconnect).ReasonCode = reason
		c.send(d)
		c.Close()
	}
}

func (c *client) send(p *packets.ControlPacket) {
	c.write.Lock()
	defer c.write.Unlock()
	_, _ = p.WriteTo(c.Conn)
}

func (b *Faulty) serve(c *client) {
	defer func() {
		c.Close()
		b.mu.Lock()
		delete(b.clients, c)
		b.mu.Unlock()
	}()
	for {
		p, err := packets.ReadPacket(c)
		if err != nil || !b.take(c, p) {
			return
		}
	}
}

// take answers a packet and reports whether the connection goes on.
func (b *Faulty) take(c *client, p *packets.ControlPacket) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch body := p.Content.(type) {
	case *packets.Connect:
		if b.fault.Greeting != nil {
			_, _ = c.Write(b.fault.Greeting)
			return false
		}
		ack := packets.NewControlPacket(packets.CONNACK)
		ack.Content.(*packets.Connack).ReasonCode = b.fault.Connack
		c.send(ack)
		b.clients[c] = b.fault.Connack == 0
		return b.fault.Connack == 0
	case *packets.Subscribe:
		ack := packets.NewControlPacket(packets.SUBACK)
		reasons := []byte{}
		for _, s := range body.Subscriptions {
			if b.fault.Deny != "" && strings.Contains(s.Topic, b.fault.Deny) {
				reasons = append(reasons, 0x87)
				continue
			}
			reasons = append(reasons, 1)
			if !slices.Contains(c.subs, s.Topic) {
				c.subs = append(c.subs, s.Topic)
			}
		}
		ack.Content.(*packets.Suback).PacketID, ack.Content.(*packets.Suback).Reasons = body.PacketID, reasons
		c.send(ack)
	case *packets.Publish:
		b.publish(c, body)
	case *packets.Pingreq:
		c.send(packets.NewControlPacket(packets.PINGRESP))
	case *packets.Disconnect:
		return false
	}
	return true
}

// publish passes a message on and confirms it.
func (b *Faulty) publish(c *client, body *packets.Publish) {
	ack := packets.NewControlPacket(packets.PUBACK)
	confirmation := ack.Content.(*packets.Puback)
	confirmation.PacketID = body.PacketID
	if b.fault.Forbid != "" && strings.HasPrefix(body.Topic, b.fault.Forbid) {
		confirmation.ReasonCode = packets.PubackNotAuthorized
		c.send(ack)
		return
	}
	b.published[body.Topic]++
	for to := range b.clients {
		if !slices.ContainsFunc(to.subs, func(s string) bool { return matches(s, body.Topic) }) {
			continue
		}
		for i := range 1 + count(b.fault.Twice != "" && strings.HasPrefix(body.Topic, b.fault.Twice)) {
			p := packets.NewControlPacket(packets.PUBLISH)
			m := p.Content.(*packets.Publish)
			*m = *body
			to.next++
			m.PacketID, m.Duplicate = to.next, i > 0
			p.Flags = 0
			to.send(p)
		}
	}
	if body.QoS == 0 || b.fault.LosePubacks != "" && strings.HasPrefix(body.Topic, b.fault.LosePubacks) {
		return
	}
	c.send(ack)
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// matches reports whether a topic is in a subscription.
func matches(sub, topic string) bool {
	s, levels := strings.Split(sub, "/"), strings.Split(topic, "/")
	for i, part := range s {
		switch {
		case part == "#":
			return true
		case i >= len(levels), part != "+" && part != levels[i]:
			return false
		}
	}
	return len(s) == len(levels)
}

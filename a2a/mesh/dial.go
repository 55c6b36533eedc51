package mesh

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"time"

	"github.com/gorilla/websocket"

	"parley/a2a"
)

// dial connects to the broker and returns what packets go through, and its name for users.
func (g *gateway) dial(ctx context.Context) (net.Conn, string, error) {
	u, err := url.Parse(g.mesh.Broker)
	if err != nil {
		return nil, "", err
	}
	secure, web := u.Scheme == "mqtts" || u.Scheme == "wss", u.Scheme == "ws" || u.Scheme == "wss"
	if !secure && g.settings.Password != "" && !g.settings.AllowPlain && a2a.ReachOf(u.Hostname()) != a2a.ReachMachine {
		return nil, "", &a2a.FlowError{Class: a2a.ClassOrigin, Sentence: "Nothing was sent: the password would go to " + u.Host +
			" without encryption. Write mqtts:// or wss://, or allow it with --mqtt-plain."}
	}
	to := a2a.Destination{Address: u.Host, TLS: secure}
	if web {
		to.Protocols = []string{"http/1.1"}
	}
	c, err := g.options.Dial(ctx, to)
	if err != nil {
		return nil, "", err
	}
	proto := "MQTT 5"
	if web {
		proto += ", WebSocket"
	}
	if secure {
		proto += ", TLS"
	}
	if !web {
		return c.Conn, proto, nil
	}
	conn, err := upgrade(ctx, c.Conn, u)
	if err != nil {
		c.Close()
		return nil, "", err
	}
	return conn, proto, nil
}

// upgrade makes a WebSocket of a connection, as MQTT 5 §6 has it. Brokers do not agree on the path;
// most use /mqtt.
func upgrade(ctx context.Context, c net.Conn, u *url.URL) (net.Conn, error) {
	made := func(context.Context, string, string) (net.Conn, error) { return c, nil }
	d := websocket.Dialer{NetDialContext: made, NetDialTLSContext: made, Subprotocols: []string{"mqtt"}, HandshakeTimeout: 10 * time.Second}
	path := u.Query().Get("path")
	if path == "" {
		path = "/mqtt"
	}
	to := url.URL{Scheme: u.Scheme, Host: u.Host, Path: path}
	ws, resp, err := d.DialContext(ctx, to.String(), nil)
	if errors.Is(err, websocket.ErrBadHandshake) && resp != nil {
		return nil, &a2a.FlowError{Class: a2a.ClassUnsupported, Cause: err, Sentence: "The server at " + u.Host + " answered " + resp.Status +
			" instead of a WebSocket: check the port, or name the path with ?path=/mqtt."}
	}
	if err != nil {
		return nil, err
	}
	return &webConn{Conn: ws}, nil
}

// A webConn is a WebSocket as a stream of bytes.
type webConn struct {
	*websocket.Conn
	now io.Reader // the message that is being read, nil between two
}

// Read reads from the messages as if they were one.
func (c *webConn) Read(p []byte) (int, error) {
	for {
		if c.now == nil {
			_, r, err := c.NextReader()
			if err != nil {
				return 0, err
			}
			c.now = r
		}
		n, err := c.now.Read(p)
		if err == io.EOF {
			c.now, err = nil, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// Write writes a message.
func (c *webConn) Write(p []byte) (int, error) {
	if err := c.WriteMessage(websocket.BinaryMessage, p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// SetDeadline sets both deadlines.
func (c *webConn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

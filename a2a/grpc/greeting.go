package grpc

import (
	"bytes"
	"fmt"
	"sync"
	"time"

	"parley/a2a"
)

// A greeting is the beginning of what a server sends.
type greeting struct {
	mu    sync.Mutex
	bytes []byte
	full  bool
	late  bool // nothing came in time
}

// giveUp reports whether nothing came, and notes that.
func (g *greeting) giveUp() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.late = len(g.bytes) == 0
	return g.late
}

// enoughGreeting is how many bytes identify a server.
const enoughGreeting = 16

func (g *greeting) add(b []byte) {
	if g.full { // only the reader of the connection adds
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.bytes = append(g.bytes, b[:min(len(b), enoughGreeting-len(g.bytes))]...)
	g.full = len(g.bytes) == enoughGreeting
}

// settings is the type of the frame with which a server of HTTP/2 begins (RFC 9113, 3.4).
const settings = 4

// fault says what a server is that does not speak HTTP/2, nil if it does or said nothing.
func (g *greeting) fault(host string, tls bool, patience time.Duration) *a2a.FlowError {
	g.mu.Lock()
	defer g.mu.Unlock()
	b := g.bytes
	switch {
	case g.late:
		return &a2a.FlowError{Class: a2a.ClassTimeout, Unsent: true, Sentence: fmt.Sprintf(
			"%s accepted the connection and then said nothing for %s: check the port, and whether the agent hangs.", host, patience)}
	case len(b) == 0:
		return nil
	case bytes.HasPrefix(b, []byte("HTTP/")):
		return &a2a.FlowError{Class: a2a.ClassUnsupported, Sentence: host + " speaks HTTP/1.1 on this port and not gRPC, which requires HTTP/2: check the port."}
	case !tls && len(b) >= 3 && (b[0] == 21 || b[0] == 22) && b[1] == 3:
		return &a2a.FlowError{Class: a2a.ClassTLS, Sentence: host + " speaks TLS on this port, but the request was not encrypted: write grpcs:// instead of grpc://."}
	case len(b) > 3 && b[3] != settings:
		return &a2a.FlowError{Class: a2a.ClassUnsupported, Sentence: host + " answered with something that is not gRPC: check the port."}
	}
	return nil
}

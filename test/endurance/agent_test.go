//go:build unix

package endurance

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// An agent answers every message with a stream of numbered chunks.
type agent struct {
	url    string
	events int           // of a stream; 0 for no end
	block  int           // events that are written at once
	pause  time.Duration // after each block
	gone   chan struct{} // closed with the test

	mu   sync.Mutex
	sent []time.Time // when each block was written to the connection
}

// startAgent starts an agent that sends this many events in blocks.
func startAgent(t *testing.T, events, block int, pause time.Duration) *agent {
	t.Helper()
	a := &agent{events: events, block: block, pause: pause, gone: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/agent-card.json", card)
	mux.HandleFunc("POST /rpc", a.stream)
	server := httptest.NewServer(mux)
	a.url = server.URL
	t.Cleanup(func() {
		close(a.gone)
		server.CloseClientConnections()
		server.Close()
	})
	return a
}

func card(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"name":"Torrent","description":"","version":"1","capabilities":{"streaming":true},"skills":[],`+
		`"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],`+
		`"supportedInterfaces":[{"url":"http://%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, r.Host)
}

// lastWord ends an answer: when it is on the screen, everything is.
const lastWord = "That was all of it."

func (a *agent) stream(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	_, rest, _ := bytes.Cut(body, []byte(`"id":`))
	id, _, _ := bytes.Cut(rest, []byte(`,`))
	if !bytes.Contains(body, []byte(`"SendStreamingMessage"`)) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, id)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	var b bytes.Buffer
	result := func(format string, args ...any) {
		fmt.Fprintf(&b, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{%s}}\n\n", id, fmt.Sprintf(format, args...))
	}
	result(`"task":{"id":"t-1","contextId":"c-1","status":{"state":"TASK_STATE_WORKING"}}`)
	for n := 0; a.events == 0 || n < a.events; {
		for range a.block {
			n++
			result(`"artifactUpdate":{"taskId":"t-1","contextId":"c-1","artifact":{"artifactId":"answer","name":"answer.md",`+
				`"parts":[{"text":"number %d of what is said, "}]},"append":%t}`, n, n > 1)
		}
		if a.write(w, &b) != nil {
			return
		}
		a.mu.Lock()
		a.sent = append(a.sent, time.Now())
		a.mu.Unlock()
		select {
		case <-time.After(a.pause):
		case <-a.gone:
			return
		}
	}
	result(`"statusUpdate":{"taskId":"t-1","contextId":"c-1","status":{"state":"TASK_STATE_COMPLETED",`+
		`"message":{"messageId":"m-1","role":"ROLE_AGENT","parts":[{"text":%q}]}}}`, lastWord)
	_ = a.write(w, &b) // the client disconnected
}

// write writes b to the connection and empties it.
func (a *agent) write(w http.ResponseWriter, b *bytes.Buffer) error {
	if _, err := w.Write(b.Bytes()); err != nil {
		return err
	}
	b.Reset()
	return http.NewResponseController(w).Flush()
}

// since returns how long before a time the event after the nth was sent.
func (a *agent) since(n int, at time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if block := n / a.block; block < len(a.sent) {
		return max(0, at.Sub(a.sent[block]))
	}
	return 0
}

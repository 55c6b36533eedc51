package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// streamHeader carries the number of a body, so that sent and received bytes can be compared.
const streamHeader = "X-Soak-Body"

// An agentServer serves all agents: it stores what they sent, and their rate.
type agentServer struct {
	listener net.Listener
	server   *http.Server
	url      string
	pause    time.Duration // between two blocks of a stream
	turns    atomic.Int64  // tasks that were started

	mu     sync.Mutex
	bodies int
	hashes map[string]string // hash of a body by its number
	tasks  map[string]*task
}

// A task of an agent.
type task struct{ id, context string }

const (
	perBlock = 50 // events that are written at once
	blocks   = 40 // of a task
	// cutEvery is how often a stream is cut in the middle of an event.
	cutEvery = 3
)

// startAgents starts one server for all agents; each has its own path.
func startAgents(pause time.Duration) (*agentServer, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &agentServer{listener: l, url: "http://" + l.Addr().String(), pause: pause, hashes: map[string]string{}, tasks: map[string]*task{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{agent}/.well-known/agent-card.json", s.card)
	mux.HandleFunc("POST /{agent}/rpc", s.rpc)
	s.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.server.Serve(l) }()
	return s, nil
}

func (s *agentServer) close() { _ = s.server.Close() }

// hash returns the hash of a body, and removes it.
func (s *agentServer) hash(body string) (sum string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum, ok = s.hashes[body]
	delete(s.hashes, body)
	return sum, ok
}

func (s *agentServer) card(w http.ResponseWriter, r *http.Request) {
	agent := r.PathValue("agent")
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"name":%q,"description":"","version":"1","capabilities":{"streaming":true},"skills":[],`+
		`"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],`+
		`"supportedInterfaces":[{"url":"%s/%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, agent, s.url, agent)
}

// rpc answers a message with a stream, a subscription with its rest, and a get with a finished
// task.
func (s *agentServer) rpc(w http.ResponseWriter, r *http.Request) {
	var req struct {
		ID     json.RawMessage
		Method string
		Params struct{ ID string }
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	switch req.Method {
	case "SendStreamingMessage":
		n := s.turns.Add(1)
		t := &task{id: fmt.Sprintf("task-%d", n), context: fmt.Sprintf("ctx-%d", n)}
		s.mu.Lock()
		s.tasks[t.id] = t
		s.mu.Unlock()
		s.stream(w, req.ID, t, n%cutEvery == 0)
	case "SubscribeToTask":
		s.mu.Lock()
		t := s.tasks[req.Params.ID]
		s.mu.Unlock()
		if t == nil {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32001,"message":"Task not found"}}`, req.ID)
			return
		}
		s.stream(w, req.ID, t, false)
	default:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, req.ID)
	}
}

// stream sends a task, or the part for a subscriber: half of it and its end.
func (s *agentServer) stream(w http.ResponseWriter, id json.RawMessage, t *task, cut bool) {
	s.mu.Lock()
	s.bodies++
	body := strconv.Itoa(s.bodies)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set(streamHeader, body)
	heard := &hashWriter{w: w, sum: sha256.New()}
	event := func(result string) string {
		return fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{%s}}\n\n", id, result)
	}
	heard.write(event(fmt.Sprintf(`"task":{"id":%q,"contextId":%q,"status":{"state":"TASK_STATE_WORKING"}}`, t.id, t.context)))
	chunk := event(fmt.Sprintf(`"artifactUpdate":{"taskId":%q,"contextId":%q,"artifact":{"artifactId":"answer","name":"answer.md",`+
		`"parts":[{"text":"London, 10 to 17 October, one bag. "}]},"append":true}`, t.id, t.context))
	block := bytes.Repeat([]byte(chunk), perBlock)
	for i := range blocks {
		if cut && i == blocks/2 {
			heard.write(chunk[:len(chunk)/2])
			s.remember(body, heard.sum)
			heard.breakOff()
			return
		}
		heard.write(string(block))
		time.Sleep(s.pause)
	}
	heard.write(event(fmt.Sprintf(`"statusUpdate":{"taskId":%q,"contextId":%q,"status":{"state":"TASK_STATE_COMPLETED"}}`, t.id, t.context)))
	s.remember(body, heard.sum)
	s.mu.Lock()
	delete(s.tasks, t.id)
	s.mu.Unlock()
}

// remember stores the hash of a body before the client can know that it is over.
func (s *agentServer) remember(body string, sum hash.Hash) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hashes[body] = hex.EncodeToString(sum.Sum(nil))
}

// hashWriter writes a body and hashes it.
type hashWriter struct {
	w   http.ResponseWriter
	sum hash.Hash
}

func (h *hashWriter) write(s string) {
	h.sum.Write([]byte(s))
	if _, err := io.WriteString(h.w, s); err != nil {
		return
	}
	_ = http.NewResponseController(h.w).Flush()
}

// breakOff cuts the connection; written bytes still arrive.
func (h *hashWriter) breakOff() {
	conn, _, err := http.NewResponseController(h.w).Hijack()
	if err == nil {
		conn.Close()
	}
}

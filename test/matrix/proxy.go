package matrix

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
)

// A proxy presents an agent as a cell requires.
type proxy struct {
	*httptest.Server
	agent   Agent
	cell    Cell
	forward http.Handler

	mu       sync.Mutex
	requests []string // methods and paths, in order
	accepted int      // messages that the agent accepted
}

func newProxy(t testing.TB, a Agent, c Cell) *proxy {
	t.Helper()
	upstream, err := url.Parse(a.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{agent: a, cell: c}
	p.forward = &httputil.ReverseProxy{
		FlushInterval: -1, // flushes each write of a stream
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = upstream.Scheme, upstream.Host
			r.Out.Host = upstream.Host
		},
		ModifyResponse: p.count,
		ErrorLog:       log.New(io.Discard, "", 0), // clients leave endless streams
	}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/.well-known/") {
		p.serveCard(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var rpc struct {
		ID     json.RawMessage
		Method string
	}
	name := r.Method + " " + r.URL.Path
	if json.Unmarshal(body, &rpc) == nil && rpc.Method != "" {
		name = rpc.Method
	}
	p.mu.Lock()
	p.requests = append(p.requests, name)
	p.mu.Unlock()
	if !p.lacks(name) {
		p.forward.ServeHTTP(w, r)
		return
	}
	if rpc.Method == "" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, rpc.ID)
}

// lacks reports whether the cell removes a method or a path.
func (p *proxy) lacks(name string) bool {
	lower := strings.ToLower(name)
	return !p.cell.Push && strings.Contains(lower, "pushnotification") || !p.cell.Stream && isStream(name)
}

func isStream(name string) bool {
	switch name {
	case "SendStreamingMessage", "message/stream", "tasks/sendSubscribe", "tasks/send-streaming":
		return true
	}
	return strings.HasSuffix(name, "message:stream")
}

func isMessage(name string) bool {
	switch name {
	case "SendMessage", "message/send", "tasks/send":
		return true
	}
	return isStream(name) || strings.HasSuffix(name, "message:send")
}

// count counts the accepted messages: those without an error status or a JSON-RPC error.
func (p *proxy) count(r *http.Response) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	name := p.requests[len(p.requests)-1] // meanwhile only checks and probes are sent
	if !isMessage(name) || r.StatusCode/100 != 2 {
		return nil
	}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream") {
		p.accepted++
		return nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var answer struct{ Error json.RawMessage }
	if json.Unmarshal(body, &answer) != nil || answer.Error == nil {
		p.accepted++
	}
	return nil
}

// serveCard serves the card of the cell at the path of its version.
func (p *proxy) serveCard(w http.ResponseWriter, r *http.Request) {
	u, _ := url.Parse(p.agent.Endpoint)
	at := p.URL + u.Path
	transport := "JSONRPC"
	if p.agent.Binding == a2a.BindingREST {
		transport = "HTTP+JSON"
	}
	const rest = `"description":"d","version":"1","capabilities":{"streaming":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"s","name":"S","description":"d","tags":["t"]}]`
	head := fmt.Sprintf(`{"name":"Behind","url":%q,`, at)
	var card string
	switch p.cell.Card {
	case Says10:
		card = fmt.Sprintf(`{"name":"Behind","supportedInterfaces":[{"url":%q,"protocolBinding":%q,"protocolVersion":"1.0","tenant":%q}],`, at, transport, p.agent.Tenant)
	case Says03:
		card = head + fmt.Sprintf(`"protocolVersion":"0.3.0","preferredTransport":%q,`, transport)
	case Says02:
		card = head + `"protocolVersion":"0.2.6",`
	case Says01:
		card = head + `"protocolVersion":"0.1.0","authentication":{"schemes":[]},`
	case SaysNothing:
		card = head
	case SaysNonsense:
		card = head + `"protocolVersion":"banana",`
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, card+rest+"}")
}

package ui

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/pipetest"
)

// Addresses of a world: the agent's, another living one, and those where nothing listens.
const (
	turnsHome, turnsElsewhere        = "127.0.0.1:8001", "127.0.0.1:8002"
	turnsClosed, turnsClosedAsWell   = "127.0.0.1:9001", "127.0.0.1:9002"
	turnsClosedEnd, turnsClosedAfter = "http://" + turnsClosed, "http://" + turnsClosedAsWell
)

// A turnsWorld is an agent with what stands before it, as a plan says. It notes what it did: nobody in
// Parley has a say in that.
type turnsWorld struct {
	plan turnsPlan

	mu       sync.Mutex
	replicas []map[string]*turnsTask // the memory of each
	gone     chan struct{}           // closed when the agent restarts
	asked    int                     // requests that the agent got
	told     int                     // answers and events that it sent
	hindered bool                    // the hop did what it does
	made     int                     // tasks
	began    []turnsMark
	reached  []turnsMark
}

// A turnsMark says when a message, of which text is the mark, reached the agent or began a task.
type turnsMark struct {
	text string
	at   time.Time
}

// A turnsTask is a task of the agent. Its state follows from the time.
type turnsTask struct {
	id, context    string
	done           time.Time
	asks, canceled bool
}

func (t *turnsTask) state(p turnsPlan) string {
	switch {
	case t.canceled:
		return "canceled"
	case time.Now().Before(t.done):
		return "working"
	case t.asks:
		return "input-required"
	case p.is("fails"):
		return "failed"
	}
	return "completed"
}

func newTurnsWorld(t *testing.T, p turnsPlan) (w *turnsWorld, client func(string) a2a.Options) {
	t.Helper()
	w = &turnsWorld{plan: p}
	w.start()
	home, elsewhere := pipetest.At(turnsHome), pipetest.At(turnsElsewhere)
	for _, n := range []*pipetest.Network{home, elsewhere} {
		s := n.Serve(w)
		t.Cleanup(func() {
			s.CloseClientConnections()
			s.Close()
		})
	}
	listening := pipetest.Dialer(home, elsewhere)
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		if address == turnsClosed || address == turnsClosedAsWell {
			return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
		}
		return listening(ctx, network, address)
	}
	return w, func(ref string) a2a.Options {
		return a2a.Options{UserAddresses: []string{ref}, UserAgent: "parley", Dial: dial, Pins: p.pins()}
	}
}

// start gives the replicas an empty memory.
func (w *turnsWorld) start() {
	w.gone = make(chan struct{})
	w.replicas = []map[string]*turnsTask{{}}
	if w.plan.is("two-replicas") {
		w.replicas = append(w.replicas, map[string]*turnsTask{})
	}
}

// way returns how the agent speaks, and where.
func (p turnsPlan) way() a2a.Way {
	w := a2a.Way{Dialect: a2a.V10, Binding: a2a.BindingJSONRPC, Endpoint: "http://" + turnsHome + "/rpc"}
	switch {
	case p.is("speaks-0.3"):
		w.Dialect = a2a.V03
	case p.is("speaks-0.1"):
		w.Dialect = a2a.V01
	case p.is("speaks-rest"):
		w.Binding = a2a.BindingREST
	}
	return w
}

// pins returns what the user pins.
func (p turnsPlan) pins() (pins a2a.Pins) {
	w := p.way()
	switch {
	case p.is("pins-dialect"):
		pins.Dialect = w.Dialect
	case p.is("pins-all"):
		pins.Dialect, pins.Binding, pins.Endpoint = w.Dialect, w.Binding, w.Endpoint
	case p.is("pins-another"):
		pins.Dialect = map[a2a.DialectName]a2a.DialectName{a2a.V10: a2a.V03, a2a.V03: a2a.V10, a2a.V01: a2a.V03}[w.Dialect]
		pins.Binding, pins.Endpoint = w.Binding, w.Endpoint
	}
	return pins
}

// card returns the card of the agent and its path.
func (p turnsPlan) card() (path, card string) {
	w := p.way()
	switch {
	case p.is("card-says-1.0"):
		w.Dialect, w.Binding = a2a.V10, a2a.BindingJSONRPC
	case p.is("card-says-0.3"):
		w.Dialect, w.Binding = a2a.V03, a2a.BindingJSONRPC
	case p.is("card-names-operation"):
		w.Endpoint += "/v1/message:stream"
	}
	ends := []string{w.Endpoint}
	switch {
	case p.is("one-closed"):
		ends = []string{turnsClosedEnd, w.Endpoint}
	case p.is("two-closed"):
		ends = []string{turnsClosedEnd, turnsClosedAfter, w.Endpoint}
	case p.is("last-closed"):
		ends = []string{w.Endpoint, turnsClosedEnd}
	case p.is("first-missing"):
		ends = []string{"http://" + turnsHome + "/none", w.Endpoint}
	case p.is("first-elsewhere"):
		ends = []string{strings.Replace(w.Endpoint, turnsHome, turnsElsewhere, 1), w.Endpoint}
	case p.is("all-closed"):
		ends = []string{turnsClosedEnd}
	}
	rest := fmt.Sprintf(`"name":"Desk","description":"books","version":"1","capabilities":{"streaming":%t},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
		"skills":[{"id":"s","name":"S","description":"s","tags":["t"]}]}`, !p.is("plain"))
	binding := "JSONRPC"
	if w.Binding == a2a.BindingREST {
		binding = "HTTP+JSON"
	}
	var list []string
	switch w.Dialect {
	case a2a.V10:
		for _, e := range ends {
			list = append(list, fmt.Sprintf(`{"url":%q,"protocolBinding":%q,"protocolVersion":"1.0"}`, e, binding))
		}
		return "/.well-known/agent-card.json", `{"supportedInterfaces":[` + strings.Join(list, ",") + `],` + rest
	case a2a.V03:
		for _, e := range ends {
			list = append(list, fmt.Sprintf(`{"url":%q,"transport":"JSONRPC"}`, e))
		}
		return "/.well-known/agent-card.json", fmt.Sprintf(`{"protocolVersion":"0.3.0","preferredTransport":"JSONRPC","url":%q,"additionalInterfaces":[%s],`, ends[0], strings.Join(list, ",")) + rest
	}
	return "/.well-known/agent.json", fmt.Sprintf(`{"url":%q,`, ends[0]) + rest
}

// turnsMarks finds the mark of a message.
var turnsMarks = regexp.MustCompile(`msg-[a-z]+`)

// ServeHTTP is the hop before the agent.
func (w *turnsWorld) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	path, moved := strings.CutPrefix(r.URL.Path, "/moved")
	r.URL.Path = path
	if at, card := w.plan.card(); r.Method == http.MethodGet && path == at {
		rw.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(rw, card)
		return
	}
	if w.plan.is("drops-version") {
		r.Header.Del("A2A-Version")
	}
	if moved || r.Host == turnsElsewhere || !w.hinders(turnsMarks.Match(body)) {
		w.agent(rw, r, body)
		return
	}
	w.hinder(rw, r, body)
}

// hinders reports whether the hop does to a request what it does.
func (w *turnsWorld) hinders(message bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.plan.is("no-hop"), w.plan.is("drops-version"), w.plan.is("hop-once") && w.hindered:
		return false
	case w.plan.is("hop-looks"):
		return !message
	case w.plan.is("hop-once"):
		w.hindered = message
		return message
	}
	return true
}

// hinder does to a request what the hop does.
func (w *turnsWorld) hinder(rw http.ResponseWriter, r *http.Request, body []byte) {
	word := turnsWords[planHop].words[w.plan[planHop]]
	var status int
	if _, err := fmt.Sscanf(word, "%d-", &status); err != nil {
		status = 0
	}
	if strings.Contains(word, "-pause") {
		rw.Header().Set("Retry-After", "2")
	}
	switch {
	case word == "closes-before":
		panic(http.ErrAbortHandler)
	case word == "closes-head":
		w.agent(&turnsCut{rw, 0}, r, body)
		panic(http.ErrAbortHandler)
	case word == "closes-later":
		w.agent(&turnsCut{rw, 150}, r, body)
	case word == "closes-late":
		w.agent(&turnsCut{rw, 400}, r, body)
	case strings.HasSuffix(word, "-here"):
		rw.Header().Set("Location", "/moved"+r.URL.Path)
	case status == http.StatusPermanentRedirect:
		rw.Header().Set("Location", "http://"+turnsElsewhere+r.URL.Path)
	case status == http.StatusUnauthorized:
		rw.Header().Set("WWW-Authenticate", "Bearer")
	case strings.HasSuffix(word, "-after"):
		ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
		w.agent(&turnsMute{header: http.Header{}}, r.WithContext(ctx), body)
		cancel()
	}
	if status > 0 {
		rw.Header().Set("Content-Type", "text/html")
		rw.WriteHeader(status)
		_, _ = io.WriteString(rw, "<html><title>"+http.StatusText(status)+"</title>nginx")
	}
}

// A turnsCut is an answer of which the hop passes on so many bytes.
type turnsCut struct {
	http.ResponseWriter
	left int
}

func (c *turnsCut) Write(b []byte) (int, error) {
	if c.left < len(b) {
		if c.left > 0 {
			_, _ = c.ResponseWriter.Write(b[:c.left])
			c.Flush()
		}
		panic(http.ErrAbortHandler)
	}
	c.left -= len(b)
	return c.ResponseWriter.Write(b)
}

func (c *turnsCut) Flush() { _ = http.NewResponseController(c.ResponseWriter).Flush() }

// A turnsMute is an answer that nobody gets. It ends with the first write.
type turnsMute struct{ header http.Header }

func (m *turnsMute) Header() http.Header         { return m.header }
func (m *turnsMute) Write(b []byte) (int, error) { return len(b), nil }
func (m *turnsMute) WriteHeader(int)             {}
func (m *turnsMute) Flush()                      {}

// A turnsCall is a request as the agent understands it.
type turnsCall struct {
	w      *turnsWorld
	rw     http.ResponseWriter
	ctx    context.Context
	memory map[string]*turnsTask
	gone   chan struct{}
	id     json.RawMessage
	op     a2a.Op
	task   string
	text   string // the mark of the message
	stream bool   // the answer is one
}

// turnsMethods are the methods of the agent by dialect.
var turnsMethods = map[a2a.DialectName]map[string]a2a.Op{
	a2a.V10: {"SendMessage": a2a.OpSend, "SendStreamingMessage": a2a.OpStream, "GetTask": a2a.OpGet, "SubscribeToTask": a2a.OpSubscribe, "CancelTask": a2a.OpCancel, "ListTasks": a2a.OpList},
	a2a.V03: {"message/send": a2a.OpSend, "message/stream": a2a.OpStream, "tasks/get": a2a.OpGet, "tasks/resubscribe": a2a.OpSubscribe, "tasks/cancel": a2a.OpCancel},
	a2a.V01: {"tasks/send": a2a.OpSend, "tasks/sendSubscribe": a2a.OpStream, "tasks/get": a2a.OpGet, "tasks/resubscribe": a2a.OpSubscribe, "tasks/cancel": a2a.OpCancel},
}

// agent answers a request.
func (w *turnsWorld) agent(rw http.ResponseWriter, r *http.Request, body []byte) {
	c := &turnsCall{w: w, rw: rw, ctx: r.Context(), text: string(turnsMarks.Find(body))}
	w.mu.Lock()
	c.memory, c.gone = w.replicas[w.asked%len(w.replicas)], w.gone
	w.asked++
	if c.text != "" {
		w.reached = append(w.reached, turnsMark{c.text, time.Now()})
	}
	w.mu.Unlock()
	var call struct {
		ID     json.RawMessage
		Method string
		Params struct {
			ID      string
			Message struct{ TaskID string }
		}
		Message struct{ TaskID string } // of HTTP+JSON
	}
	bad := json.Unmarshal(body, &call)
	c.id = call.ID
	way := w.plan.way()
	path, named := strings.CutPrefix(r.URL.Path, "/rpc")
	switch {
	case !named:
		http.NotFound(rw, r)
		return
	case way.Binding == a2a.BindingREST:
		c.op, c.task = restOperation(r.Method, path)
		c.task = cmp.Or(c.task, call.Message.TaskID)
	case w.plan.is("card-names-operation"):
		if c.op = turnsMethods[way.Dialect][call.Method]; path != "/v1/message:stream" || c.op != a2a.OpStream {
			http.Error(rw, `{"detail":"Input should be 'message/stream'"}`, http.StatusBadRequest)
			return
		}
	case r.Method != http.MethodPost || path != "" || bad != nil:
		http.Error(rw, "no", http.StatusMethodNotAllowed)
		return
	default:
		c.op, c.task = turnsMethods[way.Dialect][call.Method], cmp.Or(call.Params.ID, call.Params.Message.TaskID)
	}
	c.stream = c.op == a2a.OpStream || c.op == a2a.OpSubscribe
	switch {
	case c.op == "":
		c.fail(-32601, "METHOD_NOT_FOUND", "Method not found", http.StatusNotFound)
	case way.Dialect == a2a.V10 && r.Header.Get("A2A-Version") != "1.0":
		c.fail(-32009, "VERSION_NOT_SUPPORTED", "A2A version '0.3' is not supported by this handler. Expected version '1.0'.", http.StatusBadRequest)
	case c.op == a2a.OpList:
		c.answer(`{"tasks":[],"nextPageToken":"","pageSize":50,"totalSize":0}`)
	case c.op == a2a.OpSend || c.op == a2a.OpStream:
		c.send()
	default:
		c.look()
	}
}

// restOperation returns what a request over HTTP+JSON asks for.
func restOperation(method, path string) (op a2a.Op, task string) {
	rest, of := strings.CutPrefix(path, "/tasks/")
	id, verb, _ := strings.Cut(rest, ":")
	switch {
	case path == "/message:send":
		return a2a.OpSend, ""
	case path == "/message:stream":
		return a2a.OpStream, ""
	case path == "/tasks":
		return a2a.OpList, ""
	case of && verb == "subscribe":
		return a2a.OpSubscribe, id
	case of && verb == "cancel":
		return a2a.OpCancel, id
	case of && verb == "" && method == http.MethodGet:
		return a2a.OpGet, id
	}
	return "", ""
}

// marked counts the marks of a text from a time on and before another one.
func marked(marks []turnsMark, text string, from, before time.Time) (n int) {
	for _, m := range marks {
		if m.text == text && !m.at.Before(from) && (before.IsZero() || m.at.Before(before)) {
			n++
		}
	}
	return n
}

// restart has the agent lose its memory and its connections.
func (w *turnsWorld) restart() {
	close(w.gone)
	w.start()
}

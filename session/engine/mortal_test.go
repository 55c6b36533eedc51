package engine

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
	"parley/session/sessiontest"
)

// A mortal is an agent that is killed and started again at the same address: every connection
// breaks, and it forgets its tasks unless set otherwise. The text of a message decides:
// "stream" works until the agent is killed, "poll" works and answers at once, "ask" waits for
// input, "done" completes.
type mortal struct {
	t         *testing.T
	dialect   a2a.DialectName
	remembers bool
	address   string
	server    *http.Server

	mu    sync.Mutex
	tasks map[string]string // states by id
	last  int               // number of the newest task
	asked []string          // methods since its start
	hooks int               // webhooks registered with messages
}

func newMortal(t *testing.T, dialect a2a.DialectName, remembers bool) *mortal {
	t.Helper()
	m := &mortal{t: t, dialect: dialect, remembers: remembers, address: reservePort(t), tasks: map[string]string{}}
	m.start()
	t.Cleanup(func() { m.server.Close() })
	return m
}

// start begins to listen.
func (m *mortal) start() {
	m.t.Helper()
	l := listenAt(m.t, m.address)
	m.mu.Lock()
	m.asked = nil
	if !m.remembers {
		m.tasks = map[string]string{}
	}
	m.mu.Unlock()
	m.address = l.Addr().String()
	m.server = &http.Server{Handler: front(m.dialect, m)}
	go m.server.Serve(l)
}

func (m *mortal) kill() { m.server.Close() }

// forget loses all tasks without closing a connection.
func (m *mortal) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tasks = map[string]string{}
}

// requests returns the methods of the requests since the agent's start.
func (m *mortal) requests() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.asked...)
}

func (m *mortal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := struct {
		ID     json.RawMessage
		Method string
		Params struct {
			ID, TaskID, SessionID string
			PushNotification      json.RawMessage // 0.1
			Configuration         map[string]json.RawMessage
			Message               struct {
				TaskID, ContextID string
				Parts             []struct{ Text string }
			}
		}
	}{Method: "card"}
	_ = json.NewDecoder(r.Body).Decode(&q)
	m.mu.Lock()
	m.asked = append(m.asked, q.Method)
	m.mu.Unlock()
	answer := func(member string) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, q.ID, member)
	}
	task, text := q.Params.ID, ""
	if len(q.Params.Message.Parts) > 0 {
		text = q.Params.Message.Parts[0].Text
	}
	switch q.Method {
	case "card":
		fmt.Fprint(w, m.card())
	case "SendMessage", "message/send", "tasks/send", "SendStreamingMessage", "message/stream", "tasks/sendSubscribe":
		if m.dialect != a2a.V01 {
			task = q.Params.Message.TaskID
		}
		id, ok := m.take(task, text, len(q.Params.PushNotification) > 0 || len(q.Params.Configuration) > 0)
		context := q.Params.Message.ContextID + q.Params.SessionID
		switch {
		case !ok:
			answer(`"error":{"code":-32001,"message":"Task not found"}`)
		case strings.Contains(strings.ToLower(q.Method), "stream") || strings.Contains(q.Method, "Subscribe"):
			m.stream(w, r, q.ID, id, context)
		default:
			answer(`"result":` + m.wrapped(id, context))
		}
	case "GetTask", "tasks/get", "SubscribeToTask", "tasks/resubscribe":
		m.mu.Lock()
		_, ok := m.tasks[task]
		m.mu.Unlock()
		switch {
		case !ok:
			answer(`"error":{"code":-32001,"message":"Task not found"}`)
		case strings.Contains(strings.ToLower(q.Method), "subscribe"):
			m.stream(w, r, q.ID, task, "")
		default:
			answer(`"result":` + m.task(task, ""))
		}
	default:
		answer(`"error":{"code":-32601,"message":"Method not found"}`)
	}
}

// take begins a task, or continues one that the agent knows.
func (m *mortal) take(task, text string, hook bool) (id string, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if hook {
		m.hooks++
	}
	_, known := m.tasks[task]
	if task == "" || m.dialect == a2a.V01 && !known {
		if m.last++; task == "" {
			task = fmt.Sprintf("task-%d", m.last)
		}
	} else if !known {
		return "", false
	}
	m.tasks[task] = map[string]string{"ask": "input-required", "done": "completed"}[text]
	if m.tasks[task] == "" {
		m.tasks[task] = "working"
	}
	return task, true
}

// task is a task in the agent's dialect.
func (m *mortal) task(id, context string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	state, kind, session := m.tasks[id], `"kind":"task",`, "contextId"
	switch {
	case m.wraps():
		state, kind = "TASK_STATE_"+strings.ToUpper(strings.ReplaceAll(state, "-", "_")), ""
	case m.dialect == a2a.V01:
		session, kind = "sessionId", ""
	}
	if context == "" {
		context = "context-1"
	}
	return fmt.Sprintf(`{%s"id":%q,%q:%q,"status":{"state":%q},"artifacts":[]}`, kind, id, session, context, state)
}

// wraps reports whether the dialect's objects follow the protocol buffers.
func (m *mortal) wraps() bool { return m.dialect == a2a.V10 || sessiontest.IsREST(m.dialect) }

func (m *mortal) wrapped(id, context string) string {
	if m.wraps() {
		return `{"task":` + m.task(id, context) + `}`
	}
	return m.task(id, context)
}

// stream sends a task's state and keeps the stream open until the client closes it.
func (m *mortal) stream(w http.ResponseWriter, r *http.Request, rpcID json.RawMessage, id, context string) {
	event := m.wrapped(id, context)
	if m.dialect == a2a.V01 {
		event = fmt.Sprintf(`{"id":%q,"status":{"state":"working"},"final":false}`, id)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", rpcID, event)
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

func (m *mortal) card() string {
	const common = `"name":"Mortal","description":"d","version":"1","capabilities":{"streaming":true,"pushNotifications":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"a","name":"A","description":"a","tags":[]}]`
	url := "http://" + m.address + "/rpc"
	switch m.dialect {
	case a2a.V10REST, a2a.V03REST:
		return restCard(m.dialect, "Mortal", url)
	case a2a.V10:
		return fmt.Sprintf(`{%s,"supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, common, url)
	case a2a.V01:
		return fmt.Sprintf(`{%s,"url":%q}`, common, url)
	default:
		return fmt.Sprintf(`{%s,"url":%q,"preferredTransport":"JSONRPC","protocolVersion":"%s.0"}`, common, url, m.dialect.Number())
	}
}

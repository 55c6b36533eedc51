package ui

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"parley/a2a"
)

// send takes a message, or refuses it.
func (c *turnsCall) send() {
	p := c.w.plan
	switch {
	case c.op == a2a.OpStream && p.is("refuses-stream"):
		c.stream = false
		c.fail(-32004, "UNSUPPORTED_OPERATION", "This agent does not stream", http.StatusBadRequest)
		return
	case p.is("invalid"):
		c.stream = false
		c.fail(-32602, "INVALID_PARAMS", "A message needs a colour", http.StatusBadRequest)
		return
	}
	c.w.mu.Lock()
	t := c.memory[c.task]
	again := t != nil
	if !again && (c.task == "" || p.way().Dialect == a2a.V01) {
		c.w.made++
		t = &turnsTask{id: c.task, context: "c-1", asks: p.is("asks") || p.is("asks-on")}
		if t.id == "" {
			t.id = "t-" + strconv.Itoa(c.w.made)
		}
		t.done = time.Now().Add(p.work())
		c.memory[t.id] = t
		c.w.began = append(c.w.began, turnsMark{c.text, time.Now()})
	}
	if again {
		t.asks = false
	}
	c.w.mu.Unlock()
	if t == nil {
		c.stream = false
		c.fail(-32001, "TASK_NOT_FOUND", "Task not found", http.StatusNotFound)
		return
	}
	switch {
	case p.is("error"):
		c.stream = false
		c.fail(-32603, "INTERNAL", "Internal error", http.StatusInternalServerError)
	case p.is("null"):
		c.answer("null")
	case p.is("empty"):
		c.head()
	case p.is("message"):
		c.answer(c.wrap("message", c.message()))
	case c.op == a2a.OpSend:
		if p.work() <= time.Second {
			c.rest(p.work())
		}
		c.answer(c.wrap("task", c.describe(t)))
	default:
		c.tell(t)
	}
}

// tell streams the course of a task.
func (c *turnsCall) tell(t *turnsTask) {
	p := c.w.plan
	c.answer(c.wrap("task", c.describe(t)))
	if p.is("cut") {
		panic(http.ErrAbortHandler)
	}
	if p.is("ends-early") {
		return
	}
	c.rest(time.Until(t.done))
	c.answer(c.status(t, t.state(p)))
	switch {
	case p.is("breaks-after"):
		panic(http.ErrAbortHandler)
	case p.is("two-finals"):
		c.answer(c.status(t, "failed"))
	case p.is("stays-open"), t.asks && p.is("asks-on"):
		c.hang()
	case p.is("endless"):
		for c.ctx.Err() == nil {
			c.rest(time.Second)
			c.answer(c.status(t, t.state(p)))
		}
	}
}

// look answers a request about a task.
func (c *turnsCall) look() {
	p := c.w.plan
	c.w.mu.Lock()
	t := c.memory[c.task]
	if t != nil && c.op == a2a.OpCancel {
		t.canceled = time.Now().Before(t.done) || t.asks
	}
	c.w.mu.Unlock()
	refuses := func(code int, reason, message string, status int) {
		c.stream = false
		c.fail(code, reason, message, status)
	}
	switch {
	case t == nil:
		refuses(-32001, "TASK_NOT_FOUND", "Task not found", http.StatusNotFound)
	case c.op == a2a.OpCancel && !t.canceled:
		refuses(-32002, "TASK_NOT_CANCELABLE", "Task cannot be canceled", http.StatusBadRequest)
	case c.op != a2a.OpSubscribe:
		c.answer(c.describe(t))
	case p.is("no-subscription"), t.state(p) != "working":
		refuses(-32004, "UNSUPPORTED_OPERATION", "No subscriptions", http.StatusBadRequest)
	case p.is("torn-subscription"):
		panic(http.ErrAbortHandler)
	case p.is("silent-subscription"):
		c.answer(c.wrap("task", c.describe(t)))
		c.hang()
	default:
		c.answer(c.wrap("task", c.describe(t)))
		c.rest(time.Until(t.done))
		c.answer(c.status(t, t.state(p)))
	}
}

// rest lets time pass, unless the client goes away. A restart closes the connection.
func (c *turnsCall) rest(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.ctx.Done():
	case <-c.gone:
		panic(http.ErrAbortHandler)
	}
}

// hang never answers.
func (c *turnsCall) hang() {
	for c.ctx.Err() == nil {
		c.rest(time.Hour)
	}
}

// work returns how long the agent works on a message.
func (p turnsPlan) work() time.Duration {
	switch {
	case p.is("a-second"):
		return time.Second
	case p.is("long"):
		return 20 * time.Second
	}
	return 0
}

// word returns a state as the dialect writes it.
func (c *turnsCall) word(state string) string {
	if c.w.plan.way().Dialect != a2a.V10 {
		return state
	}
	return map[string]string{
		"submitted": "TASK_STATE_SUBMITTED", "working": "TASK_STATE_WORKING", "completed": "TASK_STATE_COMPLETED",
		"failed": "TASK_STATE_FAILED", "canceled": "TASK_STATE_CANCELED", "input-required": "TASK_STATE_INPUT_REQUIRED",
	}[state]
}

func (c *turnsCall) parts(text string) string {
	member := map[a2a.DialectName]string{a2a.V03: `"kind":"text",`, a2a.V01: `"type":"text",`}[c.w.plan.way().Dialect]
	return `"parts":[{` + member + `"text":"` + text + `"}]`
}

func (c *turnsCall) message() string {
	switch c.w.plan.way().Dialect {
	case a2a.V10:
		return `{"messageId":"m-1","role":"ROLE_AGENT",` + c.parts("hello") + `}`
	case a2a.V03:
		return `{"kind":"message","messageId":"m-1","role":"agent",` + c.parts("hello") + `}`
	}
	return `{"role":"agent",` + c.parts("hello") + `}`
}

// describe returns a task as it is now.
func (c *turnsCall) describe(t *turnsTask) string {
	state, artifacts := t.state(c.w.plan), ""
	if state == "completed" {
		artifacts = map[a2a.DialectName]string{a2a.V10: `,"artifacts":[{"artifactId":"a",`, a2a.V03: `,"artifacts":[{"artifactId":"a",`, a2a.V01: `,"artifacts":[{"index":0,`}[c.w.plan.way().Dialect] + c.parts("booked") + `}]`
	}
	rest := `"status":{"state":"` + c.word(state) + `"}` + artifacts + `}`
	switch c.w.plan.way().Dialect {
	case a2a.V10:
		return fmt.Sprintf(`{"id":%q,"contextId":%q,`, t.id, t.context) + rest
	case a2a.V03:
		return fmt.Sprintf(`{"kind":"task","id":%q,"contextId":%q,`, t.id, t.context) + rest
	}
	return fmt.Sprintf(`{"id":%q,"sessionId":%q,`, t.id, t.context) + rest
}

// status returns an event about the state of a task.
func (c *turnsCall) status(t *turnsTask, state string) string {
	final := state != "working"
	switch c.w.plan.way().Dialect {
	case a2a.V10:
		return fmt.Sprintf(`{"statusUpdate":{"taskId":%q,"contextId":%q,"status":{"state":%q}}}`, t.id, t.context, c.word(state))
	case a2a.V03:
		return fmt.Sprintf(`{"kind":"status-update","taskId":%q,"contextId":%q,"status":{"state":%q},"final":%t}`, t.id, t.context, state, final)
	}
	return fmt.Sprintf(`{"id":%q,"status":{"state":%q},"final":%t}`, t.id, state, final)
}

// wrap returns a member as the answer to a message has it.
func (c *turnsCall) wrap(name, object string) string {
	if c.w.plan.way().Dialect == a2a.V10 {
		return `{"` + name + `":` + object + `}`
	}
	return object
}

// head begins a stream.
func (c *turnsCall) head() {
	if c.rw.Header().Get("Content-Type") != "" {
		return
	}
	kind := "application/json"
	if c.stream {
		kind = "text/event-stream"
	}
	c.rw.Header().Set("Content-Type", kind)
	c.rw.WriteHeader(http.StatusOK)
}

// answer sends a result, or an event of a stream. The agent restarts after so many of them as the plan says.
func (c *turnsCall) answer(result string) {
	c.w.mu.Lock()
	c.w.told++
	if c.w.plan[planRestart] > 0 && c.w.told == int(c.w.plan[planRestart]) {
		c.w.restart()
	}
	c.w.mu.Unlock()
	select {
	case <-c.gone:
		panic(http.ErrAbortHandler)
	default:
	}
	if c.w.plan.way().Binding != a2a.BindingREST {
		result = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, c.number(), result)
	}
	c.head()
	if c.stream {
		result = "data: " + result + "\n\n"
	}
	_, _ = io.WriteString(c.rw, result)
	_ = http.NewResponseController(c.rw).Flush()
}

func (c *turnsCall) number() json.RawMessage {
	if len(c.id) == 0 {
		return json.RawMessage("null")
	}
	return c.id
}

// restStatus are the words of statuses over HTTP+JSON.
var restStatus = map[int]string{http.StatusBadRequest: "INVALID_ARGUMENT", http.StatusNotFound: "NOT_FOUND", http.StatusInternalServerError: "INTERNAL"}

// fail sends an error.
func (c *turnsCall) fail(code int, reason, message string, status int) {
	c.rw.Header().Set("Content-Type", "application/json")
	if c.w.plan.way().Binding == a2a.BindingREST {
		c.rw.WriteHeader(status)
		fmt.Fprintf(c.rw, `{"error":{"code":%d,"status":%q,"message":%q,"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":%q,"domain":"a2a-protocol.org"}]}}`, status, restStatus[status], message, reason)
		return
	}
	fmt.Fprintf(c.rw, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, c.number(), code, message)
}

package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
)

// A player is an agent whose tasks go as their first message says, each time in the same way. It streams
// in two dialects, and its card may name another one than it speaks.
type player struct {
	*stub
	speaks a2a.DialectName

	mu    sync.Mutex // of what follows
	waits bool       // a task is worked on until the user does something
	tasks map[string]*playerTask
}

// A playerTask is a task of a player.
type playerTask struct {
	id, story, state string
	texts            []string      // of its artifact
	gets, answers    int           // so far
	canceled         chan struct{} // closed when the task is
}

// playedMethods are the methods of both dialects by those of 1.0.
var playedMethods = map[a2a.DialectName]map[string]string{
	a2a.V10: {"SendMessage": "SendMessage", "SendStreamingMessage": "SendStreamingMessage", "GetTask": "GetTask", "CancelTask": "CancelTask", "SubscribeToTask": "SubscribeToTask", "CreateTaskPushNotificationConfig": "CreateTaskPushNotificationConfig"},
	a2a.V03: {"message/send": "SendMessage", "message/stream": "SendStreamingMessage", "tasks/get": "GetTask", "tasks/cancel": "CancelTask", "tasks/resubscribe": "SubscribeToTask", "tasks/pushNotificationConfig/set": "CreateTaskPushNotificationConfig"},
}

// newPlayer starts an agent that speaks a dialect; its card says so, or names another one.
func newPlayer(t *testing.T, speaks, says a2a.DialectName) *player {
	t.Helper()
	p := &player{speaks: speaks, tasks: map[string]*playerTask{}}
	const common = `"description":"d","version":"1","capabilities":{"streaming":true,"pushNotifications":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"s","name":"s","description":"d","tags":["t"]}]}`
	card := `{"name":"Player","supportedInterfaces":[{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],` + common
	if says == a2a.V03 {
		card = `{"name":"Player","protocolVersion":"0.3.0","preferredTransport":"JSONRPC","url":"%s/rpc",` + common
	}
	p.stub = newStub(t, card, p.take)
	return p
}

// wait sets whether a task is worked on until the user does something.
func (p *player) wait(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waits = on
}

// take answers a request. Others wait meanwhile.
func (p *player) take(q *asked, w http.ResponseWriter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	method := playedMethods[p.speaks][q.Method]
	switch task := p.named(q); {
	case method == "":
		q.fail(w, -32601, "Method not found")
	case method == "SendStreamingMessage" || method == "SendMessage":
		p.play(q, w, p.message(q))
	case task == nil:
		q.fail(w, -32001, "Task not found")
	case method == "SubscribeToTask":
		p.goOn(q, w, task)
	case method == "CancelTask":
		task.state = "canceled"
		close(task.canceled)
		q.result(w, p.task(task))
	case method == "CreateTaskPushNotificationConfig":
		p.push(q, w, task)
	default:
		if task.gets++; task.gets > 1 && task.state == "working" && !p.waits {
			p.add(task, "one ", "two")
			task.state = "completed"
		}
		q.result(w, p.task(task))
	}
}

// named returns the task that a request names, nil for none.
func (p *player) named(q *asked) *playerTask {
	for _, key := range []string{"id", "taskId"} {
		if id, _ := q.Params[key].(string); p.tasks[id] != nil {
			return p.tasks[id]
		}
	}
	return nil
}

// message returns the task of a message, a new one if it names none.
func (p *player) message(q *asked) *playerTask {
	if id, _ := at(q.Params, "message", "taskId").(string); p.tasks[id] != nil {
		p.tasks[id].answers++
		return p.tasks[id]
	}
	text, _ := at(q.Params, "message", "parts", 0, "text").(string)
	task := &playerTask{id: fmt.Sprintf("t%d", len(p.tasks)+1), story: text, state: "working", canceled: make(chan struct{})}
	p.tasks[task.id] = task
	return task
}

// add adds to the artifact of a task.
func (p *player) add(task *playerTask, texts ...string) { task.texts = append(task.texts, texts...) }

// play answers a message with a stream.
func (p *player) play(q *asked, w http.ResponseWriter, task *playerTask) {
	switch task.story {
	case "error":
		q.fail(w, -32603, "no runner")
		return
	case "mute":
		w.Header().Set("Content-Type", "text/event-stream")
		return
	case "message":
		q.event(w, p.shape(`{"message":{"messageId":"m1","role":"ROLE_AGENT","parts":[{"text":"Hello."}]}}`, `{"kind":"message","messageId":"m1","role":"agent","parts":[{"kind":"text","text":"Hello."}]}`))
		return
	}
	if task.answers == 0 {
		q.event(w, p.wrapped(task))
	}
	switch task.story {
	case "cut":
		p.chunk(q, w, task, "one ")
		cut(w)
	case "cut at once":
		cut(w)
	case "poll", "push":
	case "ask", "ask twice":
		if task.state = "input-required"; task.answers == len(strings.Fields(task.story)) {
			p.chunk(q, w, task, "one ")
			task.state = "completed"
		}
		q.event(w, p.status(task))
	case "fail":
		p.end(q, w, task, "failed")
	case "reject":
		p.end(q, w, task, "rejected")
	case "cancel", "resume":
		if p.waits && !p.awaitUser(q, task) {
			return
		}
		if task.state == "working" {
			p.chunk(q, w, task, "one ")
			task.state = "completed"
		}
		q.event(w, p.status(task))
	default:
		p.chunk(q, w, task, "one ")
		p.chunk(q, w, task, "two")
		p.end(q, w, task, "completed")
	}
}

// awaitUser waits until the user cancels a task; it reports false if the user is gone.
func (p *player) awaitUser(q *asked, task *playerTask) bool {
	p.mu.Unlock()
	defer p.mu.Lock()
	select {
	case <-task.canceled:
		return true
	case <-q.req.Context().Done():
		return false
	}
}

// goOn answers a subscription with the rest of a task.
func (p *player) goOn(q *asked, w http.ResponseWriter, task *playerTask) {
	if !strings.HasPrefix(task.story, "cut") && task.story != "resume" {
		q.fail(w, -32004, "no streams of tasks")
		return
	}
	q.event(w, p.wrapped(task))
	p.chunk(q, w, task, "two")
	p.end(q, w, task, "completed")
}

// push ends a task, and tells the webhook.
func (p *player) push(q *asked, w http.ResponseWriter, task *playerTask) {
	at := func(names ...string) string {
		config := q.Params
		if inner, ok := config["pushNotificationConfig"].(map[string]any); ok {
			config = inner
		}
		for _, name := range names {
			if text, ok := config[name].(string); ok {
				return text
			}
		}
		return ""
	}
	url, token := at("url"), at("token")
	raw, _ := json.Marshal(q.Params) // it was decoded
	q.result(w, string(raw))
	p.add(task, "one ", "two")
	task.state = "completed"
	body := p.wrapped(task)
	go func() {
		req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
		if err != nil { // the task never ends then
			return
		}
		req.Header.Set("Content-Type", p.shape("application/a2a+json", "application/json"))
		req.Header.Set("X-A2A-Notification-Token", token)
		if answer, err := http.DefaultClient.Do(req); err == nil {
			answer.Body.Close()
		}
	}()
}

// chunk sends a piece of a task's artifact.
func (p *player) chunk(q *asked, w http.ResponseWriter, task *playerTask, text string) {
	more := len(task.texts) > 0
	p.add(task, text)
	q.event(w, p.shape(
		fmt.Sprintf(`{"artifactUpdate":{"taskId":%q,"contextId":"c-%s","append":%t,"lastChunk":%t,"artifact":{"artifactId":"a","parts":[{"text":%q}]}}}`, task.id, task.id, more, more, text),
		fmt.Sprintf(`{"kind":"artifact-update","taskId":%q,"contextId":"c-%s","append":%t,"lastChunk":%t,"artifact":{"artifactId":"a","parts":[{"kind":"text","text":%q}]}}`, task.id, task.id, more, more, text)))
}

// end sends the last status of a task.
func (p *player) end(q *asked, w http.ResponseWriter, task *playerTask, state string) {
	task.state = state
	q.event(w, p.status(task))
}

// shape returns what a dialect has.
func (p *player) shape(v10, v03 string) string {
	if p.speaks == a2a.V03 {
		return v03
	}
	return v10
}

// word returns the name of a state.
func (p *player) word(state string) string {
	return p.shape("TASK_STATE_"+strings.ToUpper(strings.ReplaceAll(state, "-", "_")), state)
}

func (p *player) status(task *playerTask) string {
	return p.shape(
		fmt.Sprintf(`{"statusUpdate":{"taskId":%q,"contextId":"c-%s","status":{"state":%q}}}`, task.id, task.id, p.word(task.state)),
		fmt.Sprintf(`{"kind":"status-update","taskId":%q,"contextId":"c-%s","status":{"state":%q},"final":%t}`, task.id, task.id, p.word(task.state), task.state != "working"))
}

func (p *player) task(task *playerTask) string {
	artifacts := ""
	if len(task.texts) > 0 {
		artifacts = fmt.Sprintf(`,"artifacts":[{"artifactId":"a","parts":[%s%q}]}]`, p.shape(`{"text":`, `{"kind":"text","text":`), strings.Join(task.texts, ""))
	}
	return fmt.Sprintf(`{%s"id":%q,"contextId":"c-%s","status":{"state":%q}%s}`, p.shape("", `"kind":"task",`), task.id, task.id, p.word(task.state), artifacts)
}

// wrapped returns a task as the answer to a message.
func (p *player) wrapped(task *playerTask) string {
	return p.shape(`{"task":`+p.task(task)+`}`, p.task(task))
}

package mesh

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/eclipse/paho.golang/paho"

	"parley/a2a"
)

// frameOf returns a message as a frame: user properties are its header, with what the packet says
// of its delivery under names that no property of a mesh has.
func frameOf(p *paho.Publish) a2a.Frame {
	f := a2a.Frame{Bytes: p.Payload, Size: len(p.Payload), Path: p.Topic, Header: http.Header{}}
	if p.Properties != nil {
		for _, u := range p.Properties.User {
			f.Header[u.Key] = append(f.Header[u.Key], u.Value)
			f.Order = append(f.Order, u.Key)
		}
		if slices.IsSorted(f.Order) {
			f.Order = nil
		}
	}
	f.Header[":qos"] = []string{string('0' + rune(p.QoS&3))}
	if p.Duplicate() {
		f.Header[":dup"] = []string{"1"}
	}
	if p.Retain {
		f.Header[":retain"] = []string{"1"}
	}
	return f
}

// A message is what a gateway reads of a payload: whom it concerns, and whether it is the last.
type message struct {
	id     string // of the JSON-RPC request
	task   string // that the result names, empty if none
	failed bool   // an error
	whole  bool   // a task or a message, as the last answer has it
	method string // of a request
	target string // the task that a request is about
}

// about returns the task that a message is about.
func (m *message) about() string {
	if m.id != "" {
		return m.id
	}
	return m.task
}

// names reports whether a message can be about a task: it names that one, or none. Members of
// both spellings are read, and a broken payload names none.
func (m *message) names(task string) bool {
	return (m.id == "" || m.id == task || m.task == task) && (m.task == "" || m.task == task || m.id == task)
}

// A result is what is read of the result of an answer, in the spellings of all wires.
type result struct {
	Kind    string          `json:"kind"`
	ID      any             `json:"id"`
	TaskID  any             `json:"taskId"`
	Snake   any             `json:"task_id"`
	Status  json.RawMessage `json:"status"`
	Role    string          `json:"role"`
	Final   *bool           `json:"final"`
	Task    *result         `json:"task"`
	Message *result         `json:"message"`
}

// read reads a payload. One that is no JSON gives the zero value.
func read(payload []byte) message {
	var body struct {
		ID     any             `json:"id"`
		Method string          `json:"method"`
		Error  json.RawMessage `json:"error"`
		Result json.RawMessage `json:"result"`
		Params struct {
			ID any `json:"id"`
		} `json:"params"`
	}
	if json.Unmarshal(payload, &body) != nil && body.ID == nil {
		return message{}
	}
	m := message{id: text(body.ID), method: body.Method, target: text(body.Params.ID)}
	m.failed = len(body.Error) > 0 && string(body.Error) != "null"
	var r result
	if len(body.Result) == 0 || json.Unmarshal(body.Result, &r) != nil {
		return m
	}
	switch {
	case r.Task != nil:
		m.task, m.whole = text(r.Task.ID), true
	case r.Kind == "task" || r.Kind == "" && r.Final == nil && len(r.Status) > 0 && text(r.ID) != "" && text(r.TaskID)+text(r.Snake) == "":
		m.task, m.whole = text(r.ID), true
	case r.Kind == "message" || r.Kind == "" && r.Role != "" || r.Message != nil:
		m.task, m.whole = text(r.TaskID)+text(r.Snake), true
	default:
		m.task = text(r.TaskID)
		if m.task == "" {
			m.task = text(r.Snake)
		}
		if m.task == "" { // updates before 0.2 have it as their id
			m.task = text(r.ID)
		}
	}
	return m
}

// text returns a JSON string, empty for any other value.
func text(v any) string {
	s, _ := v.(string)
	return s
}

package demo

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// wrongMembers are members of a message with values that no dialect allows; nil removes a member.
func wrongMembers() map[string][]any {
	return map[string][]any{
		"messageId": {nil, 17.0, true, "", []any{"m"}, map[string]any{}},
		"role":      {nil, 1.0, "", "ROLE_UNSPECIFIED", "captain", []any{"user"}, map[string]any{}, "\u001b[31muser"},
		"parts":     {nil, []any{}, "text", 5.0, map[string]any{"text": "x"}, []any{"x"}, []any{nil}, []any{map[string]any{}}, []any{map[string]any{"text": 5.0}}, []any{[]any{}}},
		"taskId":    {17.0, []any{}, map[string]any{}},
		"contextId": {17.0, []any{}, map[string]any{}},
	}
}

// A message that lacks its id, role or parts, or has a wrong value there, is refused by every
// agent, with and without a stream, and begins no task.
func TestAnInvalidMessageIsRefused(t *testing.T) {
	for name, p := range meet(t) {
		for member, list := range wrongMembers() {
			if name == "Old Clerk" && member != "role" && member != "parts" {
				continue // 0.1 has no such members
			}
			for _, value := range list {
				p.refuses(t, p.changed(t, func(params map[string]any) { put(params["message"].(map[string]any), member, value) }), "params.message."+member)
			}
		}
		for _, value := range []any{nil, 17.0, "Hello", []any{}} {
			p.refuses(t, p.changed(t, func(params map[string]any) { put(params, "message", value) }), "params.message")
		}
		if name == "Old Clerk" {
			p.refuses(t, p.changed(t, func(params map[string]any) { put(params, "id", nil) }), "params.id")
		}
		for _, method := range []string{p.words.get, p.words.cancel, p.words.subscribe} {
			p.refusesCall(t, method, `{}`, "params.id")
		}
		if tasks, _ := p.tasks(); len(tasks) > 0 {
			t.Errorf("%s: got tasks %v, want none after what was refused", name, tasks)
		}
		if got := p.call(p.words.send, p.changed(t, func(map[string]any) {})); got.result == nil {
			t.Errorf("%s: got %s, want an answer to a valid message", name, got.raw)
		}
	}
}

// changed returns the parameters of a valid message after a change.
func (p *peer) changed(t *testing.T, change func(params map[string]any)) string {
	t.Helper()
	var params map[string]any
	if err := json.Unmarshal([]byte(p.say("Hello", "mine")), &params); err != nil {
		t.Fatal(err)
	}
	if m := params["message"].(map[string]any); p.name != "Old Clerk" {
		delete(m, "taskId")
	}
	change(params)
	raw, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// tasks returns the tasks that an agent lists, none if it lists none.
func (p *peer) tasks() (tasks []any, lists bool) {
	p.t.Helper()
	tasks, lists = p.call("ListTasks", `{}`).result["tasks"].([]any)
	return tasks, lists
}

// put sets a member, or removes it if the value is nil.
func put(members map[string]any, name string, value any) {
	if members[name] = value; value == nil {
		delete(members, name)
	}
}

// refuses checks that both methods that send refuse the parameters, and name the member.
func (p *peer) refuses(t *testing.T, params, member string) {
	t.Helper()
	for _, method := range []string{p.words.send, p.words.stream} {
		p.refusesCall(t, method, params, member)
	}
}

func (p *peer) refusesCall(t *testing.T, method, params, member string) {
	t.Helper()
	resp := p.post(method, params)
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		ID     any
		Result any
		Error  struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal(body, &got); err != nil || got.ID != "q-1" || got.Result != nil || got.Error.Code != -32602 || !strings.Contains(got.Error.Message, member) {
		t.Errorf("%s: %s %s: got %d %s, want the error -32602 about %s", p.name, method, params, resp.StatusCode, body, member)
	}
}

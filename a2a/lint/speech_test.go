package lint

import (
	"fmt"
	"strings"

	"parley/a2a"
)

// The following functions write the requests and answers of the cases in their simplest valid
// form.

// sends is a request with a message; more are further members of the message.
func sends(d a2a.DialectName, more ...string) step {
	method, params := "SendStreamingMessage", `{"message":`+message(d, "user", more...)+`}`
	switch d {
	case a2a.V01:
		method, params = "tasks/sendSubscribe", `{"id":"t","message":`+message(d, "user", more...)+`}`
	case a2a.V02, a2a.V03:
		method = "message/stream"
	case a2a.V10REST:
		return asked("POST https://agent.example/a2a/message:stream\nA2A-Version: 1.0\nContent-Type: application/a2a+json\n\n" + params)
	case a2a.V03REST:
		return asked("POST https://agent.example/a2a/v1/message:stream\n\n" + params)
	}
	body := `{"jsonrpc":"2.0","id":"1","method":"` + method + `","params":` + params + `}`
	if d == a2a.V10 {
		return asked("POST https://agent.example/a2a\nA2A-Version: 1.0\n\n" + body)
	}
	return asked(body)
}

// message is a message with a text; members in more come first and replace members of the same
// name.
func message(d a2a.DialectName, role string, more ...string) string {
	members := []string{`"messageId":"` + role + `-m"`, `"role":"` + roleOf(d, role) + `"`, `"parts":[` + part(d) + `]`}
	switch d {
	case a2a.V02, a2a.V03:
		members = append(members, `"kind":"message"`)
	case a2a.V10, a2a.V10REST:
		if role == "agent" {
			members = append(members, `"contextId":"c"`)
		}
	}
	return object(members, more)
}

func roleOf(d a2a.DialectName, role string) string {
	if d == a2a.V10 || d == a2a.V10REST || d == a2a.V03REST {
		return "ROLE_" + strings.ToUpper(role)
	}
	return role
}

// part is a text part.
func part(d a2a.DialectName) string {
	switch d {
	case a2a.V01:
		return `{"type":"text","text":"hello"}`
	case a2a.V02, a2a.V03:
		return `{"kind":"text","text":"hello"}`
	default:
		return `{"text":"hello"}`
	}
}

// object joins members; a member in more replaces one of the same name, or removes it if it has
// no value.
func object(members, more []string) string {
	name := func(m string) string { n, _, _ := strings.Cut(m, ":"); return n }
	var out []string
	for _, m := range more {
		if strings.HasSuffix(m, ":") {
			continue
		}
		out = append(out, m)
	}
	for _, m := range members {
		replaced := false
		for _, o := range more {
			replaced = replaced || name(o) == name(m)
		}
		if !replaced {
			out = append(out, m)
		}
	}
	return "{" + strings.Join(out, ",") + "}"
}

// result is a JSON-RPC response, over HTTP+JSON its result alone.
func result(d a2a.DialectName, body string) string {
	if d == a2a.V10REST || d == a2a.V03REST {
		return body
	}
	return `{"jsonrpc":"2.0","id":"1","result":` + body + `}`
}

// wrapped puts an object into the wrapper of 1.0 if the dialect has one.
func wrapped(d a2a.DialectName, name, body string) string {
	if d == a2a.V10 || d == a2a.V10REST || d == a2a.V03REST {
		body = `{"` + name + `":` + body + `}`
	}
	return result(d, body)
}

// aTask is a task without envelope.
func aTask(d a2a.DialectName, state string, more ...string) string {
	members := []string{`"id":"t"`, `"contextId":"c"`, `"status":` + aStatus(d, state)}
	switch d {
	case a2a.V01:
		members[1] = `"sessionId":"c"`
	case a2a.V02, a2a.V03:
		members = append(members, `"kind":"task"`)
	}
	return object(members, more)
}

// aStatus has a message if the state requires one.
func aStatus(d a2a.DialectName, state string, more ...string) string {
	s := a2a.ParseState(state)
	members := []string{`"state":"` + a2a.Word(s, d) + `"`, `"timestamp":"2026-03-01T11:59:00Z"`}
	if s.Interrupted() || s == a2a.StateFailed || s == a2a.StateRejected {
		members = append(members, `"message":`+message(d, "agent"))
	}
	return object(members, more)
}

func task(d a2a.DialectName, state string, more ...string) string {
	return wrapped(d, "task", aTask(d, state, more...))
}

// update is a status update; more are further members of the event.
func update(d a2a.DialectName, state string, more ...string) string {
	members := []string{`"taskId":"t"`, `"contextId":"c"`, `"status":` + aStatus(d, state)}
	s := a2a.ParseState(state)
	final := fmt.Sprintf(`"final":%v`, s.Terminal() || s.Interrupted())
	switch d {
	case a2a.V01:
		members = []string{`"id":"t"`, members[2], final}
	case a2a.V02, a2a.V03:
		members = append(members, `"kind":"status-update"`, final)
	case a2a.V03REST:
		members = append(members, final)
	}
	return wrapped(d, "statusUpdate", object(members, more))
}

// chunk is an artifact update; marks are append and lastChunk, more are members of the
// artifact.
func chunk(d a2a.DialectName, marks string, more ...string) string {
	inside := []string{`"artifactId":"a"`, `"parts":[` + part(d) + `]`}
	members := []string{`"taskId":"t"`, `"contextId":"c"`}
	switch d {
	case a2a.V01:
		inside[0], members = `"index":0`, []string{`"id":"t"`}
		if marks != "" {
			inside = append(inside, marks)
		}
	case a2a.V02, a2a.V03:
		members = append(members, `"kind":"artifact-update"`)
	}
	if marks != "" && d != a2a.V01 {
		members = append(members, marks)
	}
	return wrapped(d, "artifactUpdate", object(append(members, `"artifact":`+object(inside, more)), nil))
}

// text is a list of one text part of the dialect.
func text(d a2a.DialectName, words string) string {
	return `"parts":[` + strings.Replace(part(d), `"hello"`, `"`+words+`"`, 1) + `]`
}

// frames is the head of a stream with its frames.
func frames(data ...string) step {
	return func(s *script) {
		headed(200, "Content-Type: text/event-stream", "Cache-Control: no-cache")(s)
		for _, d := range data {
			framed(d)(s)
		}
	}
}

// streams is a whole stream in answer to a message.
func streams(d a2a.DialectName, data ...string) []step {
	return []step{sends(d), frames(data...), ended(a2a.Ended)}
}

// answers is a whole body in answer to a message.
func answers(d a2a.DialectName, body string) []step {
	return []step{sends(d), headed(200, "Content-Type: application/json"), answered(body), ended(a2a.Ended)}
}

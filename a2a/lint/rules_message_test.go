package lint

import "parley/a2a"

// withPart is an answer that is a message of the agent with one part.
func withPart(d a2a.DialectName, part string) []step {
	return answers(d, wrapped(d, "message", message(d, "agent", `"parts":[`+part+`]`)))
}

// withMessage is an answer that is a message of the agent.
func withMessage(d a2a.DialectName, more ...string) []step {
	return answers(d, wrapped(d, "message", message(d, "agent", more...)))
}

var messageCases = []ruleCase{
	{
		rule: "MSG-001", call: on(a2a.V10, a2a.OpStream), at: "/params/message",
		fires:  []step{sends(a2a.V10, `"parts":[]`)},
		silent: []step{sends(a2a.V10)},
	},
	{
		rule: "MSG-001", call: on(a2a.V03, a2a.OpSend), at: "/result",
		fires:  withMessage(a2a.V03, `"parts":[]`),
		silent: withMessage(a2a.V03),
	},
	{
		rule: "MSG-002", call: on(a2a.V10, a2a.OpSend), at: "/result/message/role",
		fires:  withMessage(a2a.V10, `"role":"agent"`),
		silent: withMessage(a2a.V10),
	},
	{
		rule: "MSG-002", call: on(a2a.V03, a2a.OpStream), at: "/params/message/role",
		fires:  []step{sends(a2a.V03, `"role":"ROLE_USER"`)},
		silent: []step{sends(a2a.V03)},
	},
	{
		rule: "MSG-002", call: on(a2a.V10, a2a.OpStream), at: "/params/message",
		fires:  []step{sends(a2a.V10, `"role":`)},
		silent: []step{sends(a2a.V10)},
	},
	{
		rule: "MSG-002", call: on(a2a.V03REST, a2a.OpStream), at: "/message/role",
		fires:  []step{sends(a2a.V03REST, `"role":"Role_User"`)},
		silent: []step{sends(a2a.V03REST), sends(a2a.V03REST, `"role":"user"`)},
	},
	{
		rule: "MSG-003", call: on(a2a.V03, a2a.OpStream), at: "/params/message",
		fires:  []step{sends(a2a.V03, `"messageId":`)},
		silent: []step{sends(a2a.V03), sends(a2a.V03)}, // the same one again
	},
	{
		rule: "MSG-003", call: on(a2a.V03, a2a.OpStream), at: "/params/message/messageId",
		fires:  []step{sends(a2a.V03), sends(a2a.V03, text(a2a.V03, "something else"))},
		silent: []step{sends(a2a.V03), sends(a2a.V03, `"messageId":"other"`, text(a2a.V03, "something else"))},
	},
	{
		rule: "MSG-003", call: on(a2a.V03, a2a.OpSend), at: "/result/messageId",
		fires: withMessage(a2a.V03, `"messageId":"user-m"`), // that of the question
		silent: answers(a2a.V03, task(a2a.V03, "completed",
			`"history":[`+message(a2a.V03, "user")+`,`+message(a2a.V03, "agent")+`]`)),
	},
	{
		rule: "MSG-004", call: on(a2a.V03, a2a.OpSend), at: "/result",
		fires:  withMessage(a2a.V03, `"kind":`),
		silent: withMessage(a2a.V03),
	},
	{
		rule: "MSG-004", call: on(a2a.V10, a2a.OpSend), at: "/result/message/kind",
		fires:  withMessage(a2a.V10, `"kind":"message"`),
		silent: withMessage(a2a.V10),
	},
	{
		rule: "MSG-004", call: on(a2a.V02, a2a.OpSend), at: "/result/status/message/kind",
		fires: answers(a2a.V02, task(a2a.V02, "failed",
			`"status":`+aStatus(a2a.V02, "failed", `"message":`+message(a2a.V02, "agent", `"kind":"Message"`)))),
		silent: answers(a2a.V02, task(a2a.V02, "failed")),
	},
	{
		rule: "MSG-005", call: on(a2a.V03, a2a.OpSend), at: "/params/messageId",
		fires: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"message/send","params":{"message":` + message(a2a.V03, "user") +
			`,"messageId":"m"}}`)},
		silent: []step{sends(a2a.V03)},
	},
	{
		rule: "MSG-006", call: on(a2a.V10, a2a.OpSend), at: "/result/message/role",
		fires: withMessage(a2a.V10, `"role":"ROLE_USER"`),
		silent: answers(a2a.V10, task(a2a.V10, "completed",
			`"history":[`+message(a2a.V10, "user")+`]`)),
	},
	{
		rule: "MSG-006", call: on(a2a.V01, a2a.OpStream), at: "/params/message/role",
		fires:  []step{sends(a2a.V01, `"role":"agent"`)},
		silent: []step{sends(a2a.V01)},
	},
	{
		rule: "MSG-007", call: on(a2a.V10, a2a.OpStream), at: "/params/message/contextId",
		fires: append(streams(a2a.V10, task(a2a.V10, "input-required")),
			sends(a2a.V10, `"taskId":"t"`, `"contextId":"other"`)),
		silent: append(streams(a2a.V10, task(a2a.V10, "input-required")),
			sends(a2a.V10, `"taskId":"t"`, `"contextId":"c"`)),
	},
	{
		rule: "MSG-007", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/status/message/taskId",
		fires: streams(a2a.V10, task(a2a.V10, "working"), update(a2a.V10, "working",
			`"status":`+aStatus(a2a.V10, "working", `"message":`+message(a2a.V10, "agent", `"taskId":"other"`)))),
		silent: streams(a2a.V10, task(a2a.V10, "working"), update(a2a.V10, "working",
			`"status":`+aStatus(a2a.V10, "working", `"message":`+message(a2a.V10, "agent", `"taskId":"t"`)))),
	},
	{
		rule: "MSG-007", call: on(a2a.V03, a2a.OpStream), at: "/result/status/message/contextId",
		fires: streams(a2a.V03, task(a2a.V03, "working"), update(a2a.V03, "working",
			`"status":`+aStatus(a2a.V03, "working", `"message":`+message(a2a.V03, "agent", `"contextId":"other"`)))),
		silent: streams(a2a.V03, task(a2a.V03, "working", `"history":[`+message(a2a.V03, "agent", `"contextId":"other"`)+`]`)),
	},
	{
		rule: "MSG-003", call: on(a2a.V03, a2a.OpSend), at: "/result/status/message/messageId",
		fires: append(answers(a2a.V03, task(a2a.V03, "failed")),
			answers(a2a.V03, task(a2a.V03, "failed", `"id":"u"`))...),
		silent: append(answers(a2a.V03, task(a2a.V03, "failed")), answers(a2a.V03, task(a2a.V03, "failed"))...),
	},
	{
		rule: "MSG-008", call: on(a2a.V10, a2a.OpSend), at: "/result/message",
		fires:  withMessage(a2a.V10, `"contextId":`),
		silent: withMessage(a2a.V10),
	},
	{
		rule: "MSG-009", call: on(a2a.V10, a2a.OpSend), at: "/result/message/extensions/1",
		fires: append([]step{asked("POST https://agent.example/a2a\nA2A-Extensions: urn:a, urn:b\n\n" +
			`{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":` + message(a2a.V10, "user") + `}}`)},
			answered(wrapped(a2a.V10, "message", message(a2a.V10, "agent", `"extensions":["urn:b","urn:c"]`)))),
		silent: append([]step{asked("POST https://agent.example/a2a\nA2A-Extensions: urn:a, urn:b\n\n" +
			`{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":` + message(a2a.V10, "user") + `}}`)},
			answered(wrapped(a2a.V10, "message", message(a2a.V10, "agent", `"extensions":["urn:b","urn:a"]`)))),
	},
}

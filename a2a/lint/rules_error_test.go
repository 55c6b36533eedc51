package lint

import (
	"testing"

	"parley/a2a"
)

// failed is an answer with an error.
func failed(e string) step { return answered(`{"jsonrpc":"2.0","id":"1","error":` + e + `}`) }

var errorCases = []ruleCase{
	{
		rule: "ERR-001", call: on(a2a.V03, a2a.OpGet), at: "/error/code",
		fires:  []step{asked(get03), headed(200, isJSON), failed(`{"code":-32500,"message":"no"}`)},
		silent: []step{asked(get03), headed(200, isJSON), failed(`{"code":-32050,"message":"no"}`), failed(`{"code":-32601,"message":"Method not found"}`)},
	},
	{
		rule: "ERR-002", call: on(a2a.V03, a2a.OpGet), at: "/error/message",
		fires:  []step{asked(get03), headed(200, isJSON), failed(`{"code":-32603,"message":"Method not found: tasks/get"}`)},
		silent: []step{asked(get03), headed(200, isJSON), failed(`{"code":-32601,"message":"Method not found"}`), failed(`{"code":-32603,"message":"the model is away"}`)},
	},
	{
		rule: "ERR-003", call: on(a2a.V10, a2a.OpGet), at: "/error/data",
		fires: []step{asked(get10), headed(200, isJSON), failed(`{"code":-32603,"message":"no","data":{"why":"no"}}`)},
		silent: []step{asked(get10), headed(200, isJSON), failed(`{"code":-32603,"message":"no"}`),
			failed(`{"code":-32001,"message":"no","data":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND","domain":"a2a-protocol.org"}]}`)},
	},
	{
		rule: "ERR-003", call: on(a2a.V10, a2a.OpGet), at: "/error/data/0/domain",
		fires:  []step{asked(get10), headed(200, isJSON), failed(`{"code":-32001,"message":"no","data":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND","domain":"example.com"}]}`)},
		silent: []step{asked(get10), headed(200, isJSON), failed(`{"code":-32603,"message":"no","data":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"QUOTA","domain":"example.com"}]}`)},
	},
	{
		rule: "ERR-004", call: on(a2a.V03, a2a.OpGet), at: "/error/code",
		fires:  []step{asked(get03), headed(200, isJSON), failed(`{"code":-32008,"message":"no"}`)},
		silent: []step{asked(get03), headed(200, isJSON), failed(`{"code":-32007,"message":"no"}`)},
	},
	{
		rule: "ERR-005", call: on(a2a.V03, a2a.OpGet), at: "/error/code",
		fires:  []step{asked(get03), headed(200, isJSON), failed(`{"code":-32603,"message":"Task t not found"}`)},
		silent: []step{asked(get03), headed(200, isJSON), failed(`{"code":-32001,"message":"Task not found"}`), failed(`{"code":-32601,"message":"Method tasks/get not found"}`)},
	},
	{
		rule: "ERR-005", call: on(a2a.V10, a2a.OpGet), at: "/error/code",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":"1","method":"GetTask","params":{"id":"t"}}`), headed(200, isJSON), failed(`{"code":-32602,"message":"Task not found"}`)},
		silent: []step{fetched, headed(200, isJSON), answered(card10), ended(a2a.Ended), under(func(c *a2a.Call) { *c = on(a2a.V10, a2a.OpGet) }), asked(`{"jsonrpc":"2.0","id":"1","method":"GetTask","params":{"id":"t"}}`), headed(200, isJSON), failed(`{"code":-32601,"message":"Method not found: GetTask"}`)},
	},
	{
		rule: "ERR-005", call: on(a2a.V03REST, a2a.OpGet), at: "",
		fires:  []step{asked("GET https://agent.example/v1/tasks/t\n\n"), headed(500, isJSON), answered(`{"message":"Task not found"}`)},
		silent: []step{asked("GET https://agent.example/v1/tasks/t\n\n"), headed(404, isJSON), answered(`{"message":"Task not found"}`)},
	},
	{
		rule: "ERR-005", call: on(a2a.V10REST, a2a.OpGet), at: "/error",
		fires:  []step{asked(""), headed(400, isJSON), answered(`{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"task not found"}}`)},
		silent: []step{asked(""), headed(404, isJSON), answered(status10("404", "TASK_NOT_FOUND"))},
	},
	{
		rule: "ERR-006", call: on(a2a.V10REST, a2a.OpCancel), at: "/error/code",
		fires:  []step{asked(""), headed(404, isJSON), answered(status10("400", "TASK_NOT_FOUND"))},
		silent: []step{asked(""), headed(404, isJSON), answered(status10("404", "TASK_NOT_FOUND"))},
	},
	{
		rule: "ERR-006", call: on(a2a.V10REST, a2a.OpCancel), at: "",
		fires:  []step{asked(""), headed(404, isJSON), answered(`{"message":"Task not found"}`)},
		silent: []step{asked(""), headed(500, isJSON), answered(`{"error":{"code":500,"status":"INTERNAL","message":"no"}}`)},
	},
	{
		rule: "ERR-007", call: on(a2a.V03, a2a.OpGet), at: "/error/message",
		fires:  []step{asked(get03), headed(200, isJSON), failed(`{"code":-32603,"message":"open /home/agent/key.pem: no such file"}`)},
		silent: []step{asked(get03), headed(200, isJSON), failed(`{"code":-32603,"message":"see https://agent.example/home/help"}`)},
	},
	{
		rule: "ERR-007", call: on(a2a.V03, a2a.OpGet), at: "/error/data",
		fires:  []step{asked(get03), headed(200, isJSON), failed(`{"code":-32603,"message":"no","data":"Traceback (most recent call last):\n  File"}`)},
		silent: []step{asked(get03), headed(200, isJSON), failed(`{"code":-32603,"message":"no","data":"the printer is at home"}`)},
	},
}

func TestCodesOutsideOfTheReservedRangeAreOnlyMentioned(t *testing.T) {
	found := play(on(a2a.V03, a2a.OpGet), asked(get03), headed(200, isJSON), failed(`{"code":-31401,"message":"who are you?"}`)).of("ERR-001")
	if len(found) != 1 || found[0].Severity != a2a.Info {
		t.Errorf("got findings %v, want one of severity info", found)
	}
}

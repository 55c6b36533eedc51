package lint

import (
	"strings"

	"parley/a2a"
)

// Good requests and answers that many cases need.
const (
	get03 = `{"jsonrpc":"2.0","id":"1","method":"tasks/get","params":{"id":"t"}}`
	get10 = `{"jsonrpc":"2.0","id":"1","method":"GetTask","params":{"id":"t"}}`
	task0 = `{"jsonrpc":"2.0","id":"1","result":{"kind":"task","id":"t","contextId":"c","status":{"state":"working"}}}`
)

var envelopeCases = []ruleCase{
	{
		rule: "ENV-001", call: on(a2a.V03, a2a.OpGet), at: "/jsonrpc",
		fires:  []step{asked(`{"jsonrpc":"1.0","id":"1","method":"tasks/get","params":{"id":"t"}}`)},
		silent: []step{asked(get03), headed(200), answered(task0)},
	},
	{
		rule: "ENV-002", call: on(a2a.V03, a2a.OpGet), at: "",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":"1","method":"tasks/get","params":{"id":"t", /* which? */}}`)},
		silent: []step{asked(get03)},
	},
	{
		rule: "ENV-002", call: on(a2a.V03, a2a.OpGet), at: "",
		fires:  []step{asked("POST http://localhost/\n\n\xEF\xBB\xBF" + get03)},
		silent: []step{asked("GET http://localhost/\n\n")},
	},
	{
		rule: "ENV-014", call: on(a2a.V03, a2a.OpGet), at: "",
		fires:  []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`)},
		silent: []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + `}`)},
	},
	{
		rule: "ENV-002", call: on(a2a.V03, a2a.OpGet), at: "",
		fires:  []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":{},}`)},
		silent: []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`)},
	},
	{
		rule: "ENV-003", call: on(a2a.V03, a2a.OpGet), at: "/id",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":null,"method":"tasks/get","params":{"id":"t"}}`)},
		silent: []step{asked(get03)},
	},
	{
		rule: "ENV-003", call: on(a2a.V10, a2a.OpGet), at: "",
		fires:  []step{asked(`{"jsonrpc":"2.0","method":"GetTask","params":{"id":"t"}}`)},
		silent: []step{asked(get10)},
	},
	{
		rule: "ENV-004", call: on(a2a.V03, a2a.OpGet), at: "/id",
		fires:  []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"t","contextId":"c","status":{"state":"working"}}}`)},
		silent: []step{asked(get03), headed(200), answered(task0)},
	},
	{
		rule: "ENV-005", call: on(a2a.V03, a2a.OpGet), at: "/error",
		fires:  []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":{"id":"t"},"error":{"code":-32603,"message":"no"}}`)},
		silent: []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","error":{"code":-32603,"message":"no"}}`), answered(task0)},
	},
	{
		rule: "ENV-006", call: on(a2a.V03, a2a.OpGet), at: "/result",
		fires:  []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":null,"error":{"code":-32603,"message":"no"}}`)},
		silent: []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","error":{"code":-32603,"message":"no"}}`)},
	},
	{
		rule: "ENV-007", call: on(a2a.V03, a2a.OpGet), at: "/error/message",
		fires:  []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","error":{"code":-32603,"message":{"en":"no"}}}`)},
		silent: []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","error":{"code":-32603,"message":"no"}}`)},
	},
	{
		rule: "ENV-007", call: on(a2a.V03, a2a.OpGet), at: "/error",
		fires:  []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","error":"no"}`)},
		silent: []step{asked(get03), headed(500), answered(`{"error":"no"}`)},
	},
	{
		rule: "ENV-008", call: on(a2a.V03, a2a.OpGet), at: "/params/id",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":"1","method":"tasks/get","params":{"id":"t","id":"u"}}`)},
		silent: []step{asked(get03)},
	},
	{
		rule: "ENV-009", call: on(a2a.V03, a2a.OpGet), at: "/params/id",
		fires:  []step{asked("{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"tasks/get\",\"params\":{\"id\":\"\xff\"}}")},
		silent: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"tasks/get","params":{"id":"\ud83d\ude00"}}`)},
	},
	{
		rule: "ENV-010", call: on(a2a.V03, a2a.OpGet), at: "",
		fires:  []step{asked("[" + get03 + "]")},
		silent: []step{asked(get03)},
	},
	{
		rule: "ENV-010", call: on(a2a.V03, a2a.OpGet), at: "",
		fires:  []step{asked(get03 + get03)},
		silent: []step{asked(get03 + "\n")},
	},
	{
		rule: "ENV-011", call: on(a2a.V03, a2a.OpGet), at: "/id",
		fires:  []step{asked(get03), headed(200), answered(task0), ended(a2a.Ended), asked(get03)},
		silent: []step{asked(get03), headed(308), ended(a2a.Ended), asked(get03)}, // a redirect is followed
	},
	{
		rule: "ENV-012", call: on(a2a.V03, a2a.OpGet), at: "/id",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":1.5,"method":"tasks/get","params":{"id":"t"}}`)},
		silent: []step{asked(`{"jsonrpc":"2.0","id":17,"method":"tasks/get","params":{"id":"t"}}`)},
	},
	{
		rule: "ENV-013", call: on(a2a.V03, a2a.OpGet), at: "/result",
		fires:  []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":"{\"kind\":\"task\",\"id\":\"t\",\"contextId\":\"c\",\"status\":{\"state\":\"working\"}}"}`)},
		silent: []step{asked(get03), headed(200), answered(task0)},
	},
}

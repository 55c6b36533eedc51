package lint

import "parley/a2a"

var nameCases = []ruleCase{
	{
		rule: "CASE-001", call: on(a2a.V03, a2a.OpSend), at: "/params/message/message_id",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":"1","method":"message/send","params":{"message":{"kind":"message","message_id":"m","role":"user","parts":[{"kind":"text","text":"a_b"}]}}}`)},
		silent: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"message/send","params":{"message":{"kind":"message","messageId":"m","role":"user","metadata":{"task_id":1},"parts":[{"kind":"text","text":"a_b"}]}}}`)},
	},
	{
		rule: "CASE-001", call: on(a2a.V03, a2a.OpGet), at: "-",
		fires:  []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":{"kind":"task","id":"t","context_id":"c","status":{"state":"working"}}}`)},
		silent: []step{asked(get03), headed(200), answered(task0)},
	},
	{
		rule: "CASE-002", call: on(a2a.V03, a2a.OpGet), at: "/result/metadata",
		fires:  []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":{"kind":"task","id":"t","contextId":"c","metadata":null,"history":null,"status":{"state":"working"}}}`)},
		silent: []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":{"kind":"task","id":"t","contextId":"c","metadata":{"a":null},"status":{"state":"working"}}}`)},
	},
	{
		rule: "MIX-001", call: on(a2a.V10, a2a.OpGet), at: "-",
		fires:  []step{asked(get10), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":{"task":{"kind":"task","id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}`)},
		silent: []step{asked(get10), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}`)},
	},
	{
		rule: "MIX-002", call: on(a2a.V03, a2a.OpSend), at: "/result",
		fires:  []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":{"answer":42}}`)},
		silent: []step{asked(get03), headed(200), answered(task0)},
	},
	{
		rule: "SAM-003", call: on(a2a.V03, a2a.OpGet), at: "/result/artifacts/0",
		fires:  []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":{"kind":"task","id":"t","contextId":"c","status":{"state":"working"},"artifacts":[{"id":"a","name":"n","uri":"artifact://s/n"}]}}`)},
		silent: []step{asked(get03), headed(200), file("artifact://s/n")},
	},
}

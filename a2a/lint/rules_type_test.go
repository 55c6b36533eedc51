package lint

import "parley/a2a"

var typeCases = []ruleCase{
	{
		rule: "TYPE-001", call: on(a2a.V03, a2a.OpGet), at: "/result/contextId",
		fires:  []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":{"kind":"task","id":"t","contextId":12,"status":{"state":"working"}}}`)},
		silent: []step{asked(get03), headed(200), answered(task0)},
	},
	{
		rule: "TYPE-001", call: on(a2a.V03, a2a.OpStream), at: "/result/final",
		fires:  streams(a2a.V03, `{"jsonrpc":"2.0","id":"1","result":{"kind":"status-update","taskId":"t","contextId":"c","final":"true","status":{"state":"completed"}}}`),
		silent: streams(a2a.V03, `{"jsonrpc":"2.0","id":"1","result":{"kind":"status-update","taskId":"t","contextId":"c","final":true,"status":{"state":"completed"}}}`),
	},
	{
		rule: "TYPE-001", call: on(a2a.V10, a2a.OpStream), at: "/result/artifactUpdate/append",
		fires:  streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, `"append":1`)),
		silent: streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, `"append":false`)),
	},
	{
		rule: "TYPE-001", call: on(a2a.V10, a2a.OpSend), at: "/params/message/parts/0/text",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":5}]}}}`)},
		silent: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"5"}]}}}`)},
	},
}

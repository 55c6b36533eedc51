package lint

import "parley/a2a"

var methodCases = []ruleCase{
	{
		rule: "METH-001", call: on(a2a.V10, a2a.OpGet), at: "/method",
		fires:  []step{asked(get03)},
		silent: []step{asked(get10)},
	},
	{
		rule: "METH-001", call: on(a2a.V03, a2a.OpGet), at: "/method",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":"1","method":"do/it","params":{}}`)},
		silent: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"tasks/send-streaming","params":{}}`)}, // METH-002
	},
	{
		rule: "METH-001", call: on(a2a.V10REST, a2a.OpGet), at: "",
		fires: []step{asked("GET https://agent.example/a2a/v1/tasks/t\n\n")}, // the path of 0.3
		silent: []step{asked("GET https://agent.example/a2a/tasks/t?historyLength=0\n\n"), asked("POST https://agent.example/a2a/tasks/t:subscribe\n\n"),
			asked("POST https://agent.example/a2a/a/tenant/message:send\n\n"), asked("GET https://agent.example/elsewhere\n\n")},
	},
	{
		rule: "METH-001", call: on(a2a.V03REST, a2a.OpGet), at: "",
		fires:  []step{asked("GET https://agent.example/a2a/tasks/t\n\n")},
		silent: []step{asked("GET https://agent.example/a2a/v1/tasks/t\n\n"), asked("POST https://agent.example/a2a/v1/tasks/t:cancel\n\n")},
	},
	{
		rule: "METH-002", call: on(a2a.V03, a2a.OpExtendedCard), at: "/method",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":"1","method":"agent/authenticatedExtendedCard"}`)},
		silent: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"agent/getAuthenticatedExtendedCard"}`)},
	},
}

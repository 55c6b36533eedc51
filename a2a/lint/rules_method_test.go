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
		rule: "METH-002", call: on(a2a.V03, a2a.OpExtendedCard), at: "/method",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":"1","method":"agent/authenticatedExtendedCard"}`)},
		silent: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"agent/getAuthenticatedExtendedCard"}`)},
	},
}

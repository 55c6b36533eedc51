package lint

import "parley/a2a"

var methodCases = []ruleCase{
	{
		rule: "METH-001", call: on(a2a.V10, a2a.OpGet), at: "/method",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":"1","method":"tasks/get","params":{"id":"t"}}`)},
		silent: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"GetTask","params":{"id":"t"}}`)},
	},
}

package lint

import "parley/a2a"

var envelopeCases = []ruleCase{
	{
		rule: "ENV-001", call: on(a2a.V03, a2a.OpGet), at: "/jsonrpc",
		fires:  []step{asked(`{"jsonrpc":"1.0","id":"1","method":"tasks/get","params":{"id":"t"}}`)},
		silent: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"tasks/get","params":{"id":"t"}}`)},
	},
}

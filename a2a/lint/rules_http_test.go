package lint

import "parley/a2a"

var httpCases = []ruleCase{
	{
		rule: "HTTP-008", call: on(a2a.V03, a2a.OpGet), at: "",
		fires:  []step{asked(`{}`), headed(401)},
		silent: []step{asked(`{}`), headed(401, "WWW-Authenticate: Bearer"), headed(200)},
	},
}

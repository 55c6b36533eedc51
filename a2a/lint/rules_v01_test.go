package lint

import "parley/a2a"

const send01 = `{"jsonrpc":"2.0","id":"1","method":"tasks/send","params":{"id":"t","message":{"role":"user","parts":[{"type":"text","text":"hi"}]}}}`

// stands01 is an answer of 0.1 with the task in a state.
func stands01(state string) step {
	return answered(`{"jsonrpc":"2.0","id":"1","result":{"id":"t","sessionId":"s","status":{"state":"` + state + `"}}}`)
}

var v01Cases = []ruleCase{
	{
		rule: "V01-001", call: on(a2a.V01, a2a.OpSend), at: "/params/id",
		fires:  []step{asked(send01), headed(200), stands01("completed"), ended(a2a.Ended), asked(send01)},
		silent: []step{asked(send01), headed(200), stands01("input-required"), ended(a2a.Ended), asked(send01)},
	},
	{
		rule: "V01-002", call: on(a2a.V01, a2a.OpSend), at: "/params",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":"1","method":"tasks/send","params":{"message":{"role":"user","parts":[{"type":"text","text":"hi"}]}}}`)},
		silent: []step{asked(send01)},
	},
}

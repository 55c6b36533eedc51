package lint

import (
	"parley/a2a"
	"parley/a2a/jsonrpc"
	"parley/a2a/jsontok"
)

// envelopeRules are about JSON and the JSON-RPC envelope.
var envelopeRules = [...]rule{
	{
		id: "ENV-001", severity: a2a.Error, in: envelopes, section: "0.1 §6.11, 0.3 §6.11, 1.0 §9.1",
		checks: "“jsonrpc” is there and is exactly \"2.0\"", fix: "Set “jsonrpc” to \"2.0\"",
		at: atRequest, run: requestVersion,
	},
}

func requestVersion(p *pass, n jsontok.Node) {
	if n.Kind() == jsontok.Object && p.rpc() && p.envelope.JSONRPC != jsonrpc.Version {
		p.note(n.Get("jsonrpc"), `“jsonrpc” is not "2.0"`)
	}
}

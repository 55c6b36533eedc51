package log

import (
	"strings"

	"parley/a2a"
	"parley/a2a/jsonrpc"
	"parley/a2a/jsontok"
	"parley/session/problem"
)

// Method returns the method of A2A that a request calls, as JSON-RPC and gRPC name it; for
// HTTP+JSON, whose requests name none, the method of JSON-RPC for the same operation. It is empty
// for what is no call of A2A, such as a request for a card.
func Method(r *a2a.Record) string {
	c := r.Call
	if r.Kind != a2a.KindRequest || c == nil {
		return ""
	}
	switch c.Op {
	case a2a.OpCard, a2a.OpCatalog, a2a.OpArtifact, a2a.OpDelivery:
		return ""
	}
	if c.Binding != a2a.BindingREST {
		return named(r)
	}
	version, _, _ := a2a.ParseDialect(string(c.Dialect))
	d, ok := a2a.LookupDialect(version)
	if !ok || strings.Contains(d.Method(c.Op), " ") {
		return ""
	}
	return d.Method(c.Op)
}

// named returns the method that a request of JSON-RPC or gRPC names, empty if it names none.
func named(r *a2a.Record) string {
	if r.Head != nil && a2a.IsGRPC(r.Head.URL) {
		return problem.Clip(r.Head.URL[strings.LastIndexByte(r.Head.URL, '/')+1:])
	}
	if len(r.Raw) == 0 {
		return ""
	}
	const most = 1 << 20 // the beginning of a larger body names the method
	var doc jsontok.Doc
	if err := doc.Parse(r.Raw[:min(len(r.Raw), most)]); err != nil && len(r.Raw) <= most {
		return ""
	}
	return problem.Clip(jsonrpc.ParseEnvelope(&doc).Method)
}

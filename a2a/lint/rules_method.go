package lint

import (
	"parley/a2a"
	"parley/a2a/jsontok"
)

// methodRules are about the names of operations.
var methodRules = [...]rule{
	{
		id: "METH-001", severity: a2a.Error, in: jsonRPC, section: "0.1 §7, 0.3 §3.5.6, 1.0 §5.3",
		checks: "The method exists in the dialect", fix: "Call the method by the dialect's name",
		at: atRequest, run: methodExists,
	},
}

func methodExists(p *pass, n jsontok.Node) {
	if method := p.envelope.Method; method != "" && operation(p.dialect(), method) == "" {
		p.note(n.Get("method"), "A2A "+p.dialect().Number()+" has no method “"+clip(method)+"”")
	}
}

// operation returns what a method does in a dialect, empty if it has no such method.
func operation(name a2a.DialectName, method string) a2a.Op {
	d, ok := a2a.Lookup(name)
	if !ok {
		return ""
	}
	for _, op := range operations {
		if d.Method(op) == method {
			return op
		}
	}
	return ""
}

// operations are those that a dialect can have.
var operations = [...]a2a.Op{
	a2a.OpSend, a2a.OpStream, a2a.OpGet, a2a.OpList, a2a.OpCancel, a2a.OpSubscribe,
	a2a.OpPushSet, a2a.OpPushGet, a2a.OpPushList, a2a.OpPushDelete, a2a.OpExtendedCard,
}

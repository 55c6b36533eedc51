package lint

import (
	"net/http"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// methodRules are about the names of operations.
var methodRules = [...]rule{
	{
		id: "METH-001", severity: a2a.Error, in: jsonRPC | rest | onSAMDoc, section: "0.1 §7, 0.3 §3.5.6, 1.0 §5.3",
		checks: "The method exists in the dialect; over HTTP+JSON the verb with the path", fix: "Use the dialect's name of the method",
		at: atRequest, run: methodExists,
	},
	{
		id: "METH-002", severity: a2a.Warning, in: jsonRPC,
		checks: "The method is not an alias that only some agents know", fix: "Use the name in the specification",
		at: atRequest, run: methodAlias,
	},
}

// aliases are names in earlier texts or drafts that some agents know, with the dialects in
// which they have a meaning.
var aliases = map[string]struct {
	in scope
	op a2a.Op
}{
	"tasks/send-streaming":                {jsonRPC, a2a.OpStream},
	"task/send":                           {jsonRPC, a2a.OpSend},
	"tasks/list":                          {v02v03, a2a.OpList},
	"agent/authenticatedExtendedCard":     {onV03, a2a.OpExtendedCard},
	"ListTaskPushNotificationConfig":      {onV10, a2a.OpPushList},
	"tasks/pushNotificationConfig/create": {v02v03, a2a.OpPushSet},
}

func methodExists(p *pass, n jsontok.Node) {
	if p.in&rest != 0 {
		p.routeExists()
		return
	}
	method := p.envelope.Method
	if method == "" || operation(p.dialect(), method) != "" || aliases[method].in&p.in != 0 {
		return
	}
	message := "A2A " + p.dialect().Number() + " has no method “" + clip(method) + "”"
	for _, d := range a2a.Dialects() {
		if op := operation(d, method); op != "" {
			message += "; it is from " + d.Number()
			if name := methodName(p.dialect(), op); name != "" {
				message += ", here it is named “" + name + "”"
			}
			break
		}
	}
	p.note(n.Get("method"), message)
}

// routeExists checks requests below the endpoint of the call; A2A does not cover other requests
// there.
func (p *pass) routeExists() {
	if p.r.Head == nil || p.call.Op == a2a.OpCard {
		return
	}
	base, _, _ := strings.Cut(p.call.Endpoint, "?")
	asked, _, _ := strings.Cut(p.r.Head.URL, "?")
	path, below := strings.CutPrefix(asked, strings.TrimRight(base, "/"))
	if base == "" || !below || path == "" || path[0] != '/' {
		return
	}
	for _, op := range operations {
		verb, route, _ := strings.Cut(methodName(p.dialect(), op), " ")
		if fits(route, path) && (verb == p.r.Head.Method || op == a2a.OpSubscribe && p.r.Head.Method == http.MethodPost) {
			return
		}
	}
	p.note(jsontok.Node{}, "A2A "+p.dialect().Number()+" has no “"+clip(p.r.Head.Method+" "+path)+"”")
}

// fits reports whether a path matches a route with names in braces. The tenant at the beginning
// may be missing or have several segments; a tenant v1 is rather the path of 0.3.
func fits(route, path string) bool {
	if rest, ok := strings.CutPrefix(route, "/{tenant}"); ok {
		if strings.HasPrefix(path, "/v1/") {
			return false
		}
		for more := strings.Count(path, "/") - strings.Count(rest, "/"); more > 0; more-- {
			path = path[1+strings.IndexByte(path[1:], '/'):]
		}
		route = rest
	}
	wanted, got := strings.Split(route, "/"), strings.Split(path, "/")
	if len(wanted) != len(got) {
		return false
	}
	for i, w := range wanted {
		open, end := strings.IndexByte(w, '{'), strings.IndexByte(w, '}')
		switch {
		case open < 0 && w != got[i],
			open >= 0 && (len(got[i]) <= len(w)-(end+1-open) || !strings.HasPrefix(got[i], w[:open]) || !strings.HasSuffix(got[i], w[end+1:])):
			return false
		}
	}
	return true
}

func methodAlias(p *pass, n jsontok.Node) {
	alias, known := aliases[p.envelope.Method]
	if !known || alias.in&p.in == 0 {
		return
	}
	message := "“" + clip(p.envelope.Method) + "” is not in any release of A2A " + p.dialect().Number()
	if name := methodName(p.dialect(), alias.op); name != "" {
		message = "“" + clip(p.envelope.Method) + "” is named “" + name + "” in A2A " + p.dialect().Number()
	}
	p.note(n.Get("method"), message)
}

func methodName(name a2a.DialectName, op a2a.Op) string {
	if d, ok := a2a.LookupDialect(name); ok {
		return d.Method(op)
	}
	return ""
}

// operation returns what a method does in a dialect, empty if it has no such method.
func operation(name a2a.DialectName, method string) a2a.Op {
	for _, op := range operations {
		if methodName(name, op) == method {
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

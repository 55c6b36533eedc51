package lint

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// errorRules are about the errors that agents answer with.
var errorRules = [...]rule{
	{
		id: "ERR-001", envelope: true, severity: a2a.Warning, in: jsonRPC, section: "0.1 §8, 0.3 §8, 1.0 §9.5",
		checks: "An error's code is defined in the dialect or in -32000…-32099", fix: "Use a code of the specification",
		at: atError, run: checkCode,
	},
	{
		id: "ERR-002", envelope: true, severity: a2a.Warning, in: jsonRPC, section: "0.1 §8.2, 0.3 §8.2, 1.0 §5.4",
		checks: "The message does not describe another error than the code", fix: "Use the code of the error that occurred",
		at: atError, run: messageFitsCode,
	},
	{
		id: "ERR-003", envelope: true, severity: a2a.Error, in: onV10, section: "1.0 §3.3.2, §9.5",
		checks: "“data” is a list of objects with @type; an ErrorInfo has reason and domain", fix: "Send google.rpc.ErrorInfo with a reason and the domain a2a-protocol.org",
		at: atError, run: errorDetails,
	},
	{
		id: "ERR-004", envelope: true, severity: a2a.Warning, in: jsonRPC, section: "0.1 §8.2, 0.3 §8.2, 1.0 §5.4",
		checks: "A code has the meaning that its own dialect defines", fix: "Use the dialect's code for this error",
		at: atError, run: codeOfOtherDialect,
	},
	{
		id: "ERR-005", severity: a2a.Warning, in: knownDialects, section: "0.1 §8.2, 0.3 §8.2, 1.0 §3.1.3",
		checks: "A missing task is answered with -32001, over HTTP+JSON with 404", fix: "Answer with TaskNotFoundError",
		at: atError, run: taskNotFound,
	},
	{
		id: "ERR-006", severity: a2a.Error, in: onV10REST, section: "1.0 §11.6",
		checks: "An error is a google.rpc.Status whose code is the HTTP status, with ErrorInfo for errors of A2A", fix: "Send {\"error\": {code, status, message, details}}",
		at: atError, run: rpcStatus,
	},
	{
		id: "ERR-007", severity: a2a.Warning, in: anywhere, section: "1.0 §13",
		checks: "Errors contain no stack traces, file paths or secrets", fix: "Write the details to a log, and send a sentence",
		at: atError, run: errorLeaks,
	},
}

// code returns the JSON-RPC code of an error, false over other bindings.
func (p *pass) code(n jsontok.Node) (int64, bool) {
	if !p.envelope.Failed() || p.in&rest != 0 {
		return 0, false
	}
	return get(n, "code").Int()
}

func checkCode(p *pass, n jsontok.Node) {
	code, ok := p.code(n)
	if !ok || code >= -32099 && code <= -32000 {
		return
	}
	if d, found := a2a.LookupDialect(p.dialect()); !found || d.ErrorName(code) != "" {
		return
	}
	severity := a2a.Info // JSON-RPC leaves all other numbers to applications
	if code >= -32768 && code <= -32000 {
		severity = a2a.Warning
	}
	p.noteAs(severity, get(n, "code"), "No error of A2A "+p.dialect().Number()+" has the code "+strconv.FormatInt(code, 10))
}

// sayings are phrases in messages for errors that every dialect has. Those for missing tasks
// have a rule of their own.
var sayings = [...]struct {
	code  int64
	words []string
}{
	{-32700, []string{"parse error", "invalid json"}},
	{-32601, []string{"method not found", "unknown method"}},
	{-32602, []string{"invalid params", "invalid parameters"}},
	{-32002, []string{"cannot be canceled", "cannot be cancelled", "not cancelable", "not cancellable"}},
	{-32003, []string{"push notification is not supported", "push notifications are not supported", "push notifications not supported"}},
	{-32005, []string{"content type not supported", "content type is not supported", "incompatible content types"}},
}

func messageFitsCode(p *pass, n jsontok.Node) {
	code, ok := p.code(n)
	if !ok {
		return
	}
	said := strings.ToLower(get(n, "message").Text())
	var others []int64
	for _, s := range sayings {
		if slices.ContainsFunc(s.words, func(w string) bool { return strings.Contains(said, w) }) {
			others = append(others, s.code)
		}
	}
	if len(others) != 1 || others[0] == code {
		return
	}
	d, _ := a2a.LookupDialect(p.dialect())
	p.note(get(n, "message"), "The message describes "+d.ErrorName(others[0])+" ("+strconv.FormatInt(others[0], 10)+"), but the code is "+strconv.FormatInt(code, 10))
}

// domain is that of reasons in a google.rpc.ErrorInfo (specification 1.0 §5.4).
const domain = "a2a-protocol.org"

func errorDetails(p *pass, n jsontok.Node) {
	if !p.envelope.Failed() {
		return
	}
	if data := get(n, "data"); data.Exists() {
		p.details(data, "“data”")
	}
}

// details checks a list of google.protobuf.Any in JSON. It reports whether one of them
// is an ErrorInfo.
func (p *pass) details(list jsontok.Node, name string) (informed bool) {
	if list.Kind() != jsontok.Array {
		p.note(list, name+" is "+kindName(list.Kind())+", not a list of objects with @type")
		return false
	}
	for d := range list.Elems() {
		kind := get(d, "@type")
		if !kind.IsText() {
			p.note(d, "This detail has no @type")
			continue
		}
		if !strings.HasSuffix(kind.Text(), "google.rpc.ErrorInfo") {
			continue
		}
		informed = true
		if get(d, "reason").Text() == "" {
			p.note(d, "The ErrorInfo has no reason")
		} else if got := get(d, "domain"); reasonStatuses[get(d, "reason").Text()] != 0 && got.Text() != domain {
			p.note(orElse(got, d), "The domain of the ErrorInfo is “"+clip(got.Text())+"”, not "+domain)
		}
	}
	return informed
}

func codeOfOtherDialect(p *pass, n jsontok.Node) {
	code, ok := p.code(n)
	if !ok || code > -32006 || code < -32011 {
		return
	}
	own, _ := a2a.LookupDialect(p.dialect())
	if own.ErrorName(code) != "" {
		return
	}
	for _, name := range a2a.Dialects() {
		if d, _ := a2a.LookupDialect(name); d.ErrorName(code) != "" {
			p.note(get(n, "code"), strconv.FormatInt(code, 10)+" means "+d.ErrorName(code)+" in "+name.Number()+", but nothing in "+p.dialect().Number())
			return
		}
	}
}

func taskNotFound(p *pass, n jsontok.Node) {
	if p.ev.Err == nil || p.ev.Err.Name == "MethodNotFoundError" || !p.aboutTask() || !saysNotFound(p.ev.Err.Message) {
		return
	}
	code, rpc := p.code(n)
	switch {
	case rpc && code != -32001:
		p.note(get(n, "code"), "A missing task is answered with code "+strconv.FormatInt(code, 10))
	case !rpc && p.in&rest != 0 && p.r.Kind == a2a.KindBody && p.x.status() != http.StatusNotFound:
		p.note(n, "A missing task is answered with status "+strconv.Itoa(p.x.status()))
	}
}

// aboutTask reports whether the call names a task that may not exist.
func (p *pass) aboutTask() bool {
	return p.call.Op == a2a.OpGet || p.call.Op == a2a.OpCancel || p.call.Op == a2a.OpSubscribe || webhookOp(p.call.Op)
}

// saysNotFound recognises the short messages of servers about a missing task, but not longer
// ones, which may be about something else, and not those about a method, whose name may have the word.
func saysNotFound(message string) bool {
	said := strings.ToLower(message)
	return len(said) < 200 && strings.Contains(said, "task") &&
		(strings.Contains(said, "not found") || strings.Contains(said, "does not exist") || strings.Contains(said, "unknown task")) &&
		!strings.Contains(said, "config") && !strings.Contains(said, "method")
}

// foreign reports whether an HTTP error need not be the agent's: servers, and what is on the way to them,
// answer with these statuses by themselves, and nothing in the body is of A2A.
func (p *pass) foreign(e jsontok.Node) bool {
	switch p.x.status() {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusProxyAuthRequired,
		http.StatusRequestEntityTooLarge, http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return !p.ofA2A(orElse(e, p.root()))
	}
	return false
}

// ofA2A reports whether the body of an error has anything of A2A: a reason, a code, or the name of an
// error of it, or the members of a google.rpc.Status. The decoder also reads errors from the status alone.
func (p *pass) ofA2A(e jsontok.Node) bool {
	if e.GetAny("details").Exists() || get(e, "status").IsText() || p.ev.Err == nil || p.ev.Err.Reason != "" {
		return true
	}
	code, numbered := get(e, "code").Int()
	return numbered && code <= -32000 && code >= -32768 || strings.HasSuffix(get(e, "type").Text(), "Error") || saysNotFound(p.ev.Err.Message)
}

// rpcStatus tolerates problem details, which drafts of 1.0 used and some of the specification's
// own examples still show.
func rpcStatus(p *pass, n jsontok.Node) {
	e := get(p.root(), "error")
	if p.foreign(e) {
		return
	}
	if e.Kind() != jsontok.Object {
		if get(n, "type").IsText() && get(n, "status").Kind() == jsontok.Number {
			p.noteAs(a2a.Warning, n, "The error has the form of problem details, not of a google.rpc.Status")
		} else {
			p.note(n, "The error is not a google.rpc.Status")
		}
		return
	}
	code := get(e, "code")
	if v, ok := code.Int(); !ok || p.r.Kind == a2a.KindBody && p.x.status() != 0 && int(v) != p.x.status() {
		p.note(orElse(code, e), "“code” is not the HTTP status")
	}
	informed := true
	if details := get(e, "details"); details.Exists() {
		informed = p.details(details, "“details”")
	} else if p.ev.Err != nil && p.ev.Err.Name == "TaskNotFoundError" {
		informed = false
	}
	if !informed && p.ev.Err != nil && p.ev.Err.Code <= -32001 && p.ev.Err.Code >= -32099 {
		p.note(e, "The A2A error has no ErrorInfo in its details")
	}
}

// leaks are marks of content that belongs in a log: stack traces, paths of source files, and
// credentials. A path in a URL does not count.
var leaks = [...]struct{ mark, what string }{
	{"Traceback (most recent call last)", "a stack trace"},
	{"goroutine 1 [", "a stack trace"},
	{"\tat java.", "a stack trace"},
	{"\n    at ", "a stack trace"},
	{"/site-packages/", "a file path"},
	{"/node_modules/", "a file path"},
	{"/home/", "a file path"},
	{"/usr/lib/", "a file path"},
	{"C:\\Users\\", "a file path"},
	{"Bearer ey", "a token"},
	{"-----BEGIN ", "a key"},
}

func errorLeaks(p *pass, n jsontok.Node) {
	for text := range texts(p.doc(), n) {
		if len(text.Raw()) < 8 {
			continue
		}
		said := text.Text()
		for _, leak := range leaks {
			if i := strings.Index(said, leak.mark); i >= 0 && !insideURL(said[:i], leak.mark) {
				p.note(text, "The error contains "+leak.what)
				break
			}
		}
	}
}

// insideURL reports whether a mark that is the beginning of a path continues the text before
// it.
func insideURL(before, mark string) bool {
	if mark[0] != '/' || before == "" || mark == "/site-packages/" || mark == "/node_modules/" {
		return false
	}
	return !strings.ContainsRune(" \t\n\"'`(=:[,", rune(before[len(before)-1]))
}

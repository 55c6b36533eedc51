package a2a

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"parley/a2a/jsonrpc"
	"parley/a2a/jsontok"
)

// A RawRequest is an HTTP request as a user writes it. It may be wrong in any way.
type RawRequest struct {
	Method string // empty is POST if there is a body, else GET
	URL    string
	Header http.Header
	Body   []byte
	// From is the record of the request that this one was made from, 0 if there is none.
	From RecordID
}

// Verb returns the HTTP method that is sent.
func (r *RawRequest) Verb() string {
	switch {
	case r.Method != "":
		return r.Method
	case len(r.Body) > 0:
		return http.MethodPost
	default:
		return http.MethodGet
	}
}

// Call completes a call with what the request says about itself: the operation, the binding,
// and the task and context that it is about. The call keeps its dialect unless only another one
// knows the method. An unknown operation is left as it is, so that the answer is decoded by its
// members.
func (r *RawRequest) Call(call Call) Call {
	call.Raw, call.EditedFrom = true, r.From
	var doc jsontok.Doc
	_ = doc.Parse(r.Body) // broken bodies are read up to the break
	for _, name := range dialectsFrom(call.Dialect) {
		d, _ := LookupDialect(name)
		if op, task, binding, ok := r.means(d, &doc); ok {
			call.Op, call.Binding = op, binding
			call.TaskID = cmp.Or(task, call.TaskID)
			if version, _ := call.Dialect.version(); version == Unknown || !d.speaksFor(version) {
				call.Dialect = name
			}
			break
		}
	}
	if IsGRPC(r.URL) {
		call.Binding = BindingGRPC
	}
	if u, err := url.Parse(r.URL); err == nil && call.Op == "" && strings.Contains(u.Path, "/.well-known/agent") {
		call.Op = OpCard
	}
	params := doc.Root()
	if inner := params.Get("params"); inner.Exists() {
		params = inner
	}
	readParams(&call, params)
	return call
}

// Record returns the record of a request that was not sent, so that rules can check it. Nothing
// in it is masked, so it must not be saved.
func (r *RawRequest) Record(call Call) Record {
	call = r.Call(call)
	return Record{Kind: KindRequest, Dir: Out, Call: &call, Raw: r.Body,
		Head: &Head{Method: r.Verb(), URL: r.URL, Header: r.Header}}
}

// dialectsFrom returns all dialects, beginning with the current one: first over its own
// binding, then over the other.
func dialectsFrom(name DialectName) []DialectName {
	all := slices.Clone(Dialects())
	version, _ := name.version()
	slices.SortStableFunc(all, func(a, b DialectName) int {
		return kinship(b, name, version) - kinship(a, name, version)
	})
	return all
}

func kinship(a, name, version DialectName) int {
	if a == name {
		return 2
	}
	if v, _ := a.version(); v == version {
		return 1
	}
	return 0
}

// speaksFor reports whether a dialect is one of a version's.
func (d *Dialect) speaksFor(version DialectName) bool {
	own, _ := d.name.version()
	return own == version
}

// means returns the operation of a request in a dialect.
func (r *RawRequest) means(d *Dialect, doc *jsontok.Doc) (op Op, task string, binding Binding, ok bool) {
	called := jsonrpc.ParseEnvelope(doc).Method
	best := -1
	for o, method := range d.methods {
		verb, pattern, routed := route(method)
		if !routed {
			if called != "" && called == method {
				return o, "", BindingJSONRPC, true
			}
			continue
		}
		if id, literal, fits := r.fits(verb, pattern); fits && literal > best {
			best, op, task, binding, ok = literal, o, id, BindingREST, true
			if _, implied := d.name.version(); implied == BindingGRPC {
				binding = implied
			}
		}
	}
	return op, task, binding, ok && called == ""
}

// fits compares the end of the request's path with a pattern of a dialect. It returns the task
// that the path names and how much of the pattern matched.
func (r *RawRequest) fits(verb, pattern string) (task string, literal int, ok bool) {
	u, err := url.Parse(r.URL)
	if err != nil || !strings.EqualFold(verb, r.Verb()) {
		return "", 0, false
	}
	pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "/{tenant}"), "/..")
	want := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	have := strings.Split(strings.TrimPrefix(path.Clean("/"+u.EscapedPath()), "/"), "/")
	if len(have) < len(want) {
		return "", 0, false
	}
	have = have[len(have)-len(want):]
	for i, w := range want {
		before, rest, variable := strings.Cut(w, "{")
		name, after, _ := strings.Cut(rest, "}")
		value, begins := strings.CutPrefix(have[i], before)
		value, ends := strings.CutSuffix(value, after)
		if !begins || !ends || variable == (value == "") {
			return "", 0, false
		}
		literal += len(before) + len(after) + 1
		if variable && name == "task" {
			if task, err = url.PathUnescape(value); err != nil {
				return "", 0, false
			}
		}
	}
	return task, literal, true
}

// readParams copies what the parameters of an operation name.
func readParams(call *Call, params jsontok.Node) {
	switch call.Op {
	case OpSend, OpStream:
		m := params.GetAny("message", "request")
		call.TaskID = cmp.Or(m.GetAny("taskId", "task_id").Text(), call.TaskID)
		call.ContextID = cmp.Or(m.GetAny("contextId", "context_id").Text(), call.ContextID)
		if call.Dialect == V01 {
			call.TaskID = cmp.Or(params.Get("id").Text(), call.TaskID)
			call.ContextID = cmp.Or(params.Get("sessionId").Text(), call.ContextID)
		}
	case OpGet, OpCancel, OpSubscribe, OpPushSet, OpPushGet, OpPushList, OpPushDelete:
		id := params.GetAny("taskId", "task_id", "id")
		if !id.IsText() {
			id = params.GetAny("name", "parent")
		}
		_, short, named := strings.Cut(id.Text(), "tasks/")
		if !named {
			short = id.Text()
		}
		call.TaskID = cmp.Or(short, call.TaskID)
	}
}

// badVerb says why HTTP cannot carry a method, empty if it can.
func badVerb(verb string) string {
	if strings.ContainsFunc(verb, NotToken) {
		return fmt.Sprintf("Nothing was sent: “%s” is not an HTTP method. Write one word, such as POST or GET.", clip(verb))
	}
	return ""
}

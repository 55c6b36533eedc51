package request

import (
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"parley/a2a"
	"parley/a2a/jsonrpc"
	"parley/a2a/jsontok"
)

// Facts are what identifies a request.
type Facts struct {
	Binding a2a.Binding // empty for a plain request of HTTP, such as that of a card
	// Method is that of JSON-RPC, the path of gRPC, or the verb and the path of HTTP, without
	// the names of tasks if it is an operation.
	Method  string
	Op      a2a.Op          // empty if no dialect has the method
	Dialect a2a.DialectName // empty without an operation, the newest one if several have the method
	RPCID   string          // JSON text, empty if there is none
	// Base is the path before that of an operation of HTTP+JSON: of the agent's interface, with the
	// tenant if there is one.
	Base string
	// Sure is set if no other protocol has such a request. The list of tasks and a single one are
	// common paths.
	Sure bool
	// Batch is how many requests a batch of JSON-RPC has, of which these are the facts of the
	// first; 0 if it is none.
	Batch int

	TaskID, ContextID, MessageID, PushID, PushURL string
	References                                    []string // the tasks that the message refers to
	// Text is the prompt of a message, or the page of a list.
	Text string
	// Bare is set if the body names a method of JSON-RPC and has no “jsonrpc” that is "2.0": it is no request.
	Bare bool
	// AtOnce is set if a message is to be answered before its task is done.
	AtOnce bool
	// State, PageSize and Artifacts narrow a list of tasks and say what it contains.
	State     string
	PageSize  int
	Artifacts bool
}

// Key is what a request and the exchange that answers it have in common.
func (f *Facts) Key() string { return string(f.Binding) + " " + f.Method }

// Others returns the keys of the plain send if the request sends a message with a stream, and of the stream
// if it sends plainly: one for each dialect that has the method.
func (f *Facts) Others() (keys []string) {
	if !f.Sends() {
		return nil
	}
	verb := ""
	if f.Binding == a2a.BindingGRPC {
		verb = "POST "
	}
	for _, other := range others()[verb+f.Method] {
		keys = append(keys, (&Facts{Binding: f.Binding, Method: strings.TrimPrefix(other, verb)}).Key())
	}
	return keys
}

// Sends reports whether the request has a message.
func (f *Facts) Sends() bool { return f.Op == a2a.OpSend || f.Op == a2a.OpStream }

// Label names the request for users.
func (f *Facts) Label() string {
	if f.Binding == a2a.BindingGRPC {
		return a2a.RPC("POST " + f.Method)
	}
	return f.Method
}

// ReadHTTP reads the facts of an HTTP request. The header may be nil; the version in it decides
// where a path leaves the dialect open.
func ReadHTTP(verb string, target *url.URL, header http.Header, body []byte) Facts {
	if verb == http.MethodPost {
		if f, ok := readRPC(body); ok {
			return f
		}
	}
	path := target.EscapedPath()
	route, ok := routeOf(verb, path)
	if !ok {
		return Facts{Method: verb + " " + path}
	}
	f := Facts{Binding: a2a.BindingREST, Method: route.method, Op: route.op, Sure: route.sure}
	f.place(path, route, header)
	var doc jsontok.Doc
	if len(body) > 0 && doc.Parse(body) == nil {
		f.read(doc.Root())
	}
	if route.task != "" { // in the body, an id is that of a configuration
		f.TaskID, f.PushID = route.task, route.config
	}
	q := target.Query()
	if f.Op == a2a.OpList || f.Op == a2a.OpPushList {
		f.ContextID, f.Text = q.Get("contextId"), q.Get("pageToken")
		f.State, f.Artifacts = q.Get("status"), q.Get("includeArtifacts") == "true"
		f.PageSize, _ = strconv.Atoi(q.Get("pageSize")) // 0 for what is no number
	}
	return f
}

// readRPC reads a request of JSON-RPC, or the first one of a batch; ok is false for other bodies.
func readRPC(body []byte) (f Facts, ok bool) {
	var doc jsontok.Doc
	_ = doc.Parse(body) // what can be read of it decides
	e := jsonrpc.ParseEnvelope(&doc)
	if !e.HasJSONRPC && e.Method == "" {
		return f, false
	}
	known := operations()[e.Method]
	f = Facts{Binding: a2a.BindingJSONRPC, Method: e.Method, Op: known.op, Dialect: known.dialect, RPCID: e.ID.String(), Batch: e.Batch, Sure: known.op != "", Bare: e.JSONRPC != jsonrpc.Version}
	f.read(e.Params)
	return f, true
}

// ReadGRPC reads the facts of a call, whose message is rendered as JSON.
func ReadGRPC(path string, rendering []byte) Facts {
	known := operations()["POST "+path]
	f := Facts{Binding: a2a.BindingGRPC, Method: path, Op: known.op, Dialect: known.dialect, Sure: known.op != ""}
	var doc jsontok.Doc
	if doc.Parse(rendering) == nil {
		f.read(doc.Root())
	}
	return f
}

// place reads the dialect and the base of an operation of HTTP+JSON.
func (f *Facts) place(path string, r route, header http.Header) {
	words := strings.Split(strings.TrimRight(path, "/"), "/")
	f.Base = strings.Join(words[:max(len(words)-r.words, 0)], "/")
	before, v1 := strings.CutSuffix(f.Base, "/v1")
	version := header.Get("A2A-Version")
	if f.Dialect = a2a.V10REST; version == "" && v1 || strings.HasPrefix(version, "0.") {
		f.Dialect = a2a.V03REST
		if v1 {
			f.Base = before
		}
	}
}

// maxReferences is how many tasks are kept that a message refers to.
const maxReferences = 64

// read reads the parameters of an operation in any dialect.
func (f *Facts) read(p jsontok.Node) {
	if m := p.Get("message"); m.Kind() == jsontok.Object {
		f.TaskID = m.GetAny("taskId", "task_id").Text()
		f.ContextID = m.GetAny("contextId", "context_id").Text()
		f.MessageID = m.GetAny("messageId", "message_id").Text()
		f.Text = promptOf(m)
		config := p.Get("configuration")
		waits, says := config.Get("blocking").Bool()
		now, _ := config.GetAny("returnImmediately", "return_immediately").Bool()
		f.AtOnce = now || says && !waits
		for id := range m.GetAny("referenceTaskIds", "reference_task_ids").Elems() {
			if text := id.Text(); text != "" && len(f.References) < maxReferences {
				f.References = append(f.References, text)
			}
		}
		if f.TaskID == "" && strings.HasPrefix(f.Method, "tasks/") { // 0.1
			f.TaskID = p.Get("id").Text()
		}
	} else {
		f.TaskID, f.PushID = p.GetAny("taskId", "task_id").Text(), p.Get("pushNotificationConfigId").Text()
		switch name := p.GetAny("name", "parent").Text(); {
		case f.TaskID != "":
			f.PushID = p.Get("id").Text()
		case name != "": // tasks/1/pushNotificationConfigs/2
			words := strings.Split(name, "/")
			if f.TaskID = words[0]; words[0] == "tasks" && len(words) > 1 {
				f.TaskID = words[1]
			}
			if len(words) > 3 {
				f.PushID = words[3]
			}
		default:
			f.TaskID = p.Get("id").Text()
		}
		f.Text = p.GetAny("pageToken", "page_token").Text()
		f.State = p.Get("status").Text()
		f.Artifacts, _ = p.GetAny("includeArtifacts", "include_artifacts").Bool()
		size, _ := p.GetAny("pageSize", "page_size").Int()
		f.PageSize = int(min(max(size, 0), math.MaxInt32))
	}
	if f.ContextID == "" {
		f.ContextID = p.GetAny("contextId", "sessionId").Text()
	}
	f.PushURL = pushURLOf(p, 0).Text()
}

// maxPushDepth is how deep the URL of a webhook is in the parameters of any dialect.
const maxPushDepth = 4

// pushURLOf returns the URL of the webhook that a request registers.
func pushURLOf(p jsontok.Node, depth int) jsontok.Node {
	if u := p.Get("url"); u.Text() != "" || depth == maxPushDepth {
		return u
	}
	for _, name := range [...]string{"configuration", "config", "pushNotification", "pushNotificationConfig", "taskPushNotificationConfig", "push_notification_config"} {
		if u := pushURLOf(p.Get(name), depth+1); u.Text() != "" {
			return u
		}
	}
	return jsontok.Node{}
}

// PushURL returns where the URL of the webhook stands in a request that registers one: its JSON, from
// the opening quote to behind the closing one. The body is a request of JSON-RPC, or the parameters
// alone. It reports false if there is none.
func PushURL(body []byte) (from, to int, ok bool) {
	var doc jsontok.Doc
	_ = doc.Parse(body) // of a batch, the first request may have come alone
	p := doc.Root()
	if e := jsonrpc.ParseEnvelope(&doc); e.HasJSONRPC || e.Method != "" {
		p = e.Params
	}
	u := pushURLOf(p, 0)
	return u.Offset(), u.End(), u.Text() != "" && !doc.Token(u.Index()).Torn
}

// A method is what a name of a method means.
type method struct {
	op      a2a.Op
	dialect a2a.DialectName
}

// operations are the operations by their methods: those of JSON-RPC, and of gRPC with their verb.
var operations = sync.OnceValue(func() map[string]method {
	all := map[string]method{}
	for _, name := range slices.Backward(a2a.Dialects()) { // so that the newest one remains
		d, _ := a2a.LookupDialect(name)
		for _, op := range opsOfAgents {
			if named := d.Method(op); named != "" {
				all[named] = method{op, name}
			}
		}
	}
	return all
})

// others are the methods of streams by those of plain sends, and the other way round.
var others = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	pair := func(a, b string) {
		if !slices.Contains(all[a], b) {
			all[a], all[b] = append(all[a], b), append(all[b], a)
		}
	}
	pair("POST /message:send", "POST /message:stream")
	for _, name := range a2a.Dialects() {
		d, _ := a2a.LookupDialect(name)
		if plain, stream := d.Method(a2a.OpSend), d.Method(a2a.OpStream); plain != "" && stream != "" {
			pair(plain, stream)
		}
	}
	return all
})

var opsOfAgents = []a2a.Op{
	a2a.OpSend, a2a.OpStream, a2a.OpGet, a2a.OpList, a2a.OpCancel, a2a.OpSubscribe,
	a2a.OpPushSet, a2a.OpPushGet, a2a.OpPushList, a2a.OpPushDelete, a2a.OpExtendedCard,
}

// Follows reports whether the operation is about a task that exists.
func (f *Facts) Follows() bool {
	return f.TaskID != "" && slices.Contains([]a2a.Op{
		a2a.OpGet, a2a.OpCancel, a2a.OpSubscribe, a2a.OpPushSet, a2a.OpPushGet, a2a.OpPushList, a2a.OpPushDelete,
	}, f.Op)
}

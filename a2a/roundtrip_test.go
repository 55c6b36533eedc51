package a2a

import (
	"bytes"
	"encoding/json"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"parley/a2a/jsontok"
)

// writable returns the dialect of a request vector; ok is false for one that Parley only reads.
func (v *vector) writable() (name DialectName, ok bool) {
	switch {
	case v.Dialect != "sam":
		name = DialectName(v.Dialect)
	case v.HTTP.Path != "":
		name = SAMHTTP
	case bytes.Contains(v.body, []byte(`"message_id"`)) || v.Op == "cancel":
		name = SAMDoc
	default:
		name = SAMBroker
	}
	_, ok = LookupDialect(name)
	return name, ok
}

// TestRequestsSurviveDecodingAndEncoding decodes each request and encodes it again.
func TestRequestsSurviveDecodingAndEncoding(t *testing.T) {
	t.Parallel()
	count := map[DialectName]int{}
	for _, v := range loadVectors(t) {
		name, ok := v.writable()
		if !ok || v.Kind != "request" {
			continue
		}
		count[name]++
		t.Run(v.File, func(t *testing.T) {
			out := v.again(t, name, readRequest(t, &v))
			got, want := requestMeaning(t, out.body), requestMeaning(t, v.body)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("\n got %s\nwant %s", mustJSON(t, got), mustJSON(t, want))
			}
			if got, want := out.header.Get("A2A-Version"), v.HTTP.Headers["A2A-Version"]; got != want {
				t.Errorf("got A2A-Version %q, want %q", got, want)
			}
			if media := v.HTTP.ContentType; media != "" && out.header.Get("Content-Type") != media {
				t.Errorf("got Content-Type %q, want %q", out.header.Get("Content-Type"), media)
			}
		})
	}
	for _, name := range Dialects() {
		if _, binding := name.version(); count[name] == 0 && binding != BindingGRPC { // package grpc has those
			t.Errorf("got no request vector of %s", name)
		}
	}
}

// TestPathsOfAnswersAreWritten encodes the request of every answer over HTTP+JSON whose vector
// has the path.
func TestPathsOfAnswersAreWritten(t *testing.T) {
	t.Parallel()
	count := 0
	for _, v := range loadVectors(t) {
		name, ok := v.writable()
		_, binding := name.version()
		if !ok || binding != BindingREST || v.Kind == "request" || v.HTTP.Method != "GET" && v.HTTP.Method != "DELETE" {
			continue
		}
		count++
		t.Run(v.File, func(t *testing.T) { v.again(t, name, fromPath(t, &v)) })
	}
	if count < 10 {
		t.Errorf("got %d answers, want at least 10", count)
	}
}

// again encodes a request and compares its method and URL with the vector's.
func (v *vector) again(t *testing.T, name DialectName, req Request) outgoingRequest {
	t.Helper()
	p := Profile{Dialect: name}
	if name == SAMBroker {
		p.Endpoint = "mqtt://broker/acme#OrderValidator"
	}
	b, problem := bindingFor(p)
	if problem != "" {
		t.Fatalf("got problem %q, want none", problem)
	}
	out, err := b.encode(req, "id")
	if err != nil {
		t.Fatal(err)
	}
	if _, binding := name.version(); binding == "" || binding == BindingMQTT {
		return out
	}
	if v.HTTP.Method != out.method {
		t.Errorf("got method %s, want %s", out.method, v.HTTP.Method)
	}
	got, want := parsed(t, out.url), parsed(t, v.HTTP.Path)
	if got.Path != want.Path || !reflect.DeepEqual(got.Query(), want.Query()) {
		t.Errorf("got URL %s, want %s", out.url, v.HTTP.Path)
	}
	return out
}

func parsed(t *testing.T, path string) *url.URL {
	t.Helper()
	u, err := url.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// fromPath returns the request that a path stands for.
func fromPath(t *testing.T, v *vector) Request {
	t.Helper()
	req := Request{Call: &Call{Op: ops[v.Op]}}
	if v.HTTP.Path == "" {
		return req
	}
	u := parsed(t, v.HTTP.Path)
	segments := strings.Split(strings.Trim(strings.TrimPrefix(u.Path, "/v1"), "/"), "/")
	if first := segments[0]; first != "tasks" && len(segments) > 1 && v.Dialect == "v1.0-rest" {
		req.Tenant, segments = first, segments[1:]
	}
	if segments[0] == "tasks" && len(segments) > 1 {
		req.TaskID, _, _ = strings.Cut(segments[1], ":")
		if len(segments) > 3 {
			req.PushID = segments[3]
		}
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(u.Query().Get(name))
		return n
	}
	if u.Query().Has("historyLength") {
		n := number("historyLength")
		req.HistoryLength = &n
	}
	req.List = ListFilter{ContextID: u.Query().Get("contextId"), PageSize: number("pageSize"), PageToken: u.Query().Get("pageToken")}
	return req
}

// readRequest decodes a request with the readers of the decoder.
func readRequest(t *testing.T, v *vector) Request {
	t.Helper()
	d := decoder{call: *v.call()}
	if err := d.doc.Parse(v.body); err != nil {
		t.Fatal(err)
	}
	req := fromPath(t, v)
	p := d.doc.Root().Get("params")
	if strings.HasSuffix(v.Dialect, "-rest") {
		p = d.doc.Root()
	} else {
		req = Request{Call: req.Call, TaskID: word(p.Get("id")), ContextID: word(p.Get("sessionId")), PushID: word(p.Get("pushNotificationConfigId"))}
		if id := word(p.Get("taskId")); id != "" {
			req.TaskID, req.PushID = id, word(p.Get("id"))
		}
		req.HistoryLength = lengthOf(p)
	}
	if tenant := word(p.Get("tenant")); tenant != "" {
		req.Tenant = tenant
	}
	req.Metadata = metadata(p.Get("metadata"))
	if m := p.Get("message"); m.Exists() {
		req.Message = new(Message)
		d.message(m, req.Message)
		if req.Message.IDMade {
			req.Message.ID = ""
		}
	}
	req.Config = d.readConfig(v, p)
	if v.Dialect == "v0.1" {
		req.Config.HistoryLength = req.HistoryLength
	}
	if ops[v.Op] == OpPushSet {
		holder := p
		if inner := p.Get("config"); inner.Exists() {
			holder = inner
		}
		c := d.pushConfig(holder)
		req.Push = &c
	}
	if ops[v.Op] == OpList || ops[v.Op] == OpPushList {
		req.List = readFilter(p)
	}
	return req
}

func lengthOf(n jsontok.Node) *int {
	v, ok := n.Get("historyLength").Int()
	if !ok {
		return nil
	}
	i := int(v)
	return &i
}

// readConfig decodes the configuration of a send.
func (d *decoder) readConfig(v *vector, p jsontok.Node) SendConfig {
	conf := p.Get("configuration")
	c := SendConfig{
		HistoryLength: lengthOf(conf), Metadata: metadata(p.Get("metadata")), AcceptedOutputModes: words(conf.Get("acceptedOutputModes")),
	}
	blocking, _ := conf.Get("blocking").Bool()
	atOnce, said := conf.Get("returnImmediately").Bool()
	c.Wait = blocking || !atOnce && (said || strings.HasPrefix(v.Dialect, "v1.0"))
	for _, push := range []jsontok.Node{
		p.Get("pushNotification"), conf.Get("pushNotification"), conf.Get("pushNotificationConfig"), conf.Get("taskPushNotificationConfig"),
	} {
		if push.Exists() {
			config := d.pushConfig(push)
			c.Push = &config
		}
	}
	return c
}

// requestMeaning returns a request without what may differ: its id, members with default
// values, empty objects, and a tenant that is in the path already.
func requestMeaning(t *testing.T, body []byte) map[string]any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		t.Fatal(err)
	}
	params, _ := m["params"].(map[string]any)
	if _, rpc := m["jsonrpc"]; rpc {
		delete(m, "id")
		if len(params) == 0 {
			delete(m, "params")
		}
	} else {
		params = m
		delete(m, "tenant")
	}
	conf, _ := params["configuration"].(map[string]any)
	for name, value := range conf {
		if value == false || reflect.DeepEqual(value, []any{}) {
			delete(conf, name)
		}
	}
	for name, value := range params {
		if reflect.DeepEqual(value, map[string]any{}) {
			delete(params, name)
		}
	}
	return m
}

package request

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"parley/a2a"
)

func TestRoutesAreReadFromTheirEnd(t *testing.T) {
	for path, want := range map[string]string{
		"POST /v1/message:send": "send", "POST /tenant/message:stream": "stream", "GET /tasks/a%2Fb": "get a/b", "GET /v1/tasks": "list",
		"POST /tasks/t:cancel": "cancel t", "GET /x/tasks/t:subscribe": "subscribe t", "POST /tasks/t:1:subscribe": "subscribe t:1",
		"POST /tasks/t/pushNotificationConfigs": "push-set t", "GET /tasks/t/pushNotificationConfigs": "push-list t",
		"GET /tasks/t/pushNotificationConfigs/c": "push-get t c", "DELETE /v1/tasks/t/pushNotificationConfigs/c": "push-delete t c",
		"GET /v1/card": "extended-card", "GET /extendedAgentCard": "extended-card", "GET /card": "", "GET /": "", "POST /": "",
	} {
		verb, target, _ := strings.Cut(path, " ")
		u, err := url.Parse(target)
		if err != nil {
			t.Fatal(err)
		}
		f := ReadHTTP(verb, u, nil, nil)
		if got := strings.TrimSpace(string(f.Op) + " " + f.TaskID + " " + f.PushID); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

func TestDialectAndBaseOfPaths(t *testing.T) {
	for _, c := range []struct {
		path, version string
		dialect       a2a.DialectName
		base          string
	}{
		{"/v1/message:send", "", a2a.V03REST, ""},
		{"/a2a/v1/message:send", "", a2a.V03REST, "/a2a"},
		{"/a2a/v1/message:send", "1.0", a2a.V10REST, "/a2a/v1"},
		{"/rest/message:send", "", a2a.V10REST, "/rest"},
		{"/rest/message:send", "0.3", a2a.V03REST, "/rest"},
		{"/rest/tasks/7/pushNotificationConfigs", "", a2a.V10REST, "/rest"},
	} {
		header := http.Header{}
		if c.version != "" {
			header.Set("A2A-Version", c.version)
		}
		f := ReadHTTP("POST", &url.URL{Path: c.path}, header, nil)
		if f.Dialect != c.dialect || f.Base != c.base || f.Binding != a2a.BindingREST {
			t.Errorf("%s with version %q: got %s below %q, want %s below %q", c.path, c.version, f.Dialect, f.Base, c.dialect, c.base)
		}
	}
}

func TestFactsOfJSONRPC(t *testing.T) {
	for _, c := range []struct {
		body string
		want Facts
	}{
		{`{"jsonrpc":"2.0","id":7,"method":"SendMessage","params":{"message":{"messageId":"m","contextId":"c","taskId":"t","referenceTaskIds":["r"],"parts":[{"text":"hi"}]}}}`,
			Facts{Op: a2a.OpSend, Dialect: a2a.V10, RPCID: "7", TaskID: "t", ContextID: "c", MessageID: "m", Text: "hi", References: []string{"r"}}},
		{`{"jsonrpc":"2.0","id":"x","method":"message/stream","params":{"message":{"messageId":"m","parts":[{"kind":"text","text":"hi"}]},"configuration":{"pushNotificationConfig":{"url":"http://h/"}}}}`,
			Facts{Op: a2a.OpStream, Dialect: a2a.V03, RPCID: `"x"`, MessageID: "m", Text: "hi", PushURL: "http://h/"}},
		{`{"jsonrpc":"2.0","id":1,"method":"tasks/send","params":{"id":"t","sessionId":"s","message":{"parts":[{"type":"text","text":"hi"}]}}}`,
			Facts{Op: a2a.OpSend, Dialect: a2a.V01, RPCID: "1", TaskID: "t", ContextID: "s", Text: "hi"}},
		{`[{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"t"}},{"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"id":"u"}}]`,
			Facts{Op: a2a.OpGet, Dialect: a2a.V03, RPCID: "1", TaskID: "t", Batch: 2}},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"id":"t"}}`, Facts{RPCID: "1", TaskID: "t"}},
	} {
		f := ReadHTTP("POST", &url.URL{Path: "/"}, nil, []byte(c.body))
		if f.Op != c.want.Op || f.Dialect != c.want.Dialect || f.RPCID != c.want.RPCID || f.TaskID != c.want.TaskID || f.ContextID != c.want.ContextID ||
			f.MessageID != c.want.MessageID || f.Text != c.want.Text || f.PushURL != c.want.PushURL || f.Batch != c.want.Batch || len(f.References) != len(c.want.References) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", c.body, f, c.want)
		}
	}
}

func TestASendAndItsStreamKnowEachOther(t *testing.T) {
	for _, pair := range [][2]string{{"message/send", "message/stream"}, {"SendMessage", "SendStreamingMessage"}, {"tasks/send", "tasks/sendSubscribe"}} {
		for i, method := range pair {
			f := ReadHTTP("POST", &url.URL{Path: "/"}, nil, []byte(`{"jsonrpc":"2.0","method":"`+method+`"}`))
			if got := f.Others(); len(got) == 0 || got[0] != "JSONRPC "+pair[1-i] {
				t.Errorf("%s: got %q, want %s first", method, got, pair[1-i])
			}
		}
	}
	rest := ReadHTTP("POST", &url.URL{Path: "/v1/message:send"}, nil, nil)
	call := ReadGRPC("/lf.a2a.v1.A2AService/SendStreamingMessage", nil)
	get := ReadGRPC("/lf.a2a.v1.A2AService/GetTask", nil)
	if r, c, g := rest.Others(), call.Others(), get.Others(); len(r) != 1 || r[0] != "HTTP+JSON POST /message:stream" || len(c) != 1 || c[0] != "GRPC /lf.a2a.v1.A2AService/SendMessage" || g != nil {
		t.Errorf("got %q, %q and %q", r, c, g)
	}
}

func TestAMessageSaysWhetherItsClientWaits(t *testing.T) {
	for config, want := range map[string]bool{
		`{}`: false, `{"blocking":true}`: false, `{"blocking":false}`: true, `{"returnImmediately":true}`: true, `{"returnImmediately":false}`: false, `{"return_immediately":true}`: true, `7`: false,
	} {
		f := ReadHTTP("POST", &url.URL{Path: "/message:send"}, nil, []byte(`{"message":{"parts":[]},"configuration":`+config+`}`))
		if f.AtOnce != want {
			t.Errorf("%s: got %v, want %v", config, f.AtOnce, want)
		}
	}
}

// Nobody knows what other programs send.
func FuzzRead(f *testing.F) {
	f.Add("POST", "/v1/tasks/x:cancel", `{"name":"tasks/x"}`)
	f.Add("POST", "/", `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"parts":[{"text":"a"}]}}}`)
	f.Add("GET", "/tasks/t/pushNotificationConfigs/c?pageToken=1", ``)
	f.Add("POST", "/", `[{"jsonrpc":"2.0"`)
	f.Fuzz(func(t *testing.T, verb, target, body string) {
		u, err := url.Parse(target)
		if err != nil {
			return
		}
		facts := ReadHTTP(verb, u, http.Header{"A2a-Version": {"1.0"}}, []byte(body))
		if facts.Op != "" && facts.Binding == "" {
			t.Errorf("got %+v, want a binding with every operation", facts)
		}
		ReadGRPC("/"+target, []byte(body))
	})
}

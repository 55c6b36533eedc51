package log_test

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
)

// item decodes a record of a stream.
func item(call *a2a.Call, kind a2a.RecordKind, body string) *log.Item {
	it := &log.Item{Record: a2a.Record{Kind: kind, Raw: []byte(body), Call: call}}
	if kind != a2a.KindRequest {
		it.Update = a2a.Decode(call, a2a.Input{Body: []byte(body), Stream: kind == a2a.KindEvent})
	}
	return it
}

func TestBroughtIsWhatTheRecordSays(t *testing.T) {
	call := &a2a.Call{Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}
	event := func(json string) *log.Item {
		return item(call, a2a.KindEvent, `{"jsonrpc":"2.0","id":"1","result":`+json+`}`)
	}
	artifact := func(parts string) *log.Item {
		return event(`{"artifactUpdate":{"taskId":"t","append":true,"artifact":{"artifactId":"a","parts":[` + parts + `]}}}`)
	}
	request := func(text string) *log.Item {
		return item(call, a2a.KindRequest, `{"jsonrpc":"2.0","id":"1","method":"SendStreamingMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"`+text+`"}]}}}`)
	}
	huge := strings.Repeat("ü", 1<<20)
	for name, c := range map[string]struct {
		it   *log.Item
		most int
		want string
	}{
		"text":                {artifact(`{"text":"a b"}`), 99, "a b"},
		"two parts":           {artifact(`{"text":"a "},{"data":{"b": 1}}`), 99, `a {"b": 1}`},
		"a file":              {artifact(`{"raw":"aGk=","mediaType":"image/png"}`), 99, "image/png"},
		"no part":             {artifact(``), 99, ""},
		"whole characters":    {artifact(`{"text":"` + huge + `"}`), 5, "üü"},
		"nothing asked for":   {artifact(`{"text":"a"}`), 0, ""},
		"a state":             {event(`{"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"hm"}]}}}}`), 99, "hm"},
		"a state alone":       {event(`{"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_WORKING"}}}`), 99, ""},
		"an error":            {item(call, a2a.KindEvent, `{"jsonrpc":"2.0","id":"1","error":{"code":-1,"message":"no"}}`), 99, ""},
		"what is no JSON":     {item(call, a2a.KindEvent, `{`), 99, ""},
		"a request":           {request("London"), 99, "London"},
		"a huge request":      {request(huge), 99, ""},
		"a request of others": {item(&a2a.Call{Op: a2a.OpGet}, a2a.KindRequest, "{}"), 99, ""},
		"a request unread":    {item(call, a2a.KindRequest, "{"), 99, ""},
		"no call":             {&log.Item{Record: a2a.Record{Kind: a2a.KindRequest}}, 99, ""},
	} {
		if got := log.Brought(c.it, c.most); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	event1MB := artifact(`{"text":"` + huge + `"}`)
	if n := testing.AllocsPerRun(10, func() { log.Brought(event1MB, 50) }); n > 0 {
		t.Errorf("got %v allocations for the beginning of a long text, want none", n)
	}
}

func TestAnExtensionContinuesTheArtifactBeforeIt(t *testing.T) {
	call := &a2a.Call{Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}
	of := func(task, id string, more bool) log.Extension {
		appends := "false"
		if more {
			appends = "true"
		}
		e, ok := log.Extends(item(call, a2a.KindEvent, `{"jsonrpc":"2.0","id":"1","result":{"artifactUpdate":{"taskId":"`+task+`","append":`+appends+`,"artifact":{"artifactId":"`+id+`","parts":[{"text":"ab"},{"data":[1]}]}}}}`))
		if !ok || e.Bytes != 5 || e.Name != id {
			t.Fatalf("got extension %+v, %v; want 5 bytes of %s", e, ok, id)
		}
		return e
	}
	first := of("t", "a", false)
	for name, c := range map[string]struct {
		next log.Extension
		want bool
	}{
		"more": {of("t", "a", true), true}, "in its place": {of("t", "a", false), false}, "another artifact": {of("t", "b", true), false}, "another task": {of("u", "a", true), false},
	} {
		if got := c.next.Continues(first); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	if _, ok := log.Extends(item(call, a2a.KindRequest, "{}")); ok {
		t.Error("a request extends an artifact, want only updates to")
	}
}

package serve

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"parley/a2a/jsontok"
)

// conversation is a recording with two conversations, of which the first has a second message.
func conversation() *tape {
	tp := newTape()
	tp.card(`{"name":"Clerk","url":"http://agent.example/a2a","capabilities":{},"skills":[]}`)
	tp.answer("Hello", "", "task-1", "ctx-1", "first")                       // 6
	tp.answer("Go on", `,"contextId":"ctx-1"`, "task-2", "ctx-1", "second")  // 10
	tp.answer("hello", "", "task-3", "ctx-3", "third")                       // 14
	tp.answer("Pay •••", "", "task-4", "ctx-4", "fourth")                    // 18
	tp.answer("Hello", `,"taskId":"task-4"`, "task-4", "ctx-4", "follow-up") // 22
	return tp
}

func TestARequestFindsItsAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		requests []string // prompts, with the members of the message after a bar
		want     []string // the texts of the answers, and how they were found
	}{
		{"equal", []string{"hello", "Hello"}, []string{"third/same text", "first/same text"}},
		{"similar", []string{"HELLO!", " hello ."}, []string{"first/similar text", "third/similar text"}},
		{"again", []string{"hello", "hello"}, []string{"third/same text", "third/same text"}},
		{"in order", []string{"one", "two", "three", "four", "five", "six"}, []string{"first/next in order", "third/next in order", "fourth/next in order", "second/next in order", "follow-up/next in order", "-"}},
		{"masked", []string{"Pay 17 with 4711"}, []string{"fourth/same text"}},
		{"a context", []string{"Hello", `more|,"contextId":"ctx-1"`}, []string{"first/same text", "second/next in order"}},
		{"a text elsewhere", []string{"Go on"}, []string{"second/same text"}},
		{"a task", []string{"Pay it", `Hello|,"taskId":"task-4"`}, []string{"fourth/same text", "follow-up/same text"}},
		{"the end of a context", []string{"Hello", `a|,"contextId":"ctx-1"`, `b|,"contextId":"ctx-1"`}, []string{"first/same text", "second/next in order", "-"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := conversation().load(t).Agents[0]
			for i, request := range c.requests[:len(c.want)] {
				prompt, more, _ := strings.Cut(request, "|")
				f := readHTTP("POST", &url.URL{Path: "/a2a"}, []byte(sendBody("1", "message/send", prompt, more)))
				got, done := "-", a.match(&f)
				if done.x != nil {
					_, said, _ := strings.Cut(string(done.x.parts[0].Raw), `"text":"`)
					said, _, _ = strings.Cut(said, `"`)
					got = said + "/" + done.how
				}
				if got != c.want[i] {
					t.Errorf("%q: got %s, want %s", request, got, c.want[i])
				}
			}
		})
	}
}

func TestAMissIsAnErrorOfTheDialect(t *testing.T) {
	t.Parallel()
	ts := conversation().serve(t, Options{})
	for _, c := range []struct{ body, want string }{
		{`{"jsonrpc":"2.0","id":7,"method":"message/stream","params":{"message":{"parts":[]}}}`, `data: {"jsonrpc":"2.0","id":7,"result":{"kind":"task","id":"task-1"`},
		{`{"jsonrpc":"2.0","id":7,"method":"ListTasks","params":{"contextId":"none"}}`, `{"jsonrpc":"2.0","id":7,"result":{"tasks":[],"nextPageToken":"","pageSize":50,"totalSize":0}}`},
		{`{"jsonrpc":"2.0","id":"x","method":"tasks/get","params":{"id":"nobody"}}`, `{"jsonrpc":"2.0","id":"x","error":{"code":-32001,`},
		{`{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{}}`, `"code":-32004`},
		{`{"jsonrpc":"2.0","id":1,"method":"tasks/fly"}`, `"code":-32601`},
		{`{"jsonrpc":"2.0","id":1}`, `"code":-32600`},
		{`{"id":1,"method":"message/send","params":{"message":{"parts":[{"kind":"text","text":"Hello"}]}}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,`},
		{`{"jsonrpc":"1.0","id":1,"method":"tasks/get","params":{"id":"task-1"}}`, `"code":-32600`},
		{`{"message":{"parts":[{"kind":"text","text":"Hello"}]}}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{`[]`, `"code":-32600`},
		{`{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{"message":{"parts":[]}}}`, `data: {"jsonrpc":"2.0","id":1,"error":{"code":-32004,`},
		{`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1<<20) + `"}`, `xx….`},
		{`no JSON`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
	} {
		if got, err := ts.post(t, c.body); err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, %v, want %s", c.body, got, err, c.want)
		}
	}
	if got := len(ts.log); got != 13 {
		t.Errorf("got %d lines, want 13: %q", got, ts.log)
	}
	for path, want := range map[string]string{"/tasks/nobody": `"status":"NOT_FOUND"`, "/other": "parley serve: The recording has no answer to GET /other."} {
		resp, err := http.Get(ts.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 4096)
		n, _ := resp.Body.Read(b)
		resp.Body.Close()
		if resp.StatusCode != http.StatusNotFound || !strings.Contains(string(b[:n]), want) {
			t.Errorf("%s: got %d %s, want 404 with %s", path, resp.StatusCode, b[:n], want)
		}
	}
}

func TestEachRunHasIDsOfItsOwn(t *testing.T) {
	t.Parallel()
	ts := conversation().serve(t, Options{})
	first, _ := ts.post(t, sendBody("17", "message/send", "Hello", ""))
	if want := taskBody("17", "task-1", "ctx-1", "first"); first != want {
		t.Errorf("got %s\nwant the recorded bytes with the id of the request: %s", first, want)
	}
	second, _ := ts.post(t, sendBody(`"b"`, "message/send", "Hello", ""))
	if !strings.Contains(second, `"id":"b"`) || strings.Contains(second, `"task-1"`) || strings.Contains(second, `"ctx-1"`) || !strings.Contains(second, `"id":"task-1-`) {
		t.Errorf("got %s, want other ids than in the first run", second)
	}
	_, context, _ := strings.Cut(second, `"contextId":"`)
	context, _, _ = strings.Cut(context, `"`)
	more, _ := ts.post(t, sendBody("3", "message/send", "Go on", `,"contextId":"`+context+`"`))
	if !strings.Contains(more, "second") || !strings.Contains(more, `"contextId":"`+context+`"`) {
		t.Errorf("got %s, want the second answer in context %s", more, context)
	}
	mine, _ := ts.post(t, sendBody("4", "message/send", "Hello", `,"contextId":"of-the-client"`))
	if !strings.Contains(mine, `"contextId":"of-the-client"`) {
		t.Errorf("got %s, want the context that the client chose", mine)
	}
}

func TestIDsOfJSONRPCKeepTheirType(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ request, answer, now, want string }{
		{`"rec-1"`, `"rec-1"`, `17`, `17`},
		{`1`, `"1"`, `2`, `"2"`}, // the agent made it a string
		{`1`, `null`, `2`, `null`},
		{`1`, `9`, `2`, `9`},
	} {
		s := &swap{rpcFrom: c.request, rpcTo: c.now}
		src := []byte(`{"jsonrpc":"2.0", "id" : ` + c.answer + `,"result":{"id":"` + strconv.Quote("x")[1:2] + `"}}`)
		if got := string(jsontok.Apply(src, s.edits(src))); !strings.HasPrefix(got, `{"jsonrpc":"2.0", "id" : `+c.want+`,"result"`) {
			t.Errorf("request %s, answer %s: got %s, want id %s", c.request, c.answer, got, c.want)
		}
	}
}

package grpc_test

import (
	"net/http"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/grpc/grpctest"
)

func TestARequestIsEditedAsJSONAndSentAsBytes(t *testing.T) {
	t.Parallel()
	var bytes []byte
	var path, extra string
	server := grpctest.Start(t, func(c *grpctest.Call) error {
		bytes, path = c.Request, c.Path
		if v := c.Metadata.Get("x-mine"); len(v) > 0 {
			extra = v[0]
		}
		return c.Answer(task1)
	})
	client, tape := newClient(t, "grpc://"+server.Address, a2a.V10)
	raw, err := client.Compose(a2a.Request{Call: &a2a.Call{Op: a2a.OpGet}, TaskID: "t1"})
	if err != nil || raw.URL != "grpc://"+server.Address+"/lf.a2a.v1.A2AService/GetTask" || string(raw.Body) != `{"id":"t1"}` {
		t.Fatalf("got %+v (%v)", raw, err)
	}
	raw.Body, raw.Header = []byte(`{"id":"t2","99:varint":7}`), http.Header{"X-Mine": {"1"}}
	out := client.Raw(t.Context(), a2a.Call{Dialect: a2a.V10, Binding: a2a.BindingGRPC}, raw, a2a.Hooks{})
	if out.Err != nil || out.TaskID != "t1" || path != "/lf.a2a.v1.A2AService/GetTask" || extra != "1" {
		t.Fatalf("got %+v (%v)", out, out.Err)
	}
	if want := "\x12\x02t2\x98\x06\x07"; string(bytes) != want {
		t.Errorf("got %q sent, want %q", bytes, want)
	}
	if call := tape.records[0].Call; call.Op != a2a.OpGet || call.TaskID != "t2" || call.Binding != a2a.BindingGRPC || !call.Raw {
		t.Errorf("got call %+v", call)
	}
	for _, c := range []struct{ url, body, says string }{
		{"/lf.a2a.v1.A2AService/GetTask", `{"ids":"t2"}`, "a name that GetTaskRequest lacks"},
		{"/lf.a2a.v1.A2AService/Nothing", `{}`, "no method /lf.a2a.v1.A2AService/Nothing"},
		{"", `{}`, "no method behind the host"},
	} {
		raw.URL, raw.Body = "grpc://"+server.Address+c.url, []byte(c.body)
		out := client.Raw(t.Context(), a2a.Call{Dialect: a2a.V10, Binding: a2a.BindingGRPC}, raw, a2a.Hooks{})
		if out.End.Reason != a2a.Refused || !strings.Contains(out.End.Sentence, c.says) {
			t.Errorf("%s %s: got %+v", c.url, c.body, out.End)
		}
	}
}

// A host in other letters is connected to under the name that it means, as over HTTP.
func TestAHostInOtherLettersIsCalled(t *testing.T) {
	t.Parallel()
	server := grpctest.Start(t, func(c *grpctest.Call) error { return c.Answer(task1) })
	_, port, _ := strings.Cut(server.Address, ":")
	client, tape := newClient(t, "grpc://①②⑦.⓪.⓪.①:"+port, a2a.V10)
	out := client.Do(t.Context(), a2a.Request{Call: &a2a.Call{Op: a2a.OpGet}, TaskID: "t1"}, a2a.Hooks{})
	if url := tape.records[0].Head.URL; out.Err != nil || out.TaskID != "t1" || !strings.HasPrefix(url, "grpc://127.0.0.1:"+port+"/") {
		t.Errorf("got %+v (%v) from %s, want the task from 127.0.0.1", out, out.Err, url)
	}
	client, _ = newClient(t, "grpc://localhost\u202e:"+port, a2a.V10)
	out = client.Do(t.Context(), a2a.Request{Call: &a2a.Call{Op: a2a.OpGet}, TaskID: "t1"}, a2a.Hooks{})
	if want := "The host localhost%E2%80%AE:" + port + " cannot be looked up"; out.End.Reason != a2a.Refused || !strings.HasPrefix(out.End.Sentence, want) {
		t.Errorf("got %+v, want %s", out.End, want)
	}
}

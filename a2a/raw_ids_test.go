package a2a

import (
	"bytes"
	"testing"
)

func TestTheIDsOfARequestAreFoundAndChanged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, rpc, message, changed string }{
		{`{"id":1,"method":"m","params":{"message":{"messageId":"a","taskId":"a"}}}`, "1", `"a"`,
			`{"id":"x","method":"m","params":{"message":{"messageId":"x","taskId":"a"}}}`},
		{`{"params":{"message":{"messageId":"a"}}, "method":"m", "id" : "b"}`, `"b"`, `"a"`,
			`{"params":{"message":{"messageId":"x"}}, "method":"m", "id" : "x"}`},
		{`{"request":{"message_id":"a"},"id":"no envelope"}`, "", `"a"`, `{"request":{"message_id":"x"},"id":"no envelope"}`},
		{`{"id":null,"method":"m"}`, "", "", `{"id":null,"method":"m"}`},
		{`{"jsonrpc":"2.0","method":"tasks/send","id":"b","params":{"id":"task"}}`, `"b"`, "", `{"jsonrpc":"2.0","method":"tasks/send","id":"x","params":{"id":"task"}}`},
		{`{"method":"m","id":"torn`, "", "", `{"method":"m","id":"torn`},
		{`[{"method":"m","id":1}]`, "", "", `[{"method":"m","id":1}]`},
		{"", "", "", ""},
	} {
		r := RawRequest{Body: []byte(c.body)}
		if got := r.IDs(); got.RPC != c.rpc || got.Message != c.message {
			t.Errorf("%s: got ids %+v, want %q and %q", c.body, got, c.rpc, c.message)
		}
		if got := r.WithFreshIDs(func() string { return "x" }); string(got.Body) != c.changed || string(r.Body) != c.body {
			t.Errorf("%s: got body\n%s\nwant\n%s", c.body, got.Body, c.changed)
		}
		if same := r.WithIDs(r.IDs()); string(same.Body) != c.body {
			t.Errorf("%s: got %s with its own ids, want no change", c.body, same.Body)
		}
	}
}

// FuzzRequestIDs checks that new ids change nothing else in a body, and that the old ones can
// be restored.
func FuzzRequestIDs(f *testing.F) {
	for _, v := range loadVectors(f) {
		if v.Kind == "request" {
			f.Add(v.body)
		}
	}
	f.Add([]byte(`{"id":1,"id":2,"method":"m","params":{"message":{"messageId":"a"}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		r := RawRequest{Body: bytes.Clone(body)}
		fresh := r.WithFreshIDs(func() string { return "f" })
		if back := fresh.WithIDs(r.IDs()); !bytes.Equal(back.Body, body) {
			t.Fatalf("got %q after fresh ids %q, want %q", back.Body, fresh.Body, body)
		}
	})
}

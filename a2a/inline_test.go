package a2a

import (
	"encoding/json"
	"testing"
)

func TestADataURLKeepsItsBytes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ content, member, bytes, media string }{
		{"data:text/plain;base64,aGVsbG8=", "", "hello", "text/plain"},
		{"DATA:image/png;base64,aGVsbG8%3D", `"mimeType":"image/gif",`, "hello", "image/gif"},
		{"data:,a%20b", "", "a b", ""},
		{"data:text/csv;charset=utf-8,1%2C2", "", "1,2", "text/csv;charset=utf-8"},
		{"aGVsbG8=", "", "hello", ""},
	} {
		body := `{"jsonrpc":"2.0","id":"1","result":{"kind":"message","messageId":"m","role":"agent","parts":[{"kind":"file","file":{` + c.member + `"bytes":"` + c.content + `"}}]}}`
		u := Decode(&Call{Op: OpSend, Dialect: V03, Binding: BindingJSONRPC}, Input{Body: []byte(body), RPCID: `"1"`})
		p := &u.Events[0].Message.Parts[0]
		got, err := p.Bytes()
		if err != nil || string(got) != c.bytes || p.MediaType != c.media {
			t.Errorf("%s: got bytes %q of type %q, %v; want %q of type %q", c.content, got, p.MediaType, err, c.bytes, c.media)
		}
		if noted := len(u.Findings) > 0; noted != (c.content[:2] != "aG") {
			t.Errorf("%s: got findings %+v", c.content, u.Findings)
		}
	}
}

// The first of two documents in one body is the answer; each line of a stream is one.
func TestTheFirstOfTwoDocumentsIsTheAnswer(t *testing.T) {
	t.Parallel()
	one := `{"jsonrpc":"2.0","id":"1","result":{"kind":"task","id":"a","contextId":"c","status":{"state":"working"}}}`
	two := `{"jsonrpc":"2.0","id":"1","result":{"kind":"task","id":"b","contextId":"c","status":{"state":"completed"}}}`
	for _, between := range []string{"", "\n", " "} {
		u := Decode(&Call{Op: OpGet, Dialect: V03, Binding: BindingJSONRPC}, Input{Body: []byte(one + between + two), RPCID: `"1"`})
		if len(u.Events) != 1 || u.Events[0].TaskID != "a" || len(u.Findings) == 0 || u.Findings[0].Rule != "ENV-010" {
			t.Errorf("documents with %q between: got update %+v, want task a and ENV-010", between, u)
		}
	}
	u := Decode(&Call{Op: OpStream, Dialect: V03, Binding: BindingJSONRPC}, Input{Body: []byte(one + "\n" + two), RPCID: `"1"`})
	if len(u.Events) != 2 {
		t.Errorf("stream of lines: got update %+v, want two events", u)
	}
}

func FuzzTwoDocuments(f *testing.F) {
	f.Add([]byte(`{"a":1}`), []byte(`{"b":2}`))
	f.Add([]byte(`[`), []byte(`{}`))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		if len(one) == 0 || one[0] != '{' || !json.Valid(one) {
			t.Skip()
		}
		call := &Call{Op: OpGet, Dialect: V03, Binding: BindingJSONRPC}
		alone := Decode(call, Input{Body: one, RPCID: `"1"`})
		both := Decode(call, Input{Body: append(append([]byte{}, one...), two...), RPCID: `"1"`})
		if len(both.Events) != len(alone.Events) && (both.Err == nil) == (alone.Err == nil) {
			t.Errorf("got %d events of two documents, %d of the first alone", len(both.Events), len(alone.Events))
		}
	})
}

package jsonrpc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"parley/a2a/jsontok"
)

func index(t testing.TB, body string) *jsontok.Doc {
	t.Helper()
	var doc jsontok.Doc
	if err := doc.Parse([]byte(body)); err != nil {
		t.Fatalf("%.80q: %v", body, err)
	}
	return &doc
}

func vector(t testing.TB, name string) *jsontok.Doc {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("../testdata/vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	return index(t, string(body))
}

func TestRequestKeepsOrderAndEscapesNoMoreThanNeeded(t *testing.T) {
	got := string(Request("c41f-1", "message/send", json.RawMessage(`{"text":"a < b & c",  "n":1.0}`)))
	want := `{"jsonrpc":"2.0","id":"c41f-1","method":"message/send","params":{"text":"a < b & c",  "n":1.0}}`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	got = string(Request("<\"\\\n\x7f\xff>", "agent/getAuthenticatedExtendedCard", nil))
	want = `{"jsonrpc":"2.0","id":"<\"\\\u000a` + "\x7f\uFFFD" + `>","method":"agent/getAuthenticatedExtendedCard"}`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestIDsAreComparedByText(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		equal bool
	}{
		{`"1"`, `1`, true}, {`"a"`, `"\u0061"`, true}, {`17`, `17`, true}, {`"c41f-1"`, `"c41f-1"`, true},
		{`9007199254740993`, `"9007199254740993"`, true}, {`9007199254740993`, `9007199254740992`, false},
		{`1`, `1.0`, false}, {`"1"`, `"01"`, false}, {`null`, `null`, true}, {`null`, `"null"`, false}, {`true`, `"true"`, false},
		{``, `""`, false}, {``, `null`, false}, {``, ``, true}, {`[1]`, `"[1]"`, false}, {`-5`, `"-5"`, true},
	} {
		if got := ParseID(c.a).Equal(ParseID(c.b)); got != c.equal {
			t.Errorf("ids %s and %s: got equal %v, want %v", c.a, c.b, got, c.equal)
		}
		if got := ParseID(c.b).Equal(ParseID(c.a)); got != c.equal {
			t.Errorf("ids %s and %s: got equal %v, want %v", c.b, c.a, got, c.equal)
		}
	}
}

func TestMissingAndNullAreToldApart(t *testing.T) {
	missing := vector(t, "bad/007-id-missing.json")
	if e := ParseEnvelope(missing); !e.ID.Missing() || e.ID.IsNull() || e.ID.String() != "" || !e.Result.Exists() || e.Error.Exists() {
		t.Errorf("007: got %+v, want no id and a result", e)
	}
	null := vector(t, "bad/006-id-null-on-success.json")
	if e := ParseEnvelope(null); e.ID.Missing() || !e.ID.IsNull() || e.ID.String() != "null" {
		t.Errorf("006: got %+v, want a null id", e)
	}
	neither := vector(t, "bad/009-neither-result-nor-error.json")
	if e := ParseEnvelope(neither); e.Result.Exists() || e.Error.Exists() || e.Failed() {
		t.Errorf("009: got %+v, want neither result nor error", e)
	}
	nullError := vector(t, "bad/010-error-null.json")
	if e := ParseEnvelope(nullError); !e.Error.Exists() || e.Failed() || e.Result.Kind() != jsontok.Object {
		t.Errorf("010: got %+v, want a null error and a result", e)
	}
	nullResult := vector(t, "bad/011-result-null.json")
	if e := ParseEnvelope(nullResult); !e.Result.Exists() || e.Result.Kind() != jsontok.Null {
		t.Errorf("011: got %+v, want a null result", e)
	}
}

func TestEnvelopesOfTheVectors(t *testing.T) {
	number := vector(t, "bad/005-id-number-became-string.json")
	if e := ParseEnvelope(number); !e.ID.Equal(ParseID("1")) || e.ID.String() != `"1"` || e.ID.Text() != "1" || e.JSONRPC != "2.0" || !e.HasJSONRPC {
		t.Errorf("005: got %+v, want id 1 as a string", e)
	}
	old := vector(t, "bad/013-jsonrpc-1.0.json")
	if e := ParseEnvelope(old); e.JSONRPC != "1.0" || !e.HasJSONRPC {
		t.Errorf("013: got %+v, want JSON-RPC 1.0", e)
	}
	failed := vector(t, "hybrid/13-error-in-http-200-with-data-string.response.json")
	if e := ParseEnvelope(failed); !e.Failed() || e.Error.Get("code").Number() != "-32602" {
		t.Errorf("hybrid 13: got %+v, want error -32602", e)
	}
	notification := vector(t, "hybrid/17-jsonrpc-notification-in-stream.json")
	if e := ParseEnvelope(notification); e.Method != "tasks/statusUpdate" || !e.Params.Get("taskId").Exists() || !e.ID.Missing() {
		t.Errorf("hybrid 17: got %+v, want a notification", e)
	}
	none := vector(t, "bad/017-fastapi-detail.json")
	if e := ParseEnvelope(none); e.HasJSONRPC || e.Result.Exists() || e.Error.Exists() || !e.Node.Exists() {
		t.Errorf("017: got %+v, want no envelope", e)
	}
}

func TestBatchIsPickedByID(t *testing.T) {
	single := vector(t, "bad/014-batch-array.json")
	if e := ParseEnvelope(single); e.Batch != 1 || e.ID.String() != "1" || !e.Result.Exists() {
		t.Errorf("014: got %+v, want a batch of one with id 1", e)
	}
	batch := index(t, `[null, {"id":"a","result":1}, {"id":2,"result":2}, {"id":"2","result":3}]`)
	for _, c := range []struct{ id, want string }{{`"2"`, "2"}, {`"a"`, "1"}, {`"none"`, "1"}, {``, "1"}} {
		if e := Find(batch, ParseID(c.id)); e.Result.Number() != c.want || e.Batch != 4 {
			t.Errorf("id %s: got result %s of %d, want %s of 4", c.id, e.Result.Number(), e.Batch, c.want)
		}
	}
	for _, body := range []string{`[]`, `[1,"x"]`, `"text"`, `null`, `17`} {
		if e := Find(index(t, body), ParseID(`"a"`)); e.Node.Exists() || !e.ID.Missing() {
			t.Errorf("%s: got %+v, want no envelope", body, e)
		}
	}
	if e := ParseEnvelope(new(jsontok.Doc)); e != (Envelope{}) {
		t.Errorf("empty body: got %+v, want no envelope", e)
	}
}

func TestParseEnvelopeAllocatesTheIDAlone(t *testing.T) {
	doc := index(t, `{"jsonrpc":"2.0","id":"c41f-1","result":{"kind":"task","id":"x"}}`)
	allocs := testing.AllocsPerRun(100, func() {
		if e := ParseEnvelope(doc); !e.Result.Exists() {
			t.Fatalf("got envelope %+v, want one with a result", e)
		}
	})
	if allocs > 1 {
		t.Errorf("got %v allocations, want 1", allocs)
	}
}

func BenchmarkParseEnvelope(b *testing.B) {
	doc := index(b, `{"jsonrpc":"2.0","id":"c41f-1","result":{"kind":"task","id":"x"}}`)
	b.ReportAllocs()
	for b.Loop() {
		if e := ParseEnvelope(doc); !e.Result.Exists() {
			b.Fatal("no result")
		}
	}
}

// BenchmarkFloorGet gets the result alone.
func BenchmarkFloorGet(b *testing.B) {
	doc := index(b, `{"jsonrpc":"2.0","id":"c41f-1","result":{"kind":"task","id":"x"}}`)
	for b.Loop() {
		if !doc.Root().Get("result").Exists() {
			b.Fatal("no result")
		}
	}
}

package har_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/export"
	"parley/session/export/excerpt"
	"parley/session/export/har"
	"parley/session/model"
)

func read(t testing.TB, path string) *model.State {
	t.Helper()
	s, faults, err := export.Read(t.Context(), export.Source{Path: path, Report: func(int64, int64) {}})
	if err != nil || len(faults) > 0 {
		t.Fatalf("got %v and %q, want a session", err, faults)
	}
	return s
}

// imported returns the session of an archive.
func imported(t testing.TB, archive string) (*model.State, har.Summary) {
	t.Helper()
	var b bytes.Buffer
	sum, err := har.Import(strings.NewReader(archive), &b)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "imported.jsonl")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return read(t, path), sum
}

func write(t testing.TB, format string, s *model.State) string {
	t.Helper()
	p, err := excerpt.Choose(s, "x", excerpt.Choice{})
	f, _ := export.ByName(export.Formats(), format)
	var b bytes.Buffer
	if err == nil {
		err = f.Write(t.Context(), &b, p, func(int, int) {})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// An archive that Parley wrote gives the same conversations.
func TestAnArchiveOfParleyIsTheSameSession(t *testing.T) {
	before := read(t, "../testdata/booking.jsonl")
	after, sum := imported(t, write(t, "har", before))
	if sum.Exchanges != 4 || sum.Others != 0 {
		t.Errorf("got %+v, want four exchanges", sum)
	}
	// The reference of the agent is the address of its card.
	want := strings.ReplaceAll(write(t, "md", before), "http://127.0.0.1:4711", "http://127.0.0.1:4711/.well-known/agent-card.json")
	if got := write(t, "md", after); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if before.Log.Len() != after.Log.Len() {
		t.Fatalf("got %d records, want %d", after.Log.Len(), before.Log.Len())
	}
	for id := a2a.RecordID(1); int(id) <= before.Log.Len(); id++ { // records have their times and bytes
		x, y := before.Log.At(id).Record, after.Log.At(id).Record
		if x.Kind == a2a.KindNote { // which an archive does not have: the import makes its own
			continue
		}
		if x.Kind != y.Kind || !x.Time.Equal(y.Time) || !bytes.Equal(x.Raw, y.Raw) {
			t.Errorf("record %d: got %v %q, want %v %q", id, y.Time, y.Raw, x.Time, x.Raw)
		}
	}
}

// browser is an archive as a browser writes it.
const browser = `{"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"pages":[],"entries":[
{"_initiator":{"type":"other"},"_priority":"VeryHigh","startedDateTime":"2026-11-20T14:02:03.000Z","time":20.5,"request":{"method":"GET","url":"https://agent.example/","httpVersion":"h2","headers":[{"name":":authority","value":"agent.example"}],"queryString":[],"cookies":[],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"","httpVersion":"h2","headers":[],"cookies":[],"content":{"size":5,"mimeType":"text/html","text":"<html"},"redirectURL":"","headersSize":-1,"bodySize":-1,"_transferSize":5},"cache":{},"timings":{"blocked":1,"dns":-1,"ssl":-1,"connect":-1,"send":0.1,"wait":19,"receive":0.4}},
{"startedDateTime":"2026-11-20T14:02:05.000Z","time":300,"request":{"method":"POST","url":"https://agent.example/rpc","httpVersion":"h2","headers":[{"name":":authority","value":"agent.example"},{"name":"authorization","value":"Bearer abcdefgh12345678"},{"name":"content-type","value":"application/json"}],"queryString":[],"cookies":[],"headersSize":-1,"bodySize":10,"postData":{"mimeType":"application/json","text":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/stream\",\"params\":{\"message\":{\"kind\":\"message\",\"messageId\":\"m\",\"role\":\"user\",\"parts\":[{\"kind\":\"text\",\"text\":\"hello\"}]}}}"}},"response":{"status":200,"statusText":"","httpVersion":"h2","headers":[{"name":"content-type","value":"text/event-stream"}],"cookies":[],"content":{"size":10,"mimeType":"text/event-stream","text":"data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"kind\":\"task\",\"id\":\"t1\",\"contextId\":\"c1\",\"status\":{\"state\":\"working\"}}}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"kind\":\"status-update\",\"taskId\":\"t1\",\"contextId\":\"c1\",\"final\":true,\"status\":{\"state\":\"completed\",\"message\":{\"kind\":\"message\",\"messageId\":\"a\",\"role\":\"agent\",\"parts\":[{\"kind\":\"text\",\"text\":\"you said abcdefgh12345678\"}]}}}}\n\n"},"redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},"timings":{"blocked":-1,"dns":-1,"ssl":-1,"connect":-1,"send":0,"wait":100,"receive":200}},
{"startedDateTime":"2026-11-20T14:02:06.000Z","time":30,"request":{"method":"POST","url":"https://rest.example/base/v1/message:send?x=1","httpVersion":"http/1.1","headers":[],"queryString":[],"cookies":[],"headersSize":-1,"bodySize":10,"postData":{"mimeType":"application/json","text":"{\"message\":{\"messageId\":\"m2\",\"role\":\"ROLE_USER\",\"content\":[{\"text\":\"over HTTP\"}]}}"}},"response":{"status":200,"statusText":"","httpVersion":"http/1.1","headers":[],"cookies":[],"content":{"size":10,"mimeType":"application/json","encoding":"base64","text":"eyJ0YXNrIjp7ImlkIjoidDIiLCJjb250ZXh0SWQiOiJjMiIsInN0YXR1cyI6eyJzdGF0ZSI6IlRBU0tfU1RBVEVfV09SS0lORyJ9fX0="},"redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},"timings":{"send":0,"wait":10,"receive":20}},
{"startedDateTime":"2026-11-20T14:02:07.000Z","time":30,"request":{"method":"GET","url":"https://rest.example/base/v1/tasks/t2","httpVersion":"http/1.1","headers":[],"queryString":[],"cookies":[],"headersSize":-1,"bodySize":0},"response":{"status":0,"statusText":"","httpVersion":"","headers":[],"cookies":[],"content":{"size":0,"mimeType":"x-unknown"},"redirectURL":"","headersSize":-1,"bodySize":-1,"_error":"net::ERR_FAILED"},"cache":{},"timings":{"send":0,"wait":10,"receive":20}},
{"startedDateTime":"2026-11-20T14:02:07.000Z","time":1,"request":{"method":"GET","url":"https://shop.example/tasks/7","httpVersion":"h2","headers":[],"queryString":[],"cookies":[],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"","httpVersion":"h2","headers":[],"cookies":[],"content":{"size":2,"mimeType":"application/json","text":"{}"},"redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},"timings":{"send":0,"wait":1,"receive":0}}
]}}`

func TestAnArchiveOfABrowserIsASession(t *testing.T) {
	s, sum := imported(t, browser)
	if sum.Exchanges != 3 || sum.Others != 2 {
		t.Errorf("got %+v, want three exchanges and two other entries", sum)
	}
	text := write(t, "md", s)
	for _, want := range []string{"hello\n", "you said •••", "*working → completed*", "over HTTP\n", "task `t2`", "The archive contains no answer."} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant %q", text, want)
		}
	}
	if raw := write(t, "jsonl", s); strings.Contains(raw, "abcdefgh12345678") {
		t.Error("got a credential, want it masked")
	}
	if len(s.Agents) != 2 || len(s.Agents[0].Conversations) != 1 || len(s.Agents[1].Conversations) != 1 {
		t.Errorf("got %d agents, want two with a conversation each", len(s.Agents))
	}
}

func TestWhatIsNoArchiveIsRefused(t *testing.T) {
	for text, says := range map[string]string{
		"": "is not an HTTP archive", "[]": "is not an HTTP archive", `{"log":{}}`: "is not an HTTP archive", `{"log":{"entries":7}}`: "is not an HTTP archive",
		`{"log":{"entries":[]}}`: "contains no exchange of A2A", `{"log":{"entries":[{}, 7, null, {"request":null}]}}`: "no entry, of 4,",
		`{"log":{"entries":[{},{`: "breaks after entry 1", "<html>": "is not an HTTP archive", `{"log":{"entries":[`: "is not an HTTP archive", "\x00\xff": "is not an HTTP archive",
		`{"log":{"entries":{"a":1}}}`: "is not an HTTP archive", `{"log":[]}`: "is not an HTTP archive", `{"log":{"entries":[{"startedDateTime":"x","response":{"status":"many"}}]}}`: "no entry, of 1,",
	} {
		var b bytes.Buffer
		if _, err := har.Import(strings.NewReader(text), &b); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") || b.Len() > 0 {
			t.Errorf("%s: got %v and %d bytes, want %q", text, err, b.Len(), says)
		}
	}
}

func FuzzImport(f *testing.F) {
	f.Add(browser)
	f.Add(`{"log":{"entries":[{"startedDateTime":"x"},{"request":{"method":"POST","url":"/message:send"},"response":{"status":1},"time":1e300}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var b bytes.Buffer
		sum, err := har.Import(strings.NewReader(text), &b)
		if err != nil {
			return
		}
		path := filepath.Join(t.TempDir(), "x.jsonl")
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if s := read(t, path); s.Log.Len() != sum.Records {
			t.Fatalf("got %d records, want %d", s.Log.Len(), sum.Records)
		}
	})
}

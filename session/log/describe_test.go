package log_test

import (
	"net/http"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/sessiontest"
)

func TestDescribeSaysWhatARecordIs(t *testing.T) {
	head := func(status int, ct string) *a2a.Head {
		return &a2a.Head{Status: status, Header: http.Header{"Content-Type": {ct}}}
	}
	body := func(json string) a2a.Record { return a2a.Record{Kind: a2a.KindEvent, Raw: []byte(json)} }
	result := func(json string) a2a.Record { return body(`{"jsonrpc":"2.0","id":"1","result":` + json + `}`) }
	artifact := func(parts string) a2a.Record {
		return result(`{"artifactUpdate":{"taskId":"t","append":true,"artifact":{"artifactId":"a","name":"itinerary.md","parts":[` + parts + `]}}}`)
	}
	frame := func(name, data string) a2a.Record {
		return a2a.Record{Kind: a2a.KindEvent, Raw: []byte(data), SSE: &a2a.SSEFields{Event: name}}
	}
	tests := []struct {
		record a2a.Record
		want   string
	}{
		{a2a.Record{Kind: a2a.KindRequest, Raw: []byte(`{"jsonrpc":"2.0","id":"1","method":"SendStreamingMessage"}`)}, "SendStreamingMessage"},
		{a2a.Record{Kind: a2a.KindRequest, Head: &a2a.Head{Method: "GET", URL: "http://h:1/.well-known/agent-card.json?x=1"}}, "GET /.well-known/agent-card.json?x=1"},
		{a2a.Record{Kind: a2a.KindRequest}, "request"},
		{a2a.Record{Kind: a2a.KindSurplus, Raw: []byte("{}")}, "surplus after the answer"},
		{a2a.Record{Kind: a2a.KindEnd, End: &a2a.End{Reason: a2a.Ended, Break: "the connection broke after 9 bytes"}}, "end · complete, then broken"},
		{a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: &a2a.Call{Op: a2a.OpCatalog}}, "GET catalog"},
		{a2a.Record{Kind: a2a.KindHead, Head: head(200, "text/event-stream; charset=utf-8")}, "200 text/event-stream"},
		{a2a.Record{Kind: a2a.KindHead, Head: head(204, "")}, "204"},
		{a2a.Record{Kind: a2a.KindHead}, "response"},
		{result(`{"task":{"id":"t","status":{"state":"TASK_STATE_SUBMITTED"}}}`), "task submitted"},
		{result(sessiontest.StatusWord("INPUT_REQUIRED")), "status input-required"},
		{result(sessiontest.StatusWord("DAYDREAMING")), "status TASK_STATE_DAYDREAMING"},
		{artifact(`{"text":"` + strings.Repeat("x", 64) + `"}`), "artifact itinerary.md +64 B"},
		{artifact(`{"text":"` + strings.Repeat("ü", 600) + `"}`), "artifact itinerary.md +1.2 kB"},
		{artifact(`{"data":{"a":1,"b":2,"c":3}}`), "artifact itinerary.md {3}"},
		{artifact(`{"text":"abc"},{"data":{"a":1,"b":2,"c":3}}`), "artifact itinerary.md +22 B {3}"},
		{artifact(`{"data":[1,2]}`), "artifact itinerary.md [2]"},
		{artifact(`{"raw":"aGk=","filename":"map.png"}`), "artifact itinerary.md map.png"},
		{artifact(`{"raw":"aGk=","filename":"itinerary.md"}`), "artifact itinerary.md"},
		{artifact(`{"odd":1}`), "artifact itinerary.md unknown part"},
		{result(`{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"Which\n dates?"}]}}`), "message Which dates?"},
		{result(`{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"` + strings.Repeat("long ", 50) + `"}]}}`), "message long long long long long long long long ..."},
		{body(`{"jsonrpc":"2.0","id":"1","error":{"code":-32001,"message":"gone"}}`), "-32001 TaskNotFound"},
		{body(`{"jsonrpc":"2.0","id":"1","error":{"code":-32099,"message":"own words"}}`), "-32099 own words"},
		{body(`{"jsonrpc":`), "unreadable · not JSON at byte 11"},
		{body(`[DONE]`), "[DONE]"},
		{body(`{"type":"ping"}`), "ping"},
		{body(``), "keep-alive"},
		{frame("ping", `{}`), "ping"},
		{frame("close", `{"jsonrpc":"2.0","id":"1","result":{"taskId":"t","reason":"task ended"}}`), "close · task ended"},
		{result(`{"what":1}`), "unknown event"},
		{result(`null`), "no content"},
		{a2a.Record{Kind: a2a.KindBody}, "empty body"},
		{a2a.Record{Kind: a2a.KindEnd, End: &a2a.End{Reason: a2a.Ended}}, "end · closed by agent"},
		{a2a.Record{Kind: a2a.KindEnd, End: &a2a.End{Reason: a2a.Cut}}, "end · cut off"},
		{a2a.Record{Kind: a2a.KindEnd, End: &a2a.End{Reason: a2a.Cut, Class: a2a.ClassLimit}}, "end · cut at a limit"},
		{a2a.Record{Kind: a2a.KindEnd, End: &a2a.End{Reason: a2a.Cut, Class: a2a.ClassUnrecorded}}, "end · recording ends"},
		{a2a.Record{Kind: a2a.KindEnd, End: &a2a.End{Reason: a2a.Cancelled}}, "end · closed by Parley"},
		{a2a.Record{Kind: a2a.KindEnd, End: &a2a.End{Reason: a2a.TimedOut}}, "end · timed out"},
		{a2a.Record{Kind: a2a.KindEnd, End: &a2a.End{Reason: a2a.Refused, Class: "refused"}}, "end · refused"},
		{a2a.Record{Kind: a2a.KindEnd, End: &a2a.End{Reason: a2a.Refused, Class: "origin"}}, "end · not sent (origin)"},
		{a2a.Record{Kind: a2a.KindEnd}, "end · without a reason"},
		{a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: "opening", Attrs: map[string]string{"ref": "http://x"}}}, "opening · http://x"},
		{a2a.Record{Kind: a2a.KindNote}, "note"},
		{a2a.Record{Kind: "new", Raw: []byte("x")}, "body"},
	}
	for _, tt := range tests {
		it := log.Item{Record: tt.record}
		if tt.record.Kind == a2a.KindEvent {
			in := a2a.Input{Body: tt.record.Raw, Stream: true}
			if tt.record.SSE != nil {
				in.Event = tt.record.SSE.Event
			}
			it.Update = a2a.Decode(sessiontest.CallOf(a2a.OpStream, 1), in)
		}
		if got := log.Describe(&it); got != tt.want {
			t.Errorf("%s %s: got row %q, want %q", tt.record.Kind, tt.record.Raw, got, tt.want)
		}
	}
}

func TestALaterChunkIsCalledByTheNameOfItsArtifact(t *testing.T) {
	p, call := sessiontest.NewTape(), sessiontest.CallOf(a2a.OpStream, 1)
	x := p.Ask(call, "hi")
	nameless := p.Event(x, call, sessiontest.ChunkOf("a", "before it has a name", false))
	first := p.Event(x, call, `{"artifactUpdate":{"taskId":"t","append":true,"artifact":{"artifactId":"a","name":"essay.md","parts":[{"text":"more"}]}}}`)
	later := p.Event(x, call, sessiontest.ChunkOf("a", "still more", true))
	other := p.Event(x, call, sessiontest.ChunkOf("b", "else", true))
	for id, want := range map[a2a.RecordID]string{
		nameless: "artifact a +20 B", first: "artifact essay.md +4 B", later: "artifact essay.md +10 B", other: "artifact b +4 B",
	} {
		it := p.State.Log.At(id)
		what, tail := log.Words(it)
		if got := log.Describe(it); got != want || what+tail != want || !strings.HasPrefix(tail, " +") {
			t.Errorf("record %d: got row %q, in pieces %q %q; want %q", id, got, what, tail, want)
		}
		if name := it.Update.Events[0].Artifact.Name; id == later && name != "" {
			t.Errorf("got name %q in the record itself, want none", name)
		}
	}
}

func TestDescribeSaysAnHTTPErrorOnce(t *testing.T) {
	for _, tt := range []struct {
		status     int
		body, want string
	}{
		{404, "404 page not found\n", "404 page not found"},
		{404, "", "404 Not Found"},
		{404, "no such agent", "404 no such agent"},
		{500, "<html><title>Oops</title></html>", "500 with an HTML page titled “Oops”"},
		{403, `{"error":"forbidden"}`, "403 forbidden"},
		{400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}`, "-32700 JSONParse"},
	} {
		it := log.Item{Record: a2a.Record{Kind: a2a.KindBody, Raw: []byte(tt.body)},
			Update: a2a.Decode(sessiontest.CallOf(a2a.OpCard, 0), a2a.Input{Body: []byte(tt.body), Status: tt.status})}
		if got := log.Describe(&it); got != tt.want {
			t.Errorf("status %d with %q: got row %q, want %q", tt.status, tt.body, got, tt.want)
		}
	}
}

func TestDescribeIsShortWhateverTheAgentSays(t *testing.T) {
	long := strings.Repeat("ü", 1<<20)
	for _, result := range []string{
		`{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"` + long + `"}]}}`,
		`{"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","name":"` + long + `","parts":[{"raw":"","filename":"` + long + `"}]}}}`,
		sessiontest.StatusWord(long),
	} {
		it := log.Item{Record: a2a.Record{Kind: a2a.KindEvent}, Update: a2a.Decode(nil, a2a.Input{Body: []byte(result), Stream: true})}
		if got := log.Describe(&it); len(got) > 700 {
			t.Errorf("got a row of %d bytes, want at most 700", len(got))
		}
	}
}

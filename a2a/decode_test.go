package a2a

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// one decodes a body and returns its only event.
func one(t testing.TB, call *Call, in Input) (Event, Update) {
	t.Helper()
	u := Decode(call, in)
	if len(u.Events) != 1 {
		t.Fatalf("got %d events, want 1: %s", len(u.Events), describeUpdate(u))
	}
	return u.Events[0], u
}

func rpc(result string) []byte { return []byte(`{"jsonrpc":"2.0","id":"1","result":` + result + `}`) }

func TestUnreadableBodiesAreExplained(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		call *Call
		in   Input
		want string
	}{
		{"login page", nil, Input{Body: []byte("<!doctype html><html><head><title>Sign in</title>"), Status: 200, ContentType: "text/html; charset=utf-8"},
			"The agent answered HTTP 200 (text/html) with an HTML page titled “Sign in” instead of JSON: check the URL."},
		{"title with entities and breaks", nil, Input{Body: []byte("<html><TITLE x=1>\n A &amp; B\nrest</TITLE>")},
			"The agent answered with an HTML page titled “A & B” instead of JSON: check the URL."},
		{"page without title", nil, Input{Body: []byte("<html></html>")},
			"The agent answered with an HTML page instead of JSON: check the URL."},
		{"text", nil, Input{Body: []byte("It works!\n"), Status: 200},
			"The agent answered HTTP 200 with text instead of JSON, “It works!”: check the URL."},
		{"text that starts like a number", nil, Input{Body: []byte("2025-01-01 hello"), Status: 200},
			"The agent answered HTTP 200 with text instead of JSON, “2025-01-01 hello”: check the URL."},
		{"empty", &Call{Op: OpSend}, Input{Status: 200}, "The agent answered HTTP 200 with an empty body: check the URL."},
		{"cut before anything", nil, Input{Torn: true}, "The connection closed before an answer came."},
		{"cut", nil, Input{Body: []byte(`{"jsonrpc":"2.0","res`), Torn: true},
			"The answer ends in the middle, after 21 bytes."},
		{"cut frame", nil, Input{Body: []byte(`{"jsonrpc":"2.0"`), Stream: true},
			"A frame ends in the middle, after 16 bytes: its bytes are recorded as they came, and the stream continues."},
		{"bytes", nil, Input{Body: []byte{0x1f, 0x8b, 8, 0, 0, 0}, Status: 200},
			"The agent answered HTTP 200 with 6 bytes that are not text instead of JSON: check the URL."},
		{"page in a stream", nil, Input{Body: []byte("<html><title>Oops</title></html>"), Stream: true},
			"A frame contains an HTML page titled “Oops” instead of JSON: its bytes are recorded as they came, and the stream continues."},
		{"text in a stream", nil, Input{Body: []byte("oops\nagain"), Stream: true},
			"A frame contains text instead of JSON, “oops”: its bytes are recorded as they came, and the stream continues."},
		{"too long", nil, Input{Stream: true, Omitted: 7},
			"The frame is too long to read: its last 7 bytes were not recorded. --max-event raises the limit."},
		{"too long answer", &Call{Op: OpList}, Input{Body: []byte(`{"a`), Omitted: 7},
			"The answer is too long to read: its last 7 bytes were not recorded. --max-answer raises the limit."},
		{"too long card", &Call{Op: OpCard}, Input{Body: []byte(`{"a`), Omitted: 7},
			"The agent card is too long to read: its last 7 bytes were not recorded. --max-card raises the limit."},
		{"cut card", &Call{Op: OpCard}, Input{Body: []byte(`{"a`), Torn: true}, "The agent card ends in the middle, after 3 bytes."},
		{"trailing comma", nil, Input{Body: []byte(`{"a":1,}`)}, "The answer is not valid JSON at byte 6 (a trailing comma): its bytes are recorded as they came."},
		{"neither result nor error", &Call{Op: OpGet}, Input{Body: []byte(`{"jsonrpc":"2.0","id":1}`)},
			"The agent answered without a result and without an error: get the task again, or report this to the agent's author."},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := Decode(c.call, c.in)
			if u.Err == nil {
				t.Fatalf("got no error: %s", describeUpdate(u))
			}
			if u.Err.Sentence != c.want {
				t.Errorf("\n got %s\nwant %s", u.Err.Sentence, c.want)
			}
		})
	}
}

func TestErrorsAreNamedByReasonThenDialect(t *testing.T) {
	t.Parallel()
	rest := &Call{Op: OpGet, Binding: BindingREST, Dialect: V03}
	for _, c := range []struct {
		name string
		call *Call
		in   Input
		want string
	}{
		{"code of 0.1", &Call{Dialect: V01}, Input{Body: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32006,"message":"m"}}`)},
			"StreamingNotSupportedError (-32006): m"},
		{"the same code in 0.3", &Call{Dialect: V03}, Input{Body: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32006,"message":"m"}}`)},
			"InvalidAgentResponseError (-32006): m"},
		{"a code that only 1.0 has", &Call{Dialect: V03}, Input{Body: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32009,"message":"m"}}`)},
			"VersionNotSupportedError (-32009): m"},
		{"nobody's code", &Call{Dialect: V10}, Input{Body: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m"}}`)}, "error -1: m"},
		{"reason wins over code", &Call{Dialect: V10}, Input{Body: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"m","data":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND"}]}}`)},
			"TaskNotFoundError (-32603): m"},
		{"private code", &Call{Dialect: V10}, Input{Body: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-31401,"message":"m"}}`)}, "UnauthenticatedError (-31401): m"},
		{"without id", nil, Input{Body: []byte(`{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}`)}, "JSONParseError (-32700): m"},
		{"status of a web framework", rest, Input{Status: 404, Body: []byte(`{"message":"Task not found"}`)}, "TaskNotFoundError (-32001): Task not found"},
		{"class name", rest, Input{Status: 409, Body: []byte(`{"message":"m","type":"TaskNotCancelableError"}`)}, "TaskNotCancelableError: m"},
		{"class name of Java", rest, Input{Status: 400, Body: []byte(`{"error":"io.a2a.spec.InvalidParamsError","message":"m"}`)}, "InvalidParamsError: m"},
		{"bare code", rest, Input{Body: []byte(`{"code":-32002,"message":"m"}`)}, "TaskNotCancelableError (-32002): m"},
		{"google.rpc.Status", rest, Input{Status: 404, Body: []byte(`{"error":{"code":404,"status":"NOT_FOUND","message":"m","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND"}]}}`)},
			"TaskNotFoundError (-32001): m"},
		{"problem details", rest, Input{Status: 400, Body: []byte(`{"type":"https://a2a-protocol.org/errors/version-not-supported","title":"t","status":400,"detail":"d"}`)},
			"VersionNotSupportedError (-32009): d"},
		{"oauth", nil, Input{Status: 401, Body: []byte(`{"error":"invalid_token","error_description":"expired"}`)}, "expired"},
		{"HTML under 502", nil, Input{Status: 502, Body: []byte("<html><title>Bad Gateway</title></html>")},
			"HTTP 502 Bad Gateway, with an HTML page titled “Bad Gateway”"},
		{"text under 404", nil, Input{Status: 404, Body: []byte("404 page not found\n")}, "HTTP 404 Not Found: 404 page not found"},
		{"nothing under 401", nil, Input{Status: 401}, "HTTP 401 Unauthorized"},
		{"broken JSON under 500", nil, Input{Status: 500, Body: []byte(`{"a":`)}, "HTTP 500 Internal Server Error, with malformed JSON"},
		{"string under 403", nil, Input{Status: 403, Body: []byte(`"no"`)}, "HTTP 403 Forbidden: no"},
		{"list under 422", nil, Input{Status: 422, Body: []byte(`[{"msg":"x"}]`)}, "HTTP 422 Unprocessable Entity: JSON that is not an A2A error"},
		{"null message", nil, Input{Status: 500, Body: []byte(`{"message":null}`)}, "HTTP 500 Internal Server Error"},
		{"JSON-RPC under 500", nil, Input{Status: 500, Body: []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"m"}}`)}, "InternalError (-32603): m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev, _ := one(t, c.call, c.in)
			if ev.Kind != EventError {
				t.Fatalf("got event kind %s, want %s", ev.Kind, EventError)
			}
			if got := ev.Err.Error(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if c.in.Status >= 300 && ev.Err.HTTPStatus != c.in.Status {
				t.Errorf("got HTTP status %d, want %d", ev.Err.HTTPStatus, c.in.Status)
			}
		})
	}
}

func TestWhatSDKsSendIsReadWithoutComplaint(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		call Call
		in   Input
		want string
	}{
		{"delete without result", Call{Op: OpPushDelete, Dialect: V03}, Input{Body: []byte(`{"jsonrpc":"2.0","id":1}`)}, "empty"},
		{"delete with null", Call{Op: OpPushDelete, Dialect: V03}, Input{Body: rpc(`null`)}, "empty"},
		{"delete with an object", Call{Op: OpPushDelete, Dialect: V10}, Input{Body: rpc(`{}`)}, "empty"},
		{"delete with 204", Call{Op: OpPushDelete, Binding: BindingREST}, Input{Status: 204}, "empty"},
		{"accepted", Call{Op: OpCancel, Binding: BindingREST}, Input{Status: 202}, "empty"},
		{"cancel said in words", Call{Op: OpCancel, Binding: BindingREST}, Input{Status: 202, Body: []byte(`{"message":"Cancellation request sent"}`)}, "empty"},
		{"close notice", Call{Op: OpStream, Dialect: V02}, Input{Stream: true, Event: "close", Body: rpc(`{"taskId":"t","reason":"task ended"}`)}, "not A2A"},
		{"ping object", Call{Op: OpStream, Dialect: V03}, Input{Stream: true, Body: []byte(`{"type":"ping"}`)}, "not A2A"},
		{"status of 0.1 on a stream", Call{Op: OpStream, Dialect: V01}, Input{Stream: true, Body: rpc(`{"id":"t","status":{"state":"working"}}`)}, "status"},
		{"task of 0.1", Call{Op: OpSend, Dialect: V01}, Input{Body: rpc(`{"id":"t","status":{"state":"working"}}`)}, "task"},
		{"task of 0.1 on a stream", Call{Op: OpSubscribe, Dialect: V01}, Input{Stream: true, Body: rpc(`{"id":"t","sessionId":"s","status":{"state":"working"}}`)}, "task"},
		{"artifact of 0.1 with final", Call{Op: OpStream, Dialect: V01}, Input{Stream: true, Body: rpc(`{"id":"t","artifact":{"index":0,"lastChunk":true,"parts":[{"type":"text","text":"x"}]},"final":true}`)}, "artifact"},
		{"page whose list is null", Call{Op: OpList, Dialect: V10}, Input{Body: rpc(`{"tasks":null,"totalSize":0,"nextPageToken":""}`)}, "tasks"},
		{"page without a list", Call{Op: OpList, Dialect: V10}, Input{Body: rpc(`{"totalSize":0}`)}, "tasks"},
		{"no page at all", Call{Op: OpList, Dialect: V10}, Input{Body: rpc(`{"tasks":7}`)}, "unknown MIX-002 warning"},
		{"empty list", Call{Op: OpList, Dialect: V10}, Input{Body: rpc(`{}`)}, "tasks"},
		{"bare list of tasks", Call{Op: OpList, Dialect: V03}, Input{Body: rpc(`[{"kind":"task","id":"t","contextId":"c","status":{"state":"working"}}]`)}, "tasks"},
		{"empty list of configurations", Call{Op: OpPushList, Dialect: V03}, Input{Body: rpc(`[]`)}, "push config"},
		{"a probe for the extended card", Call{Op: OpProbe, Dialect: V03}, Input{Body: rpc(`{"name":"n","url":"https://a.example/","skills":[]}`)}, "card"},
		{"extended card", Call{Op: OpExtendedCard, Dialect: V03}, Input{Body: rpc(`{"name":"n","url":"https://a.example/","skills":[]}`)}, "card"},
		{"error with null id", Call{Op: OpSend, Dialect: V03}, Input{RPCID: `"1"`, Body: []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`)}, "error"},
		{"JSON error in answer to a stream call", Call{Op: OpStream, Dialect: V10}, Input{RPCID: `"1"`, Body: []byte(`{"jsonrpc":"2.0","id":"1","error":{"code":-32004,"message":"m"}}`)}, "error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.call.Binding == "" {
				c.call.Binding = BindingJSONRPC
			}
			if got := describeUpdate(Decode(&c.call, c.in)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestIDsAreComparedLoosely(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sent, got string
		stream    bool
		want      string
	}{
		{`"1"`, `"1"`, false, "empty"},
		{`1`, `"1"`, false, "empty ENV-004 warning"},
		{`"1"`, `"2"`, false, "empty ENV-004 error"},
		{`"1"`, `"2"`, true, "empty STRM-007 error"},
		{`"1"`, `null`, false, "empty ENV-004 error"},
		{``, `17`, false, "empty"},
	} {
		in := Input{RPCID: c.sent, Stream: c.stream, Body: []byte(`{"jsonrpc":"2.0","id":` + c.got + `,"result":{}}`)}
		if got := describeUpdate(Decode(&Call{Op: OpCancel}, in)); got != c.want {
			t.Errorf("sent %s, got %s: %q, want %q", c.sent, c.got, got, c.want)
		}
	}
}

func TestResponseOfABatchIsChosenByID(t *testing.T) {
	t.Parallel()
	body := `[{"jsonrpc":"2.0","id":"1","result":{"kind":"task","id":"a"}},{"jsonrpc":"2.0","id":"2","result":{"kind":"task","id":"b"}}]`
	ev, _ := one(t, nil, Input{Body: []byte(body), RPCID: `"2"`})
	if ev.TaskID != "b" {
		t.Errorf("got task %q, want %q", ev.TaskID, "b")
	}
}

func TestEventWithoutTaskBelongsToTheCall(t *testing.T) {
	t.Parallel()
	ev, _ := one(t, &Call{Op: OpStream, TaskID: "t1"}, Input{Stream: true, Body: rpc(`{"kind":"artifact-update","artifact":{"artifactId":"a","parts":[{"kind":"text","text":"x"}]}}`)})
	if ev.TaskID != "t1" {
		t.Errorf("got task %q, want %q", ev.TaskID, "t1")
	}
}

func TestMessageWithoutIDGetsTheSameOneEachTime(t *testing.T) {
	t.Parallel()
	body := rpc(`{"kind":"message","role":"agent","parts":[{"kind":"text","text":"x"}]}`)
	a, _ := one(t, nil, Input{Body: body})
	b, _ := one(t, nil, Input{Body: body})
	if !a.Message.IDMade || a.Message.ID == "" || a.Message.ID != b.Message.ID {
		t.Errorf("got message ids %q and %q, want the same made-up one", a.Message.ID, b.Message.ID)
	}
}

func TestTrafficIsEvidenceAgainstTheCard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		call   Call
		stream bool
		body   string
		want   string
	}{
		{"agrees", Call{Dialect: V03}, true, `{"kind":"status-update","taskId":"t","contextId":"c","final":false,"status":{"state":"working"}}`, ""},
		{"0.2 is 0.3", Call{Dialect: V02}, true, `{"kind":"status-update","taskId":"t","contextId":"c","final":false,"status":{"state":"working"}}`, ""},
		{"0.3 in answer to 1.0", Call{Dialect: V10}, true, `{"kind":"status-update","taskId":"t","contextId":"c","final":false,"status":{"state":"working"}}`, "v0.3"},
		{"1.0 in answer to 0.3", Call{Dialect: V03, Binding: BindingJSONRPC}, true, `{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`, "v1.0"},
		{"0.1 in answer to 0.3", Call{Dialect: V03}, true, `{"id":"t","status":{"state":"working"},"final":false}`, "v0.1"},
		{"an unknown format", Call{}, false, `{"id":"t","sessionId":"s","status":{"state":"working"}}`, "v0.1"},
		{"a mixture proves nothing", Call{Dialect: V03}, false, `{"task":{"kind":"task","id":"t","contextId":"c","status":{"state":"working"}}}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, u := one(t, &c.call, Input{Body: rpc(c.body), Stream: c.stream})
			got := ""
			for _, e := range u.Saw {
				got += e.Value
			}
			if got != c.want {
				t.Errorf("got evidence %+v, want %q", u.Saw, c.want)
			}
		})
	}
}

func TestRefusedVersionNamesTheOnesOnOffer(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32009,"message":"A2A version '0.3' is not supported by this handler. Expected version '1.0'."}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32009,"message":"m","supportedVersions":["1.0"]}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32009,"message":"m","data":[{"metadata":{"supportedVersions":"1.0"}}]}}`,
	} {
		_, u := one(t, &Call{Dialect: V03}, Input{Body: []byte(body)})
		if len(u.Saw) != 1 || u.Saw[0].Value != "v1.0" || u.Saw[0].Confidence != Certain {
			t.Errorf("%s: got evidence %+v, want v1.0 for certain", body, u.Saw)
		}
	}
}

func TestTimestampsNeverFailTheirObject(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`"2025-04-02T16:59:25.123456789Z"`:    "2025-04-02T16:59:25.123456789Z zone",
		`"2025-04-02T16:59:25+09:00"`:         "2025-04-02T07:59:25Z zone",
		`"2025-04-02T16:59:25+0900"`:          "2025-04-02T07:59:25Z zone",
		`"2025-04-02T16:59:25.331844"`:        "2025-04-02T16:59:25.331844Z STAT-004",
		`"2025-04-02 16:59:25"`:               "2025-04-02T16:59:25Z STAT-004",
		`"1743613165"`:                        "2025-04-02T16:59:25Z zone",
		`1743613165331`:                       "2025-04-02T16:59:25.331Z zone STAT-004",
		`"yesterday"`:                         "none STAT-004",
		`""`:                                  "none",
		`null`:                                "none",
		`{}`:                                  "none",
		`99999999999999999999`:                "none STAT-004",
		`"` + strings.Repeat("9", 1000) + `"`: "none STAT-004",
	} {
		ev, u := one(t, nil, Input{Body: rpc(`{"kind":"task","id":"t","contextId":"c","status":{"state":"working","timestamp":` + text + `}}`)})
		s := ev.Task.Status
		got := "none"
		if !s.Time.IsZero() {
			got = s.Time.UTC().Format(time.RFC3339Nano)
		}
		if s.HasZone {
			got += " zone"
		}
		for _, f := range u.Findings {
			got += " " + f.Rule
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
		if s.State != StateWorking {
			t.Errorf("%s: got state %s, want %s", text, s.State, StateWorking)
		}
	}
}

func TestFindingsOfOnePayloadAreBounded(t *testing.T) {
	t.Parallel()
	body := rpc(`{"kind":"message","role":"agent","messageId":"m","parts":[` + strings.Repeat("null,", 100_000) + `{}]}`)
	_, u := one(t, nil, Input{Body: body})
	if len(u.Findings) != maxFindings {
		t.Errorf("got %d findings, want %d", len(u.Findings), maxFindings)
	}
}

func TestGluedDocumentsKeepTheirOffsets(t *testing.T) {
	t.Parallel()
	doc := `{"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"t","status":{"state":"paused"}}}`
	u := Decode(nil, Input{Body: []byte(doc + "\n" + doc), Stream: true})
	if len(u.Events) != 2 {
		t.Fatalf("got %d events, want 2: %s", len(u.Events), describeUpdate(u))
	}
	want := strings.Index(doc, `"paused"`)
	var at []int
	for _, f := range u.Findings {
		if f.Rule == "STAT-001" {
			at = append(at, f.Offset)
		}
	}
	if len(at) != 2 || at[0] != want || at[1] != want+len(doc)+1 {
		t.Errorf("got offsets %v, want %d and %d", at, want, want+len(doc)+1)
	}
}

func TestGluedGarbageKeepsWhatCameBeforeIt(t *testing.T) {
	t.Parallel()
	u := Decode(nil, Input{Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"t","status":{"state":"working"}}}` + "\n{oops"), Stream: true})
	if got := describeUpdate(u); got != "task ! SSE-002 error ENV-002 error" {
		t.Errorf("got %s, want a task, SSE-002 and ENV-002", got)
	}
}

func TestFaultOfTheDecoderIsAnUpdate(t *testing.T) {
	t.Parallel()
	u := catchPanic(func() Update { panic("oops") })
	if u.Err == nil || u.Err.Sentence == "" || !strings.Contains(u.Err.Unwrap().Error(), "oops") {
		t.Errorf("got update %+v, want the panic as its error", u)
	}
}

func TestDecodersShareNothing(t *testing.T) {
	t.Parallel()
	vectors := loadVectors(t)
	want := make([]string, len(vectors))
	read := func(v *vector) string {
		u := Decode(v.call(), Input{Body: v.body})
		return describeUpdate(u) + mustJSON(t, u.Saw)
	}
	for i := range vectors {
		want[i] = read(&vectors[i])
	}
	var wg sync.WaitGroup
	for start := range 8 {
		wg.Go(func() {
			for n := range vectors {
				i := (n*(start+1) + start) % len(vectors)
				if got := read(&vectors[i]); got != want[i] {
					t.Errorf("%s: got %s in parallel, %s alone", vectors[i].File, got, want[i])
				}
			}
		})
	}
	wg.Wait()
}

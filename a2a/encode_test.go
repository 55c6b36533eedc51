package a2a

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"parley/internal/golden"
)

var allOps = []Op{
	OpSend, OpStream, OpGet, OpList, OpCancel, OpSubscribe, OpPushSet, OpPushGet, OpPushList, OpPushDelete, OpExtendedCard, OpProbe, OpArtifact,
}

// fullRequest returns a request with every field that an operation of some dialect can carry.
func fullRequest(op Op) Request {
	length := 0
	return Request{
		Call: &Call{Op: op},
		Message: &Message{
			ID: "msg-1", Role: RoleUser, ReferenceTaskIDs: []string{"task-0"}, Extensions: []string{"https://ext.example/v1"},
			Metadata: json.RawMessage(`{"big":12345678901234567890}`),
			Parts: []Part{
				TextPart("<b>Grüße</b> & \u2028 5 > 3"),
				{Kind: PartBytes, Content: []byte{0, 255, 16}, Filename: "a.bin", MediaType: "application/octet-stream"},
				{Kind: PartURL, URL: "https://files.example/a.png", Filename: "a.png", MediaType: "image/png"},
				{Kind: PartData, Data: json.RawMessage(`{"n":1.10}`), Metadata: json.RawMessage(`{"schema":"x"}`)},
				DataPart(json.RawMessage(`[1,2]`)),
				DataPart(json.RawMessage(`"text"`)),
			},
		},
		Config: SendConfig{
			AcceptedOutputModes: []string{"text/plain"}, HistoryLength: &length, Wait: true,
			Push:     &PushConfig{URL: "https://hook.example/", Token: "tok", Schemes: []string{"Bearer", "Basic"}, Credentials: "cred"},
			Metadata: json.RawMessage(`{"trace":"x"}`),
		},
		TaskID: "task-1", ContextID: "ctx-1", Tenant: "billing", HistoryLength: &length,
		Metadata: json.RawMessage(`{"why":"user"}`),
		Push:     &PushConfig{ID: "cfg-1", URL: "https://hook.example/", Schemes: []string{"Bearer"}},
		PushID:   "cfg-1",
		// One extension is the message's own.
		Extensions: []string{"https://ext.example/v2", "https://ext.example/v1"},
		URI:        "artifact://Orders/ann%40example.com/web-1/caf%C3%A9%20%231.pdf?version=2",
		List: ListFilter{
			ContextID: "ctx-1", State: StateInputRequired, PageSize: 10, PageToken: "next",
			StatusTimestampAfter: "2026-03-01T00:00:00Z", IncludeArtifacts: False,
		},
	}
}

// TestRequestsOfEveryDialect compares every operation of every dialect with a golden file:
// method, URL and headers, then the body.
func TestRequestsOfEveryDialect(t *testing.T) {
	t.Parallel()
	for _, name := range Dialects() {
		dialect, ok := LookupDialect(name)
		if !ok || dialect.Name() != name {
			t.Fatalf("Lookup: got no dialect %s, want one of that name", name)
		}
		p := Profile{Dialect: name, Endpoint: "https://agent.example/a2a/", Agent: "Orders"}
		if name == SAMBroker {
			p.Endpoint = "mqtt://broker.example/acme/dev#Orders"
		}
		b, problem := bindingFor(p)
		if problem != "" {
			t.Fatalf("%s: got problem %q, want none", name, problem)
		}
		for _, op := range allOps {
			out, err := b.encode(fullRequest(op), "id-1")
			if !dialect.Supports(op) {
				var refused *EncodeError
				if !errors.As(err, &refused) || refused.Sentence == "" {
					t.Errorf("%s %s: got error %v, want an EncodeError with a sentence", name, op, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s %s: %v", name, op, err)
				continue
			}
			if _, _, routed := route(dialect.Method(op)); !routed && !bytes.Contains(out.body, []byte(`"method":"`+dialect.Method(op)+`"`)) {
				t.Errorf("%s %s: got body %s, want method %q", name, op, out.body, dialect.Method(op))
			}
			golden.Compare(t, "encode/"+string(name)+"/"+string(op), formatRequest(t, &out))
		}
	}
}

// formatRequest formats a request for the golden file.
func formatRequest(t *testing.T, out *outgoingRequest) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(out.method + " " + out.url + "\n")
	for _, name := range slices.Sorted(maps.Keys(out.header)) {
		b.WriteString(name + ": " + strings.Join(out.header[name], ", ") + "\n")
	}
	if out.body == nil {
		return b.String()
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, out.body, "", "  "); err != nil {
		t.Fatalf("got body %q (%v), want JSON", out.body, err)
	}
	return b.String() + "\n" + pretty.String()
}

// TestAWaitThatNobodyChose checks that the wait is written unless it adds other members: 0.2
// would need acceptedOutputModes too.
func TestAWaitThatNobodyChose(t *testing.T) {
	t.Parallel()
	history := 3
	for _, c := range []struct {
		dialect DialectName
		conf    SendConfig
		want    string // the configuration
	}{
		{V03, SendConfig{Wait: true, Default: true}, `{"blocking":true}`},
		{V10, SendConfig{Wait: true, Default: true}, `{"returnImmediately":false}`},
		{V02, SendConfig{Wait: true, Default: true}, ``},
		{V02, SendConfig{Wait: true}, `{"acceptedOutputModes":[],"blocking":true}`},
		{V02, SendConfig{Wait: true, Default: true, HistoryLength: &history}, `{"acceptedOutputModes":[],"historyLength":3,"blocking":true}`},
	} {
		req := Request{Call: &Call{Op: OpSend}, Message: &Message{ID: "m", Role: RoleUser, Parts: []Part{TextPart("hi")}}, Config: c.conf}
		dialect, _ := LookupDialect(c.dialect)
		body, _, err := dialect.Encode(req, "1")
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Params struct{ Configuration json.RawMessage }
		}
		if err := json.Unmarshal(body, &got); err != nil || string(got.Params.Configuration) != c.want {
			t.Errorf("%s %+v: got configuration %s, want %s (%v)", c.dialect, c.conf, got.Params.Configuration, c.want, err)
		}
	}
}

func TestSmallestRequests(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dialect DialectName
		op      Op
		want    string
	}{
		{V10, OpSend, `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]},"configuration":{"returnImmediately":true}}`},
		{V10, OpStream, `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]}}`},
		{V03, OpSend, `{"message":{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"text","text":"hi"}]},"configuration":{"blocking":false}}`},
		{V03, OpStream, `{"message":{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"text","text":"hi"}]}}`},
		{V02, OpSend, `{"message":{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"text","text":"hi"}]},"configuration":{"acceptedOutputModes":[],"blocking":false}}`},
		{V10, OpGet, `{"id":"t"}`},
		{V01, OpGet, `{"id":"t"}`},
		{V10, OpList, `{}`},
		{V10, OpExtendedCard, `{}`},
		{V03, OpExtendedCard, ``},
	} {
		req := Request{Call: &Call{Op: c.op}, Message: &Message{ID: "m", Role: RoleUser, Parts: []Part{TextPart("hi")}}}
		if c.op != OpSend && c.op != OpStream {
			req.TaskID = "t"
		}
		dialect, _ := LookupDialect(c.dialect)
		body, _, err := dialect.Encode(req, "1")
		if err != nil {
			t.Errorf("%s %s: %v", c.dialect, c.op, err)
			continue
		}
		var got struct{ Params json.RawMessage }
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		if string(got.Params) != c.want {
			t.Errorf("%s %s:\n got %s\nwant %s", c.dialect, c.op, got.Params, c.want)
		}
	}
}

func TestWhatCannotBeSentIsRefusedInWords(t *testing.T) {
	t.Parallel()
	text := &Message{Role: RoleUser, Parts: []Part{TextPart("hi")}}
	for _, c := range []struct {
		name    string
		dialect DialectName
		req     Request
		want    string
	}{
		{"no message", V10, Request{Call: &Call{Op: OpSend}}, "There is no message to send"},
		{"no parts", V03, Request{Call: &Call{Op: OpSend}, Message: &Message{}}, "The message is empty; A2A requires at least one part"},
		{"unknown part", V03, Request{Call: &Call{Op: OpSend}, Message: &Message{Parts: []Part{{}}}},
			"A2A does not define the kind of part 1 of the message; remove the part to send"},
		{"no task id in 0.1", V01, Request{Call: &Call{Op: OpSend}, Message: text}, "The request names no task; choose a task first"},
		{"no task", V10, Request{Call: &Call{Op: OpCancel}}, "The request names no task; choose a task first"},
		{"no such operation", V01, Request{Call: &Call{Op: OpList}}, "A2A 0.1 has no operation “list”"},
		{"no operation", V10, Request{}, "A2A 1.0 has no operation “”"},
		{"malformed data", V10, Request{Call: &Call{Op: OpSend}, Message: &Message{Parts: []Part{DataPart(json.RawMessage(`{"a":`))}}},
			"A JSON value in the message is malformed"},
		{"no configuration", V03, Request{Call: &Call{Op: OpPushSet}, TaskID: "t"}, "There is no push configuration to set"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dialect, _ := LookupDialect(c.dialect)
			_, _, err := dialect.Encode(c.req, "1")
			var refused *EncodeError
			if !errors.As(err, &refused) || !strings.HasPrefix(refused.Sentence, c.want) {
				t.Errorf("got error %v, want %s", err, c.want)
			}
		})
	}
}

func TestOnly10SendsAVersion(t *testing.T) {
	t.Parallel()
	for _, name := range Dialects() {
		dialect, _ := LookupDialect(name)
		for _, op := range append(allOps, OpCard) {
			want := ""
			if version, _ := name.version(); version == V10 {
				want = "1.0"
			}
			if got := dialect.Headers(op).Get("A2A-Version"); got != want {
				t.Errorf("%s %s: got A2A-Version %q, want %q", name, op, got, want)
			}
		}
	}
	if _, ok := LookupDialect("v9"); ok {
		t.Error("Lookup: got a dialect v9, want none")
	}
}

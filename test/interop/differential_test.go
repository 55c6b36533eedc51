package interop

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/sse"
)

const vectors = "../../a2a/testdata/vectors"

// A vector is an entry of the vectors' manifest.
type vector struct {
	File, Dialect, Op, Kind string
	HTTP                    struct {
		Status      int
		ContentType string
	}
}

// A question is a value that an SDK's decoder reads as one of its types.
type question struct {
	As     string          `json:"as"`
	Bridge bool            `json:"bridge,omitempty"` // the value is of 0.3 over HTTP+JSON
	JSON   json.RawMessage `json:"json"`

	name  string
	shape any // Parley's reading
}

// valueTypes are the types of the operations in the manifest: of answers, which are events by
// default, and of requests.
var (
	valueTypes = map[string]string{
		"get": "task", "cancel": "task", "list": "tasks", "pushSet": "push", "pushGet": "push", "pushList": "pushes",
		"card": "card", "extendedCard": "card",
	}
	ops = map[string]a2a.Op{
		"card": a2a.OpCard, "send": a2a.OpSend, "stream": a2a.OpStream, "get": a2a.OpGet, "list": a2a.OpList,
		"cancel": a2a.OpCancel, "subscribe": a2a.OpSubscribe, "pushSet": a2a.OpPushSet, "pushGet": a2a.OpPushGet,
		"pushList": a2a.OpPushList, "pushDelete": a2a.OpPushDelete, "extendedCard": a2a.OpExtendedCard,
	}
)

// knownDifferences are the explained differences, as "vector /pointer".
var knownDifferences = map[string]map[string]string{
	"a2a-go-2.4.0 v1.0": {
		"v1.0-rest/06-list.response.json /pageSize":  "Parley keeps the token of the next page; sizes are for the wire pane",
		"v1.0-rest/06-list.response.json /totalSize": "as the size of the page",
	},
	"a2a-go-2.4.0 v0.3-rest": {
		"v0.3-rest/05-stream.sse /statusUpdate/final":             "the bridge has no place for it",
		"v0.3-rest/09-subscribe.sse /statusUpdate/final":          "as above",
		"what is sent to send /message/referenceTaskIds":          "the protocol buffer of 0.3 has no such member",
		"what is sent to stream /message/referenceTaskIds":        "as above",
		"what is sent to stream /configuration/returnImmediately": "a stream does not say whether it blocks, and the bridge takes that for no",
		"v0.3-rest/21-send-go-2.0-snake.response.json":            "the bridge does not read what the same SDK wrote in 2.0",
	},
	"a2a-go-0.3.3 v0.3": {
		"v0.3/09-stream.sse": "the SDK takes no time without a zone, which is how the specification prints them",
	},
}

// scopes are those of a security requirement as the protocol buffer's StringList, which SDK
// 2.4.0 writes and reads as a bare array.
var scopes = regexp.MustCompile(`(?s)\{\s*"list":\s*(\[[^\]]*\])\s*\}`)

// TestDecodersAgreeWithOfficialSDKs compares how Parley and the official Go SDKs read the
// vectors, and checks Parley's output with the SDKs.
func TestDecodersAgreeWithOfficialSDKs(t *testing.T) {
	for _, c := range []struct {
		module   string
		dialect  a2a.DialectName
		dialects []string
	}{
		{"a2a-go-2.4.0", a2a.V10, []string{"v1.0", "v1.0-rest"}},
		{"a2a-go-2.4.0", a2a.V03REST, []string{"v0.3-rest"}},
		{"a2a-go-0.3.3", a2a.V03, []string{"v0.3"}},
	} {
		t.Run(c.module+" "+string(c.dialect), func(t *testing.T) {
			t.Parallel()
			decoder := build(t, filepath.Join("agents", c.module), "./decoder")
			var all []question
			for _, v := range manifest(t) {
				for _, dialect := range c.dialects {
					if v.Dialect == dialect {
						all = append(all, v.questions(t, c.dialect)...)
					}
				}
			}
			if len(all) < 12 {
				t.Fatalf("got %d values in the vectors, want at least 12", len(all))
			}
			all = append(all, requestQuestions(t, c.dialect)...)
			agree(t, decoder, all, knownDifferences[c.module+" "+string(c.dialect)])
		})
	}
}

func manifest(t *testing.T) (all []vector) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(vectors, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// questions returns the values of a vector, one per frame of a stream. Errors and empty answers
// have no type.
func (v vector) questions(t *testing.T, dialect a2a.DialectName) []question {
	t.Helper()
	if v.Kind == "error" || v.Op == "pushDelete" {
		return nil
	}
	body, err := os.ReadFile(filepath.Join(vectors, filepath.FromSlash(v.File)))
	if err != nil {
		t.Fatal(err)
	}
	if v.Kind == "request" {
		return v.request(t, dialect, body)
	}
	call := &a2a.Call{Op: ops[v.Op], Dialect: dialect}
	in := a2a.Input{Body: body, Status: v.HTTP.Status, ContentType: v.HTTP.ContentType}
	if !strings.HasSuffix(v.File, ".sse") {
		return v.question(t, call, in, v.File)
	}
	var all []question
	for dec := sse.NewDecoder(bytes.NewReader(body)); ; {
		frame, err := dec.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if frame.HasData {
			in.Body, in.Stream, in.Event = frame.Data, true, frame.Event
			all = append(all, v.question(t, call, in, v.File)...)
		}
	}
}

// question decodes one payload with Parley for the comparison with the SDK.
func (v vector) question(t *testing.T, call *a2a.Call, in a2a.Input, name string) []question {
	t.Helper()
	q := question{As: valueTypes[v.Op], Bridge: call.Dialect == a2a.V03REST, JSON: memberOf(t, in.Body, "result"), name: name}
	switch {
	case q.As == "" && q.Bridge && v.Op == "send":
		q.As = "result"
	case q.As == "":
		q.As = "event"
	}
	if q.As == "card" && call.Dialect == a2a.V10 {
		q.JSON = scopes.ReplaceAll(q.JSON, []byte("$1"))
	}
	if v.Kind == "webhook" && call.Dialect == a2a.V03 {
		q.As = "task"
	}
	if q.As == "card" && q.Bridge {
		return nil // the bridge reads none
	}
	if v.Kind == "card" {
		cards, _, failure := a2a.ParseCard(in.Body, "https://agent.example.com/card.json")
		if failure != nil || len(cards) != 1 {
			t.Fatalf("%s: got %d cards, %v, want 1", name, len(cards), failure)
		}
		q.shape = plain(t, cardShape(cards[0]))
		return []question{q}
	}
	u := a2a.Decode(call, in)
	if u.Err != nil || len(u.Events) != 1 {
		t.Fatalf("%s: got %d events, %v, want 1", name, len(u.Events), u.Err)
	}
	if u.Events[0].Kind == a2a.EventError {
		return nil
	}
	q.shape = plain(t, shapeOf(&u.Events[0], q.As))
	return []question{q}
}

// request compares the message of a request, which Parley reads in a replay. The other parts
// are compared with Parley's output.
func (v vector) request(t *testing.T, dialect a2a.DialectName, body []byte) []question {
	t.Helper()
	if v.Op != "send" && v.Op != "stream" {
		return nil
	}
	u := a2a.Decode(&a2a.Call{Op: ops[v.Op], Dialect: dialect}, a2a.Input{Body: body})
	if u.Err != nil || len(u.Events) != 1 || u.Events[0].Kind != a2a.EventMessage {
		t.Fatalf("%s: got events %+v, %v, want one message", v.File, u.Events, u.Err)
	}
	if dialect == a2a.V03REST {
		return nil
	}
	message := memberOf(t, memberOf(t, body, "params"), "message")
	if dialect == a2a.V10 {
		message = json.RawMessage(`{"message":` + string(message) + `}`)
	}
	return []question{{As: "event", JSON: message, name: v.File, shape: plain(t, shapeOf(&u.Events[0], "event"))}}
}

// memberOf returns a member of an object, or the object if it lacks the member.
func memberOf(t *testing.T, body []byte, name string) json.RawMessage {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err == nil && members[name] != nil {
		return members[name]
	}
	return bytes.TrimSpace(body)
}

// requestQuestions returns the parameters of every operation of a dialect as Parley sends them.
// Over HTTP+JSON most of them are in the path; its messages must be readable as those of 1.0.
func requestQuestions(t *testing.T, dialect a2a.DialectName) (all []question) {
	t.Helper()
	d, _ := a2a.LookupDialect(dialect)
	for _, op := range everyOp {
		q := question{As: string(op), name: "what is sent to " + string(op), Bridge: dialect == a2a.V03REST}
		q.JSON = encodedParams(t, dialect, fullRequest(op, dialect != a2a.V10))
		switch {
		case !d.Supports(op), dialect == a2a.V03 && op == a2a.OpExtendedCard: // it has no parameters
			continue
		case !q.Bridge:
			q.shape = plain(t, q.JSON)
		case op == a2a.OpSend, op == a2a.OpStream:
			q.shape = plain(t, encodedParams(t, a2a.V10, fullRequest(op, true)))
		default:
			continue
		}
		all = append(all, q)
	}
	return all
}

// encodedParams returns the parameters or the body of a request as Parley sends them.
func encodedParams(t *testing.T, dialect a2a.DialectName, req a2a.Request) json.RawMessage {
	t.Helper()
	bodies := make(chan []byte, 4)
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies <- body
		_, _ = io.WriteString(w, `{}`)
	}))
	defer agent.Close()
	client := a2a.NewClient(a2a.Profile{Dialect: dialect, Endpoint: agent.URL}, nil, a2a.Options{
		NewID: newID, Trace: a2a.Trace{Put: func(a2a.Record, a2a.Update) a2a.RecordID { return 1 }, Now: time.Now},
	})
	defer client.Close()
	if client.Do(t.Context(), req, a2a.Hooks{}); len(bodies) == 0 {
		return nil
	}
	return memberOf(t, <-bodies, "params")
}

// fullRequest is a request with every option set.
func fullRequest(op a2a.Op, wait bool) a2a.Request {
	ten := 10
	hook := a2a.PushConfig{ID: "cfg-1", URL: "https://hook.example/", Token: "tok", Schemes: []string{"Bearer"}, Credentials: "cred"}
	data := a2a.DataPart(json.RawMessage(`{"n":1.5,"list":[1,null,"x"]}`))
	data.Metadata = json.RawMessage(`{"schema":"x"}`)
	return a2a.Request{
		Call: &a2a.Call{Op: op},
		Message: &a2a.Message{
			ID: "msg-1", Role: a2a.RoleUser, ReferenceTaskIDs: []string{"task-0"}, Extensions: []string{"https://ext.example/v1"},
			Metadata: json.RawMessage(`{"trace":"x"}`),
			Parts: []a2a.Part{
				a2a.TextPart("<b>Grüße</b> & \u2028 5 > 3"), data,
				{Kind: a2a.PartBytes, Content: []byte{0, 255, 16}, Filename: "a.bin", MediaType: "application/octet-stream"},
				{Kind: a2a.PartURL, URL: "https://files.example/a.png", Filename: "a.png", MediaType: "image/png"},
			},
		},
		Config: a2a.SendConfig{
			AcceptedOutputModes: []string{"text/plain"}, HistoryLength: &ten, Push: &hook, Metadata: json.RawMessage(`{"why":"user"}`),
			Wait: wait,
		},
		TaskID: "task-1", ContextID: "ctx-1", HistoryLength: &ten, Metadata: json.RawMessage(`{"why":"user"}`),
		Push: &hook, PushID: "cfg-1",
		List: a2a.ListFilter{
			ContextID: "ctx-1", State: a2a.StateInputRequired, PageSize: 10, PageToken: "next",
			StatusTimestampAfter: "2026-03-01T00:00:00Z", IncludeArtifacts: a2a.True,
		},
	}
}

// agree asks an SDK's decoder all questions and compares the answers.
func agree(t *testing.T, decoder string, all []question, reasons map[string]string) {
	t.Helper()
	var in, out bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, q := range all {
		if err := enc.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(decoder)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, os.Stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(&out)
	needed := map[string]bool{}
	for _, q := range all {
		var answer struct {
			JSON  json.RawMessage
			Error string
		}
		if err := dec.Decode(&answer); err != nil {
			t.Fatal(err)
		}
		differ := []string{": " + answer.Error}
		if answer.Error == "" {
			differ = differences("", plain(t, answer.JSON), q.shape)
		}
		for _, d := range differ {
			pointer, _, _ := strings.Cut(d, ":")
			if key := strings.TrimSpace(q.name + " " + pointer); reasons[key] == "" {
				t.Errorf("%s as %s: got from the SDK and from Parley:\n%s\nin %s", q.name, q.As, d, q.JSON)
			} else {
				needed[key] = true
			}
		}
	}
	for name := range reasons {
		if !needed[name] {
			t.Errorf("%s: got no difference, but one is expected", name)
		}
	}
}

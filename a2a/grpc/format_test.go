package grpc

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	pb03 "github.com/a2aproject/a2a-go/a2apb"
	pb10 "github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"parley/a2a"
)

func kindOf(m proto.Message) string { return string(m.ProtoReflect().Descriptor().FullName()) }

// samples are messages of both services with every kind of field.
func samples(t testing.TB) []proto.Message {
	t.Helper()
	data, err := structpb.NewStruct(map[string]any{"n": 1.5, "big": 1e300, "small": 1e-9, "whole": 12345678901234.0, "s": "x\"\\\n\t\u0001ü🙂", "l": []any{true, nil, map[string]any{}}, "": false})
	if err != nil {
		t.Fatal(err)
	}
	text := &pb10.Part{Content: &pb10.Part_Text{Text: "Hello"}, MediaType: "text/plain"}
	status10 := &pb10.TaskStatus{State: pb10.TaskState_TASK_STATE_WORKING, Timestamp: &timestamppb.Timestamp{Seconds: 1763000000, Nanos: 120000000}}
	info, err := anypb.New(&errdetails.ErrorInfo{Reason: "TASK_NOT_FOUND", Domain: "a2a-protocol.org", Metadata: map[string]string{"a": "b"}})
	if err != nil {
		t.Fatal(err)
	}
	wait, err := anypb.New(&errdetails.RetryInfo{RetryDelay: &durationpb.Duration{Seconds: 3, Nanos: 500}})
	if err != nil {
		t.Fatal(err)
	}
	return []proto.Message{
		&pb10.SendMessageRequest{Message: &pb10.Message{
			MessageId: "m1", Role: pb10.Role_ROLE_USER, Metadata: data, Extensions: []string{"https://x.example/e"}, ReferenceTaskIds: []string{"a", "b"},
			Parts: []*pb10.Part{text, {Content: &pb10.Part_Raw{Raw: []byte{0, 255, 1}}, Filename: "f"}, {Content: &pb10.Part_Url{Url: "https://x.example/"}}, {Content: &pb10.Part_Data{Data: structpb.NewStructValue(data)}}, {Content: &pb10.Part_Text{}}},
		}, Configuration: &pb10.SendMessageConfiguration{AcceptedOutputModes: []string{"text/plain"}, ReturnImmediately: true, HistoryLength: proto.Int32(0)}},
		&pb10.StreamResponse{Payload: &pb10.StreamResponse_Task{Task: &pb10.Task{Id: "t", ContextId: "c", Status: status10}}},
		&pb10.StreamResponse{Payload: &pb10.StreamResponse_ArtifactUpdate{ArtifactUpdate: &pb10.TaskArtifactUpdateEvent{TaskId: "t", Artifact: &pb10.Artifact{ArtifactId: "a", Parts: []*pb10.Part{text}}, Append: true, LastChunk: true}}},
		&pb10.ListTasksResponse{Tasks: []*pb10.Task{{Id: "t", Status: status10}}, TotalSize: 7, NextPageToken: "n"},
		&pb10.AgentCard{Name: "n", SecuritySchemes: map[string]*pb10.SecurityScheme{"k": {Scheme: &pb10.SecurityScheme_ApiKeySecurityScheme{ApiKeySecurityScheme: &pb10.APIKeySecurityScheme{Name: "X", Location: "header"}}}}},
		&pb10.GetExtendedAgentCardRequest{},
		&pb03.StreamResponse{Payload: &pb03.StreamResponse_Msg{Msg: &pb03.Message{MessageId: "m", Role: pb03.Role_ROLE_AGENT, Parts: []*pb03.Part{
			{Part: &pb03.Part_Text{Text: "x"}}, {Part: &pb03.Part_File{File: &pb03.FilePart{File: &pb03.FilePart_FileWithBytes{FileWithBytes: []byte("AAEC")}, MimeType: "a/b"}}}, {Part: &pb03.Part_Data{Data: &pb03.DataPart{Data: data}}}}}}},
		&pb03.CreateTaskPushNotificationConfigRequest{Parent: "tasks/1", ConfigId: "c", Config: &pb03.TaskPushNotificationConfig{Name: "n", PushNotificationConfig: &pb03.PushNotificationConfig{Url: "u", Authentication: &pb03.AuthenticationInfo{Schemes: []string{"Bearer"}}}}},
		&status.Status{Code: 5, Message: "no", Details: []*anypb.Any{info, wait, {TypeUrl: "type.googleapis.com/x.Unknown", Value: []byte{1, 2}}}},
	}
}

func TestMessagesHaveTheJSONOfProtojson(t *testing.T) {
	t.Parallel()
	f := NewFormat()
	for _, m := range samples(t) {
		raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		kind := kindOf(m)
		got, fault := f.Render(&a2a.Binary{Kind: kind, Bytes: raw})
		if fault != nil {
			t.Fatalf("%s: %v", kind, fault)
		}
		if s, ok := m.(*status.Status); ok { // protojson refuses an Any of an unknown type
			s.Details = s.Details[:2]
		}
		want, err := protojson.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := m.(*status.Status); !ok && !sameJSON(t, got, want) {
			t.Errorf("%s:\n got %s\nwant %s", kind, got, want)
		}
		back, err := f.Rebuild(kind, got)
		if err != nil {
			t.Fatalf("%s: %v\n%s", kind, err, got)
		}
		if again, _ := f.Render(back); !bytes.Equal(again, got) {
			t.Errorf("%s: got %s after a round trip, want %s", kind, again, got)
		}
		other := m.ProtoReflect().New().Interface()
		if err := proto.Unmarshal(back.Bytes, other); err != nil {
			t.Errorf("%s: the official reader refuses what was built: %v", kind, err)
		}
		fromOfficial, err := f.Rebuild(kind, want)
		if err != nil {
			t.Errorf("%s: got error %v for the official JSON", kind, err)
		} else if err := proto.Unmarshal(fromOfficial.Bytes, other); err != nil || !proto.Equal(m, other) {
			t.Errorf("%s: got another message from the official JSON (%v)", kind, err)
		}
	}
}

func sameJSON(t testing.TB, a, b []byte) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Fatalf("%v: %s", err, a)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return reflect.DeepEqual(x, y)
}

const streamResponse = "lf.a2a.v1.StreamResponse"

func TestWhatTheTypesLackIsKept(t *testing.T) {
	t.Parallel()
	raw, err := proto.Marshal(&pb10.Task{Id: "t", ContextId: "c"})
	if err != nil {
		t.Fatal(err)
	}
	raw = protowire.AppendVarint(protowire.AppendTag(raw, 150, protowire.VarintType), math.MaxUint64)
	raw = protowire.AppendString(protowire.AppendTag(raw, 151, protowire.BytesType), "new text")
	raw = protowire.AppendString(protowire.AppendTag(raw, 151, protowire.BytesType), "more")
	raw = protowire.AppendBytes(protowire.AppendTag(raw, 151, protowire.BytesType), []byte{0, 1})
	raw = protowire.AppendFixed32(protowire.AppendTag(raw, 152, protowire.Fixed32Type), 7)
	raw = protowire.AppendFixed64(protowire.AppendTag(raw, 153, protowire.Fixed64Type), 8)
	raw = protowire.AppendGroup(protowire.AppendTag(raw, 154, protowire.StartGroupType), 154, []byte{8, 1})
	raw = protowire.AppendVarint(protowire.AppendTag(raw, 1, protowire.VarintType), 9) // id is a text
	f := NewFormat()
	got, fault := f.Render(&a2a.Binary{Kind: "lf.a2a.v1.Task", Bytes: raw})
	want := `{"id":"t","1:varint":9,"contextId":"c","150:varint":18446744073709551615,"151:text":["new text","more"],"151:bytes":"AAE=","152:fixed32":7,"153:fixed64":8,"154:group":"CAHUCQ=="}`
	if fault != nil || strings.ReplaceAll(string(got), "\\u0000", "") != want && !strings.HasPrefix(string(got), want[:180]) {
		t.Fatalf("got %s (%v)\nwant %s", got, fault, want)
	}
	back, err := f.Rebuild("lf.a2a.v1.Task", got)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := f.Render(back); !bytes.Equal(again, got) || len(back.Bytes) != len(raw) {
		t.Errorf("got %s of %d bytes, want %s of %d bytes", again, len(back.Bytes), got, len(raw))
	}
	unknown, _ := f.Render(&a2a.Binary{Kind: "x.Unknown", Bytes: []byte{0x0a, 2, 'h', 'i', 0x10, 5}})
	if string(unknown) != `{"1:text":"hi","2:varint":5}` {
		t.Errorf("got %s for an unknown type", unknown)
	}
}

func TestUnknownWordsOfAnEnumAreNumbers(t *testing.T) {
	t.Parallel()
	raw, err := proto.Marshal(&pb10.TaskStatus{State: 42})
	if err != nil {
		t.Fatal(err)
	}
	f := NewFormat()
	got, _ := f.Render(&a2a.Binary{Kind: "lf.a2a.v1.TaskStatus", Bytes: raw})
	if string(got) != `{"state":42}` {
		t.Fatalf("got %s", got)
	}
	if back, err := f.Rebuild("lf.a2a.v1.TaskStatus", got); err != nil || !bytes.Equal(back.Bytes, raw) {
		t.Errorf("got %x (%v), want %x", back.Bytes, err, raw)
	}
}

func TestTextThatIsNotUTF8IsKept(t *testing.T) {
	t.Parallel()
	raw := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), []byte("a\xffb\\\n"))
	f := NewFormat()
	got, fault := f.Render(&a2a.Binary{Kind: "lf.a2a.v1.Task", Bytes: raw})
	if fault != nil || string(got) != "{\"id\":\"a\xffb\\\\\\n\"}" {
		t.Fatalf("got %q (%v)", got, fault)
	}
	if back, err := f.Rebuild("lf.a2a.v1.Task", got); err != nil || !bytes.Equal(back.Bytes, raw) {
		t.Errorf("got %x (%v), want %x", back.Bytes, err, raw)
	}
	u := a2a.Decode(&a2a.Call{Op: a2a.OpGet, Dialect: a2a.V10, Binding: a2a.BindingGRPC}, a2a.Input{Body: got, Kind: "lf.a2a.v1.Task"})
	if len(u.Findings) == 0 || u.Findings[0].Rule != "ENV-009" {
		t.Errorf("got findings %+v, want one about the text", u.Findings)
	}
}

func TestABrokenMessageIsReadUpToTheBreak(t *testing.T) {
	t.Parallel()
	whole, err := proto.Marshal(&pb10.StreamResponse{Payload: &pb10.StreamResponse_Task{Task: &pb10.Task{Id: "task-1", ContextId: "context-1"}}})
	if err != nil {
		t.Fatal(err)
	}
	f := NewFormat()
	for _, c := range []struct {
		raw          []byte
		want, reason string
	}{
		{whole[:len(whole)-4], `{"task":{"id":"task-1","contextId":"conte"}}`, "4 of its 19 bytes are missing"},
		{whole[:5], `{"task":{"id":"t"}}`, "ends at byte 5"},
		{whole[:1], `{}`, "ends at byte 1, inside field 1"},
		{[]byte{0xff, 0xff}, `{}`, "no field begins there"},
		{append(bytes.Clone(whole), 0x0b), string(mustRender(t, f, whole)), "inside field 1"},
		{[]byte{0x80}, `{}`, "no field begins there"},
	} {
		got, fault := f.Render(&a2a.Binary{Kind: streamResponse, Bytes: c.raw})
		if string(got) != c.want || fault == nil || !strings.Contains(fault.Sentence, c.reason) {
			t.Errorf("%x: got %s (%v), want %s (%s)", c.raw, got, fault, c.want, c.reason)
		}
	}
	got, fault := f.Render(&a2a.Binary{Kind: streamResponse, Bytes: whole[:len(whole)-4]})
	u := a2a.Decode(&a2a.Call{Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingGRPC}, a2a.Input{Body: got, Fault: fault, Stream: true})
	if u.Err == nil || len(u.Events) != 1 || u.Events[0].TaskID != "task-1" {
		t.Errorf("got %+v, want an error and the task", u)
	}
}

func mustRender(t testing.TB, f *Format, raw []byte) []byte {
	t.Helper()
	got, fault := f.Render(&a2a.Binary{Kind: streamResponse, Bytes: raw})
	if fault != nil {
		t.Fatal(fault)
	}
	return got
}

func TestDeepMessagesEnd(t *testing.T) {
	t.Parallel()
	raw := []byte{}
	for range 20_000 { // a list in a list
		raw = protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), protowire.AppendBytes(protowire.AppendTag(nil, 6, protowire.BytesType), raw))
		if len(raw) > 100_000 {
			break
		}
	}
	_, fault := NewFormat().Render(&a2a.Binary{Kind: "google.protobuf.ListValue", Bytes: raw})
	if fault == nil || !strings.Contains(fault.Sentence, "deeper") {
		t.Errorf("got fault %v, want one about the depth", fault)
	}
}

// A message that comes in two parts on every level would be copied once for each level.
func TestMessagesInPartsAreBounded(t *testing.T) {
	raw := bytes.Repeat([]byte("x"), 1<<20)
	raw = protowire.AppendBytes(protowire.AppendTag(nil, 3, protowire.BytesType), raw)
	for range 300 { // a struct in a value in a struct
		twice := protowire.AppendBytes(protowire.AppendTag(nil, 5, protowire.BytesType), nil)
		twice = protowire.AppendBytes(protowire.AppendTag(twice, 5, protowire.BytesType), raw)
		entry := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), "k")
		entry = protowire.AppendBytes(protowire.AppendTag(entry, 2, protowire.BytesType), twice)
		raw = protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), entry)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _ = NewFormat().Render(&a2a.Binary{Kind: "google.protobuf.Struct", Bytes: raw})
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("got %d MB allocated for a message of 1 MB", used>>20)
	}
}

func TestMistakesOfAUserAreNamed(t *testing.T) {
	t.Parallel()
	f := NewFormat()
	const path = "/lf.a2a.v1.A2AService/SendMessage"
	for _, c := range []struct{ path, text, want string }{
		{path, `{"message":{"messageID":"m"}}`, "The value at /message/messageID has a name that Message lacks: “messageID”"},
		{path, `{"message":[]}`, "is no object"},
		{path, `{"message":{"role":"user"}}`, "“user”"},
		{path, `{"message":{"parts":[{"raw":"?"}]}}`, "The value at /message/parts/0/raw is no base64"},
		{path, `{"message":{"parts":{}}}`, "is no list"},
		{path, `{"message":{"messageId":1}}`, "is no text"},
		{path, `{"configuration":{"historyLength":1.5}}`, "whole number"},
		{path, `{"message":{"metadata":[]}}`, "is no object"},
		{path, `{`, "The message is not JSON"},
		{"/x/Y", `{}`, "no method /x/Y"},
	} {
		_, err := f.Build(c.path, []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q in it", c.text, err, c.want)
		}
	}
	for _, text := range []string{`{"message":{"message_id":"m","content":[]}}`, ``, `{"message":null}`} {
		if _, err := f.Build(path, []byte(text)); text != "" && strings.Contains(text, "content") != (err != nil) {
			t.Errorf("%s: got error %v", text, err)
		}
	}
	if _, err := f.Build("/a2a.v1.A2AService/SendMessage", []byte(`{"message":{"content":[{"text":"x"}]}}`)); err != nil {
		t.Errorf("got error %v for the older name of the parts", err)
	}
}

// FuzzRender compares with the official reader, and builds what was rendered again.
func FuzzRender(f *testing.F) {
	for _, m := range samples(f) {
		raw, _ := proto.Marshal(m)
		f.Add(raw)
	}
	format := NewFormat()
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, fault := format.Render(&a2a.Binary{Kind: streamResponse, Bytes: raw})
		var m pb10.StreamResponse
		if err := proto.Unmarshal(raw, &m); err == nil && fault != nil {
			t.Fatalf("got fault %v for what the official reader reads", fault)
		}
		if fault != nil {
			return
		}
		back, err := format.Rebuild(streamResponse, got)
		if err != nil {
			t.Fatalf("%v: %q", err, got)
		}
		again, fault := format.Render(back)
		if fault != nil || !bytes.Equal(again, got) {
			t.Fatalf("got %q (%v), want %q\n%s", again, fault, got, base64.StdEncoding.EncodeToString(raw))
		}
	})
}

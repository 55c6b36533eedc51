package a2a

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"parley/a2a/timestamp"
)

// seedVectors adds every vector, streams frame by frame.
func seedVectors(f *testing.F, add func(v *vector, body []byte)) {
	f.Helper()
	for _, v := range loadVectors(f) {
		if !strings.HasSuffix(v.File, ".sse") {
			add(&v, v.body)
			continue
		}
		for _, frame := range frames(f, v.body) {
			add(&v, frame.Data)
		}
	}
}

func FuzzDecode(f *testing.F) {
	dialects := append(Dialects(), Unknown)
	seedVectors(f, func(v *vector, body []byte) {
		if len(body) < 16<<10 {
			f.Add(body, uint8(len(body)), v.HTTP.Status, strings.HasSuffix(v.File, ".sse"), "")
		}
	})
	f.Fuzz(func(t *testing.T, body []byte, pick uint8, status int, stream bool, event string) {
		call := &Call{Op: allOps[int(pick)%len(allOps)], Dialect: dialects[int(pick>>4)%len(dialects)], Binding: BindingJSONRPC, TaskID: "t"}
		if pick&1 == 0 {
			call.Binding = BindingREST
		}
		before := bytes.Clone(body)
		u := Decode(call, Input{Body: body, Status: status, Stream: stream, Event: event, RPCID: `"1"`})
		if !bytes.Equal(before, body) {
			t.Fatalf("got body %q after Decode, want it unchanged: %q", body, before)
		}
		if len(u.Events) == 0 && u.Err == nil {
			t.Fatal("got neither an event nor an error")
		}
		if u.Err != nil && (u.Err.Sentence == "" || strings.Contains(fmt.Sprint(u.Err.Cause), "panic")) {
			t.Fatalf("got error %+v, want a sentence and no panic", u.Err)
		}
		fold := NewFold()
		for i := range u.Events {
			ev := &u.Events[i]
			if ev.Kind == EventError && ev.Err.Error() == "" {
				t.Error("got an error event without a text, want one with a text")
			}
			fold.Apply(ev)
			if raw := EncodeV1Event(ev); raw != nil && !json.Valid(raw) {
				t.Errorf("got event %s, want valid JSON", raw)
			}
			if ev.Card != nil {
				Detect(ev.Card)
			}
			for _, p := range partsOfAny(ev) {
				_ = p.Size()
				_, _ = p.Bytes()
			}
		}
		for _, finding := range u.Findings {
			if finding.Offset > len(body) || finding.Rule == "" || finding.Message == "" {
				t.Errorf("got finding %+v, want a rule, a message and an offset in the body", finding)
			}
		}
	})
}

func partsOfAny(ev *Event) []Part {
	if ev.Artifact == nil && ev.Message == nil && ev.Task == nil {
		return nil
	}
	return partsOf(ev)
}

func FuzzParseCard(f *testing.F) {
	seedVectors(f, func(v *vector, body []byte) {
		if v.Kind == "card" || strings.Contains(v.File, "card") {
			f.Add(body, "https://a.example/.well-known/agent-card.json")
		}
	})
	f.Fuzz(func(t *testing.T, body []byte, source string) {
		cards, _, failure := ParseCard(body, source)
		if (len(cards) == 0) != (failure != nil) {
			t.Fatalf("got %d cards and error %v, want one or the other", len(cards), failure)
		}
		for _, c := range cards {
			p := Detect(c)
			if p.Problem == "" && (p.Endpoint == "" || p.Dialect == Unknown) {
				t.Errorf("got profile %+v, want a problem, or an endpoint and a dialect", p)
			}
			isGRPC := p.Binding == BindingGRPC && (strings.HasPrefix(p.Endpoint, "grpc://") || strings.HasPrefix(p.Endpoint, "grpcs://"))
			if p.Problem == "" && httpURL(p.Endpoint) == nil && !isGRPC {
				t.Errorf("got endpoint %q of %s, want a URL of its binding", p.Endpoint, p.Binding)
			}
			if raw := EncodeV1Card(c); !json.Valid(raw) {
				t.Errorf("got card %s, want valid JSON", raw)
			}
		}
	})
}

func FuzzParseState(f *testing.F) {
	f.Add("TASK_STATE_INPUT_REQUIRED")
	f.Fuzz(func(t *testing.T, word string) {
		if s := ParseState(word); s > StateOther {
			t.Errorf("ParseState(%q) = %d, want at most %d", word, s, StateOther)
		}
		_, _ = timestamp.Parse(word)
	})
}

// FuzzFold applies random events and compares the fold with a simple one.
func FuzzFold(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Add([]byte("append append replace seal snapshot"))
	f.Fuzz(func(t *testing.T, script []byte) {
		fold, shown, want := NewFold(), map[string]string{}, map[string]string{}
		var k deltaKeeper
		defer k.check(t)
		for i, b := range script {
			ev, key := randomEvent(i, b)
			switch {
			case ev.Kind != EventArtifact:
			case ev.Append:
				want[key] += ev.Artifact.Parts[0].Text
			default:
				want[key] = ev.Artifact.Parts[0].Text
			}
			for _, d := range k.add(fold.Apply(ev)) {
				switch d.Kind {
				case DeltaArtifactNew, DeltaArtifactReplace:
					shown[d.TaskID+d.Key] = textOf(d.Parts)
				case DeltaArtifactAppend:
					shown[d.TaskID+d.Key] += textOf(d.Parts)
				}
			}
		}
		for id := range map[string]bool{"t0": true, "t1": true} {
			task := fold.Task(id)
			if task == nil {
				continue
			}
			for _, a := range task.Artifacts {
				key := id + a.Key
				if held := textOf(a.Parts); held != want[key] || shown[key] != want[key] {
					t.Errorf("%s: got text %q, deltas %q, want %q", key, held, shown[key], want[key])
				}
				delete(want, key)
			}
		}
		if len(want) > 0 {
			t.Errorf("fold lost artifacts %v", want)
		}
	})
}

// randomEvent returns an event made of one byte. Each chunk begins with its number, so that
// none repeats the previous one.
func randomEvent(i int, b byte) (ev *Event, key string) {
	id, artifact := fmt.Sprintf("t%d", b&1), fmt.Sprintf("a%d", b>>1&1)
	switch b >> 5 {
	case 0:
		return &Event{Kind: EventStatus, TaskID: id, Status: &Status{State: StateCompleted, Word: "completed"}}, ""
	case 1:
		return &Event{Kind: EventTask, TaskID: id, Task: &Task{ID: id, Status: Status{State: StateWorking, Word: "working"}}}, ""
	case 2:
		return &Event{Kind: EventMessage, TaskID: id, Message: &Message{ID: artifact, Role: RoleAgent, Parts: []Part{TextPart(id)}}}, ""
	default:
		return &Event{
			Kind: EventArtifact, TaskID: id, Append: b>>2&3 != 0, LastChunk: b>>4&1 != 0,
			Artifact: &Artifact{Key: artifact, ID: artifact, Parts: []Part{TextPart(fmt.Sprintf("%d:%d ", i, b))}},
		}, id + artifact
	}
}

// FuzzPath checks that no name from an agent or a user leads outside the base URL, and that it
// arrives unchanged.
func FuzzPath(f *testing.F) {
	for _, id := range []string{"t1", "a/b", "..", "..evil.example", "x:cancel", "?q#f", "%2e%2e", "ä\x00\xff", "../../admin", " "} {
		f.Add(id, "cfg", "tenant")
		f.Add("t1", id, "")
		f.Add("t1", "cfg", id)
	}
	f.Fuzz(func(t *testing.T, task, config, tenant string) {
		b := restBinding{dialect: &dialectV10REST, base: "https://agent.example/base"}
		out, err := b.encode(Request{Call: &Call{Op: OpPushGet}, TaskID: task, PushID: config, Tenant: tenant}, "1")
		if err != nil {
			return
		}
		u, err := url.Parse(out.url)
		if err != nil {
			t.Fatalf("got URL %q: %v", out.url, err)
		}
		path, below := strings.CutPrefix(u.EscapedPath(), "/base/")
		if u.Host != "agent.example" || u.RawQuery != "" || u.Fragment != "" || !below {
			t.Fatalf("got URL %q, want one below the base URL", out.url)
		}
		got := strings.Split(path, "/")
		n := len(got)
		if n < 4 || got[n-4] != "tasks" || got[n-2] != "pushNotificationConfigs" {
			t.Fatalf("got path segments %q, want tasks and pushNotificationConfigs", got)
		}
		for i, want := range map[int]string{n - 3: task, n - 1: config} {
			if s, err := url.PathUnescape(got[i]); err != nil || s != want {
				t.Errorf("got path segment %q, %v, want %q", s, err, want)
			}
		}
		for _, s := range got {
			if s == "" || s == "." || s == ".." {
				t.Errorf("got path segments %q, want none empty or dotted", got)
			}
		}
	})
}
